import { needing } from '../needed-program.ts'

/** Defines tests that need a Galera cluster, nginx and Redis. Where one is missing they are skipped; in CI that is an error. */
export const onGalera = (tests: string, define: () => void): void =>
  needing(['galera', 'nginx', 'redis'], tests, define)
