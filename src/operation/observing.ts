import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../observe/log.ts'
import type {
  Observer,
  OperationBegun,
  OperationEnded,
  StatementBegun,
  StatementEnded,
} from '../observe/observer.ts'
import type { WatchStatement } from '../observe/statements.ts'
import { guardWith, type Watch, type Watcher } from '../observe/watch.ts'

/** How operations and statements are watched. */
export interface Observing {
  readonly operation: Watcher<OperationBegun, OperationEnded>
  readonly statement: WatchStatement
}

/**
 * Watches for an observer, and knows which operation a statement is sent for, however many run at the same time. Only
 * made where there is an observer: following what is asynchronous has its price.
 */
export const observingWith = (observer: Observer, log: Log): Observing => {
  const current = new AsyncLocalStorage<OperationBegun>()
  const guard = guardWith(log)
  const operation = guard<OperationBegun, OperationEnded>((begun) => observer.operation?.(begun))
  const statement = guard<StatementBegun, StatementEnded>((begun) => observer.statement?.(begun))
  return {
    operation: (begun) => inside(current, begun, operation(begun)),
    statement: (facts) => statement({ ...facts, within: current.getStore() }),
  }
}

/** Statements are told what they are sent for, also where nobody watches the operation. */
const inside = (
  current: AsyncLocalStorage<OperationBegun>,
  begun: OperationBegun,
  watch: Watch<OperationEnded> | undefined,
): Watch<OperationEnded> => ({
  run: (work) => current.run(begun, () => (watch === undefined ? work() : watch.run(work))),
  end: (ended) => watch?.end(ended),
})
