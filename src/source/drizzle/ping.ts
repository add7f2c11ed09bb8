import { type SQL, sql } from 'drizzle-orm'
import type { Awaitable, ModelSource } from '../source.ts'
import { SourceError } from '../source-error.ts'
import type { Database, ServedDialect } from './database.ts'
import { withoutValues } from './errors.ts'
import { atOnce, later } from './settling.ts'

/** SQLite would answer `select 1` without a look at its file. A node of Galera that has lost the others refuses it. */
const questions: Readonly<Record<ServedDialect, SQL>> = {
  sqlite: sql`select 1 from sqlite_master limit 1`,
  pg: sql`select 1`,
  mysql: sql`select 1`,
}

/** Asks the database for next to nothing. */
export const pingIn = (database: Database): ModelSource['ping'] => {
  const { recovering, after } = database.synchronous ? atOnce : later
  const ask = (): Awaitable<void> => {
    const query = database.toQuery(questions[database.dialect])
    return after(database.prepare(query, { fetch: 'one', read: () => undefined })([]), () => undefined)
  }
  return recovering(ask, (error) => {
    throw new SourceError('unavailable', { cause: withoutValues(error) })
  })
}
