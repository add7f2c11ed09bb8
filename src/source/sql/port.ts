import { StartError } from '../../error/errors.ts'
import { after } from '../../model/objects.ts'
import type { Awaitable } from '../source.ts'
import type { Database, RawRow, Sending } from './database.ts'
import { newGate } from './gate.ts'
import type { Dialect } from './text.ts'
import { noTransactions } from './transactions.ts'

/**
 * What `run` returns of a statement. `all`: its rows. `one`: at most one row. `outcome`: one row with the number of changed
 * records and the last generated key, such as `[[1, 42]]`. Only statements of MySQL that change records ask for it.
 */
export type SqlFetch = 'one' | 'all' | 'outcome'

/** What runs statements: a database, or a transaction of it. */
export interface SqlConnection {
  /** Your handle, which hooks receive as `context.db`. */
  readonly handle: object
  /**
   * Runs a statement. Errors of the driver pass as they are, or as the `cause` of your error.
   *
   * @param text with `?` for parameters, and in PostgreSQL `$1`, `$2` and so on
   * @param values one for each parameter: strings, numbers, booleans (not in SQLite), `Buffer`, null, and what your codecs make
   * @returns rows: arrays with the values of the columns in their order, or objects whose properties have this order
   */
  run(text: string, values: readonly unknown[], fetch: SqlFetch): Awaitable<readonly unknown[]>
  /** The same for a statement that will run again with other values. @default calls `run` */
  prepare?(text: string, fetch: SqlFetch): (values: readonly unknown[]) => Awaitable<readonly unknown[]>
}

/** A database of SQLite, PostgreSQL, MySQL or MariaDB, as `sqlSource` needs it. */
export interface SqlDatabase extends SqlConnection {
  /** `mysql` also for MariaDB. */
  readonly dialect: Dialect
  /** All functions return values, not promises. @default false */
  readonly synchronous?: boolean
  /**
   * All statements use the same connection, and the driver does not keep those of other requests out of an open transaction. They
   * then wait for its end. @default false, which is right for pools
   */
  readonly singleConnection?: boolean
  /**
   * Commits if `work` returns, and rolls back if it throws. Begin it as `transactionOn` does: `begin immediate` in SQLite, `read
   * committed` in MySQL. Absent: the source has no transactions.
   *
   * @param work gets what runs statements in the transaction. If the database is synchronous, it returns no promise
   */
  transaction?<T>(work: (inside: SqlConnection) => Awaitable<T>): Awaitable<T>
}

type Wrap = <T>(act: () => Awaitable<T>) => Awaitable<T>

interface Opened {
  /** The name of the function that makes the source. */
  readonly adapter: string
  readonly sharesReads: boolean
  /** Runs a statement, or lets it wait for the end of a transaction. */
  readonly waiting: Wrap
  /** The database of a transaction. */
  readonly outer?: Database
}

const atOnce: Wrap = (act) => act()

/** The database of an application, for the engine. @param sharedReads whether concurrent requests may share reads */
export const openedDatabase = (adapter: string, given: SqlDatabase, sharedReads: boolean): Database => {
  const gate = given.singleConnection === true && given.synchronous !== true ? newGate() : undefined
  const database = databaseOn(given, given, {
    adapter,
    sharesReads: sharedReads && given.synchronous !== true,
    waiting: gate === undefined ? atOnce : (act) => gate.statement(async () => act()),
  })
  if (gate === undefined) return database
  return Object.freeze<Database>({
    ...database,
    transaction: (work) => gate.transaction(async () => database.transaction(work)),
  })
}

const databaseOn = (
  given: SqlDatabase,
  on: SqlConnection,
  { adapter, waiting, ...opened }: Opened,
): Database => {
  const { dialect, synchronous = false } = given
  const { outer, sharesReads } = opened
  const run: SqlConnection['run'] = (...about) => waiting(() => on.run(...about))
  const prepare: SqlConnection['prepare'] = (text, fetch) => {
    const prepared = on.prepare?.(text, fetch) ?? ((values) => on.run(text, values, fetch))
    return (values) => waiting(() => prepared(values))
  }
  const database: Database = databaseOver(
    { adapter, run, prepare },
    {
      ...{ dialect, synchronous, sharesReads, handle: on.handle },
      ...{ server: outer?.server ?? {}, inTransaction: outer !== undefined },
      hasTransactions: outer === undefined && given.transaction !== undefined,
      transaction: (work) => {
        if (given.transaction === undefined || outer !== undefined) return noTransactions()
        return given.transaction((inside) =>
          work(databaseOn(given, inside, { adapter, sharesReads: false, waiting: atOnce, outer: database })),
        )
      },
    },
  )
  return database
}

interface PortRunner extends Pick<SqlConnection, 'prepare'> {
  /** The name of the function that makes the source, for messages. @default `modelrest` */
  readonly adapter?: string
  /** @param sending runs a statement that had to be completed */
  run(...about: [...Parameters<SqlConnection['run']>, sending: Sending]): ReturnType<SqlConnection['run']>
}

const plainly: Sending = (_text, work) => work()

/** A database that runs statements so, whatever the form of its rows. */
export const databaseOver = (
  { adapter = 'modelrest', run, prepare }: PortRunner,
  more: Omit<Database, 'run' | 'prepare' | 'namesColumns' | 'keepsPlans'>,
): Database =>
  Object.freeze<Database>({
    ...{ ...more, namesColumns: true, keepsPlans: false },
    run: (text, values, { fetch, read, sending = plainly }) =>
      after(run(text, values, fetch, sending), (rows) => read(rawRows(adapter, rows))),
    prepare: (text, _count, { fetch, read }) => {
      const prepared = prepare?.(text, fetch) ?? ((values) => run(text, values, fetch, plainly))
      return (values) => after(prepared(values), (rows) => read(rawRows(adapter, rows)))
    },
  })

/** All columns have names of their own, so objects have them all. */
const rawRows = (adapter: string, rows: readonly unknown[]): readonly RawRow[] => {
  if (!Array.isArray(rows)) throw badRows(adapter, 'run')
  return rows.map((row) => (Array.isArray(row) ? row : Object.values(Object(row))))
}

/** @param name the member of the database that has returned something else */
export const badRows = (adapter: string, name: 'run' | 'prepare'): StartError =>
  new StartError(
    `${adapter}: ${name}() of the database must return an array of rows, each with the values of all columns in their order.`,
  )
