import { readFileSync } from 'node:fs'
import { type Need, programs } from '../test/programs.ts'

// Fails unless the run of `npm test` whose output is given has passed, and named at its end the programs that it did without.

/** Those that are needed only by tests that need another one too, which is asked for first. */
const others: readonly Need[] = ['curl', 'openssl', 'python3', 'mvn', 'go', 'platforms']

const list = readFileSync(0, 'utf8').split('NOT RUN: the tests that need other programs').at(1)
if (list === undefined) throw new Error('npm test did not list what did not run.')
const needs = (Object.keys(programs) as Need[]).filter((need) => !others.includes(need))
const names = needs.map((need) => programs[need].name)
const unnamed = names.filter((name) => !list.includes(`\n  ${name} `))
if (unnamed.length > 0) throw new Error(`npm test did not list ${unnamed.join(', ')}.`)
const numbers = /^\d+ passed, 0 failed$/m.exec(list)?.[0]
if (numbers === undefined) throw new Error('npm test failed.')
process.stdout.write(`The README's test command passes without ${names.length} programs: ${numbers}.\n`)
