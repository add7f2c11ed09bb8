import { it } from 'vitest'
import { isThere } from '../needed-program.ts'
import { hasPostgres } from './test-database.ts'

/** Defines tests that need nginx, PostgreSQL and Redis. Where one is missing that is said loudly, and an error in CI. */
export const onCluster = (tests: string, define: () => void): void => {
  const isComplete = isThere('nginx', tests) && isThere('redis-server', tests) && hasPostgres(tests)
  if (isComplete) define()
  else it(`NOT RUN: ${tests}`, ({ skip }) => skip('nginx, PostgreSQL or Redis is missing.'))
}
