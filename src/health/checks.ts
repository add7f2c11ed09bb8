import { assertKnown, StartError } from '../error/errors.ts'
import { isRecord } from '../error/record.ts'

/** What the option `health` takes beside `true`. */
export interface HealthOptions {
  /** Where it is served, below the base: `/health/live` and `/health/ready`. @default 'health' */
  readonly path?: string
  /** Milliseconds that each check may take. One that takes longer counts as failed. @default 2000 */
  readonly timeout?: number
  /**
   * What else has to work before requests should come here: its name, which everybody may read -> what throws or rejects
   * where it does not work. `database` and `cache` are taken.
   */
  readonly checks?: Readonly<Record<string, () => unknown>>
}

export interface Health extends Required<HealthOptions> {}

const usual: Health = { path: 'health', timeout: 2000, checks: {} }

const LONGEST = 60_000

/** Segments that no router reads as anything but themselves. */
const path = /^[\w.~-]+(\/[\w.~-]+)*$/

const ours: readonly string[] = ['database', 'cache']

/** The option `health` with its defaults; `undefined` where nothing is to be served. */
export const readHealth = (given: unknown = false): Health | undefined => {
  if (given === false) return undefined
  const options: HealthOptions = given === true ? {} : asObject(given)
  const health = { ...usual, ...options }
  if (typeof health.path !== 'string' || !path.test(health.path))
    throw new StartError(
      'health.path must be a path without slashes at its ends, as health or internal/health.',
    )
  if (!Number.isSafeInteger(health.timeout) || health.timeout < 1 || health.timeout > LONGEST)
    throw new StartError(`health.timeout must be a whole number from 1 to ${LONGEST}, in milliseconds.`)
  if (!isRecord(health.checks))
    throw new StartError('health.checks must be an object: health: { checks: { search: () => … } }.')
  for (const [name, check] of Object.entries(health.checks)) {
    if (ours.includes(name))
      throw new StartError(`health.checks.${name}: this name is taken. Give it another one.`)
    if (typeof check !== 'function') throw new StartError(`health.checks.${name} must be a function.`)
  }
  return health
}

const asObject = (given: unknown): HealthOptions => {
  if (!isRecord(given))
    throw new StartError(
      'The option health must be true, false, or an object: health: { checks: { search: () => … } }.',
    )
  for (const name of Object.keys(given)) assertKnown('There is no health option', name, Object.keys(usual))
  return given
}

export interface Check {
  readonly name: string
  readonly run: () => unknown
}

/** What became of a check. The error is for the log alone. */
export type Outcome =
  | { readonly name: string; readonly state: 'ok' | 'timeout' }
  | { readonly name: string; readonly state: 'failed'; readonly error: unknown }

/** A check that never ends may hold a connection of a pool, so it is tried again just so often. */
const MOST_HANGING = 2

/**
 * What hangs for so many times its timeout is taken for ended: nobody knows of a connection whose other end is gone without
 * a word, and a new one may work.
 */
const FORGOTTEN_AFTER = 10

/**
 * Runs all checks at the same time, each for a time at most. Who asks while they run gets the same answer: no number of
 * clients makes more than one question of it. The timeout is in milliseconds.
 */
export const probeOf = (checks: readonly Check[], timeout: number): (() => Promise<readonly Outcome[]>) => {
  const bounded = checks.map((check) => boundedCheck(check, timeout))
  let running: Promise<readonly Outcome[]> | undefined
  return () => {
    running ??= Promise.all(bounded.map((run) => run())).finally(() => {
      running = undefined
    })
    return running
  }
}

/** What it gives never rejects. */
const boundedCheck = ({ name, run }: Check, timeout: number): (() => Promise<Outcome>) => {
  let hanging = 0
  return () => {
    if (hanging === MOST_HANGING) return Promise.resolve({ name, state: 'timeout' })
    hanging += 1
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ name, state: 'timeout' }), timeout)
      let isForgotten = false
      const forget = (): void => {
        if (!isForgotten) hanging -= 1
        isForgotten = true
      }
      const oblivion = setTimeout(forget, timeout * FORGOTTEN_AFTER).unref()
      const end = (outcome: Outcome): void => {
        forget()
        clearTimeout(timer)
        clearTimeout(oblivion)
        resolve(outcome)
      }
      // At once, and what it throws is a rejection too.
      const running = (async () => await run())()
      running.then(
        () => end({ name, state: 'ok' }),
        (error: unknown) => end({ name, state: 'failed', error }),
      )
    })
  }
}
