import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { assertAsked, needing } from '../needed-program.ts'

/** A corner of the Redis server of this run that no other test file sees, as long as each key begins with `prefix`. */
export interface TestRedis {
  readonly url: string
  readonly prefix: string
}

/** A corner of the run's server. Its URL is empty where the program is missing: the tests are skipped then. */
export const testRedis = (): TestRedis => {
  assertAsked('redis')
  return { url: inject('redis') ?? '', prefix: `test-${randomBytes(6).toString('hex')}:` }
}

/**
 * Defines tests that need a Redis server, that of this run (`testRedis()`) or one of their own (`startRedis()`). Without
 * one they are skipped; in CI that is an error.
 */
export const onRedis = (tests: string, define: () => void): void => needing('redis', tests, define)
