import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { cleanEnvironment } from '../package/shell.ts'

/** A port that nothing listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, () => {
      const address = probe.address()
      probe.close(() =>
        address !== null && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('There is no free port.')),
      )
    })
  })

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

/** Waits until a program that was started answers at a URL. @throws with what it wrote where it ends before. */
export const untilAnswered = async (server: ChildProcess, url: string): Promise<void> => {
  let output = ''
  const collect = (text: Buffer): void => {
    output += text.toString()
  }
  server.stdout?.on('data', collect)
  server.stderr?.on('data', collect)
  const deadline = Date.now() + 60_000
  while (!(await answers(url))) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}:\n${output}`)
    if (Date.now() > deadline) throw new Error(`The server never answered at ${url}:\n${output}`)
    await pause(50)
  }
}

/** A program that serves, in a process of its own. */
export interface Serving {
  readonly child: ChildProcess
  /** `http://localhost:1234` */
  readonly origin: string
  /** What it has written so far. */
  readonly written: () => string
  readonly stop: () => Promise<void>
}

/** Starts a program by a line for a shell, on a free port, and waits until it answers at a path. */
export const serving = async (
  line: string,
  folder: string,
  path: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const child = spawn(`exec ${line}`, {
    ...{ cwd: folder, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...cleanEnvironment(), PORT: `${port}`, ...env },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => {
      text += bytes.toString()
    })
  const stop = () => stopped(child)
  try {
    await untilAnswered(child, origin + path)
  } catch (error) {
    await stop()
    throw error
  }
  return { child, origin, written: () => text, stop }
}

/** Ends a program that was started detached, with all that it has started, and waits for its end. */
export const stopped = async (server: ChildProcess | undefined): Promise<void> => {
  if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((resolve) => server.once('close', resolve))
  process.kill(-server.pid, 'SIGTERM')
  await ended
}
