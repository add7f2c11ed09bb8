import { isPromise } from '../model/awaitable.ts'
import { Ahead, type Steps } from './steps.ts'

/** Thrown where something gave a promise that nobody may wait for. */
export class PromiseRefused extends Error {
  override readonly name: string = 'PromiseRefused'
}

/** Runs steps inside something that takes a function, as a transaction does: in this tick as long as nothing has to be waited for. */
export const runNested = <T>(steps: Steps<T>): T | Promise<T> => {
  const at = steps.next()
  return at.done ? at.value : awaitNested(steps, at.value)
}

const awaitNested = async <T>(steps: Steps<T>, waited: unknown): Promise<T> => {
  let pending = waited
  for (;;) {
    const at = await settle(steps, pending)
    if (at.done) return at.value
    pending = at.value
  }
}

/** The steps behind something that is waited for: its value goes into them, or what it failed with. */
export const settle = async <T>(steps: Steps<T>, pending: unknown): Promise<IteratorResult<unknown, T>> => {
  let value: unknown
  try {
    value = await (pending instanceof Ahead ? pending.value : pending)
  } catch (error) {
    return steps.throw(error)
  }
  return steps.next(value)
}

/** Runs steps to their end in this tick. A promise is thrown back into them as a `PromiseRefused`. */
export const runNestedInOneTick = <T>(steps: Steps<T>): T => {
  let at = steps.next()
  while (!at.done) at = steps.throw(refused(at.value, 'A transaction is one tick here.'))
  return at.value
}

/** The error for what was yielded. A rejection that nobody waits for is swallowed. */
export const refused = (yielded: unknown, reason: string): PromiseRefused => {
  if (isPromise(yielded)) Promise.resolve(yielded).catch(() => undefined)
  return new PromiseRefused(`A promise was given where none can be waited for. ${reason}`)
}
