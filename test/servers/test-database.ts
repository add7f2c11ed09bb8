import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject, it } from 'vitest'
import { urlFrom } from './on-demand.ts'

/** A database of its own on the PostgreSQL server of this run. */
export interface TestDatabase {
  readonly url: string
  /** Removes it, with whoever is connected to it. The end of the run does too. */
  drop(): Promise<void>
}

/** How texts are ordered and folded: `C.UTF-8` by code point; `en` as ICU does for English, as production often has. */
export type Collation = 'C.UTF-8' | 'en'

const locales: Readonly<Record<Collation, string>> = {
  'C.UTF-8': `lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'`,
  en: `locale_provider icu icu_locale 'en'`,
}

/**
 * Says whether this run has a PostgreSQL server. Where it has none, the test cannot run: that is said loudly, and an
 * error in CI.
 */
export const hasPostgres = (tests: string): boolean => {
  if (inject('postgres') !== undefined) return true
  const line = `NOT RUN: ${tests}, because PostgreSQL is missing. Install it: apt-get install --yes postgresql`
  if (process.env['CI'] !== undefined) throw new Error(line)
  process.stderr.write(`\n${line}\n\n`)
  return false
}

/** Defines tests that need a PostgreSQL server. Without one the file holds a single test, which says that it did not run. */
export const onPostgres = (tests: string, define: () => void): void => {
  if (hasPostgres(tests)) define()
  else it(`NOT RUN: ${tests}`, ({ skip }) => skip('PostgreSQL is missing.'))
}

/**
 * Creates an empty database on the PostgreSQL server of this run.
 * @param name What it is for: lower-case letters and `_`. A random end keeps test files apart.
 * @throws where the run has no server: ask `hasPostgres` first.
 */
export const createDatabase = async (
  name: string,
  collation: Collation = 'C.UTF-8',
): Promise<TestDatabase> => {
  const address = inject('postgres')
  if (address === undefined) throw new Error('PostgreSQL is missing.')
  const server = await urlFrom(address)
  const unique = `${name}_${randomBytes(4).toString('hex')}`
  await execute(server, `create database ${unique} template template0 ${locales[collation]}`)
  const url = new URL(server)
  url.pathname = unique
  return { url: url.href, drop: () => execute(server, `drop database if exists ${unique} with (force)`) }
}

const execute = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}
