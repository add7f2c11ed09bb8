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
      if (ended) throw new Error('The transaction of this context.db has ended. Await what is done with it.')
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
