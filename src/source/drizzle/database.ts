import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import {
  type Column,
  isTable,
  type Placeholder,
  type Query,
  type SQL,
  type SQLChunk,
  sql,
  type Table,
  type View,
} from 'drizzle-orm'
import { StartError } from '../../error/errors.ts'
import type { ConnectionQueue } from '../source.ts'
import type { Database, Statement, StatementPurpose } from '../sql/database.ts'
import { prepareClient } from '../sql/mysql-connections.ts'
import { type Dialect, sql as engineSql, Sql } from '../sql/text.ts'
import {
  handleForHooks,
  hasTransactions,
  outliveLostConnections,
  queueOf,
  sessionForStatements,
  transactionMethodOf,
} from './drivers.ts'
import { type DrizzleHandle, type DrizzleSession, entityNames, knownOf, prepareIn } from './internals.ts'
import { namedStatement, namesOfStatements, type StatementNames } from './named.ts'
import type { DrizzleTable } from './tables.ts'

/** A database of drizzle, or a transaction of it. */
export interface DrizzleConnection extends Database {
  /** The statements that wait for a connection. `undefined`: not known. */
  readonly queue: ConnectionQueue | undefined
  /** The column's name in the database, in the configured casing. */
  columnName(column: Column): string
  /** The name of a table in SQL. */
  textOf(table: Table | View): string
  /** An expression, table or column of drizzle. */
  toSql(chunk: SQLChunk): Sql
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
): DrizzleConnection => {
  const { $primary: db = given, $replicas: replicas = [] } = Object(given)
  const dialect = knownOf(Object(db), dialects)
  if (dialect === undefined) {
    throw new StartError(
      'drizzleModels: the first argument must be a drizzle database for SQLite, PostgreSQL, MySQL or MariaDB. Use drizzle() from drizzle-orm/better-sqlite3, drizzle-orm/node-postgres, drizzle-orm/pglite or drizzle-orm/mysql2.',
    )
  }
  // Replicas too, even if only the application reads them.
  for (const { session } of [db, ...replicas] as readonly DrizzleHandle[]) {
    assertSupportedDriver(session)
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

export const assertSupportedDriver = (
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
  readonly names: StatementNames | undefined
  readonly outer?: DrizzleConnection
  readonly sharedReads?: boolean
}

const databaseOf = (
  handle: DrizzleHandle,
  dialect: Dialect,
  { names, outer, sharedReads = false }: Inner,
): DrizzleConnection => {
  const { session } = handle
  const { casing, escapeName, escapeParam, escapeString } = handle.dialect
  const synchronous = handle.resultKind === 'sync'
  const inTransaction = outer !== undefined
  // A transaction already has its connection.
  const reading = inTransaction ? session : sessionForStatements(session, false)
  const writing = inTransaction ? session : sessionForStatements(session, true)
  const begin = inTransaction ? handle.transaction.bind(handle) : transactionMethodOf(handle)
  const write = (chunk: SQLChunk, before: number): Query =>
    sql`${chunk}`.toQuery({
      ...{ casing, escapeName, escapeParam, escapeString, paramStartIndex: { value: before } },
    })
  const prepared = <T>(query: Query, purpose: StatementPurpose<T>): Statement<T | undefined> => {
    const { fetch, changes, read, hasOnePlan } = purpose
    const table = (changes as DrizzleTable | undefined)?.described.table
    const where = changes === undefined ? reading : writing
    const prepareOn = (on: DrizzleSession, name?: string): Statement<T | undefined> =>
      prepareIn[dialect](
        on,
        query,
        { fetch, ...(isTable(table) && { changes: table }), name },
        read,
      ) as Statement<T | undefined>
    const plain = prepareOn(where)
    return names === undefined || hasOnePlan !== true
      ? plain
      : namedStatement(
          names,
          query.sql,
          plain,
          (name) => prepareOn(names.sessionOf(where), name),
          inTransaction,
        )
  }
  const database: DrizzleConnection = Object.freeze<DrizzleConnection>({
    dialect,
    server: outer?.server ?? {},
    handle: inTransaction ? handle : handleForHooks(handle),
    synchronous,
    sharesReads: sharedReads && !synchronous,
    hasTransactions: !inTransaction && hasTransactions(session),
    inTransaction,
    queue: inTransaction ? undefined : queueOf(session),
    keepsPlans: names !== undefined,
    columnName: (column) => casing.getColumnCasing(column),
    textOf: (table) => write(table, 0).sql,
    toSql: (chunk) => engineSql.own({ made: chunk, write: (before) => write(chunk, before) }),
    run: (text, values, purpose) => prepared({ sql: text, params: [...values] }, purpose)([]),
    prepare: (text, count, purpose) => prepared({ sql: text, params: [...placeholders(count)] }, purpose),
    transaction: (work) =>
      begin(
        (inside) => work(databaseOf(inside, dialect, { names, outer: database })),
        transactionOptions[dialect],
      ),
  })
  return database
}

/** Drizzle fills them with the values of a statement by their places. */
const placeholders = (count: number): readonly Placeholder[] =>
  Array.from({ length: count }, (_, at) => sql.placeholder(String(at)))

/** A piece of SQL of the engine in the language of drizzle. @throws Error for a part that no condition of drizzle has */
export const drizzleSql = (piece: Sql): SQL =>
  sql.join(
    piece.parts.map((part) => {
      if (typeof part === 'string') return sql.raw(part)
      if (part instanceof Sql) return drizzleSql(part)
      if ('name' in part) return sql.identifier(part.name)
      if ('own' in part) return part.own.made as SQLChunk
      // Drizzle would expand an array into a list.
      if ('value' in part) return sql.param(part.value)
      throw new Error('Drizzle cannot write this part of a condition.')
    }),
  )
