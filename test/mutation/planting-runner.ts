import { relative } from 'node:path'
import {
  describe,
  it,
  type RunnerTask,
  type RunnerTestFile,
  type RunnerTestSuite,
  TestRunner,
  vi,
} from 'vitest'
import type { Job, Meeting, Outcome } from './work.ts'

/** More often than any test asks a switch: an endless loop. */
const MOST_ASKED = 2_000_000

/** A test that waits for what the fault prevents. */
const TIMEOUT = 15_000

/** A job while it runs. */
interface Running {
  readonly job: Job
  readonly failed: string[]
  readonly passed: string[]
  broken?: string
  milliseconds: number
  readonly met: Record<string, Meeting>
}

const shown = (error: unknown): string => String(Object(error).message ?? error).slice(0, 300)

/** The full name within its job. */
const nameOf = (task: RunnerTask): string => {
  const names: string[] = []
  for (let at: RunnerTask | undefined = task; at !== undefined && at.name !== ''; at = at.suite)
    names.unshift(at.name)
  return names.join(' > ')
}

/** Leaves out all tests but those of the job. @returns whether any is left */
const select = (suite: RunnerTestSuite, tests: readonly string[]): boolean => {
  let isAny = false
  for (const task of suite.tasks) {
    const isChosen = task.type === 'suite' ? select(task, tests) : tests.includes(nameOf(task))
    if (!isChosen) task.mode = 'skip'
    isAny ||= isChosen && task.mode !== 'skip' && task.mode !== 'todo'
  }
  return isAny
}

/** Whether a guard or a condition differs from that of the fault. Where that cannot be told, it does. */
const isOther = (both: () => readonly [unknown, unknown]): boolean => {
  try {
    const [value, faulty] = both()
    const { guard } = Object(faulty)
    if (guard !== undefined) return Object(value).guard !== guard
    return !Object.is(value, faulty)
  } catch {
    return true
  }
}

/**
 * Runs each test file once for each of its jobs, in a suite of its own. All of them run in one process, which loads the
 * source once: a fault is a number that the switches in the source ask for.
 */
// biome-ignore lint/style/noDefaultExport: Vitest loads it.
export default class PlantingRunner extends TestRunner {
  #running: readonly Running[] = []
  #met = new Set<number>()

  #plant({ fault, isDry }: Job): void {
    let asked = 0
    globalThis.isPlanted = isDry
      ? (number, both) => {
          if (!this.#met.has(number) && (both === undefined || isOther(both))) this.#met.add(number)
          return false
        }
      : (number) => {
          if (number !== fault) return false
          asked += 1
          if (asked > MOST_ASKED) throw new Error('A loop does not end.')
          return true
        }
  }

  /** What was met since the last time, under the name of a test, or none. */
  #note({ job, met }: Running, test: string, milliseconds: number): void {
    if (job.isDry !== true) return
    const faults = new Set([...(met[test]?.faults ?? []), ...this.#met])
    met[test] = { milliseconds, faults: [...faults] }
    this.#met.clear()
  }

  override async importFile(path: string, source: 'collect' | 'setup'): Promise<void> {
    if (source !== 'collect') return void (await super.importFile(path, source))
    const all = this.injectValue('jobs') as Readonly<Record<string, readonly Job[]>>
    const jobs = all[relative(this.config.root, path)] ?? []
    this.#running = jobs.map((job) => ({ job, failed: [], passed: [], milliseconds: 0, met: {} }))
    for (const [at, running] of this.#running.entries())
      describe('', { meta: { job: at }, timeout: running.job.isDry ? 60_000 : TIMEOUT }, async () => {
        this.#plant(running.job)
        // What was loaded with a fault is left to no other job.
        if (running.job.isFresh || this.#running[at - 1]?.job.isFresh) vi.resetModules()
        const start = performance.now()
        try {
          await super.importFile(path, source)
        } catch (error) {
          running.broken = shown(error)
          it('is loaded', () => undefined)
        }
        running.milliseconds += performance.now() - start
        this.#note(running, '', running.milliseconds)
      })
  }

  onCollected(files: RunnerTestFile[]): void {
    globalThis.isPlanted = undefined
    for (const suite of files.flatMap(({ tasks }) => tasks)) {
      const running = this.#running[suite.meta.job ?? -1]
      if (suite.type !== 'suite' || running === undefined) continue
      const { tests } = running.job
      if (running.broken !== undefined || (tests !== undefined && !select(suite, tests))) suite.mode = 'skip'
    }
  }

  #of({ meta }: RunnerTask): Running | undefined {
    return meta.job === undefined ? undefined : this.#running[meta.job]
  }

  /** The rest of a job whose fault is found. */
  #isDone(task: RunnerTask): boolean {
    const { job, failed, broken } = this.#of(task) ?? {}
    return job?.fault !== undefined && (broken !== undefined || (failed?.length ?? 0) > 0)
  }

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    const running = this.#of(suite)
    if (running !== undefined && suite.name === '') this.#plant(running.job)
    if (this.#isDone(suite)) suite.mode = 'skip'
    await super.onBeforeRunSuite(suite)
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    if (this.#isDone(test)) test.mode = 'skip'
    const running = this.#of(test)
    if (running !== undefined) this.#note(running, '', running.met['']?.milliseconds ?? 0)
    await super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: RunnerTask): void {
    const running = this.#of(test)
    const { state, duration = 0 } = test.result ?? {}
    if (running !== undefined) {
      if (state === 'fail') running.failed.push(nameOf(test))
      if (state === 'pass') running.passed.push(nameOf(test))
      this.#note(running, nameOf(test), duration)
    }
    super.onAfterRunTask(test)
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    const running = this.#of(suite)
    const [error] = suite.result?.errors ?? []
    if (running !== undefined && error !== undefined) running.broken ??= shown(error)
    if (running !== undefined && suite.name === '') {
      running.milliseconds += suite.result?.duration ?? 0
      globalThis.isPlanted = undefined
    }
    if ('filepath' in suite) suite.meta.outcomes = this.#running.map(outcomeOf)
    await super.onAfterRunSuite(suite)
  }
}

const outcomeOf = ({ job, failed, passed, broken, milliseconds, met }: Running): Outcome => ({
  ...{ failed, passed, milliseconds: Math.round(milliseconds) },
  ...(broken !== undefined && { broken }),
  ...(job.isDry && { met }),
})
