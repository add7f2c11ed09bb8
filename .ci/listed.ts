import { readFileSync } from 'node:fs'
import { type Need, programs } from '../test/programs.ts'

// Fails unless the run of `npm test` whose output is given has passed and named, at its end, each program that was hidden.

/** Those that `.ci/bare` leaves, or that are needed only by tests that need a hidden one too. */
const others: readonly Need[] = ['curl', 'openssl', 'python3', 'mvn', 'go', 'platforms']

const list = readFileSync(0, 'utf8').split('NOT RUN: these programs are missing').at(1)
const names = (Object.keys(programs) as Need[]).filter((need) => !others.includes(need))
const unnamed = names.map((need) => programs[need].name).filter((name) => !list?.includes(`\n  ${name} `))
if (list === undefined) throw new Error('npm test did not list what did not run.')
if (unnamed.length > 0) throw new Error(`npm test did not list ${unnamed.join(', ')}.`)
const numbers = /^\d+ passed, 0 failed$/m.exec(list)?.[0]
if (numbers === undefined) throw new Error('npm test failed.')
process.stdout.write(`The README's test command passes without ${names.length} programs: ${numbers}.\n`)
