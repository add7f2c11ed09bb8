import { clipped, type HttpError, problem } from '../error/errors.ts'
import type { OwnCodes } from '../error/own-codes.ts'
import { toHttpError, toProblem } from '../error/problem.ts'
import type { Log } from '../observe/log.ts'
import type { Call, Reply, ReplyStream } from '../operation/call.ts'
import { isHead } from '../operation/methods.ts'
import type { Operation } from '../operation/operation.ts'
import type { OperationRunner, Progress, Resumable } from '../operation/steps.ts'
import { failureLog, type LogFailure, logEach } from './failure-log.ts'
import { servingOf } from './request-operation.ts'

/** A running request: it has its response, or waits for its body. Resuming it never throws or rejects. */
export type Served = Progress<Reply>

/** Serves operations for a host. `start` never throws, and its promise never rejects. */
export interface Serve {
  start(operation: Operation, call: Call): Served | Promise<Served>
  /** Removes values of records from database errors before they are logged. Absent: errors are logged unchanged. */
  readonly loggable?: ((error: unknown) => unknown) | undefined
  /** The meanings of the application's codes. */
  readonly codes?: OwnCodes | undefined
  /** The log of requests whose host does not have its own. @default stderr */
  readonly log?: Log
}

/**
 * Catches everything that an operation throws. `error/problem.ts` converts it to a problem document.
 *
 * @param admitBody waits until the memory for a body is there, or throws. @default there always is
 */
export const serveWith = (
  run: OperationRunner,
  loggable?: Serve['loggable'],
  codes?: OwnCodes,
  admitBody?: (bytes: number, call: Call) => PromiseLike<void> | void,
): Serve => {
  const log = failureLog()
  const refused = (error: unknown, call: Call): Served => ({ reply: replyToError(error, call, log) })

  const start = (operation: Operation, call: Call): Served | Promise<Served> => run(operation.run(call))

  const guarded = <Given>(
    step: (given: Given, call: Call) => Served | Promise<Served>,
    given: Given,
    call: Call,
  ): Served | Promise<Served> => {
    try {
      const reached = step(given, call)
      if (!(reached instanceof Promise)) return resumable(reached, call)
      return reached.then(
        (progress) => resumable(progress, call),
        (error) => refused(error, call),
      )
    } catch (error) {
      return refused(error, call)
    }
  }

  const admitted =
    (resume: Resumable<Uint8Array, Reply>['resume']) =>
    (body: Uint8Array, call: Call): Served | Promise<Served> => {
      const admission = admitBody?.(body.byteLength, call)
      return admission === undefined ? resume(body) : Promise.resolve(admission).then(() => resume(body))
    }

  const resumable = (progress: Served, call: Call): Served => {
    if ('reply' in progress) {
      const reply = sendable(forCaller(progress.reply, call), call)
      return reply === progress.reply ? progress : { reply }
    }
    return progress.wants === 'bytes'
      ? { wants: 'bytes', resume: (body) => guarded(admitted(progress.resume), body, call) }
      : { wants: 'stream', resume: (body) => guarded(progress.resume, body, call) }
  }

  return { loggable, codes, start: (operation, call) => guarded(start, operation, call) }
}

/** Lets another operation serve a request if the one of its route says so. */
export const insteadServe = (serve: Serve): Serve => ({
  ...serve,
  start: (operation, call) => serve.start(servingOf(operation, call.params), call),
})

/**
 * The response to a request that needs nothing more. If the operation still tries to read a body, it has a bug, and the
 * response is a 500.
 */
export const finishWithoutBody = (served: Served, call: Call): Reply =>
  'reply' in served
    ? served.reply
    : replyToError(new Error('The operation tried to read a body that it does not declare.'), call)

/** The response for an error, thrown in an operation or before it: a body that is too large, a wrong method. */
export const replyToError = (thrown: unknown, call: Call, log: LogFailure = logEach): Reply => {
  const error = toHttpError(thrown)
  if (error.status >= 500) log(error, call, thrown)
  const reply = {
    status: error.status,
    headers: {
      'content-type': 'application/problem+json',
      // The rest of a late body is not read.
      ...(error.status === 408 && { connection: 'close' }),
      ...error.headers,
    },
    body: JSON.stringify(toProblem(error, call.path, call.requestId, call.codes)),
    code: error.code,
  }
  return forCaller(reply, call)
}

export const nothingHere = (path: string): HttpError =>
  problem('not_found', `There is no resource at ${path}.`)

export const wrongMethod = (method: string, methods: Iterable<string>): HttpError => {
  const all = new Set(methods)
  // Common methods come first, in the same order on every host.
  const others = [...all].filter((known) => !usual.includes(known))
  const allow = [...usual.filter((known) => all.has(known)), ...others].join(', ')
  return problem('method_not_allowed', `${method} is not allowed. Allowed: ${allow}.`, {
    headers: { allow },
  })
}

const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Whether a header is valid, and one line. */
export const isHeaderLine = (name: string, value: string): boolean =>
  validName.test(name) && validValue.test(value)

const validName = /^[\w!#$%&'*+.^`|~-]+$/
const validValue = /^[\t -~\x80-\xff]*$/

/** Whether a body is sent as its bytes arrive. */
export const isStream = (body: Reply['body']): body is ReplyStream =>
  body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)

/** Whether a response has begun to send its stream, so no other response can be sent. */
export const isBegun = (body: Reply['body']): boolean => body instanceof CheckedStream && body.isBegun

/** Keeps shared caches from storing responses for one caller. */
export const forCaller = (reply: Reply, { caller }: Call): Reply =>
  caller === undefined ? reply : { ...reply, headers: { 'cache-control': 'private', ...reply.headers } }

/** What a host has to send: a stream that it need not check, and none for HEAD. */
export const sendable = (reply: Reply, call: Call): Reply => {
  const { body, headers } = reply
  if (!isStream(body)) return reply
  if (!isHead(call))
    return { ...reply, body: new CheckedStream(body, Number(headers['content-length']), call) }
  body.destroy()
  return { ...reply, body: undefined }
}

/**
 * The stream of a response. If it fails, or its length is not the `content-length`, the error is logged and thrown,
 * so that the host cuts off the response. It is destroyed once: at its end, or when the client disconnects.
 */
class CheckedStream implements ReplyStream {
  readonly #body: ReplyStream
  readonly #length: number
  readonly #call: Call
  #isDestroyed = false
  isBegun = false

  constructor(body: ReplyStream, length: number, call: Call) {
    this.#body = body
    this.#length = length
    this.#call = call
  }

  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    this.#body.destroy()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    this.isBegun = true
    try {
      yield* this.#checked()
    } catch (error) {
      const { log, path } = this.#call
      // A stream that is destroyed early may fail because of that.
      if (!this.#isDestroyed) log.error(`The response to ${clipped(path, 'path')} was interrupted`, error)
      throw error
    } finally {
      this.destroy()
    }
  }

  async *#checked(): AsyncGenerator<Uint8Array, void> {
    let left = this.#length
    for await (const chunk of this.#body) {
      left -= chunk.byteLength
      if (left < 0) throw new Error(`The stream is longer than its content-length of ${this.#length} bytes.`)
      yield chunk
    }
    if (left > 0) throw new Error(`The stream ended ${left} bytes before its content-length.`)
  }
}
