import { StartError } from '../error/start-error.ts'
import type { Command, Terminal } from './command.ts'
import { readArguments } from './read-arguments.ts'
import { UsageError } from './usage-error.ts'

/** 0: done. 1: failed. 2: wrong use. */
export type ExitCode = 0 | 1 | 2

/** A terminal with a second way out, for what went wrong. */
export interface Screen extends Terminal {
  printError(line: string): void
}

/** Runs what a line asks for. It never fails: what goes wrong is told, and the code says so. */
export const run = async (
  line: readonly string[],
  commands: readonly Command[],
  screen: Screen,
): Promise<ExitCode> => {
  try {
    if (line.length === 0) throw new UsageError('Name a command.')
    const { command, wantsHelp, given } = readArguments(line, commands)
    if (command === undefined) screen.print(overview(commands))
    else if (wantsHelp) screen.print(page(command))
    else await command.run(given, screen)
    return 0
  } catch (error) {
    const isUsage = error instanceof UsageError
    screen.printError(isUsage ? `${error.message}\n\nmodelrest --help says more.` : reportOf(error))
    return isUsage ? 2 : 1
  }
}

/** A StartError says all there is to say. Of others the place helps whoever wrote the module. */
const reportOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const from = error instanceof StartError ? error.cause : error
  if (!(from instanceof Error) || from.name === 'StartError') return error.message
  return from === error ? (error.stack ?? error.message) : `${error.message}\n${from.stack ?? ''}`
}

const overview = (commands: readonly Command[]): string => {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 3
  return [
    'Usage: modelrest <command> [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    '',
    'modelrest <command> --help tells its options. Exit codes: 0 done, 1 failed, 2 wrong use.',
  ].join('\n')
}

const page = ({ name, summary, usage, help }: Command): string =>
  [`Usage: modelrest ${name} ${usage}`, '', summary, '', ...help.map((line) => `  ${line}`)].join('\n')
