import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fault, project } from './faults.ts'
import { runAll } from './pool.ts'
import type { Session } from './session.ts'
import type { Job, Outcome } from './work.ts'

/** The test that fails with a fault, and passes without one. */
export interface Finder {
  readonly file: string
  /** Its full name. */
  readonly test: string
  /** Only if the source is loaded with the fault. */
  readonly isFresh?: true
}

/** By the key of a fault. */
export type Finders = Readonly<Record<string, Finder>>

const table = join(import.meta.dirname, 'finders.json')

export const readFinders = (): Finders => JSON.parse(readFileSync(table, 'utf8'))

export const writeFinders = (finders: Finders): void => {
  const sorted = Object.entries(finders).toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(table, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
}

/** A fault, its number, and the test that is said to find it. */
export interface Claim {
  readonly fault: Fault
  readonly number: number
  readonly finder: Finder
}

const jobOf = ({ number, finder: { test, isFresh } }: Claim): Job => ({
  ...{ fault: number, tests: [test] },
  ...(isFresh && { isFresh }),
})

/** What a process is asked for: the faults of a file, and in the end each of its tests without one, where what the faults left shows. */
const jobsOf = (claims: readonly Claim[]): readonly Job[] => [
  ...claims.map(jobOf),
  { tests: [...new Set(claims.map(({ finder }) => finder.test))] },
]

/** Whether there is such a test, or the file that would have it has not got to its end. */
const isThere = ({ finder: { test } }: Claim, outcomes: readonly Outcome[] | undefined): boolean => {
  const { passed = [], failed = [], broken = '' } = outcomes?.at(-1) ?? {}
  return outcomes === undefined || broken !== '' || [...passed, ...failed].includes(test)
}

const proven = (claims: readonly Claim[], outcomes: readonly Outcome[] | undefined): readonly Claim[] => {
  const sound = outcomes?.[claims.length]
  if (sound === undefined || sound.broken !== undefined) return []
  return claims.filter(({ finder: { test } }, at) => {
    const { failed = [], broken } = outcomes?.[at] ?? {}
    return sound.passed.includes(test) && (failed.includes(test) || broken !== undefined)
  })
}

/** Calls back with each fault that its test finds, and passes without. */
export const prove = async (
  sessions: readonly Session[],
  claims: readonly Claim[],
  onFound: (claim: Claim) => void,
): Promise<void> => {
  const present = claims.filter(({ finder }) => existsSync(join(project, finder.file)))
  const left = new Set(present)
  const found = (claim: Claim): void => {
    left.delete(claim)
    onFound(claim)
  }
  const byFile = Map.groupBy(present, ({ finder }) => finder.file)
  const work = new Map([...byFile].map(([path, own]) => [path, jobsOf(own)]))
  await runAll(sessions, work, (path, _jobs, outcomes) => {
    const own = byFile.get(path) ?? []
    for (const claim of own) if (!isThere(claim, outcomes)) left.delete(claim)
    for (const claim of proven(own, outcomes)) found(claim)
  })
  // What one fault leaves may disturb another: those that are left have a process each.
  const next = [...left].values()
  await Promise.all(
    sessions.map(async (session) => {
      for (const claim of next) {
        const { file } = claim.finder
        const outcomes = await session.run(new Map([[file, jobsOf([claim])]]))
        if (proven([claim], outcomes.get(file)).length > 0) found(claim)
      }
    }),
  )
}
