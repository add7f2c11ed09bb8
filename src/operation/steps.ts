import type { ErrorCode } from '../error/codes.ts'
import { isPromise } from '../model/objects.ts'

/** Work that yields what it waits for. Only the two runners know how to wait. */
export type Steps<T> = Generator<unknown, T, unknown>

/** Waits for a promise; a plain value costs nothing. */
export const wait = <T>(value: T | PromiseLike<T>): Steps<T> =>
  isPromise(value) ? awaited(value) : new Resolved(value)

function* awaited<T>(yielded: unknown): Steps<T> {
  return (yield yielded) as T
}

/** Waits even in synchronous mode: for steps before the body, such as authentication, and for the parts of a form. */
export const waitInAnyMode = <T>(value: T | PromiseLike<T>): Steps<T> =>
  isPromise(value) ? awaited(new Ahead(value)) : new Resolved(value)

/** Marks a promise that synchronous mode may wait for. */
class Ahead {
  readonly value: PromiseLike<unknown>

  constructor(value: PromiseLike<unknown>) {
    this.value = value
  }
}

/** Lets other requests run, also in synchronous mode. */
export const nextTurn = (): Steps<void> =>
  waitInAnyMode(new Promise((resolve) => setImmediate(() => resolve())))

/** In milliseconds. */
const LONGEST_TURN = 10

/** Lets other requests run between the parts of long work. */
export const pauses = (): (() => Steps<void>) => {
  let since = performance.now()
  return function* (): Steps<void> {
    if (performance.now() - since < LONGEST_TURN) return
    yield* nextTurn()
    since = performance.now()
  }
}

/** Continues with the result of steps, without a generator if they have already ended. */
export const andThen = <T, R>(steps: Steps<T>, next: (value: T) => Steps<R>): Steps<R> =>
  steps instanceof Resolved ? next(steps.value) : continued(steps, next)

function* continued<T, R>(steps: Steps<T>, next: (value: T) => Steps<R>): Steps<R> {
  return yield* next(yield* steps)
}

const BODY: unique symbol = Symbol('body')
const STREAM: unique symbol = Symbol('stream')

/**
 * The bytes of a body, which every host can provide without copying.
 *
 * Its `return` stops reading without closing the body, so the host can respond and reuse the connection.
 */
export type ByteSource = AsyncIterable<Uint8Array>

export const pullBody = (): Steps<Uint8Array> => awaited(BODY)

/** Nothing is read before the bytes are consumed. */
export const pullStream = (): Steps<ByteSource> => awaited(STREAM)

/** The state of an operation: it has its response, or it waits for the request body, as a whole or as a stream. */
export type Progress<Reply> = { readonly reply: Reply } | WaitsForBody<Reply>

export type WaitsForBody<Reply> =
  | ({ readonly wants: 'bytes' } & Resumable<Uint8Array, Reply>)
  | ({ readonly wants: 'stream' } & Resumable<ByteSource, Reply>)

/** Continues an operation with its request body. */
export interface Resumable<Body, Reply> {
  readonly resume: (body: Body) => Progress<Reply> | Promise<Progress<Reply>>
  /** Called with the response that the client gets instead if the body never arrives. */
  readonly dropped?: (instead: Instead) => void
}

/** The response that a client gets instead of the operation's response. */
export interface Instead {
  /** `undefined`: none, because the client disconnected. */
  readonly status: number | undefined
  readonly code?: ErrorCode
}

/** Runs an operation until it has a response or requests the body. */
export type OperationRunner = <Reply>(steps: Steps<Reply>) => Progress<Reply> | Promise<Progress<Reply>>

/** Awaits what is yielded. An operation that never waits finishes in the same tick. */
export const runAsync: OperationRunner = (steps) => advance(steps, steps.next(), false)

/** Refuses to wait: from the body to the response, everything runs in one tick (`isAsync: false`). */
export const runSync: OperationRunner = (steps) => advance(steps, steps.next(), true)

const advance = <Reply>(
  steps: Steps<Reply>,
  at: IteratorResult<unknown, Reply>,
  inOneTick: boolean,
): Progress<Reply> | Promise<Progress<Reply>> => {
  if (at.done) return { reply: at.value }
  if (isForBody(at.value)) return waitingFor(at.value, (body) => advance(steps, steps.next(body), inOneTick))
  if (!inOneTick) return awaitAndAdvance(steps, at.value)
  if (at.value instanceof Ahead)
    return resumeAfter(steps, at.value).then((next) => advance(steps, next, true))
  const refusal = promiseRefusal(at.value, 'With isAsync: false, sources and hooks must be synchronous.')
  return advance(steps, steps.throw(refusal), true)
}

// Each function that is async costs every request two more turns of the microtask queue.
const awaitAndAdvance = async <Reply>(steps: Steps<Reply>, waited: unknown): Promise<Progress<Reply>> => {
  let at: IteratorResult<unknown, Reply> = { done: false, value: waited }
  while (!at.done && !isForBody(at.value)) {
    let value: unknown
    try {
      value = await settledBy(at.value)
    } catch (error) {
      at = steps.throw(error)
      continue
    }
    at = steps.next(value)
  }
  return advance(steps, at, false)
}

const settledBy = (pending: unknown): unknown => (pending instanceof Ahead ? pending.value : pending)

const isForBody = (yielded: unknown): yielded is typeof BODY | typeof STREAM =>
  yielded === BODY || yielded === STREAM

const waitingFor = <Reply>(
  pulled: typeof BODY | typeof STREAM,
  resume: Resumable<Uint8Array | ByteSource, Reply>['resume'],
): WaitsForBody<Reply> => (pulled === BODY ? { wants: 'bytes', resume } : { wants: 'stream', resume })

/** Resumes steps with the awaited value, or throws the error of a rejected promise into them. */
const resumeAfter = async <T>(steps: Steps<T>, pending: unknown): Promise<IteratorResult<unknown, T>> => {
  let value: unknown
  try {
    value = await settledBy(pending)
  } catch (error) {
    return steps.throw(error)
  }
  return steps.next(value)
}

/**
 * Runs steps inside a callback, such as a transaction callback. Steps that never wait finish in the same tick.
 *
 * @param waits called at the beginning of each wait
 */
export const runNested = <T>(steps: Steps<T>, waits?: () => void): T | Promise<T> => {
  const at = steps.next()
  return at.done ? at.value : awaitNested(steps, at.value, waits)
}

const awaitNested = async <T>(
  steps: Steps<T>,
  waited: unknown,
  waits: (() => void) | undefined,
): Promise<T> => {
  let at: IteratorResult<unknown, T> = { done: false, value: waited }
  while (!at.done) {
    waits?.()
    let value: unknown
    try {
      value = await settledBy(at.value)
    } catch (error) {
      at = steps.throw(error)
      continue
    }
    at = steps.next(value)
  }
  return at.value
}

/** Runs steps to their end in this tick. If they yield a promise, `PromiseRefused` is thrown into them. */
export const runNestedInOneTick = <T>(steps: Steps<T>): T => {
  let at = steps.next()
  while (!at.done)
    at = steps.throw(
      promiseRefusal(at.value, 'A transaction of a synchronous driver must end within one tick.'),
    )
  return at.value
}

export class PromiseRefused extends Error {
  override readonly name: string = 'PromiseRefused'
}

const promiseRefusal = (yielded: unknown, reason: string): PromiseRefused => {
  // An unhandled rejection would end the process.
  if (isPromise(yielded)) Promise.resolve(yielded).catch(() => undefined)
  return new PromiseRefused(`A source or hook returned a promise, which cannot be awaited here. ${reason}`)
}

/** Steps that have already ended. Creating a generator for each plain value would add a third to the time of a request. */
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
