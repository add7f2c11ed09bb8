import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Fault, project } from './faults.ts'
import { runAll } from './pool.ts'
import type { Session } from './session.ts'
import type { Outcome } from './work.ts'

/** Tests that read the source, or run it in processes of its own. */
const apart =
  /^test\/(browser|cli|clients|cluster|cost|example|faults|mutation|package|readme|scenario|structure|types)\//

/** What the tests of a file meet. Kept in a file that is not committed: only a test file that changed is asked again. */
interface Met {
  readonly hash: string
  readonly milliseconds: number
  /** By the full name of a test, or none for what the file meets before its tests: keys of faults. */
  readonly tests: Readonly<
    Record<string, { readonly milliseconds: number; readonly faults: readonly string[] }>
  >
}

interface Kept {
  /** Keys of the faults that were planted in each of the files. */
  readonly asked: readonly string[]
  readonly files: Readonly<Record<string, Met>>
}

export interface AllMet {
  readonly asked: ReadonlySet<string>
  /** By path. */
  readonly files: ReadonlyMap<string, Met>
}

const kept = join(project, 'test', '.tmp', 'met.json')

const readKept = (keys: readonly string[]): Kept => {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'))
  } catch {
    return { asked: keys, files: {} }
  }
}

const hashOf = (path: string): string =>
  createHash('sha256')
    .update(readFileSync(join(project, path)))
    .digest('hex')

/** The test files that may find a fault: first those that need nothing but Node, then the others. */
export const testFiles = (): readonly (readonly string[])[] => {
  const asking = execFileSync(process.execPath, ['test/asking.ts'], { cwd: project, encoding: 'utf8' })
  const needPrograms = new Set(asking.split(' '))
  const all = globSync('test/**/*.test.ts', { cwd: project }).filter((path) => !apart.test(path))
  const groups = Map.groupBy(all, (path) => needPrograms.has(path))
  return [groups.get(false) ?? [], groups.get(true) ?? []]
}

/** A test that fails without a fault finds none. */
const metOf = (path: string, { met = {}, failed, milliseconds }: Outcome, keys: readonly string[]): Met => {
  const sound = Object.entries(met).filter(([test]) => !failed.includes(test))
  const tests = sound.map(([test, { milliseconds: own, faults: numbers }]) => {
    const faults = numbers.flatMap((number) => keys[number] ?? [])
    return [test, { milliseconds: Math.round(own), faults }] as const
  })
  return { hash: hashOf(path), milliseconds, tests: Object.fromEntries(tests) }
}

/** Runs test files without a fault, but those of which it is known what they meet. */
export const allMet = async (
  sessions: readonly Session[],
  faults: readonly Fault[],
  paths: readonly string[],
): Promise<AllMet> => {
  const keys = faults.map(({ key }) => key)
  const before = readKept(keys)
  const asked = new Set(before.asked.filter((key) => keys.includes(key)))
  const byHash = new Map(Object.values(before.files).map((met) => [met.hash, met]))
  const met = new Map<string, Met>()
  const unknown: string[] = []
  for (const path of new Set(paths)) {
    const known = byHash.get(hashOf(path))
    if (known === undefined) unknown.push(path)
    else met.set(path, known)
  }
  const keep = (): void => {
    mkdirSync(dirname(kept), { recursive: true })
    const files = { ...before.files, ...Object.fromEntries(met) }
    writeFileSync(kept, JSON.stringify({ asked: [...asked], files }))
  }
  const began = performance.now()
  let done = 0
  const work = new Map(unknown.map((path) => [path, [{ isDry: true }]]))
  await runAll(sessions, work, (path, _jobs, outcomes) => {
    done += 1
    const seconds = Math.round((performance.now() - began) / 1000)
    if (done % 10 === 0)
      console.log(`${done} of ${unknown.length} test files were run without a fault (${seconds} s)`)
    const [outcome] = outcomes ?? []
    if (outcome === undefined) return console.log(`DID NOT GET TO ITS END WITHOUT A FAULT  ${path}`)
    for (const test of outcome.failed) console.log(`FAILS WITHOUT A FAULT  ${path}: ${test}`)
    met.set(path, metOf(path, outcome, keys))
    keep()
  })
  keep()
  return { asked, files: met }
}
