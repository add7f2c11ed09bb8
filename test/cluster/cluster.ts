import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWorker } from '../../examples/shop/cluster/worker.ts'
import { freePort } from '../readme/server.ts'

/** Processes of the shop behind nginx, as `npm run cluster` starts them. */
export interface Cluster {
  /** The URL of the API behind the proxy. */
  readonly base: string
  readonly processes: readonly { readonly base: string; readonly pid: number }[]
  /** What it has written so far. */
  output(): string
  /** Waits until it has written this. */
  says(what: RegExp): Promise<RegExpExecArray>
  /** Ends it as an operator does. @returns its exit code */
  stop(): Promise<number | null>
}

const script = new URL('../../examples/shop/cluster/main.ts', import.meta.url).pathname

export const startCluster = async (environment: Readonly<Record<string, string>>): Promise<Cluster> => {
  const port = await freePort()
  // `setpriv` becomes the program itself, and tells it when the process that started it is gone.
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', process.execPath, script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that nothing of it outlives the test, whatever happens.
    detached: true,
    env: { ...process.env, SEED_PRODUCTS: '100', PORT: String(port), ...environment },
  })
  const atExit = () => killGroup(child)
  process.once('exit', atExit)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const { output, says } = listening(child, ended)
  try {
    await says(/^Cluster +http/m)
  } catch (error) {
    killGroup(child)
    throw error
  }
  const processes = [...output().matchAll(/^Process +(http\S+) pid (\d+)$/gm)].map(([, base = '', pid]) => ({
    base,
    pid: Number(pid),
  }))
  return {
    base: `http://127.0.0.1:${port}/api`,
    processes,
    output,
    says,
    async stop() {
      child.kill('SIGTERM')
      const code = await ended
      process.off('exit', atExit)
      killGroup(child)
      return code
    },
  }
}

/** One process of the shop on SQLite: what a cluster is compared with. */
export const startAlone = async (
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly base: string; stop(): Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-alone-'))
  const database = { DATABASE: join(folder, 'shop.db'), MEDIA_ROOT: join(folder, 'media') }
  const common = { AUTH: '1', SEED_PRODUCTS: '100' }
  const { port, stop } = await startWorker({ ...process.env, ...common, ...database, ...environment })
  return {
    base: `http://127.0.0.1:${port}/api`,
    async stop() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const killGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

const listening = (child: ChildProcess, ended: Promise<number | null>): Pick<Cluster, 'output' | 'says'> => {
  let output = ''
  const waiting = new Set<() => void>()
  const collect = (text: string): void => {
    output += text
    for (const look of waiting) look()
  }
  child.stdout?.setEncoding('utf8').on('data', collect)
  child.stderr?.setEncoding('utf8').on('data', collect)
  return {
    output: () => output,
    says: (what) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = what.exec(output)
          if (found === null) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        ended.then((code) => reject(new Error(`The cluster ended with ${code}:\n${output}`)))
        look()
      }),
  }
}
