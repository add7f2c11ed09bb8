import { after, errorHandlingOf } from '../../model/objects.ts'
import type { Awaitable } from '../source.ts'
import type { SqlDatabase } from './port.ts'
import type { Dialect } from './text.ts'

const beginnings: Readonly<Record<Dialect, readonly string[]>> = {
  // SQLite allows one writer: a transaction that takes the write lock at its beginning cannot fail to get it later.
  sqlite: ['begin immediate'],
  pg: ['begin'],
  // As on PostgreSQL, a statement sees everything that was committed before it began.
  mysql: ['set transaction isolation level read committed', 'begin'],
}

/** A connection that runs no other statements until the transaction ends. */
interface TransactionConnection extends Pick<SqlDatabase, 'dialect' | 'synchronous'> {
  /** Runs a statement without values. */
  execute(text: string): Awaitable<unknown>
  /**
   * Called if the rollback fails, so that the transaction may still be open: the connection must be closed, not reused.
   * @default the connection is reused
   */
  discard?(): unknown
}

/**
 * Runs `work` in a transaction on a connection: commits if `work` returns, and rolls back if it throws. It is begun in the way
 * that `sqlSource` needs. The error of `work` passes.
 *
 * @example
 * ```ts
 * import { type SqlConnection, type SqlDatabase, transactionOn } from 'modelrest/sql'
 * import Database from 'better-sqlite3'
 *
 * const db = new Database('shop.db')
 * const connection: SqlConnection = {
 *   handle: db,
 *   run: (text, values) => db.prepare(text).raw().all(...values),
 * }
 * export const database: SqlDatabase = {
 *   ...connection,
 *   dialect: 'sqlite',
 *   synchronous: true,
 *   transaction: (work) =>
 *     transactionOn({ dialect: 'sqlite', synchronous: true, execute: (text) => db.exec(text) }, () =>
 *       work(connection),
 *     ),
 * }
 * ```
 */
export const transactionOn = <T>(
  { dialect, synchronous = false, execute, discard }: TransactionConnection,
  work: () => Awaitable<T>,
): Awaitable<T> => {
  const { recovering } = errorHandlingOf({ synchronous })
  const begin = beginnings[dialect].reduce<Awaitable<unknown>>(
    (before, text) => after(before, () => execute(text)),
    undefined,
  )
  const rollBack = recovering(
    (): Awaitable<unknown> => execute('rollback'),
    () => discard?.(),
  )
  return after(begin, () =>
    recovering(
      () => after(work(), (result) => after(execute('commit'), () => result)),
      (error) =>
        after(rollBack(), () => {
          throw error
        }),
    )(),
  )
}
