import { onceFor } from '../../model/objects.ts'
import type { ConnectionQueue } from '../source.ts'

interface ConnectionLine {
  readonly queue: ConnectionQueue
  /** Adds a statement. Returns what removes it. */
  enter(): () => void
}

/** The statements that wait for a connection of a pool, in the order of their arrival. */
export const lineOf: (pool: object) => ConnectionLine = onceFor(() => {
  const waiters = new Set<{ readonly since: number }>()
  let passed = 0
  const waited = (): number => {
    for (const { since } of waiters) return performance.now() - since
    return 0
  }
  return {
    queue: Object.freeze<ConnectionQueue>({ waited, passed: () => passed }),
    enter: () => {
      const waiter = { since: performance.now() }
      waiters.add(waiter)
      return (): void => {
        waiters.delete(waiter)
        passed += 1
      }
    },
  }
})
