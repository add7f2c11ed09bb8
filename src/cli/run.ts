import { CommanderError } from 'commander'
import { StartError } from '../error/start-error.ts'
import type { MakeCommand, Terminal } from './command.ts'
import { Failure } from './failure.ts'
import { programOf } from './program.ts'
import { UsageError } from './usage-error.ts'

/** 0: done. 1: failed. 2: wrong use. */
export type ExitCode = 0 | 1 | 2

/** Runs what a line asks for. It never fails: what goes wrong is told, and the code says so. */
export const run = async (
  line: readonly string[],
  makers: readonly MakeCommand[],
  terminal: Terminal,
): Promise<ExitCode> => {
  try {
    await programOf(makers, terminal).parseAsync(line, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return endOf(error, terminal)
    if (error instanceof UsageError) return wrongUse(error.message, terminal)
    terminal.note(terminal.colours.red(reportOf(error)))
    return 1
  }
}

const wrongUse = (message: string, { note, colours }: Terminal): ExitCode => {
  note(`${colours.red(message)}\n\nmodelrest --help says more.`)
  return 2
}

/** Help and version were printed, and are no error. Without a command the help is the answer, and an error. */
const endOf = ({ exitCode, code, message }: CommanderError, terminal: Terminal): ExitCode => {
  if (exitCode === 0) return 0
  return code === 'commander.help' ? 2 : wrongUse(sentencesOf(message), terminal)
}

/** `error: unknown option '--hlp'\n(Did you mean --help?)` -> `Unknown option '--hlp'. Did you mean --help?` */
const sentencesOf = (message: string): string =>
  message
    .replace(/^error: /, '')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/\.?\n\((.*)\)$/, '. $1')
    .replace(/[^.?!]$/, '$&.')

/** A StartError or Failure says all there is to say. Of others the place helps whoever reports it. */
const reportOf = (error: unknown): string => {
  if (error instanceof StartError || error instanceof Failure) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
