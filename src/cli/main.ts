#!/usr/bin/env node
import { filesClean } from './files-clean.ts'
import { run } from './run.ts'

const commands = [filesClean]

// A module that waits for ever, with nothing that keeps the process.
process.once('beforeExit', () => {
  process.stderr.write('The command ended before it was done: what it waits for never comes.\n')
  process.exit(1)
})

const code = await run(process.argv.slice(2), commands, {
  folder: process.cwd(),
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
})
// The application may hold connections, which would keep the process for ever. What was written goes out before.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
