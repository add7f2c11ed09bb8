import { randomBytes } from 'node:crypto'
import { inject, it } from 'vitest'
import { isThere } from '../needed-program.ts'

/** A corner of the Redis server of this run that no other test file sees, as long as each key begins with `prefix`. */
export interface TestRedis {
  readonly url: string
  readonly prefix: string
}

/** @throws where the run has no server: define the tests inside `onRedis`. */
export const testRedis = (): TestRedis => {
  const url = inject('redis')
  if (url === undefined) throw new Error('Redis is missing.')
  return { url, prefix: `test-${randomBytes(6).toString('hex')}:` }
}

/**
 * Defines tests that need a Redis server, that of this run (`testRedis()`) or one of their own (`startRedis()`). Where
 * the program is missing that is said loudly, and an error in CI; the file holds a single test then, which says that it
 * did not run.
 */
export const onRedis = (tests: string, define: () => void): void => {
  if (isThere('redis-server', tests)) define()
  else it(`NOT RUN: ${tests}`, ({ skip }) => skip('Redis is missing.'))
}
