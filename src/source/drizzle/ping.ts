import { type SQL, sql } from 'drizzle-orm'
import type { Awaitable, ModelSource } from '../source.ts'
import { SourceError } from '../source-error.ts'
import type { Database, RawRow, ServedDialect } from './database.ts'
import { withoutValues } from './errors.ts'
import { atOnce, later } from './settling.ts'

/**
 * SQLite would answer `select 1` without a look at its file, and a node of Galera that has lost the others too: it serves
 * no tables, and says so here.
 */
const questions: Readonly<Record<ServedDialect, SQL>> = {
  sqlite: sql`select 1 from sqlite_master limit 1`,
  pg: sql`select 1`,
  mysql: sql`show global status like 'wsrep_ready'`,
}

const answered = ([row]: readonly RawRow[]): void => {
  if (row?.[1] === 'OFF') throw new Error('The node does not take part in its cluster.')
}

/** Asks the database for next to nothing. */
export const pingIn = (database: Database): ModelSource['ping'] => {
  const { recovering, after } = database.synchronous ? atOnce : later
  const ask = (): Awaitable<void> => {
    const query = database.toQuery(questions[database.dialect])
    return after(database.prepare(query, { fetch: 'one', read: answered })([]), () => undefined)
  }
  return recovering(ask, (error) => {
    throw new SourceError('unavailable', { cause: withoutValues(error) })
  })
}
