import { delimiter, join, resolve } from 'node:path'
import { exec, type Result } from 'tinyexec'
import which from 'which'
import { CliError, describeError } from '../terminal/index.ts'

/** A program to run. No shell reads the arguments. */
interface ProgramRun {
  readonly path: string
  readonly args: readonly string[]
  readonly folder: string
  /** Aborting ends the program and all processes that it started. */
  readonly signal: AbortSignal
  readonly onLine?: ((line: string) => void) | undefined
}

export interface ProgramEnd {
  readonly isDone: boolean
  /** `exit code 1`, `SIGKILL`. */
  readonly how: string
  readonly lines: readonly string[]
}

/** Generators write a line for every file. */
const KEPT_LINES = 2000

/** @throws the reason of the signal, after the program has ended; CliError if the program does not start */
export const runProgram = async ({ path, args, folder, signal, onLine }: ProgramRun): Promise<ProgramEnd> => {
  signal.throwIfAborted()
  const running = exec(path, [...args], {
    nodePath: false,
    nodeOptions: {
      cwd: folder,
      // Some programs use these variables instead of the working directory.
      env: { PWD: folder, INIT_CWD: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, to end its children too.
      detached: process.platform !== 'win32',
    },
  })
  const lines: string[] = []
  const end = (): void => killGroup(running)
  signal.addEventListener('abort', end, { once: true })
  try {
    for await (const line of running) {
      if (lines.push(line) > KEPT_LINES) lines.shift()
      onLine?.(line)
    }
  } catch (error) {
    throw new CliError(`Cannot start ${path}: ${describeError(error)}.`)
  } finally {
    signal.removeEventListener('abort', end)
  }
  signal.throwIfAborted()
  const { exitCode, signalCode } = running
  return { isDone: exitCode === 0, how: signalCode ?? `exit code ${exitCode}`, lines }
}

const killGroup = ({ pid }: Result): void => {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    exec('taskkill', ['/pid', String(pid), '/T', '/F'], { nodePath: false })
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}

const noise = [
  /^\[\w+\] (INFO|DEBUG) /,
  /^#.*#$/,
  /^\s+at .*[)\d]$/,
  /^\s*\.\.\. \d+ (more|common frames omitted)$/,
  /^\s*$/,
]

const SHOWN_LINES = 60

/** The error output of a program, without progress messages and stack traces. */
export const errorOutput = ({ lines }: ProgramEnd): string => {
  const telling = lines.filter((line) => !noise.some((pattern) => pattern.test(line)))
  const shown = (telling.length > 0 ? telling : lines).slice(-SHOWN_LINES)
  return shown.length > 0 ? shown.join('\n') : 'It did not print anything.'
}

/** The absolute path of a program that is installed in the folder or on the PATH. */
export const findProgram = (name: string, folder: string): Promise<string | undefined> =>
  programIn(name, [join(folder, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter))

export const programIn = async (name: string, path: string): Promise<string | undefined> => {
  const found = await which(name, { path, nothrow: true })
  return found === null ? undefined : resolve(found)
}
