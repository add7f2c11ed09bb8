import { isPromise } from '../model/objects.ts'

/**
 * A piece of work that may have to wait: a generator that yields what it waits for. Two runners know how to wait
 * (`run.ts`); nothing else in the house knows which of them is at work.
 */
export type Steps<T> = Generator<unknown, T, unknown>

/** What `pullBody` yields: the host is asked for the bytes of the body. */
export const BODY: unique symbol = Symbol('body')

/** What `pullStream` yields: the host is asked for the body as it arrives. */
export const STREAM: unique symbol = Symbol('stream')

/** Waits for a value; one that is there already costs nothing. */
export const wait = <T>(value: T | PromiseLike<T>): Steps<T> =>
  isPromise(value) ? awaited(value) : resolved(value)

function* awaited<T>(value: PromiseLike<T>): Steps<T> {
  return (yield value) as T
}

/**
 * Waits for two things at the same time; the second is begun where the first has to be waited for. Where one fails,
 * nobody waits for the other, and its own failure is of no interest.
 */
export function* together<A, B>(
  first: A | PromiseLike<A>,
  second: () => B | PromiseLike<B>,
): Steps<readonly [A, B]> {
  if (!isPromise(first)) return [first, yield* wait(second())]
  return (yield Promise.all([first, (async () => second())()])) as [A, B]
}

/** What is waited for in the synchronous mode too: what comes before the body is there. */
export class Ahead {
  readonly value: PromiseLike<unknown>

  constructor(value: PromiseLike<unknown>) {
    this.value = value
  }
}

/**
 * Waits for what comes before the body is there, as authentication does, and the parts of a form: the synchronous mode
 * waits for that as well.
 */
export const waitInAnyMode = <T>(value: T | PromiseLike<T>): Steps<T> =>
  isPromise(value) ? awaitedAhead(value) : resolved(value)

function* awaitedAhead<T>(value: PromiseLike<T>): Steps<T> {
  return (yield new Ahead(value)) as T
}

/** Waits for the body of the request. Nothing of it is read before. */
export function* pullBody(): Steps<Uint8Array> {
  return (yield BODY) as Uint8Array
}

/** Waits for the body of the request as a stream. Nothing of it is read before somebody takes its bytes. */
export function* pullStream(): Steps<ByteSource> {
  return (yield STREAM) as ByteSource
}

/**
 * The bytes of a body, as every host can hand them out without a copy.
 *
 * Its `return` lets go of the body without ending it, so that the host can answer and go on with the connection.
 */
export type ByteSource = AsyncIterable<Uint8Array>

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
    const at = await resumeAfter(steps, pending)
    if (at.done) return at.value
    pending = at.value
  }
}

/** The steps behind something that is waited for: its value goes into them, or what it failed with. */
export const resumeAfter = async <T>(
  steps: Steps<T>,
  pending: unknown,
): Promise<IteratorResult<unknown, T>> => {
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
  while (!at.done) at = steps.throw(promiseRefusal(at.value, 'A transaction is one tick here.'))
  return at.value
}

/** The error for what was yielded. A rejection that nobody waits for is swallowed. */
export const promiseRefusal = (yielded: unknown, reason: string): PromiseRefused => {
  if (isPromise(yielded)) Promise.resolve(yielded).catch(() => undefined)
  return new PromiseRefused(`A promise was given where none can be waited for. ${reason}`)
}

/**
 * Steps that are at their end, with a value that was there. Most values are, and a generator for each would cost a
 * request a third of its path.
 */
const resolved = <T>(value: T): Generator<unknown, T, unknown> => new Resolved(value)

class Resolved<T> implements Generator<unknown, T, unknown> {
  readonly value: T
  readonly done = true

  constructor(value: T) {
    this.value = value
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): this {
    return this
  }

  return(value: T): IteratorReturnResult<T> {
    return { done: true, value }
  }

  throw(error: unknown): never {
    throw error
  }

  [Symbol.dispose](): void {}
}
