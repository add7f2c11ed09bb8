import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fault, project } from './faults.ts'
import { type Claim, type Finders, prove } from './finders.ts'
import { type AllMet, allMet, testFiles } from './met.ts'
import { type Outcomes, runAll } from './pool.ts'
import type { Session } from './session.ts'
import type { Job } from './work.ts'

/** A test file that may find a fault. */
interface Candidate {
  readonly file: string
  /** Those that meet the fault. */
  readonly tests: readonly string[]
  readonly isFresh?: true
  /** Milliseconds that it takes. */
  readonly cost: number
}

/** A fault that is searched for. */
interface Wanted {
  readonly fault: Fault
  readonly number: number
  readonly candidates: Candidate[]
}

/** What it costs to load the source. */
const LOADING = 3000

/** Faults that are tried before those that were found are proven. */
const MOST_AT_ONCE = 80

/** What found a fault of the same source file is tried before what takes less. */
const NEAR = 0.2

/** So is a test file for each word that its path shares with that of the source. */
const ALIKE = 0.1

/** Words of paths that say nothing. */
const general = new Set(['src', 'test', 'ts', 'source', 'resource', 'http', 'model', 'app', 'index'])

/** Who forgets a guard is found by tests of it. */
const guardWords = ['scope', 'guards', 'tenants', 'contract', 'access']

const wordsOf = (path: string): readonly string[] =>
  path.split(/[^a-z]+/).flatMap((word) => (general.has(word) ? [] : [word.replace(/s$/, '')]))

const wordsFor = ({ path, key }: Fault): ReadonlySet<string> =>
  new Set(wordsOf([path, ...(/everything|forgotten/.test(key) ? guardWords : [])].join()))

/** What finds a fault by chance may not find it the next time. */
const BY_CHANCE = 10

const isRandom = (file: string): boolean =>
  /fast-check|random/i.test(file + readFileSync(join(project, file), 'utf8'))

const candidatesOf = (
  keys: ReadonlySet<string>,
  fault: Fault,
  { met, isLoading, near }: { met: AllMet; isLoading: boolean; near: ReadonlySet<string> },
): Candidate[] => {
  const found: Candidate[] = []
  const words = wordsFor(fault)
  for (const [file, { milliseconds, tests }] of met.files) {
    const all = Object.entries(tests).filter(([test]) => test !== '')
    const meeting = all.filter(([, { faults }]) => faults.some((key) => keys.has(key)))
    const meetsFirst = tests['']?.faults.some((key) => keys.has(key)) === true
    const first = meetsFirst ? all : meeting
    if (first.length === 0) continue
    const longest = first.reduce((sum, [, test]) => sum + test.milliseconds, 0)
    const others = all.reduce((sum, [, test]) => sum + test.milliseconds, 0)
    const alike = ALIKE ** wordsOf(file).filter((word) => words.has(word)).length
    const factor = alike * (near.has(file) ? NEAR : 1) * (isRandom(file) ? BY_CHANCE : 1)
    const cost = (Math.max(0, milliseconds - others) + longest + 100) * factor
    const candidate = { file, tests: first.map(([test]) => test), cost }
    if (!isLoading) found.push(candidate)
    if (isLoading || (meetsFirst && meeting.length === 0))
      found.push({ ...candidate, isFresh: true, cost: cost + LOADING })
  }
  return found.toSorted((one, other) => one.cost - other.cost)
}

/** Files that find other faults of the same source file. */
const nearTo = ({ path }: Fault, finders: Finders): ReadonlySet<string> =>
  new Set(
    Object.entries(finders).flatMap(([key, { file }]) =>
      key.startsWith(`${path} `) && existsSync(join(project, file)) ? [file] : [],
    ),
  )

interface Search {
  readonly faults: readonly Fault[]
  readonly finders: Finders
  /** Numbers of faults of what is evaluated while a file is loaded. */
  readonly loading: ReadonlySet<number>
  /** Parts of the paths of the test files that are searched. @default all */
  readonly places?: readonly string[] | undefined
}

type Sought = Pick<Wanted, 'fault' | 'number'>

const isIn =
  (places: readonly string[] | undefined) =>
  (path: string): boolean =>
    places?.some((place) => path.includes(place)) ?? true

/** Searches a test for each fault, the quickest that meet it first. */
export const search = async (
  sessions: readonly Session[],
  sought: readonly Sought[],
  where: Search,
  onFound: (claim: Claim) => void,
): Promise<void> => {
  let left = sought
  const near = sought.flatMap(({ fault }) => [...nearTo(fault, where.finders)])
  for (const paths of [near, ...testFiles()]) {
    if (left.length === 0) return
    const met = await allMet(sessions, where.faults, paths.filter(isIn(where.places)))
    left = await searchIn(sessions, wantedOf(left, met, where), onFound)
  }
}

const wantedOf = (
  sought: readonly Sought[],
  met: AllMet,
  { faults, finders, loading }: Search,
): readonly Wanted[] => {
  return sought.map(({ fault, number }) => {
    // Of a fault that is met while the source is loaded, or that is new, it is known what meets others of its file.
    const others = faults.filter(({ path }) => path === fault.path).map(({ key }) => key)
    const keys = new Set(met.asked.has(fault.key) && !loading.has(number) ? [fault.key] : others)
    const near = nearTo(fault, finders)
    return {
      fault,
      number,
      candidates: candidatesOf(keys, fault, { met, isLoading: loading.has(number), near }),
    }
  })
}

/** @returns the faults that no candidate finds */
const searchIn = async (
  sessions: readonly Session[],
  wanted: readonly Wanted[],
  onFound: (claim: Claim) => void,
): Promise<readonly Wanted[]> => {
  let left = wanted
  for (let round = 1; left.some(({ candidates }) => candidates.length > 0); round += 1) {
    console.log(`Round ${round}: ${left.length} faults are searched for.`)
    const found = new Set<number>()
    // What is found is noted soon.
    for (let at = 0; at < left.length; at += MOST_AT_ONCE) {
      let claims = await tryNext(sessions, left.slice(at, at + MOST_AT_ONCE), round)
      while (claims.length > 0) {
        // A test that fails only together with those before it finds nothing: the next one is asked.
        const first = [...new Map(claims.toReversed().map((claim) => [claim.number, claim])).values()]
        await prove(sessions, first, (claim) => {
          found.add(claim.number)
          onFound(claim)
        })
        claims = claims.filter((claim) => !first.includes(claim) && !found.has(claim.number))
      }
    }
    left = left.filter(({ number }) => !found.has(number))
  }
  return left
}

/** Runs the next candidates of each fault. @returns the tests that failed */
const tryNext = async (
  sessions: readonly Session[],
  left: readonly Wanted[],
  count: number,
): Promise<readonly Claim[]> => {
  const work = new Map<string, Job[]>()
  const wanted = new Map(left.map((one) => [one.number, one]))
  for (const { number, candidates } of left)
    for (const { file, tests, isFresh } of candidates.splice(0, count)) {
      const jobs = work.get(file) ?? []
      jobs.push({ fault: number, tests, ...(isFresh && { isFresh }) })
      work.set(file, jobs)
    }
  const claims: Claim[] = []
  const lost: (readonly [string, Job])[] = []
  const note: Outcomes = (file, jobs, outcomes) => {
    // One of the jobs ended the process: each is done again by itself.
    if (outcomes === undefined && jobs.length > 1)
      return void lost.push(...jobs.map((job) => [file, job] as const))
    for (const [at, { fault: number = -1, tests = [], isFresh }] of jobs.entries()) {
      const { failed = [], broken } = outcomes?.[at] ?? { broken: 'It did not get to its end.' }
      const test = failed[0] ?? (broken === undefined ? undefined : tests[0])
      const fault = wanted.get(number)?.fault
      if (test === undefined || fault === undefined) continue
      claims.push({ fault, number, finder: { file, test, ...(isFresh && { isFresh }) } })
    }
  }
  await runAll(sessions, work, note)
  for (const [file, job] of lost) await runAll(sessions.slice(0, 1), new Map([[file, [job]]]), note)
  return claims
}
