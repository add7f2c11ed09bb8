import type { Awaitable } from '../source.ts'
import { isMysqlPooled, isNodePostgresPooled, isPooled } from './has-transactions.ts'
import { onOwnMysqlConnection } from './mysql/own-connection.ts'
import { tellingOfConnecting } from './mysql/pool.ts'
import { forStatements, type Pool } from './node-postgres.ts'
import { onOwnConnection } from './own-connection.ts'

/** Drizzle's databases, sessions and transactions. */
export interface Transacting<Inside, Options> {
  transaction<T>(work: (inside: Inside) => Awaitable<T>, options?: Options): Awaitable<T>
}

/** The session that runs single statements over a pool. It is drizzle's own, with another way to the pool. */
export const sessionForStatements = <Session extends object>(session: Session): Session => {
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
