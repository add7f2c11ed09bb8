import { check } from './check.ts'
import { files } from './files-clean.ts'
import { generateClient } from './generate-client.ts'
import { init } from './init.ts'
import { openapi } from './openapi.ts'
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
  const code = await run(process.argv.slice(2), commands, ownTerminal())
  // What was written goes out before.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}
