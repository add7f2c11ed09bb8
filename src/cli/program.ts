import { fstatSync, writeFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { Command, CommanderError } from 'commander'
import { StartError } from '../error/errors.ts'
import { check } from './check.ts'
import { files } from './files-clean.ts'
import { generateClient } from './generate-client.ts'
import { ownPackage } from './init/own-package.ts'
import { init } from './init.ts'
import { openapi } from './openapi.ts'
import { routes } from './routes.ts'
import { serve } from './serve.ts'
import { CliError, describeError, type MakeCommand, type Terminal, UsageError } from './terminal/index.ts'

const commands = [init, serve, generateClient, openapi, routes, check, files]

export const begin = async (): Promise<void> => {
  // Reached if the command waits for a promise that can never settle.
  process.once('beforeExit', () => {
    process.stderr.write('The command stopped early: it was waiting for a promise that can never settle.\n')
    process.exit(1)
  })
  // A failed write to stderr cannot be reported anywhere.
  process.stderr.on('error', () => undefined)
  const stdout = ownStdout()
  const code = await run(process.argv.slice(2), commands, ownTerminal(stdout))
  const complaint = await stdout.complaint()
  if (complaint !== undefined) process.stderr.write(`${complaint}\n`)
  // The callback runs when all previous output has been written.
  process.stderr.write('', () => process.exit(complaint === undefined ? code : 1))
}

/** Runs a command line. Prints errors and never rejects. @returns the exit code: 0 success, 1 failure, 2 usage error */
export const run = async (
  line: readonly string[],
  makers: readonly MakeCommand[],
  terminal: Terminal,
): Promise<number> => {
  try {
    const program = new Command('modelrest')
      .description('REST endpoints for the data models of your application.')
      .version(ownPackage().version, '-v, --version', 'print the version')
      .helpOption('-h, --help', 'print this help')
      .addHelpText('after', '\nExit codes: 0 success, 1 failure, 2 usage error.')
    for (const make of makers) program.addCommand(make(terminal))
    throwInsteadOfExit(program, terminal)
    await program.parseAsync(line, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return endOf(error, terminal)
    if (error instanceof UsageError) return wrongUse(error.message, terminal)
    terminal.note(terminal.paint('red', reportOf(error)))
    return 1
  }
}

const wrongUse = (message: string, { note, paint }: Terminal): number => {
  note(`${paint('red', message)}\n\nRun modelrest --help for usage.`)
  return 2
}

/** Printing the help or the version is not an error. Without a command, printing the help is a usage error. */
const endOf = ({ exitCode, code, message }: CommanderError, terminal: Terminal): number => {
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

/** The messages of StartError and CliError are complete. Other errors are bugs, so their stack is printed. */
const reportOf = (error: unknown): string => {
  if (error instanceof StartError || error instanceof CliError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const throwInsteadOfExit = (command: Command, terminal: Terminal): void => {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.print(text.trimEnd()),
    writeErr: (text) => terminal.note(text.trimEnd()),
    // `run` prints the error, which is also thrown.
    outputError: () => undefined,
  })
  for (const inner of command.commands) throwInsteadOfExit(inner, terminal)
}

const ownTerminal = (stdout: ReturnType<typeof ownStdout>): Terminal => ({
  get folder() {
    return process.cwd()
  },
  // Uses colors only on a terminal, and respects `NO_COLOR` and `FORCE_COLOR`.
  paint: (style, text) => styleText(style, text, { stream: process.stderr }),
  print: (line) => stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
})

/** Writes to stdout and remembers failed writes. */
const ownStdout = () => {
  const { stdout } = process
  let failure: unknown
  const fail = (error: unknown): void => {
    failure ??= error
  }
  stdout.on('error', fail)
  // On a disk that is nearly full, a stream writes part of the text to the file and reports success.
  const put: (text: string) => void = fstatSync(stdout.fd).isFile()
    ? (text) => writeFileSync(stdout.fd, text)
    : (text) => stdout.write(text)
  return {
    write: (text: string): void => {
      try {
        put(text)
      } catch (error) {
        fail(error)
      }
    },
    /** Waits until everything is written. @returns an error message if something could not be written */
    complaint: async (): Promise<string | undefined> => {
      await new Promise<void>((done) => stdout.write('', () => done()))
      // A reader such as `head` may stop reading.
      if (failure === undefined || Reflect.get(Object(failure), 'code') === 'EPIPE') return undefined
      return `Cannot write to stdout: ${describeError(failure)}.`
    },
  }
}
