import { StartError } from '../../error/start-error.ts'
import { type Database, databaseOf, type ServedDialect } from './database.ts'
import { assertDriver } from './driver-versions.ts'
import { entityNames } from './entity.ts'
import { outliveLostConnections } from './lost-connections.ts'
import { oneWriter } from './one-writer.ts'
import { outlivingBrokenTransactions } from './postgres-js.ts'

/** What a drizzle database is by its type. Which one it is, and whether it is one, is found out at start. */
export interface DrizzleDatabase {
  readonly select: (...args: never[]) => unknown
  readonly insert: (...args: never[]) => unknown
  readonly update: (...args: never[]) => unknown
  readonly delete: (...args: never[]) => unknown
}

const dialects: ReadonlyMap<string, ServedDialect> = new Map([
  ['BaseSQLiteDatabase', 'sqlite'],
  ['PgDatabase', 'pg'],
  ['MySqlDatabase', 'mysql'],
])

const EXPECTED =
  'drizzleModels: the first argument must be a drizzle database of SQLite, PostgreSQL, MySQL or MariaDB, as drizzle() from drizzle-orm/better-sqlite3, drizzle-orm/node-postgres, drizzle-orm/pglite or drizzle-orm/mysql2 gives it'

/**
 * Recognises a drizzle database.
 *
 * @throws StartError for anything else, and for a driver that is too old.
 */
export const openDatabase = (given: unknown): Database => {
  const db = primaryOf(given)
  const dialect = entityNames(db)
    .map((name) => dialects.get(name))
    .find((known) => known !== undefined)
  if (dialect === undefined) throw new StartError(`${EXPECTED}.`)
  for (const own of [db, ...replicasIn(given)]) {
    assertDriver(own)
    outliveLostConnections(own)
  }
  return outlivingBrokenTransactions(oneWriter(databaseOf(db, dialect)))
}

/** `withReplicas()` gives a plain object. Its primary reads what was written a moment ago. */
export const primaryOf = (given: unknown): object => {
  if (typeof given !== 'object' || given === null) throw new StartError(`${EXPECTED}.`)
  const primary: unknown = Reflect.get(given, '$primary')
  return typeof primary === 'object' && primary !== null ? primary : given
}

/** Those of `withReplicas()`, whether anything is read from them here or by the application alone. */
const replicasIn = (given: unknown): readonly object[] => {
  const replicas: unknown = Reflect.get(Object(given), '$replicas')
  return Array.isArray(replicas) ? replicas.filter((one) => typeof one === 'object' && one !== null) : []
}
