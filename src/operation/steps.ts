import { isPromise } from '../model/awaitable.ts'
import type { ByteSource } from './byte-source.ts'
import { done } from './done.ts'

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
  isPromise(value) ? awaited(value) : done(value)

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
  isPromise(value) ? awaitedAhead(value) : done(value)

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
