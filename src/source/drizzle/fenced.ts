/** A handle, and how to end its use. */
export interface Fenced {
  readonly handle: object
  /** Whether anything was done with it. */
  readonly isUsed: () => boolean
  readonly end: () => void
}

/**
 * The handle of a transaction as hooks get it. What they start with it and do not wait for would go on after the end, on
 * a connection that serves others by then: it is refused.
 */
export const fenced = (transaction: object): Fenced => {
  let ended = false
  let used = false
  const handle = new Proxy(transaction, {
    get: (target, property) => {
      if (ended) throw transactionEnded()
      used = true
      return Reflect.get(target, property)
    },
  })
  return {
    handle,
    isUsed: () => used,
    end: () => {
      ended = true
    },
  }
}

export const transactionEnded = (): Error =>
  new Error('The transaction of this context.db has ended. Await what is done with it.')

/** What lets statements through to the connection of a transaction. */
export interface Gate {
  /** @throws where the transaction has ended, or is told to end. */
  readonly pass: (statement: unknown) => void
  readonly close: () => void
}

/**
 * The gate of one connection. A transaction within a transaction is drizzle's own, and a hook may still use it when the
 * outer one has ended: what it sends behind `commit` or `rollback` would be stored on its own, and later even inside of
 * the transaction of somebody else.
 */
export const gateOfTransaction = (): Gate => {
  let state: 'open' | 'ending' | 'closed' = 'open'
  return {
    pass: (statement) => {
      // Drizzle sends it where `commit` failed.
      const isLast = statement === 'rollback'
      if (state === 'closed' || (state === 'ending' && !isLast)) throw transactionEnded()
      if (isLast || statement === 'commit') state = 'ending'
    },
    close: () => {
      state = 'closed'
    },
  }
}
