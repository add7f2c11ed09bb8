import { type ChildProcess, spawn } from 'node:child_process'
import { freePort } from '../readme/server.ts'

/** A server program of a test, and how it says what it does. */
export interface ServerProgram {
  readonly noun: string
  /** The program and its arguments, at a port that was free a moment ago. */
  readonly command: (port: number) => readonly [program: string, args: readonly string[]]
  /** The one that it had before. By default a free one. */
  readonly port?: number
  /** Its own, where it works. */
  readonly folder: string
  /** What it writes once it takes connections. */
  readonly ready: string
  /** What it writes where another program has taken the port. */
  readonly portTaken: string
}

/** A program that runs. */
export interface Started {
  readonly server: ChildProcess
  readonly port: number
}

const ATTEMPTS = 5

/**
 * Starts a server program and waits until it is ready. Another program can take the free port before it: then the next one.
 * @throws with what it wrote where it does not start
 */
export const startProgram = async (program: ServerProgram): Promise<Started> => {
  for (let attempt = 1; ; attempt += 1) {
    const port = program.port ?? (await freePort())
    const [file, args] = program.command(port)
    const server = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: program.folder })
    const refusal = await untilReady(server, program.ready)
    if (refusal === undefined) return { server, port }
    if (attempt === ATTEMPTS || program.port !== undefined || !refusal.includes(program.portTaken))
      throw new Error(`${program.noun} did not start:\n${refusal}`)
  }
}

/** What the server wrote where it ended before it was ready. */
const untilReady = (server: ChildProcess, ready: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    let output = ''
    const collect = (text: string): void => {
      if (output.length < 1e5) output += text
      if (output.includes(ready)) resolve(undefined)
    }
    server.once('error', reject)
    server.once('close', () => resolve(output))
    server.stdout?.setEncoding('utf8').on('data', collect)
    server.stderr?.setEncoding('utf8').on('data', collect)
  })

/** How a server that was started ends. */
export interface Ending {
  /** With `stop()`. */
  readonly signal: NodeJS.Signals
  /** With this process, where nothing can be waited for. */
  readonly signalAtExit: NodeJS.Signals
  /** Waits without promises, and takes away what it has left. */
  readonly atExit: () => void
  readonly remove: () => void
}

/** Ends a server with `stop()` or with this process, whatever comes first. A process that only waits for its end may end. */
export const stopOf = (
  server: ChildProcess,
  { signal, signalAtExit, atExit, remove }: Ending,
): (() => Promise<void>) => {
  const closed = new Promise((resolve) => server.once('close', resolve))
  const onExit = () => {
    server.kill(signalAtExit)
    atExit()
  }
  process.once('exit', onExit)
  server.unref()
  return async () => {
    process.off('exit', onExit)
    if (server.exitCode === null && server.signalCode === null) {
      server.ref()
      server.kill(signal)
      await closed
    }
    remove()
  }
}
