import type { Session } from './session.ts'
import type { Job, Outcome, Work } from './work.ts'

/** What a process runs: the longer it lives, the less of its time is spent on loading the source, and the more it has to keep. */
const MOST_WEIGHT = 40

/** A job with all tests of a file, beside one with a few. */
const WHOLE = 5

const weightOf = (jobs: readonly Job[]): number =>
  jobs.reduce((sum, { tests }) => sum + (tests === undefined ? WHOLE : 1), 0)

/** Work in parts, of which each is run by one process. */
const parts = (work: Work): readonly Work[] => {
  const found: Map<string, readonly Job[]>[] = []
  let weight = MOST_WEIGHT
  // The longest first, so that no core is idle in the end.
  const sorted = [...work].toSorted(([, one], [, other]) => weightOf(other) - weightOf(one))
  for (const [path, jobs] of sorted) {
    if (weight + weightOf(jobs) > MOST_WEIGHT) {
      found.push(new Map())
      weight = 0
    }
    found.at(-1)?.set(path, jobs)
    weight += weightOf(jobs)
  }
  return found
}

/** What becomes of each job of a file. Without an outcome, the file did not get to its end. */
export type Outcomes = (path: string, jobs: readonly Job[], outcomes: readonly Outcome[] | undefined) => void

/** Has sessions share work, and says what became of it as soon as it is known. */
export const runAll = async (sessions: readonly Session[], work: Work, onFile: Outcomes): Promise<void> => {
  const next = parts(work).values()
  await Promise.all(
    sessions.map(async (session) => {
      for (const part of next) {
        const outcomes = await session.run(part)
        for (const [path, jobs] of part) onFile(path, jobs, outcomes.get(path))
      }
    }),
  )
}
