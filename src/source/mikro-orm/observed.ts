import type { EntityManager } from '@mikro-orm/core'
import { onceFor } from '../../model/objects.ts'
import type { Sending } from '../sql/database.ts'
import { isOfFlush } from './internals.ts'

/** In the context for loggers of a manager, which MikroORM passes on to the connection with each statement of the manager. */
export const OBSERVE = 'modelrestObserve'

/** A context for loggers. MikroORM gives it the `id` of the manager. */
interface Context {
  readonly id?: unknown
  readonly [OBSERVE]?: Sending
}

/** A connection of a SQL driver. */
interface DriverConnection {
  execute(
    query: string | { readonly sql: string },
    parameters?: readonly unknown[],
    method?: string,
    transaction?: object,
    context?: Context,
  ): Promise<unknown>
}

/** Makes managers with `OBSERVE` observe their statements. Loggers of the application do not get it. */
export const observesCalls = (manager: EntityManager): void =>
  observesOn(manager.getConnection('write') as DriverConnection)

const observesOn = onceFor((connection: DriverConnection): void => {
  const execute = connection.execute.bind(connection)
  const byTransaction = new WeakMap<object, Sending>()
  connection.execute = (query, parameters, method, transaction, given) => {
    const { [OBSERVE]: own, ...context } = given ?? {}
    if (own !== undefined && transaction !== undefined) byTransaction.set(transaction, own)
    const observe = own ?? (transaction && isOfFlush(given) ? byTransaction.get(transaction) : undefined)
    const work = () => execute(query, parameters, method, transaction, given && context)
    return observe === undefined ? work() : observe(typeof query === 'string' ? query : query.sql, work)
  }
})
