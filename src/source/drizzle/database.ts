import type { Column, Query, SQL, Table, View } from 'drizzle-orm'
import type { Model } from '../../model/model.ts'
import type { Awaitable } from '../source.ts'
import { entityNames, hasTransactions, isMysqlPooled, isNodePostgresPooled, isPooled } from './driver.ts'
import { onOwnMysqlConnection, tellingOfConnecting } from './mysql2.ts'
import { forStatements, onOwnConnection, type Pool } from './node-postgres.ts'

/** The dialects whose records can be read and written. */
export type ServedDialect = 'sqlite' | 'pg' | 'mysql'

/** A row as the driver gives it: values in the order of the columns. */
export type RawRow = ArrayLike<unknown>

/** Makes the result of a statement of its rows. */
export type ReadRows<T> = (rows: readonly RawRow[]) => T

/** A prepared statement. `values[0]` goes to the placeholder `0`. It runs where it was prepared, or `inside` of a transaction. */
export type Statement<T> = (values: readonly unknown[], inside?: Database) => Awaitable<T>

/** What a statement is for. */
export interface Purpose<T> {
  /**
   * `one`: there is at most one row. Only for statements that change nothing: the rest of a statement is not run.
   * `outcome`: a write without rows. There is one that says how many records it changed, and the last key that was counted
   * up. MySQL's alone.
   */
  readonly fetch: 'one' | 'all' | 'outcome'
  readonly read: ReadRows<T>
  /** The table that it changes: drizzle's cache forgets what it knows of it. */
  readonly changes?: Table
  /** What it is about, for who watches. */
  readonly of?: { readonly model: Model; readonly table: Table | View }
}

/** The little that we ask of drizzle. */
export interface Database {
  readonly dialect: ServedDialect
  /** Statements give values, not promises. */
  readonly synchronous: boolean
  /** Each transaction is apart from everything else that goes on. */
  readonly hasTransactions: boolean
  /** It is one. */
  readonly inTransaction: boolean
  /** Drizzle's own database, or transaction. */
  readonly handle: object
  toQuery(statement: SQL): Query
  /** The column's name in the database, in the casing that the database was opened with. */
  columnName(column: Column): string
  prepare<T>(query: Query, purpose: Purpose<T>): Statement<T | undefined>
  /** With a synchronous driver, `work` must not give a promise. */
  transaction<T>(work: (inside: Database) => Awaitable<T>): Awaitable<T>
}

type Mapper = (rows: readonly RawRow[], mapValue?: (value: unknown) => unknown) => unknown

type Run = (values: readonly unknown[]) => unknown

type TransactionOptions = { readonly behavior: string } | { readonly isolationLevel: string }

/** Drizzle's inner parts, which its types hide. Its own query builders call exactly these. */
interface Inner extends Transacting<Inner, TransactionOptions> {
  readonly resultKind?: 'sync' | 'async'
  readonly dialect: {
    sqlToQuery(statement: SQL): Query
    readonly casing: { getColumnCasing(column: Column): string }
  }
  readonly session: Transacting<Inner, TransactionOptions> & {
    prepareQuery(
      query: Query,
      fields: undefined,
      ...rest:
        | readonly [
            method: 'get' | 'all' | undefined,
            inArrays: true,
            mapper: Mapper,
            about: AboutChange | undefined,
          ]
        | readonly [
            mapper: Mapper | undefined,
            generatedIds: undefined,
            returningIds: undefined,
            about: AboutChange | undefined,
          ]
    ): { readonly all: Run; readonly get: Run; readonly execute: Run }
  }
}

interface AboutChange {
  readonly type: 'update'
  readonly tables: readonly string[]
}

type Prepare = (inner: Pick<Inner, 'session'>, query: Query, purpose: Purpose<unknown>, mapper: Mapper) => Run

/** How each dialect runs what it has prepared. PostgreSQL's are not named: a pooler between us would lose them. */
const prepares: Readonly<Record<ServedDialect, Prepare>> = {
  sqlite: ({ session }, query, { fetch, changes }, mapper) => {
    // Others than better-sqlite3 do not agree on what `get` gives where there is no row.
    const getsOne = fetch === 'one' && entityNames(session).includes('BetterSQLiteSession')
    const method = getsOne ? 'get' : 'all'
    const prepared = session.prepareQuery(query, undefined, method, true, mapper, aboutChange(changes))
    return getsOne ? (values) => prepared.get(values) : (values) => prepared.all(values)
  },
  pg: ({ session }, query, { changes }, mapper) => {
    const prepared = session.prepareQuery(query, undefined, undefined, true, mapper, aboutChange(changes))
    return (values) => prepared.execute(values)
  },
  mysql: ({ session }, query, { fetch, changes }, mapper) => {
    if (fetch !== 'outcome') {
      const reads = session.prepareQuery(query, undefined, mapper, undefined, undefined, aboutChange(changes))
      return (values) => reads.execute(values)
    }
    const writes = session.prepareQuery(
      query,
      undefined,
      undefined,
      undefined,
      undefined,
      aboutChange(changes),
    )
    return async (values) => mapper([outcomeOf(await writes.execute(values))])
  },
}

/** Each driver has names of its own for what a write says. */
const outcomeOf = (result: unknown): RawRow => {
  const header: object = Object(Array.isArray(result) ? result[0] : result)
  const fact = (...names: readonly string[]): unknown =>
    names.map((name): unknown => Reflect.get(header, name)).find((value) => value !== undefined)
  return [fact('affectedRows', 'rowsAffected') ?? 0, fact('insertId', 'lastInsertId')]
}

/** Without it, drizzle's cache is left alone: what is read is what the database has. */
const aboutChange = (table: Table | undefined): AboutChange | undefined => {
  if (table === undefined) return undefined
  const schema: unknown = Reflect.get(table, Symbol.for('drizzle:Schema'))
  const name = String(Reflect.get(table, Symbol.for('drizzle:BaseName')))
  return { type: 'update', tables: [schema === undefined ? name : `${schema}.${name}`] }
}

/** SQLite lets one connection write: who asks for that at the start never has to give up later. */
const transactionOptions: Readonly<Record<ServedDialect, TransactionOptions | undefined>> = {
  sqlite: { behavior: 'immediate' },
  pg: undefined,
  // As PostgreSQL's: a statement sees what was committed before it began.
  mysql: { isolationLevel: 'read committed' },
}

/** A database of drizzle, or one of its transactions. */
export const databaseOf = (handle: object, dialect: ServedDialect, inTransaction = false): Database => {
  const inner = handle as Inner
  // A transaction has its connection already.
  const statements = inTransaction ? inner : { session: sessionForStatements(inner.session) }
  return Object.freeze<Database>({
    dialect,
    handle,
    synchronous: inner.resultKind === 'sync',
    hasTransactions: hasTransactions(inner.session),
    inTransaction,
    toQuery: (statement) => inner.dialect.sqlToQuery(statement),
    columnName: (column) => inner.dialect.casing.getColumnCasing(column),
    prepare: <T>(query: Query, purpose: Purpose<T>): Statement<T | undefined> => {
      const run = prepares[dialect](statements, query, purpose, (rows, mapValue) =>
        purpose.read(mapValue === undefined ? rows : rows.map((row) => Array.from(row, mapValue))),
      ) as Statement<T | undefined>
      return (values, inside) => (inside === undefined ? run(values) : inside.prepare(query, purpose)(values))
    },
    transaction: (work) =>
      transactionOn(inner, (inside) => work(databaseOf(inside, dialect, true)), transactionOptions[dialect]),
  })
}

/** Drizzle's databases, sessions and transactions. */
export interface Transacting<Inside, Options> {
  transaction<T>(work: (inside: Inside) => Awaitable<T>, options?: Options): Awaitable<T>
}

/** The session that runs single statements over a pool. It is drizzle's own, with another way to the pool. */
const sessionForStatements = <Session extends object>(session: Session): Session => {
  const pool = Reflect.get(session, 'client') as object
  if (isNodePostgresPooled(session)) return withClient(session, forStatements(pool as Pool))
  return isMysqlPooled(session) ? withClient(session, tellingOfConnecting(pool)) : session
}

/** Whoever watches the session itself sees this one too. */
const withClient = <Session extends object>(session: Session, client: object): Session =>
  Object.create(session, { client: { value: client } })

/** A transaction over a connection of its own where there is a pool. Otherwise it is as drizzle has it. */
export const transactionOn = <Inside, Options, T>(
  on: Transacting<Inside, Options> & { readonly session: Transacting<Inside, Options> },
  work: (inside: Inside) => Awaitable<T>,
  options?: Options,
): Awaitable<T> => {
  const begin = (where: Transacting<Inside, Options>): Awaitable<T> => where.transaction(work, options)
  if (isMysqlPooled(on.session)) return onOwnMysqlConnection(on.session, begin)
  return isPooled(on.session) ? onOwnConnection(on.session, begin) : begin(on)
}
