import { is } from 'drizzle-orm'
import { PgSelectBase } from 'drizzle-orm/pg-core'

// SQLite answers at once, the other databases later. What is written with these three holds for all of them. An
// application with one database needs none: `.run()` and `.get()` with SQLite, `await` with the others.

/** Runs a statement that writes. */
export const run = (statement: { readonly run: () => unknown }): Promise<void> | undefined => {
  if ('run' in statement) {
    statement.run()
    return undefined
  }
  return Promise.resolve(statement).then(() => undefined)
}

/**
 * The first row of a select. Inside a transaction nobody changes it before that ends: SQLite lets one write at a time,
 * PostgreSQL is asked to, and MariaDB does so for the row that a new one refers to.
 */
export const first = <Row>(select: { readonly get?: () => Row }): Row | Promise<Row> => {
  if (select.get !== undefined) return select.get()
  const rows: unknown = is(select, PgSelectBase) ? select.for('share') : select
  return Promise.resolve(rows as PromiseLike<readonly Row[]>).then((found) => found[0] as Row)
}

/** Goes on with a value once it is there. */
export const after = <T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> =>
  value instanceof Promise ? value.then(next) : next(value)
