import { check } from './check.ts'
import { files } from './files-clean.ts'
import { generateClient } from './generate-client.ts'
import { init } from './init.ts'
import { openapi } from './openapi.ts'
import { ownStdout } from './own-stdout.ts'
import { ownTerminal } from './own-terminal.ts'
import { routes } from './routes.ts'
import { run } from './run.ts'

const commands = [init, generateClient, openapi, routes, check, files]

/** Runs what this process was started for, and ends it. */
export const begin = async (): Promise<void> => {
  // A command that waits for ever, with nothing that keeps the process.
  process.once('beforeExit', () => {
    process.stderr.write('The command ended before it was done: what it waits for never comes.\n')
    process.exit(1)
  })
  // There is nowhere to tell that.
  process.stderr.on('error', () => undefined)
  const stdout = ownStdout()
  const code = await run(process.argv.slice(2), commands, ownTerminal(stdout))
  const complaint = await stdout.complaint()
  if (complaint !== undefined) process.stderr.write(`${complaint}\n`)
  // What was written goes out before.
  process.stderr.write('', () => process.exit(complaint === undefined ? code : 1))
}
