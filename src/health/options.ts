import { StartError, suggest } from '../error/start-error.ts'

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

/** How health is served, with its defaults. */
export interface Health extends Required<HealthOptions> {}

const names = ['path', 'timeout', 'checks'] satisfies readonly (keyof HealthOptions)[]

const LONGEST = 60_000

/** Segments that no router reads as anything but themselves. */
const path = /^[\w.~-]+(\/[\w.~-]+)*$/

const ours: readonly string[] = ['database', 'cache']

/**
 * The option `health` with its defaults; `undefined` where nothing is to be served.
 *
 * @throws StartError for what it cannot be
 */
export const readHealth = (given: unknown = false): Health | undefined => {
  if (given === false) return undefined
  const options: HealthOptions = given === true ? {} : asObject(given)
  const health = { path: 'health', timeout: 2000, checks: {}, ...options }
  if (typeof health.path !== 'string' || !path.test(health.path))
    throw new StartError(
      'health.path must be a path without slashes at its ends, as health or internal/health.',
    )
  if (!Number.isSafeInteger(health.timeout) || health.timeout < 1 || health.timeout > LONGEST)
    throw new StartError(`health.timeout must be a whole number from 1 to ${LONGEST}, in milliseconds.`)
  assertChecks(health.checks)
  return health
}

const asObject = (given: unknown): HealthOptions => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new StartError(
      'The option health must be true, false, or an object: health: { checks: { search: () => … } }.',
    )
  for (const name of Object.keys(given)) {
    if (!names.some((known) => known === name))
      throw new StartError(`There is no health option ${name}.${suggest(name, names)}`)
  }
  return given
}

const assertChecks = (checks: unknown): void => {
  if (typeof checks !== 'object' || checks === null || Array.isArray(checks))
    throw new StartError('health.checks must be an object: health: { checks: { search: () => … } }.')
  for (const [name, check] of Object.entries(checks)) {
    if (ours.includes(name))
      throw new StartError(`health.checks.${name}: this name is taken. Give it another one.`)
    if (typeof check !== 'function') throw new StartError(`health.checks.${name} must be a function.`)
  }
}
