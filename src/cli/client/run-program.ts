import { existsSync } from 'node:fs'
import { getSystemErrorMessage } from 'node:util'
import { exec, type Result } from 'tinyexec'
import { Failure } from '../failure.ts'

/** A program to run. No shell reads the arguments. */
export interface ProgramRun {
  /** An absolute path. */
  readonly path: string
  readonly args: readonly string[]
  /** Its working folder. */
  readonly folder: string
  /** Ends it, and all that it started. */
  readonly signal: AbortSignal
  /** Each line of its stdout and stderr as it comes. */
  readonly onLine?: ((line: string) => void) | undefined
}

/** What a program left behind. */
export interface ProgramEnd {
  /** It ended with 0. */
  readonly isDone: boolean
  /** `exit code 1`, `SIGKILL`. */
  readonly how: string
  /** The last lines of its stdout and stderr. */
  readonly lines: readonly string[]
}

/** Generators write a line for every file. */
const MOST_LINES = 2000

/** How long a program may tidy up before it is killed, in milliseconds. */
const GRACE = 2000

/** @throws the reason of the signal, once the program is gone; Failure where it does not start */
export const runProgram = async ({ path, args, folder, signal, onLine }: ProgramRun): Promise<ProgramEnd> => {
  signal.throwIfAborted()
  const running = exec(path, [...args], {
    nodePath: false,
    nodeOptions: {
      cwd: folder,
      // Programs that ask for the folder by these would work in the one that this program was started in.
      env: { PWD: folder, INIT_CWD: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what it starts ends with it.
      detached: process.platform !== 'win32',
    },
  })
  const lines: string[] = []
  const ending = endsWith(running, signal)
  try {
    for await (const line of running) {
      if (lines.push(line) > MOST_LINES) lines.shift()
      onLine?.(line)
    }
  } catch (error) {
    throw running.pid === undefined ? notStarted(path, error) : error
  } finally {
    ending.cancel()
  }
  signal.throwIfAborted()
  const { exitCode, signalCode } = running
  return { isDone: exitCode === 0, how: signalCode ?? `exit code ${exitCode}`, lines }
}

const notStarted = (path: string, error: unknown): Failure => {
  const { code, errno }: { readonly code?: unknown; readonly errno?: unknown } = Object(error)
  // The system has one word for a script that is not there and one whose interpreter is not.
  if (code === 'ENOENT' && existsSync(path))
    return new Failure(
      `The program ${path} does not start: what it runs with, as its first line says, is not there.`,
    )
  const reason = typeof errno === 'number' ? getSystemErrorMessage(errno) : String(error)
  return new Failure(`The program ${path} does not start: ${reason}.`)
}

/** Ends a program when a signal says so. */
const endsWith = (running: Result, signal: AbortSignal): { readonly cancel: () => void } => {
  let impatience: NodeJS.Timeout | undefined
  const end = (): void => {
    kill(running, 'SIGTERM')
    impatience = setTimeout(() => kill(running, 'SIGKILL'), GRACE)
  }
  signal.addEventListener('abort', end, { once: true })
  return {
    cancel: () => {
      signal.removeEventListener('abort', end)
      clearTimeout(impatience)
    },
  }
}

const kill = ({ pid }: Result, signal: NodeJS.Signals): void => {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    exec('taskkill', ['/pid', String(pid), '/T', '/F'], { nodePath: false })
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // It is gone.
  }
}
