import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import { exec, type Result } from 'tinyexec'
import which from 'which'
import { Failure } from '../command.ts'
import { projectFolders } from '../project/place.ts'

/** A program to run. No shell reads the arguments. */
interface ProgramRun {
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
const KEPT_LINES = 2000

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
  const ending = killOnAbort(running, signal)
  try {
    for await (const line of running) {
      if (lines.push(line) > KEPT_LINES) lines.shift()
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
const killOnAbort = (running: Result, signal: AbortSignal): { readonly cancel: () => void } => {
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

const noise = [
  /^\[\w+\] (INFO|DEBUG) /,
  /^#.*#$/,
  /^\s+at .*[)\d]$/,
  /^\s*\.\.\. \d+ (more|common frames omitted)$/,
  /^\s*$/,
]

/** The most lines that are shown. */
const SHOWN_LINES = 60

/** What a program said of its failure: without its progress and the places in its code. */
export const errorOutput = ({ lines }: ProgramEnd): string => {
  const telling = lines.filter((line) => !noise.some((pattern) => pattern.test(line)))
  const shown = (telling.length > 0 ? telling : lines).slice(-SHOWN_LINES)
  return shown.length > 0 ? shown.join('\n') : 'It said nothing.'
}

/**
 * The absolute path of the first program that is there: among what the project has installed, or on the PATH.
 *
 * @param folder where the search for `node_modules/.bin` begins
 */
export const findProgram = async (names: readonly string[], folder: string): Promise<string | undefined> => {
  // An empty name in a PATH means the working folder.
  const bins = projectFolders(folder).map((each) => join(each, 'node_modules', '.bin'))
  const path = [...bins, searchPath()].filter((part) => part !== '').join(delimiter)
  for (const name of names) {
    const found = await programIn(name, path)
    if (found !== undefined) return found
  }
  return undefined
}

/** The absolute path of a program. @param path folders, written like a PATH */
export const programIn = async (name: string, path: string): Promise<string | undefined> => {
  const found = path === '' ? null : await which(name, { path, nothrow: true })
  return found === null ? undefined : resolve(found)
}

/** The PATH of this process. */
export const searchPath = (): string => process.env['PATH'] ?? ''

type Needed = 'java' | 'openapi-generator' | 'npx'

const everywhere =
  'npm install --save-dev @openapitools/openapi-generator-cli, or pip install openapi-generator-cli'

const installCommands: Readonly<Record<Needed, Readonly<Record<'darwin' | 'win32' | 'other', string>>>> = {
  java: {
    darwin: 'brew install --cask temurin',
    win32: 'winget install EclipseAdoptium.Temurin.21.JRE',
    other: 'sudo apt-get install default-jre-headless',
  },
  'openapi-generator': {
    darwin: `brew install openapi-generator, or ${everywhere}`,
    win32: everywhere,
    other: everywhere,
  },
  npx: {
    darwin: 'brew install node',
    win32: 'winget install OpenJS.NodeJS.LTS',
    other: 'sudo apt-get install npm',
  },
}

/** `Install it: …`, with the command of this system. */
export const installHint = (needed: Needed, platform: NodeJS.Platform = process.platform): string =>
  `Install it: ${installCommands[needed][platform === 'darwin' || platform === 'win32' ? platform : 'other']}.`
