import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { type SQL, sql } from 'drizzle-orm'
import { StartError } from '../../error/errors.ts'
import { type Awaitable, type ModelSource, SourceError } from '../source.ts'
import { withoutValues } from '../sql/errors.ts'
import { type Database, databaseOf, type ServedDialect, type Transacting, transactionOn } from './database.ts'
import { entityNames, isMysqlPooled, isNodePostgresPooled, isPool, isPooled } from './driver.ts'
import { asyncExecution, syncExecution } from './execution.ts'
import { type Client, outliveError } from './node-postgres.ts'
import { oneWriter } from './one-writer.ts'
import { isPostgresJs, outliving, outlivingBrokenTransactions } from './postgres-js.ts'

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

type Handle = Transacting<object, unknown> & { readonly session: Transacting<object, unknown> }

type Work = (inside: object) => Awaitable<unknown>

/**
 * The handle that hooks get outside of transactions. Those that they open themselves go the way of ours: drizzle alone keeps
 * the connection where `begin` fails, and postgres.js ends the program where the connection breaks.
 */
export const handleForHooks = (handle: object): object => {
  const transaction = transactionOf(handle as Handle)
  return transaction === undefined ? handle : Object.create(handle, { transaction: { value: transaction } })
}

const transactionOf = (
  handle: Handle,
): ((work: Work, options?: unknown) => Awaitable<unknown>) | undefined => {
  if (isPostgresJs(handle))
    return (work, options) =>
      outliving((run) => handle.transaction((inside) => run(inside, () => work(inside)), options))
  const { session } = handle
  if (!isPooled(session) && !isMysqlPooled(session)) return undefined
  return (work, options) => transactionOn(handle, work, options)
}

interface Pool {
  on(event: 'error', listener: () => void): unknown
  on(event: 'acquire', listener: (client: Client) => void): unknown
  listenerCount(event: 'error'): number
}

const heard = new WeakSet<Pool>()

/**
 * A pool emits an error where the database ends connections that nobody uses, and an error without a listener ends the
 * program. So does a connection of node-postgres in a transaction that the application opens itself. The next statement
 * gets another connection, or the refusal: there is nothing else to do.
 *
 * Neon's pools, which are made like those, would not use HTTP any more where anybody listens to more than errors.
 */
const outliveLostConnections = (database: object): void => {
  const session: unknown = Reflect.get(database, 'session')
  const pool: unknown = Reflect.get(Object(session), 'client')
  if (!isPool(pool) || !isEmitter(pool) || heard.has(pool)) return
  heard.add(pool)
  if (pool.listenerCount('error') === 0) pool.on('error', () => undefined)
  if (isNodePostgresPooled(Object(session))) pool.on('acquire', outliveError)
}

const isEmitter = (pool: unknown): pool is Pool =>
  typeof pool === 'object' && pool !== null && 'listenerCount' in pool && 'on' in pool

/** A driver, and the smallest of its versions that is served. */
interface Driver {
  readonly name: string
  readonly least: string
}

/**
 * The smallest versions, by drizzle's name of the session: the oldest that the contract of sources was run on, and of
 * better-sqlite3 the first that has binaries for the oldest Node.js. mysql2 before 3.17 also writes an object into a statement
 * as assignments of columns. package.json states the same as optional peers.
 */
export const drivers: ReadonlyMap<string, Driver> = new Map([
  ['BetterSQLiteSession', { name: 'better-sqlite3', least: '11.0.0' }],
  ['LibSQLSession', { name: '@libsql/client', least: '0.14.0' }],
  ['NodePgSession', { name: 'pg', least: '8.11.0' }],
  ['PostgresJsSession', { name: 'postgres', least: '3.4.0' }],
  ['PgliteSession', { name: '@electric-sql/pglite', least: '0.2.17' }],
  ['MySql2Session', { name: 'mysql2', least: '3.20.0' }],
])

/**
 * The version of a package as this one finds it, which is what npm gives a peer. `undefined`: it cannot be told, as in a
 * bundle.
 */
export const installedVersion = (name: string): string | undefined => {
  // Not every runtime has it.
  const find: unknown = Reflect.get(nodeModule, 'findPackageJSON')
  if (typeof find !== 'function') return undefined
  try {
    const { version }: { version?: unknown } = JSON.parse(readFileSync(find(name, import.meta.url), 'utf8'))
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}

/** @throws StartError where the driver of a drizzle database is known to be too old */
export const assertDriver = (
  db: object,
  versionOf: (name: string) => string | undefined = installedVersion,
): void => {
  const session: unknown = Reflect.get(db, 'session')
  const names = typeof session === 'object' && session !== null ? entityNames(session) : []
  const driver = names.map((name) => drivers.get(name)).find((known) => known !== undefined)
  const found = driver && versionOf(driver.name)
  if (driver === undefined || found === undefined || !isBefore(found, driver.least)) return
  throw new StartError(
    `drizzleModels: ${driver.name} ${found} is too old: ${driver.least} or later is needed. Install it: npm install ${driver.name}@latest.`,
  )
}

/** By the numbers; what follows a hyphen says of a version only that it is nearly there. */
const isBefore = (version: string, least: string): boolean => {
  const [own, other] = [version, least].map((text) => (text.split(/[-+]/)[0] ?? '').split('.').map(Number))
  const place = other?.findIndex((part, at) => part !== own?.[at]) ?? -1
  return place !== -1 && (own?.[place] ?? 0) < (other?.[place] ?? 0)
}

/** SQLite would answer `select 1` without a look at its file. A node of Galera that has lost the others refuses it. */
const questions: Readonly<Record<ServedDialect, SQL>> = {
  sqlite: sql`select 1 from sqlite_master limit 1`,
  pg: sql`select 1`,
  mysql: sql`select 1`,
}

/** Asks the database for next to nothing. */
export const pingIn = (database: Database): ModelSource['ping'] => {
  const { recovering, after } = database.synchronous ? syncExecution : asyncExecution
  const ask = (): Awaitable<void> => {
    const query = database.toQuery(questions[database.dialect])
    return after(database.prepare(query, { fetch: 'one', read: () => undefined })([]), () => undefined)
  }
  return recovering(ask, (error) => {
    throw new SourceError('unavailable', { cause: withoutValues(error) })
  })
}
