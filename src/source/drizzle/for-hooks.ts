import type { Awaitable } from '../source.ts'
import { isMysqlPooled, isPooled } from './has-transactions.ts'
import { type Transacting, transactionOn } from './pooled.ts'
import { isPostgresJs, outliving } from './postgres-js.ts'

type Handle = Transacting<object, unknown> & { readonly session: Transacting<object, unknown> }

type Work = (inside: object) => Awaitable<unknown>

/**
 * The handle that hooks get outside of transactions. Those that they open themselves go the way of ours: drizzle alone keeps
 * the connection where `begin` fails, and postgres.js ends the program where the connection breaks.
 */
export const handleForHooks = (handle: object): object => {
  const transaction = transactionOf(handle as Handle)
  return transaction === undefined ? handle : Object.create(handle, { transaction: { value: transaction } })
}

const transactionOf = (
  handle: Handle,
): ((work: Work, options?: unknown) => Awaitable<unknown>) | undefined => {
  if (isPostgresJs(handle))
    return (work, options) =>
      outliving((run) => handle.transaction((inside) => run(inside, () => work(inside)), options))
  const { session } = handle
  if (!isPooled(session) && !isMysqlPooled(session)) return undefined
  return (work, options) => transactionOn(handle, work, options)
}
