import { AsyncLocalStorage } from 'node:async_hooks'
import type { RecordStore } from '../source.ts'

/** Keeps statements of other requests out of the transactions of a database that has a single connection. */
export interface ConnectionGate {
  /** Runs a statement when no transaction is open. Those that belong to the open one run in it. */
  statement<T>(act: () => Promise<T>): Promise<T>
  /** Runs a transaction when all that came before has ended. @throws Error in a transaction, which would wait for its own end */
  transaction<T>(act: () => Promise<T>): Promise<T>
}

/** The application's own calls pass the gate by, so they may still join a transaction. */
export const newGate = (): ConnectionGate => {
  const inside = new AsyncLocalStorage<{ isOpen: boolean }>()
  const running = new Set<Promise<unknown>>()
  let lastTransaction: Promise<unknown> = Promise.resolve()
  return Object.freeze<ConnectionGate>({
    statement: (act) => {
      if (inside.getStore()?.isOpen === true) return act()
      const result = lastTransaction.then(act)
      const ended = result.then(ignore, ignore).finally(() => running.delete(ended))
      running.add(ended)
      return result
    },
    transaction: async (act) => {
      if (inside.getStore()?.isOpen === true) throw new Error(NESTED)
      const progress = { isOpen: true }
      const result = Promise.all([lastTransaction, ...running]).then(() =>
        inside.run(progress, act).finally(() => {
          progress.isOpen = false
        }),
      )
      lastTransaction = result.then(ignore, ignore)
      return result
    },
  })
}

const NESTED =
  'A transaction must write through its handle, context.db: this database has one connection, so another transaction would wait for its own end.'

const ignore = (): void => undefined

/** Reads that wait for the end of transactions. */
export const gatedReads = (store: RecordStore, gate: ConnectionGate): RecordStore => {
  const { list, count, read, aggregate, estimate, related, countRelated } = store
  const wait =
    <Args extends unknown[], T>(act: (...args: Args) => T | PromiseLike<T>) =>
    (...args: Args): Promise<T> =>
      gate.statement(async () => act(...args))
  return {
    ...store,
    list: wait(list),
    count: wait(count),
    read: wait(read),
    ...(aggregate && { aggregate: wait(aggregate) }),
    ...(estimate && { estimate: wait(estimate) }),
    ...(related && { related: wait(related) }),
    ...(countRelated && { countRelated: wait(countRelated) }),
  }
}

/** A write may have several statements, in a transaction that no other may join. */
export const gatedWrites = (
  store: RecordStore,
  gate: ConnectionGate,
  isOneStatement: (act: 'create' | 'update' | 'remove') => boolean,
): RecordStore => {
  const { create, createMany, update, remove, take } = store
  const alone =
    <Args extends unknown[], T>(act: (...args: Args) => T | PromiseLike<T>, isOne = (): boolean => false) =>
    (...args: Args): Promise<T> =>
      isOne() ? gate.statement(async () => act(...args)) : gate.transaction(async () => act(...args))
  return {
    ...store,
    create: alone(create, () => isOneStatement('create')),
    ...(createMany && { createMany: alone(createMany) }),
    update: alone(update, () => isOneStatement('update')),
    remove: alone(remove, () => isOneStatement('remove')),
    take: alone(take),
  }
}
