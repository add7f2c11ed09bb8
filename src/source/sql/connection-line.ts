import { onceFor } from '../../model/objects.ts'
import type { ConnectionQueue } from '../source.ts'

export interface ConnectionLine {
  readonly queue: ConnectionQueue
  /** Adds a statement. Returns what removes it, with or without a connection. */
  enter(): (hasConnection: boolean) => void
  /** Adds a statement until `lend` has ended. */
  wait<T>(lend: () => Promise<T>): Promise<T>
}

/** The statements that wait for a connection of a pool, in the order of their arrival. */
export const lineOf: (pool: object) => ConnectionLine = onceFor(() => {
  const waiters = new Set<{ readonly since: number }>()
  let passed = 0
  const waited = (): number => {
    for (const { since } of waiters) return performance.now() - since
    return 0
  }
  const removeBefore = (waiter: object): void => {
    for (const earlier of waiters) {
      if (earlier === waiter) return
      waiters.delete(earlier)
    }
  }
  const enter: ConnectionLine['enter'] = () => {
    const waiter = { since: performance.now() }
    waiters.add(waiter)
    return (hasConnection) => {
      passed += 1
      // A pool serves its queue in order, so those before it do not wait in the queue, but for a new connection to open.
      if (hasConnection && waiters.has(waiter)) removeBefore(waiter)
      waiters.delete(waiter)
    }
  }
  return {
    enter,
    queue: Object.freeze<ConnectionQueue>({ waited, passed: () => passed }),
    wait: (lend) => {
      const leave = enter()
      return lend().then(
        (connection) => {
          leave(true)
          return connection
        },
        (error: unknown) => {
          leave(false)
          throw error
        },
      )
    },
  }
})
