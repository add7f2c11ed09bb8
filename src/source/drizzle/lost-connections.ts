import { isNodePostgresPooled, isPool } from './has-transactions.ts'
import { type Client, outliveError } from './node-postgres.ts'

interface Pool {
  on(event: 'error', listener: () => void): unknown
  on(event: 'acquire', listener: (client: Client) => void): unknown
  listenerCount(event: 'error'): number
}

const heard = new WeakSet<Pool>()

/**
 * A pool emits an error where the database ends connections that nobody uses, and an error without a listener ends the
 * program. So does a connection of node-postgres in a transaction that the application opens itself. The next statement
 * gets another connection, or the refusal: there is nothing else to do.
 *
 * Neon's pools, which are made like those, would not use HTTP any more where anybody listens to more than errors.
 */
export const outliveLostConnections = (database: object): void => {
  const session: unknown = Reflect.get(database, 'session')
  const pool: unknown = Reflect.get(Object(session), 'client')
  if (!isPool(pool) || !isEmitter(pool) || heard.has(pool)) return
  heard.add(pool)
  if (pool.listenerCount('error') === 0) pool.on('error', () => undefined)
  if (isNodePostgresPooled(Object(session))) pool.on('acquire', outliveError)
}

const isEmitter = (pool: unknown): pool is Pool =>
  typeof pool === 'object' && pool !== null && 'listenerCount' in pool && 'on' in pool
