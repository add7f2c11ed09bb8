import type { ProblemCode } from '../error/codes.ts'
import { isPromise } from '../model/objects.ts'

/** Work that may have to wait: it yields what it waits for. Only the two runners know how to wait. */
export type Steps<T> = Generator<unknown, T, unknown>

/** Waits for a value; one that is there already costs nothing. */
export const wait = <T>(value: T | PromiseLike<T>): Steps<T> =>
  isPromise(value) ? awaited(value) : new Resolved(value)

function* awaited<T>(yielded: unknown): Steps<T> {
  return (yield yielded) as T
}

/** The synchronous mode waits for it too: for what comes before the body, as authentication does, and for the parts of a form. */
export const waitInAnyMode = <T>(value: T | PromiseLike<T>): Steps<T> =>
  isPromise(value) ? awaited(new Ahead(value)) : new Resolved(value)

/** What the synchronous mode waits for too. */
class Ahead {
  readonly value: PromiseLike<unknown>

  constructor(value: PromiseLike<unknown>) {
    this.value = value
  }
}

const BODY: unique symbol = Symbol('body')
const STREAM: unique symbol = Symbol('stream')

/**
 * The bytes of a body, as every host can hand them out without a copy.
 *
 * Its `return` lets go of the body without ending it, so that the host can answer and go on with the connection.
 */
export type ByteSource = AsyncIterable<Uint8Array>

export const pullBody = (): Steps<Uint8Array> => awaited(BODY)

/** Nothing of it is read before its bytes are taken. */
export const pullStream = (): Steps<ByteSource> => awaited(STREAM)

/** Where an operation stands: it has its reply, or it waits for the body of the request, whole or as it arrives. */
export type Progress<Reply> = { readonly reply: Reply } | WaitsForBody<Reply>

export type WaitsForBody<Reply> =
  | ({ readonly wants: 'bytes' } & Resumable<Uint8Array, Reply>)
  | ({ readonly wants: 'stream' } & Resumable<ByteSource, Reply>)

export interface Resumable<Body, Reply> {
  readonly resume: (body: Body) => Progress<Reply> | Promise<Progress<Reply>>
  /** Told what the client gets instead if the body never comes. */
  readonly dropped?: (instead: Instead) => void
}

/** What a client gets in place of a reply of the operation. */
export interface Instead {
  /** `undefined`: nothing, as it has gone. */
  readonly status: number | undefined
  readonly code?: ProblemCode
}

/** Runs an operation until it replies or asks for the body. */
export type Runner = <Reply>(steps: Steps<Reply>) => Progress<Reply> | Promise<Progress<Reply>>

/** Awaits what is yielded. An operation that never waits is run to its end in the same tick. */
export const runAsync: Runner = (steps) => advance(steps, steps.next(), false)

/** Refuses to wait: from the body to the reply it is one tick (`isAsync: false`). */
export const runSync: Runner = (steps) => advance(steps, steps.next(), true)

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
  const refusal = promiseRefusal(at.value, 'isAsync is false: sources and hooks must be synchronous.')
  return advance(steps, steps.throw(refusal), true)
}

const awaitAndAdvance = async <Reply>(steps: Steps<Reply>, waited: unknown): Promise<Progress<Reply>> => {
  let at = await resumeAfter(steps, waited)
  while (!at.done && !isForBody(at.value)) at = await resumeAfter(steps, at.value)
  return advance(steps, at, false)
}

const isForBody = (yielded: unknown): yielded is typeof BODY | typeof STREAM =>
  yielded === BODY || yielded === STREAM

const waitingFor = <Reply>(
  pulled: typeof BODY | typeof STREAM,
  resume: Resumable<Uint8Array | ByteSource, Reply>['resume'],
): WaitsForBody<Reply> => (pulled === BODY ? { wants: 'bytes', resume } : { wants: 'stream', resume })

/** Continues steps with what they waited for, or throws into them what it failed with. */
const resumeAfter = async <T>(steps: Steps<T>, pending: unknown): Promise<IteratorResult<unknown, T>> => {
  let value: unknown
  try {
    value = await (pending instanceof Ahead ? pending.value : pending)
  } catch (error) {
    return steps.throw(error)
  }
  return steps.next(value)
}

/** Runs steps inside something that takes a function, as a transaction does. Steps that never wait end in this tick. */
export const runNested = <T>(steps: Steps<T>): T | Promise<T> => {
  const at = steps.next()
  return at.done ? at.value : awaitNested(steps, at.value)
}

const awaitNested = async <T>(steps: Steps<T>, waited: unknown): Promise<T> => {
  let at = await resumeAfter(steps, waited)
  while (!at.done) at = await resumeAfter(steps, at.value)
  return at.value
}

/** Runs steps to their end in this tick. A promise is thrown back into them as a `PromiseRefused`. */
export const runNestedInOneTick = <T>(steps: Steps<T>): T => {
  let at = steps.next()
  while (!at.done) at = steps.throw(promiseRefusal(at.value, 'A transaction is one tick here.'))
  return at.value
}

export class PromiseRefused extends Error {
  override readonly name: string = 'PromiseRefused'
}

const promiseRefusal = (yielded: unknown, reason: string): PromiseRefused => {
  // Its rejection is swallowed: an unhandled one would end the process.
  if (isPromise(yielded)) Promise.resolve(yielded).catch(() => undefined)
  return new PromiseRefused(`A promise was given where none can be waited for. ${reason}`)
}

/** Steps that have ended already. A generator for each value that is there would cost a request a third of its path. */
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
