import { it } from 'vitest'
import { isThere } from '../needed-program.ts'
import { hasGaleraPrograms } from './galera.ts'

const isGaleraThere = (tests: string): boolean => {
  if (hasGaleraPrograms()) return true
  const line = `NOT RUN: ${tests}, because Galera is missing. Install it: apt-get install --yes mariadb-server galera-4 rsync`
  if (process.env['CI'] !== undefined) throw new Error(line)
  process.stderr.write(`\n${line}\n\n`)
  return false
}

/** Defines tests that need a Galera cluster, nginx and Redis. Where one is missing that is said loudly, and an error in CI. */
export const onGalera = (tests: string, define: () => void): void => {
  const isComplete =
    isGaleraThere(tests) &&
    isThere('rsync', tests) &&
    isThere('nginx', tests) &&
    isThere('redis-server', tests)
  if (isComplete) define()
  else it(`NOT RUN: ${tests}`, ({ skip }) => skip('Galera, rsync, nginx or Redis is missing.'))
}
