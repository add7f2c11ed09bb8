import { parseArgs } from 'node:util'
import { faults, harmless } from './faults.ts'
import { type Claim, type Finder, prove, readFinders, writeFinders } from './finders.ts'
import { search } from './search.ts'
import { startSessions } from './session.ts'

// Plants faults that would let one tenant reach another's records, or refuse requests without a reason, each by itself, and
// fails where the tests find one of them not. The source itself stays as it is: it is loaded with all faults behind switches.
//
//   node test/mutation/run.ts                     all of them
//   node test/mutation/run.ts --only page.ts      those whose name has this text
//   node test/mutation/run.ts --known             searches no test: those that test/mutation/finders.json names must do
//   node test/mutation/run.ts --record            writes test/mutation/finders.json: which test found each fault
//   node test/mutation/run.ts --in http/auth/     searches only test files whose paths have this text (as often as needed)
//
// A fault without such a test, or whose test is gone or passes with it, is searched for among the tests that meet it.

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    known: { type: 'boolean' },
    record: { type: 'boolean' },
    in: { type: 'string', multiple: true },
  },
})
const { only = '' } = values
const all = faults()
const recorded = readFinders()
const chosen = all
  .map((fault, number) => ({ fault, number }))
  .filter(({ fault: { key, name } }) => !harmless.has(key) && name.includes(only))
const began = performance.now()
const seconds = (): number => Math.round((performance.now() - began) / 1000)
const found = new Map<string, Finder>()
const left = () => chosen.filter(({ fault }) => !found.has(fault.key))

const note = ({ fault, finder }: Claim): void => {
  found.set(fault.key, finder)
  console.log(`found  ${fault.name}\n    ${finder.file}: ${finder.test} (${seconds()} s)`)
  if (values.record !== true) return
  const keys = new Set(all.map(({ key }) => key).filter((key) => !harmless.has(key)))
  const entries = Object.entries({ ...recorded, ...Object.fromEntries(found) })
  writeFinders(Object.fromEntries(entries.filter(([key]) => keys.has(key))))
}

// One for each core.
const { sessions, loading } = await startSessions(all, 2)
try {
  const claims = chosen.flatMap(({ fault, number }) => {
    const finder = recorded[fault.key]
    return finder === undefined ? [] : [{ fault, number, finder }]
  })
  await prove(sessions, claims, note)
  console.log(
    `${found.size} of ${chosen.length} faults were found by the tests of finders.json, in ${seconds()} s.`,
  )
  if (values.known !== true && left().length > 0)
    await search(sessions, left(), { faults: all, finders: recorded, loading, places: values.in }, note)
} finally {
  await Promise.all(sessions.map((session) => session.close()))
}
for (const { fault } of left()) console.log(`NOT FOUND  ${fault.name}`)
console.log(`${found.size} of ${chosen.length} faults were found, in ${seconds()} s.`)
if (values.known === true && left().length > 0)
  console.log('npm run faults -- --record searches other tests that find them, and writes them down.')
process.exitCode = left().length > 0 || chosen.length === 0 ? 1 : 0
