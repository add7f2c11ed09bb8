import { beforeEach, describe, type RunnerTestFile, type TestContext, TestRunner } from 'vitest'
import { areHidden, isThere, type Need, programs } from './programs.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What a test needs and this machine does not have: `test/not-run.ts` lists it at the end of the run. */
    missing?: readonly Need[]
  }
}

/** What each test file asked for. */
const asked = new WeakMap<RunnerTestFile, Set<Need>>()

const currentFile = (): RunnerTestFile => TestRunner.getCurrentSuite().file as RunnerTestFile

const found = new Map<Need, boolean>()

/** Looked up once: some programs are asked for their version. */
const isFound = (need: Need): boolean => {
  const known = found.get(need) ?? isThere(need)
  found.set(need, known)
  return known
}

/** What of it is missing. @throws in CI, unless CI may be without it or all programs are hidden */
const missingOf = (needs: readonly Need[], tests: string): readonly Need[] => {
  const known = asked.get(currentFile()) ?? new Set()
  asked.set(currentFile(), known)
  for (const need of needs) known.add(need)
  const missing = needs.filter((need) => !isFound(need))
  if (process.env['CI'] !== undefined && !areHidden())
    for (const need of missing) {
      const { name, install, isOptional = () => false } = programs[need]
      if (!isOptional())
        throw new Error(`NOT RUN: ${tests}, because ${name} is missing. Install it: ${install}`)
    }
  return missing
}

/** Of tests that need a program: `npm run test:programs` runs them alone. */
export const tag = 'programs'

const lineOf = (missing: readonly Need[]): string =>
  `Missing: ${missing.map((need) => programs[need].name).join(', ')}.`

/** Defines a suite of tests that need programs of the system. It is skipped where one is missing; in CI that is an error. */
export const needing = (needs: Need | readonly Need[], tests: string, define: () => void): void => {
  const missing = missingOf([needs].flat(), tests)
  describe(tests, { tags: [tag], skip: missing.length > 0, meta: { missing } }, define)
}

/**
 * Skips all tests of a file, or of a `describe`, if a program is missing. For files whose hooks are shared by all tests: they say
 * `@module-tag programs`.
 * @returns whether they run: `beforeAll` asks that
 */
export const areRunning = (needs: Need | readonly Need[], tests: string): boolean => {
  const missing = missingOf([needs].flat(), tests)
  beforeEach((context) => skipFor(context, missing))
  return missing.length === 0
}

/** A subject of tests with its name, and what it needs. */
export type Subject<T> = readonly [name: string, subject: T, need?: Need]

/** `describe.each`, of subjects that may need a program of the system. @param title with `%s` for the name */
export const describeEach = <T>(
  subjects: readonly Subject<T>[],
  title: string,
  define: (subject: T, name: string) => void,
): void => {
  for (const [name, subject, need] of subjects) {
    const full = title.replace('%s', name)
    const tests = (): void => define(subject, name)
    if (need === undefined) describe(full, tests)
    else needing(need, full, tests)
  }
}

/** Skips the test that runs, which has the `tag`, if a program is missing. Call it first. */
export const skipWithout = (context: Skipping, ...needs: readonly Need[]): void =>
  skipFor(context, missingOf(needs, context.task.name))

type Skipping = Pick<TestContext, 'task' | 'skip'>

const skipFor = ({ task, skip }: Skipping, missing: readonly Need[]): void => {
  if (task.tags?.includes(tag) !== true)
    throw new Error(`${task.name} needs a program: tag it ${tag}, or npm run test:programs leaves it out.`)
  if (missing.length === 0) return
  task.meta.missing = missing
  skip(lineOf(missing))
}

/**
 * What a test gets of a program, such as a database on its server: the test must have asked for the program, so that it
 * is skipped on a machine without it.
 * @throws if nothing in the test file has asked, also where the program is there
 */
export const assertAsked = (need: Need): void => {
  if (asked.get(currentFile())?.has(need) !== true)
    throw new Error(
      `Define tests of ${programs[need].name} by needing('${need}', …): not every machine has it.`,
    )
}
