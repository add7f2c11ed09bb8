import { AsyncLocalStorage } from 'node:async_hooks'

/** Keeps statements of other requests out of the transactions of a database that has a single connection. */
export interface Gate {
  /** Runs a statement when no transaction is open. Those that belong to the open one run in it. */
  statement<T>(act: () => Promise<T>): Promise<T>
  /** Runs a transaction when all that came before has ended. @throws Error in a transaction, which would wait for its own end */
  transaction<T>(act: () => Promise<T>): Promise<T>
}

/** The application's own calls pass the gate by, so they may still join a transaction. */
export const newGate = (): Gate => {
  const inside = new AsyncLocalStorage<{ isOpen: boolean }>()
  const running = new Set<Promise<unknown>>()
  let lastTransaction: Promise<unknown> = Promise.resolve()
  return Object.freeze<Gate>({
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
