import { assertKnown, StartError } from '../error/errors.ts'
import { isRecord } from '../error/record.ts'

/** The object that the option `health` accepts instead of `true`. See docs/health.md. */
export interface HealthOptions {
  /** The path below the base: `/health/live` and `/health/ready`. @default 'health' */
  readonly path?: string
  /** The time limit of each check in milliseconds, from 1 to 60000. A check that takes longer fails. @default 2000 */
  readonly timeout?: number
  /**
   * Further checks by name. A check is a function that throws or rejects if something does not work. The names are public;
   * `database` and `cache` are reserved. @default none
   */
  readonly checks?: Readonly<Record<string, () => unknown>>
}

export interface Health extends Required<HealthOptions> {}

const usual: Health = { path: 'health', timeout: 2000, checks: {} }

const LONGEST = 60_000

/** Segments without characters that have a meaning in a router. */
const path = /^[\w.~-]+(\/[\w.~-]+)*$/

const ours: readonly string[] = ['database', 'cache']

/** The option `health` with its defaults; `undefined` if health is not served. */
export const readHealth = (given: unknown = false): Health | undefined => {
  if (given === false) return undefined
  const options: HealthOptions = given === true ? {} : asObject(given)
  const health = { ...usual, ...options }
  if (typeof health.path !== 'string' || !path.test(health.path))
    throw new StartError(
      'health.path must be a path without leading or trailing slashes, such as health or internal/health.',
    )
  if (!Number.isSafeInteger(health.timeout) || health.timeout < 1 || health.timeout > LONGEST)
    throw new StartError(`health.timeout must be an integer from 1 to ${LONGEST}, in milliseconds.`)
  if (!isRecord(health.checks))
    throw new StartError('health.checks must be an object, such as health: { checks: { search: () => … } }.')
  for (const [name, check] of Object.entries(health.checks)) {
    if (ours.includes(name))
      throw new StartError(`health.checks.${name}: this name is reserved. Choose another name.`)
    if (typeof check !== 'function') throw new StartError(`health.checks.${name} must be a function.`)
  }
  return health
}

const asObject = (given: unknown): HealthOptions => {
  if (!isRecord(given))
    throw new StartError(
      'health must be true, false or an object, such as health: { checks: { search: () => … } }.',
    )
  for (const name of Object.keys(given)) assertKnown('health: unknown option', name, Object.keys(usual))
  return given
}

export interface Check {
  readonly name: string
  readonly run: () => unknown
}

/** The result of a check. The error is only logged. */
export type CheckOutcome =
  | { readonly name: string; readonly state: 'ok' | 'timeout' }
  | { readonly name: string; readonly state: 'failed'; readonly error: unknown }

/** Limits the concurrent runs of a check that never ends, because each may hold a pool connection. */
const MOST_HANGING = 2

/**
 * A check that hangs for this many timeouts counts as ended: the other end of its connection may be gone without notice,
 * and a new connection may work.
 */
const FORGOTTEN_AFTER = 10

/**
 * Runs all checks at the same time, each with a timeout in milliseconds. Requests that arrive while they run share the
 * result, so the number of clients does not matter.
 */
export const probeOf = (
  checks: readonly Check[],
  timeout: number,
): (() => Promise<readonly CheckOutcome[]>) => {
  const bounded = checks.map((check) => boundedCheck(check, timeout))
  let running: Promise<readonly CheckOutcome[]> | undefined
  return () => {
    running ??= Promise.all(bounded.map((run) => run())).finally(() => {
      running = undefined
    })
    return running
  }
}

/** The returned promise never rejects. */
const boundedCheck = ({ name, run }: Check, timeout: number): (() => Promise<CheckOutcome>) => {
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
      const end = (outcome: CheckOutcome): void => {
        forget()
        clearTimeout(timer)
        clearTimeout(oblivion)
        resolve(outcome)
      }
      // Starts immediately, and turns an exception into a rejection.
      const running = (async () => await run())()
      running.then(
        () => end({ name, state: 'ok' }),
        (error: unknown) => end({ name, state: 'failed', error }),
      )
    })
  }
}
