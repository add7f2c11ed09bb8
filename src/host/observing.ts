import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../observe/log.ts'
import {
  guardWith,
  type Observer,
  type OperationBegun,
  type OperationEnded,
  type StatementBegun,
  type StatementEnded,
  type Watch,
  type Watcher,
  type WatchStatement,
} from '../observe/observer.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import type { Instead } from '../operation/steps.ts'
import type { Serve, Served } from './serve.ts'

/** Wraps `serve` and notifies an observer when an operation begins and ends. @param base the prefix of all paths */
export const observedServe = (
  serve: Serve,
  watch: Watcher<OperationBegun, OperationEnded>,
  base: string,
): Serve => ({
  ...serve,
  start: (operation, call) => {
    const watched = watch(begunOf(operation, call, base))
    if (watched === undefined) return serve.start(operation, call)
    return followed(watched, call)(() => serve.start(operation, call))
  },
})

const begunOf = (operation: Operation, call: Call, base: string): OperationBegun => ({
  operationId: operation.id,
  model: operation.model,
  route: base + operation.path,
  method: call.method,
  path: call.path,
  // Getters, because hosts compute or generate these values on access.
  get scheme() {
    return call.scheme
  },
  get requestId() {
    return call.requestId
  },
  header: (name) => call.header(name),
})

type ServeStep = () => Served | Promise<Served>

const followed = (
  watch: Watch<OperationEnded>,
  call: Call,
): ((step: ServeStep) => Served | Promise<Served>) => {
  const begun = performance.now()
  let hasEnded = false

  const end = ({ status, code }: Instead): void => {
    if (hasEnded) return
    hasEnded = true
    const seconds = (performance.now() - begun) / 1000
    watch.end({ status, code, seconds, hasCaller: call.caller !== undefined })
  }

  const reached = (served: Served): Served => {
    if ('reply' in served) {
      end(served.reply)
      return served
    }
    return served.wants === 'bytes'
      ? { wants: 'bytes', resume: (body) => follow(() => served.resume(body)), dropped: end }
      : { wants: 'stream', resume: (body) => follow(() => served.resume(body)), dropped: end }
  }

  const follow = (step: ServeStep): Served | Promise<Served> => {
    const served = watch.run(step)
    return served instanceof Promise ? served.then(reached) : reached(served)
  }
  return follow
}

/**
 * Notifies an observer, and knows which operation sends a statement even if many run at the same time. Used only if there
 * is an observer, because tracking asynchronous contexts costs time.
 */
export const observingWith = (
  observer: Observer,
  log: Log,
): { operation: Watcher<OperationBegun, OperationEnded>; statement: WatchStatement } => {
  const current = new AsyncLocalStorage<OperationBegun>()
  const guard = guardWith(log)
  const operation = guard<OperationBegun, OperationEnded>((begun) => observer.operation?.(begun))
  const statement = guard<StatementBegun, StatementEnded>((begun) => observer.statement?.(begun))
  return {
    operation: (begun) => {
      // The context is needed for statements even if the observer does not watch the operation.
      const watch = operation(begun)
      return {
        run: (work) => current.run(begun, () => (watch === undefined ? work() : watch.run(work))),
        end: (ended) => watch?.end(ended),
      }
    },
    statement: (facts) => statement({ ...facts, within: current.getStore() }),
  }
}
