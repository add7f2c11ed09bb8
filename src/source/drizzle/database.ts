import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { type Column, type Query, type SQL, sql, type Table, type View } from 'drizzle-orm'
import { StartError } from '../../error/errors.ts'
import type { Model } from '../../model/model.ts'
import { after, executionOf } from '../../model/objects.ts'
import { type Awaitable, type ConnectionQueue, type ModelSource, SourceError } from '../source.ts'
import { withoutValues } from '../sql/errors.ts'
import { prepareClient } from '../sql/mysql-connections.ts'
import {
  handleForHooks,
  hasTransactions,
  outliveLostConnections,
  queueOf,
  sessionForStatements,
  transactionMethodOf,
} from './drivers.ts'
import {
  type Dialect,
  entityNames,
  type Handle,
  knownOf,
  prepareIn,
  type RawRow,
  type Running,
  type Session,
} from './internals.ts'
import { type Names, namedStatement, namesOfStatements } from './named.ts'

export type ReadRows<T> = (rows: readonly RawRow[]) => T

/** A prepared statement. `values[0]` fills the placeholder `0`. Runs where it was prepared, or in the transaction `inside`. */
export type Statement<T> = (values: readonly unknown[], inside?: Database) => Awaitable<T>

export interface Purpose<T> extends Running {
  readonly read: ReadRows<T>
  /** The model and table, for observers. */
  readonly of?: { readonly model: Model; readonly table: Table | View }
  /** Whether the same plan is the best for all values, so that the server may keep it. */
  readonly hasOnePlan?: boolean
}

export interface Database {
  readonly dialect: Dialect
  /** Statements return values, not promises. */
  readonly synchronous: boolean
  /** Concurrent requests may share what a statement reads. */
  readonly sharesReads: boolean
  /** Transactions are isolated from concurrent requests. */
  readonly hasTransactions: boolean
  readonly inTransaction: boolean
  /** Drizzle's own database or transaction, for hooks. */
  readonly handle: object
  /** The statements that wait for a connection. `undefined`: not known. */
  readonly queue: ConnectionQueue | undefined
  /** The version that the server reports, read once. A database and its transactions share it. */
  readonly server: { version?: string }
  /** Whether the server keeps the plans of statements that have one for all values. */
  readonly keepsPlans: boolean
  toQuery(statement: SQL): Query
  /** The column's name in the database, in the configured casing. */
  columnName(column: Column): string
  prepare<T>(query: Query, purpose: Purpose<T>): Statement<T | undefined>
  /** With a synchronous driver, `work` must not return a promise. */
  transaction<T>(work: (inside: Database) => Awaitable<T>): Awaitable<T>
}

/** The type of a drizzle database. `drizzleModels` checks its dialect at run time. */
export interface DrizzleDatabase {
  readonly select: (...args: never[]) => unknown
  readonly insert: (...args: never[]) => unknown
  readonly update: (...args: never[]) => unknown
  readonly delete: (...args: never[]) => unknown
}

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['BaseSQLiteDatabase', 'sqlite'],
  ['PgDatabase', 'pg'],
  ['MySqlDatabase', 'mysql'],
])

/** How statements run. Both are on by default. */
export interface Opening {
  readonly prepare?: boolean
  readonly sharedReads?: boolean
}

/** Opens the primary of `withReplicas()`: replicas may lag. @throws StartError */
export const openDatabase = (
  given: unknown,
  { prepare = true, sharedReads = true }: Opening = {},
): Database => {
  const { $primary: db = given, $replicas: replicas = [] } = Object(given)
  const dialect = knownOf(Object(db), dialects)
  if (dialect === undefined) {
    throw new StartError(
      'drizzleModels: the first argument must be a drizzle database for SQLite, PostgreSQL, MySQL or MariaDB. Use drizzle() from drizzle-orm/better-sqlite3, drizzle-orm/node-postgres, drizzle-orm/pglite or drizzle-orm/mysql2.',
    )
  }
  // Replicas too, even if only the application reads them.
  for (const { session } of [db, ...replicas] as readonly Handle[]) {
    assertDriver(session)
    outliveLostConnections(session)
    if (dialect === 'mysql') prepareClient(session.client)
  }
  const names = prepare ? namesOfStatements(db.session) : undefined
  return databaseOf(db, dialect, { names, sharedReads })
}

/**
 * The smallest driver versions, by drizzle's name of the session: the oldest that passed the contract of sources, and for
 * better-sqlite3 the first with binaries for the oldest supported Node.js. mysql2 before 3.17 also writes an object into a
 * statement as assignments of columns. package.json has the same versions as optional peers.
 */
export const drivers: ReadonlyMap<string, Readonly<Record<'name' | 'least', string>>> = new Map([
  ['BetterSQLiteSession', { name: 'better-sqlite3', least: '11.0.0' }],
  ['LibSQLSession', { name: '@libsql/client', least: '0.14.0' }],
  ['NodePgSession', { name: 'pg', least: '8.11.0' }],
  ['PostgresJsSession', { name: 'postgres', least: '3.4.0' }],
  ['PgliteSession', { name: '@electric-sql/pglite', least: '0.2.17' }],
  ['MySql2Session', { name: 'mysql2', least: '3.20.0' }],
])

export const assertDriver = (
  session: object,
  versionOf: (name: string) => string | undefined = installedVersion,
): void => {
  if (entityNames(session).includes('SQLiteD1Session'))
    throw new StartError(
      'drizzleModels: D1 cannot run transactions, which modelrest needs. Use another database, or write a source of your own: see docs/write-a-source.md.',
    )
  const driver = knownOf(session, drivers)
  const found = driver && versionOf(driver.name)
  if (found?.localeCompare(driver?.least ?? '', 'en', { numeric: true }) !== -1) return
  throw new StartError(
    `drizzleModels: ${driver?.name} ${found} is too old. Install ${driver?.least} or later: npm install ${driver?.name}@latest.`,
  )
}

/** The version that this package resolves, as npm does for a peer. `undefined`: unknown, such as in a bundle. */
export const installedVersion = (name: string): string | undefined => {
  try {
    const manifest = nodeModule.findPackageJSON(name, import.meta.url) ?? ''
    const { version }: { version?: string } = JSON.parse(readFileSync(manifest, 'utf8'))
    return version
  } catch {
    return undefined
  }
}

/** SQLite allows one writer: a transaction that takes the write lock at its beginning cannot fail to get it later. */
const transactionOptions: Readonly<Record<Dialect, object | undefined>> = {
  sqlite: { behavior: 'immediate' },
  pg: undefined,
  // As on PostgreSQL, a statement sees everything that was committed before it began.
  mysql: { isolationLevel: 'read committed' },
}

interface Inner {
  readonly names: Names | undefined
  readonly outer?: Database
  readonly sharedReads?: boolean
}

const databaseOf = (
  handle: Handle,
  dialect: Dialect,
  { names, outer, sharedReads = false }: Inner,
): Database => {
  const { session } = handle
  const synchronous = handle.resultKind === 'sync'
  const inTransaction = outer !== undefined
  const server = outer?.server ?? {}
  // A transaction already has its connection.
  const reading = inTransaction ? session : sessionForStatements(session, false)
  const writing = inTransaction ? session : sessionForStatements(session, true)
  const begin = inTransaction ? handle.transaction.bind(handle) : transactionMethodOf(handle)
  const database: Database = Object.freeze<Database>({
    dialect,
    server,
    handle: inTransaction ? handle : handleForHooks(handle),
    synchronous,
    sharesReads: sharedReads && !synchronous,
    hasTransactions: !inTransaction && hasTransactions(session),
    inTransaction,
    queue: inTransaction ? undefined : queueOf(session),
    keepsPlans: names !== undefined,
    toQuery: (statement) => handle.dialect.sqlToQuery(statement),
    columnName: (column) => handle.dialect.casing.getColumnCasing(column),
    prepare: <T>(query: Query, purpose: Purpose<T>): Statement<T | undefined> => {
      const where = purpose.changes === undefined ? reading : writing
      const prepareOn = (on: Session, name?: string): Statement<T | undefined> =>
        prepareIn[dialect](on, query, { ...purpose, name }, purpose.read) as Statement<T | undefined>
      const plain = prepareOn(where)
      const run =
        names === undefined || purpose.hasOnePlan !== true
          ? plain
          : namedStatement(
              names,
              query.sql,
              plain,
              (name) => prepareOn(names.sessionOf(where), name),
              inTransaction,
            )
      return (values, inside) => (inside === undefined ? run(values) : inside.prepare(query, purpose)(values))
    },
    transaction: (work) =>
      begin(
        (inside) => work(databaseOf(inside, dialect, { names, outer: database })),
        transactionOptions[dialect],
      ),
  })
  return database
}

/** SQLite would run `select 1` without reading its file. A Galera node without a quorum refuses `select 1`. */
const pings: Readonly<Record<Dialect, SQL>> = {
  sqlite: sql`select 1 from sqlite_master limit 1`,
  pg: sql`select 1`,
  mysql: sql`select 1`,
}

export const pingIn = (database: Database): ModelSource['ping'] =>
  executionOf(database).recovering(
    (): Awaitable<void> => runOnce(database, pings[database.dialect], () => undefined),
    (error) => {
      throw new SourceError('unavailable', { cause: withoutValues(error) })
    },
  )

export const runOnce = <T>(database: Database, statement: SQL, read: ReadRows<T>): Awaitable<T | undefined> =>
  database.prepare(database.toQuery(statement), { fetch: 'all', read })([])

/** The things for which the condition is true, in a single statement. */
export const whereTrue = <T>(
  database: Database,
  things: readonly T[],
  question: (thing: T) => SQL,
): Awaitable<readonly T[]> => {
  if (things.length === 0) return []
  const answers = things.map((thing) => sql`case when ${question(thing)} then 1 else 0 end`)
  const found = runOnce(database, sql`select ${sql.join(answers, sql`, `)}`, ([row]) =>
    things.filter((_, place) => Number(row?.[place]) === 1),
  )
  return after(found, (answered) => answered ?? [])
}
