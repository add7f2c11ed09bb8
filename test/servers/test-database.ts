import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { assertAsked, needing } from '../needed-program.ts'
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

/** Defines tests that need a PostgreSQL server. Without one they are skipped; in CI that is an error. */
export const onPostgres = (tests: string, define: () => void): void => needing('postgres', tests, define)

/**
 * Creates an empty database on the PostgreSQL server of this run.
 * @param name What it is for: lower-case letters and `_`. A random end keeps test files apart.
 * @throws if the test file has not asked for PostgreSQL, as `onPostgres` does
 */
export const createDatabase = async (
  name: string,
  collation: Collation = 'C.UTF-8',
): Promise<TestDatabase> => {
  assertAsked('postgres')
  const address = inject('postgres')
  if (address === undefined) throw new Error('PostgreSQL is missing.')
  const server = await urlFrom(address)
  const unique = `${name}_${randomBytes(4).toString('hex')}`
  await execute(server, `create database ${unique} template template0 ${locales[collation]}`)
  const url = new URL(server)
  url.pathname = unique
  return {
    url: url.href,
    drop: async () => {
      await execute(server, sessionsEnd(unique))
      await execute(server, `drop database if exists ${unique} with (force)`)
    },
  }
}

/** Waits, half a second at most, for sessions that a pool has ended: to be told that it is cut off, a client needs somebody who listens. */
const sessionsEnd = (database: string): string => `do $$ begin
  for _ in 1..50 loop
    exit when not exists (select from pg_stat_activity where datname = '${database}');
    perform pg_sleep(0.01), pg_stat_clear_snapshot();
  end loop;
end $$`

const execute = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}
