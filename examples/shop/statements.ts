import { is } from 'drizzle-orm'
import { PgSelectBase } from 'drizzle-orm/pg-core'

// SQLite returns results synchronously, the other databases asynchronously. These three functions work with all of them.
// An application with one database does not need them: use `.run()` and `.get()` with SQLite, `await` with the others.

/** Runs a write statement. */
export const run = (statement: { readonly run: () => unknown }): Promise<void> | undefined => {
  if ('run' in statement) {
    statement.run()
    return undefined
  }
  return Promise.resolve(statement).then(() => undefined)
}

/**
 * Returns the first row of a select. Inside a transaction, the row cannot change before the transaction ends: SQLite has
 * one writer at a time, on PostgreSQL the row is locked, and MariaDB locks the row that a new one refers to.
 */
export const first = <Row>(select: { readonly get?: () => Row }): Row | Promise<Row> => {
  if (select.get !== undefined) return select.get()
  const rows: unknown = is(select, PgSelectBase) ? select.for('share') : select
  return Promise.resolve(rows as PromiseLike<readonly Row[]>).then((found) => found[0] as Row)
}

/** Calls a function with a value, or with the result of a promise. */
export const after = <T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> =>
  value instanceof Promise ? value.then(next) : next(value)
