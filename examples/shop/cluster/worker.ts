import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A process of the shop, which is restarted if it exits. */
export interface Worker {
  readonly port: number
  readonly pid: () => number | undefined
  /** Lets running requests finish and stops the process. */
  stop(): Promise<void>
}

const server = fileURLToPath(new URL('../server.ts', import.meta.url))

const PAUSE = 1000

/** Starts a process of the shop on a free port and waits until it listens. @throws if it exits before that */
export const startWorker = async (environment: NodeJS.ProcessEnv): Promise<Worker> => {
  let isStopping = false
  let current: ChildProcess
  const start = (port: string): ChildProcess =>
    spawn(process.execPath, [server], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...environment, HOST: '127.0.0.1', PORT: port },
    })
  current = start('0')
  const port = await portOf(current)
  const keep = (child: ChildProcess): void => {
    child.stdout?.pipe(process.stdout, { end: false })
    child.once('close', (code, signal) => {
      if (isStopping) return
      console.error(`The process on port ${port} exited with ${signal ?? code}. Restarting it.`)
      setTimeout(() => {
        if (isStopping) return
        current = start(String(port))
        keep(current)
      }, PAUSE)
    })
  }
  keep(current)
  return {
    port,
    pid: () => current.pid,
    async stop() {
      isStopping = true
      if (current.exitCode !== null || current.signalCode !== null) return
      const ended = new Promise((resolve) => current.once('close', resolve))
      current.kill('SIGTERM')
      await ended
    },
  }
}

const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    let output = ''
    const read = (text: string): void => {
      output += text
      const found = /^Shop API +http:\/\/127\.0\.0\.1:(\d+)/m.exec(output)
      if (found === null) return
      child.stdout?.off('data', read)
      resolve(Number(found[1]))
    }
    child.stdout?.setEncoding('utf8').on('data', read)
    child.once('close', (code) => reject(new Error(`A process of the shop exited with ${code}.`)))
  })
