import { needing } from '../needed-program.ts'

/** Defines tests that need nginx, PostgreSQL and Redis. Where one is missing they are skipped; in CI that is an error. */
export const onCluster = (tests: string, define: () => void): void =>
  needing(['nginx', 'postgres', 'redis'], tests, define)
