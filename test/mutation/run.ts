import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Fault, faults, harmless } from './faults.ts'
import { filesFor } from './files.ts'
import { type Finder, type Session, startSession } from './session.ts'

// Plants faults that would let one tenant reach another's records, or refuse requests without a reason, each by itself, and
// fails where the tests find one of them not. The source itself stays as it is: each fault is planted while the tests load it.
//
//   node test/mutation/run.ts                     all of them
//   node test/mutation/run.ts --only page.ts      those whose name has this text
//   node test/mutation/run.ts --known             those in test/mutation/finders.json, which take seconds each
//   node test/mutation/run.ts --record            writes test/mutation/finders.json: which test found each fault
//
// The test that found a fault the last time is asked first, by itself. Where it does not, the files of the fault are run.

const table = join(import.meta.dirname, 'finders.json')
const known: Readonly<Record<string, Finder>> = JSON.parse(readFileSync(table, 'utf8'))

/** A name that stays where lines are added above, with a number where there are several. */
const keysOf = (all: readonly Fault[]): ReadonlyMap<Fault, string> => {
  const seen = new Map<string, number>()
  return new Map(
    all.map((fault) => {
      const name = fault.name.replace(/:\d+/, '')
      const number = (seen.get(name) ?? 0) + 1
      seen.set(name, number)
      return [fault, number === 1 ? name : `${name} #${number}`]
    }),
  )
}

const sound = new Set<string>()

/** A test that fails without a fault finds nothing. Asked once for each test, by itself as it found the fault. */
const assertSound = async (session: Session, { file, test }: Finder): Promise<void> => {
  const key = JSON.stringify([file, test])
  if (sound.has(key)) return
  const failed = await session.run([file], undefined, test)
  if (failed !== undefined) throw new Error(`A test fails without a fault: ${file}: ${failed.test ?? ''}`)
  sound.add(key)
}

/** The test that found it the last time, or the file where the test only fails together with those before it. */
const foundAgain = async (session: Session, fault: Fault, last: Finder): Promise<Finder | undefined> => {
  try {
    const found = await session.run([last.file], fault, last.test)
    return found && last
  } catch {
    // It has another name now.
    return undefined
  }
}

const search = async (session: Session, fault: Fault): Promise<Finder | undefined> => {
  const found = await session.run(filesFor(fault.path), fault)
  if (found === undefined) return undefined
  return (await foundAgain(session, fault, found)) ?? { file: found.file }
}

const finderOf = async (session: Session, fault: Fault, key: string): Promise<Finder | undefined> => {
  const last = known[key]
  const found = (last && (await foundAgain(session, fault, last))) ?? (await search(session, fault))
  if (found !== undefined) await assertSound(session, found)
  return found
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, known: { type: 'boolean' }, record: { type: 'boolean' } },
})
const all = faults()
const keys = keysOf(all)
const chosen = all
  .filter((fault) => !harmless.has(fault.name.replace(/:\d+/, '')))
  .filter(({ name }) => values.only === undefined || name.includes(values.only))
  .filter((fault) => values.known !== true || Object.hasOwn(known, keys.get(fault) ?? ''))
const found = new Map<string, Finder>()
const left: string[] = []
let searched = 0
const began = performance.now()

/** The table again, without the faults that are gone. */
const record = (): void => {
  const entries = Object.entries({ ...known, ...Object.fromEntries(found) })
  const present = new Set(keys.values())
  const kept = entries
    .filter(([key]) => present.has(key))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(table, `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`)
}

const next = chosen.values()
const plantAll = async (session: Session): Promise<void> => {
  for (const fault of next) {
    const start = performance.now()
    const key = keys.get(fault) ?? fault.name
    const finder = await finderOf(session, fault, key)
    if (finder === undefined) left.push(fault.name)
    else {
      found.set(key, finder)
      if (values.record === true) record()
      if (JSON.stringify(known[key]) !== JSON.stringify(finder)) searched += 1
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const by = finder === undefined ? '' : `\n    ${finder.file}: ${finder.test ?? ''}`
    console.log(`${finder === undefined ? 'NOT FOUND' : 'found'}  ${fault.name} (${seconds} s)${by}`)
  }
}

// One for each core.
const sessions = [await startSession(), await startSession()]
try {
  await Promise.all(sessions.map(plantAll))
} finally {
  await Promise.all(sessions.map((session) => session.close()))
}
const seconds = Math.round((performance.now() - began) / 1000)
console.log(`${chosen.length - left.length} of ${chosen.length} faults were found, in ${seconds} s.`)
if (searched > 0 && values.record !== true)
  console.log(
    `${searched} had to be searched for, which takes time. npm run faults -- --record writes down what found them.`,
  )
process.exitCode = left.length > 0 || chosen.length === 0 ? 1 : 0
