import type { OperationBegun, OperationEnded } from '../observe/observer.ts'
import type { Watch, Watcher } from '../observe/watch.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import type { Instead } from '../operation/run.ts'
import type { Serve, Served } from './serve.ts'

/** Serves as `serve` does, and tells an observer when an operation begins and ends. @param base stands before all paths */
export const observedServe = (
  serve: Serve,
  watch: Watcher<OperationBegun, OperationEnded>,
  base: string,
): Serve => ({
  start: (operation, call) => {
    const watched = watch(new Begun(operation, call, base))
    if (watched === undefined) return serve.start(operation, call)
    return following(watched, call)(() => serve.start(operation, call))
  },
})

/** A class, so that a request makes no function of its own, and what nobody asks for is not read. */
class Begun implements OperationBegun {
  readonly #operation: Operation
  readonly #call: Call
  readonly #base: string

  constructor(operation: Operation, call: Call, base: string) {
    this.#operation = operation
    this.#call = call
    this.#base = base
  }

  get operationId(): string {
    return this.#operation.id
  }

  get model(): string | undefined {
    return this.#operation.model
  }

  get route(): string {
    return this.#base + this.#operation.path
  }

  get method(): string {
    return this.#call.method
  }

  get scheme(): string {
    return this.#call.scheme
  }

  get path(): string {
    return this.#call.path
  }

  get requestId(): string {
    return this.#call.requestId
  }

  header(name: string): string | undefined {
    return this.#call.header(name)
  }
}

type Step = () => Served | Promise<Served>

/** Follows an operation over its body to its reply. */
const following = (watch: Watch<OperationEnded>, call: Call): ((step: Step) => Served | Promise<Served>) => {
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

  const follow = (step: Step): Served | Promise<Served> => {
    const served = watch.run(step)
    return served instanceof Promise ? served.then(reached) : reached(served)
  }
  return follow
}
