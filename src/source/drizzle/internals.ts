/**
 * Only this file uses internals of drizzle. Checked with drizzle-orm 0.45 on better-sqlite3 13.2, pg 8.23, mysql2 3.24,
 * postgres 3.4, @electric-sql/pglite 0.5 and @libsql/client 0.18. `test/source/drizzle/internals.test.ts` fails if a new
 * version changes them.
 */
import { DrizzleQueryError, entityKind, is, Placeholder, type Query, type SQL, type Table } from 'drizzle-orm'
import type { Awaitable } from '../source.ts'
import type { RawRow } from '../sql/database.ts'
import type { Dialect } from '../sql/text.ts'

/**
 * Drizzle's names of an object's class and its superclasses: `SQLiteTable`, `Table`. Names work without loading unused
 * dialects, and with another copy of drizzle.
 */
export const entityNames = (value: object): readonly string[] => {
  const names: string[] = []
  let prototype: unknown = Object.getPrototypeOf(value)
  while (typeof prototype === 'object' && prototype !== null) {
    const name: unknown = Reflect.get(prototype.constructor, entityKind)
    if (typeof name === 'string') names.push(name)
    prototype = Object.getPrototypeOf(prototype)
  }
  return names
}

export const knownOf = <T>(value: object, known: ReadonlyMap<string, T>): T | undefined =>
  entityNames(value)
    .map((name) => known.get(name))
    .find((found) => found !== undefined)

export const partOf = (table: object, part: string): unknown =>
  Reflect.get(table, Symbol.for(`drizzle:${part}`))

/** The decoder of an expression: a column, or a function. */
export const decoderOf = (expression: SQL): unknown => Reflect.get(expression, 'decoder')

/** The schema that the application passed to `drizzle()`: tables and `relations()`. */
export const fullSchemaOf = (db: object): object =>
  Object(Reflect.get(Object(Reflect.get(db, '_')), 'fullSchema'))

interface Transacting {
  transaction<T>(work: (inside: DrizzleHandle) => Awaitable<T>, options?: object): Awaitable<T>
}

export interface DrizzleHandle extends Transacting {
  readonly resultKind?: 'sync' | 'async'
  readonly session: DrizzleSession
  readonly dialect: Pick<
    Parameters<SQL['toQuery']>[0],
    'casing' | 'escapeName' | 'escapeParam' | 'escapeString'
  >
}

export interface DrizzleSession extends Transacting {
  /** The driver's own pool, connection or database. */
  readonly client: object
  prepareQuery(
    query: Query,
    fields: undefined,
    ...rest: readonly unknown[]
  ): Readonly<Record<'all' | 'get' | 'execute', Run>>
}

type Run = (values: readonly unknown[]) => unknown

type Mapper = (rows: readonly RawRow[]) => unknown

/** The same session with another client. Wrappers of the session stay in effect. */
export const sessionOver = (session: DrizzleSession, client: object): DrizzleSession =>
  Object.create(session, { client: { value: client } })

interface Running {
  /**
   * `one`: at most one row. Only for reads: SQLite does not run the rest of the statement.
   * `outcome`: only on MySQL, one row with the number of changed records and the last generated key.
   */
  readonly fetch: 'one' | 'all' | 'outcome'
  /** The table that it changes: drizzle's cache drops its entries. */
  readonly changes?: Table
  /** Only on PostgreSQL. postgres.js chooses the name itself. */
  readonly name?: string | undefined
}

type Prepare = (session: DrizzleSession, query: Query, running: Running, mapper: Mapper) => Run

/** Prepares a statement as drizzle's own query builders do. */
export const prepareIn: Readonly<Record<Dialect, Prepare>> = {
  sqlite: (session, query, { fetch, changes }, mapper) => {
    // Other drivers return different values from `get` without a row, and libsql has its own value types there.
    const isBetterSqlite = entityNames(session).includes('BetterSQLiteSession')
    const method = fetch === 'one' && isBetterSqlite ? 'get' : 'all'
    const mapped = (rows: readonly RawRow[], mapValue?: (value: unknown) => unknown): unknown =>
      mapper(mapValue === undefined ? rows : rows.map((row) => Array.from(row, mapValue)))
    const mapRows = isBetterSqlite ? mapper : mapped
    const prepared = session.prepareQuery(query, undefined, method, true, mapRows, aboutChange(changes))
    return method === 'get' ? prepared.get.bind(prepared) : prepared.all.bind(prepared)
  },
  pg: (session, query, { changes, name }, mapper) => {
    const prepared = session.prepareQuery(query, undefined, name, true, mapper, aboutChange(changes))
    return directly(session, query, prepared, mapper) ?? prepared.execute.bind(prepared)
  },
  mysql: (session, query, { fetch, changes }, mapper) => {
    const mapRows = fetch === 'outcome' ? undefined : mapper
    const about = aboutChange(changes)
    const prepared = session.prepareQuery(query, undefined, mapRows, undefined, undefined, about)
    return mapRows === undefined
      ? async (values) => mapper([outcomeOf(await prepared.execute(values))])
      : prepared.execute.bind(prepared)
  },
}

interface NodePgClient {
  query(config: object, values: readonly unknown[]): PromiseLike<{ readonly rows: readonly RawRow[] }>
}

const nodePg: ReadonlyMap<string, true> = new Map([['NodePgSession', true]])

/**
 * Sends a statement to node-postgres, as drizzle does after several nested promises. `undefined`: drizzle has more to do, for
 * its logger, its cache or whatever has replaced its method.
 */
const directly = (
  session: DrizzleSession,
  query: Query,
  prepared: object,
  mapper: Mapper,
): Run | undefined => {
  const config: unknown = Reflect.get(prepared, 'queryConfig')
  const isOfDrizzle = knownOf(session, nodePg) === true && !Object.hasOwn(prepared, 'execute')
  const isIdle = ['logger', 'cache'].every((part) => isNoop(Reflect.get(session, part)))
  if (!isOfDrizzle || !isIdle || typeof config !== 'object' || config === null) return undefined
  // Statements that run once have their values already.
  const hasValues = query.params.some((param) => !is(param, Placeholder))
  const client = session.client as NodePgClient
  return (values) => {
    const given = hasValues ? query.params : [...values]
    return client.query(config, given).then(
      ({ rows }) => mapper(rows),
      (error) => {
        throw new DrizzleQueryError(query.sql, given, error)
      },
    )
  }
}

const isNoop = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && entityNames(part).some((name) => name.startsWith('Noop'))

/** MySQL drivers use different names for the result of a write. */
const outcomeOf = (result: unknown): RawRow => {
  const header: object = Object(Array.isArray(result) ? result[0] : result)
  const fact = (...names: readonly string[]): unknown =>
    names.map((name): unknown => Reflect.get(header, name)).find((value) => value !== undefined)
  return [fact('affectedRows', 'rowsAffected') ?? 0, fact('insertId', 'lastInsertId')]
}

/** Without it, drizzle's cache is not used: reads always reach the database. */
const aboutChange = (table: Table | undefined): object | undefined => {
  if (table === undefined) return undefined
  const schema = partOf(table, 'Schema')
  const name = partOf(table, 'BaseName')
  return { type: 'update', tables: [schema === undefined ? name : `${schema}.${name}`] }
}

export interface Replicated {
  readonly $primary: DrizzleHandle
  readonly $replicas: readonly DrizzleHandle[]
  select(): object
}

/** The session that `getReplica` chooses now. Only a query has it. */
export const chosenSession = (given: Replicated): unknown => Reflect.get(given.select(), 'session')
