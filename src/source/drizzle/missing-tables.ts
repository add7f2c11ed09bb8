import { sql } from 'drizzle-orm'
import type { Awaitable } from '../source.ts'
import { SourceError } from '../source-error.ts'
import type { Database } from './database.ts'
import { dialectOf } from './dialects.ts'
import { readRefusal } from './errors.ts'
import { whereTrue } from './questions.ts'
import { atOnce, later } from './settling.ts'
import type { DescribedTable } from './table.ts'

/**
 * The names of the models whose table or view the database does not have, asked for in one statement.
 *
 * @throws SourceError `unavailable`
 * @throws StartError where writes would be lost in the sessions of the database
 */
export const missingTables = (
  database: Database,
  tables: readonly DescribedTable[],
): Awaitable<readonly string[]> => {
  const { recovering, after } = database.synchronous ? atOnce : later
  const { exists, readError, assertSafe } = dialectOf(database)
  const ask = (): Awaitable<readonly string[]> => {
    const missing = whereTrue(
      database,
      tables,
      ({ table }) => sql`not (${exists(database.toQuery(sql`${table}`).sql)})`,
    )
    return after(missing, (found) => found.map(({ model }) => model.name))
  }
  const askSafely = (): Awaitable<readonly string[]> => {
    const safe = assertSafe?.(database, tables)
    return safe === undefined ? ask() : after(safe, ask)
  }
  return recovering(askSafely, (error) => {
    const kind = readRefusal(error, readError)?.kind
    throw kind === 'unavailable' || kind === 'lost' ? new SourceError('unavailable', { cause: error }) : error
  })()
}
