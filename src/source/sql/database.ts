import { after } from '../../model/objects.ts'
import type { Awaitable } from '../source.ts'
import type { ReadError } from './errors.ts'
import type { Table } from './table.ts'
import { type Dialect, filled, listSql, queryOf, type Spelling, type Sql, spellings, sql } from './text.ts'

/** A row of the driver: values in the order of the columns. */
export type RawRow = ArrayLike<unknown>

/** What a statement is for. */
export interface StatementPurpose<T> {
  /**
   * `one`: at most one row. Only for reads: SQLite does not run the rest of the statement.
   * `outcome`: only on MySQL, one row with the number of changed records and the last generated key.
   */
  readonly fetch: 'one' | 'all' | 'outcome'
  readonly read: (rows: readonly RawRow[]) => T
  /** The table that it is about, for observers. */
  readonly of?: Table
  /** The table that it changes. */
  readonly changes?: Table
  /** Whether the same plan is the best for all values, so that the server may keep it. */
  readonly hasOnePlan?: boolean
  /** Runs the statement that a database sends after it has completed the given one. */
  readonly sending?: Sending
}

/** Runs a statement, which may be observed. @param text what the database gets */
export type Sending = <T>(text: string, work: () => Promise<T>) => Promise<T>

/** A prepared statement. */
export type Statement<T> = (values: readonly unknown[]) => Awaitable<T>

/** A database, or a transaction of it, that runs statements. */
export interface Database {
  readonly dialect: Dialect
  /** @default as the drivers of the database read statements */
  readonly spelling?: Spelling
  /** Statements return values, not promises. */
  readonly synchronous: boolean
  /** Concurrent requests may share what a statement reads. */
  readonly sharesReads: boolean
  /** Transactions are isolated from concurrent requests. */
  readonly hasTransactions: boolean
  readonly inTransaction: boolean
  /** The handle of the application, for hooks. */
  readonly handle: object
  /** Statements have marks, which it replaces before it sends them. @default false */
  readonly completesStatements?: boolean
  /** Rows come by the names of their columns, so each column needs one of its own. @default false */
  readonly namesColumns?: boolean
  /** The version that the server reports, read once. A database and its transactions share it. */
  readonly server: { version?: string }
  /** How the errors of an ORM are read and logged, which wrap those of the driver. @default as the driver has them */
  readonly errors?: { readonly read: ReadError; readonly loggable: (error: unknown) => unknown }
  /** Whether the server keeps the plans of statements that have one for all values. */
  readonly keepsPlans: boolean
  /** Runs a statement once. @param values one for each parameter, in their order */
  run<T>(text: string, values: readonly unknown[], purpose: StatementPurpose<T>): Awaitable<T | undefined>
  /** @param count the number of parameters */
  prepare<T>(text: string, count: number, purpose: StatementPurpose<T>): Statement<T | undefined>
  /** With a synchronous driver, `work` must not return a promise. */
  transaction<T>(work: (inside: Database) => Awaitable<T>): Awaitable<T>
}

/** A column of a select, with a name of its own if the rows need one. ORDER BY would prefer it to a column of the same name. @param at its place */
export const columnSql = ({ namesColumns }: Naming, column: Sql, at: number): Sql =>
  namesColumns === true ? sql`${column} as ${sql.identifier(`c${at} of row`)}` : column

export type Naming = Pick<Database, 'namesColumns'>

/** The columns of a select. */
export const columnsSql = (naming: Naming, columns: readonly Sql[]): Sql =>
  listSql(columns.map((column, at) => columnSql(naming, column, at)))

export const spellingOf = ({ dialect, spelling }: Pick<Database, 'dialect' | 'spelling'>): Spelling =>
  spelling ?? spellings[dialect]

/** Runs a piece of SQL without slots. */
export const runOnce = <T>(
  database: Database,
  statement: Sql,
  read: StatementPurpose<T>['read'],
): Awaitable<T | undefined> => {
  const query = queryOf(statement, spellingOf(database))
  return database.run(query.text, filled(query, []), { fetch: 'all', read })
}

/** The things for which the condition is true, in a single statement. */
export const whereTrue = <T>(
  database: Database,
  things: readonly T[],
  question: (thing: T) => Sql,
): Awaitable<readonly T[]> => {
  if (things.length === 0) return []
  const answers = things.map((thing) => sql`case when ${question(thing)} then 1 else 0 end`)
  const found = runOnce(database, sql`select ${columnsSql(database, answers)}`, ([row]) =>
    things.filter((_, place) => Number(row?.[place]) === 1),
  )
  return after(found, (answered) => answered ?? [])
}
