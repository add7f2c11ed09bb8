import { type HttpError, problem } from '../error/errors.ts'
import { cleanLog, type Log, requestLog } from '../observe/log.ts'
import { Gathered, tooLarge } from '../operation/body.ts'
import type { Call, Caller } from '../operation/call.ts'
import type { BodyBounds } from '../operation/operation.ts'
import type { ByteSource } from '../operation/steps.ts'
import { type Params, type RequestTarget, readTarget } from './paths.ts'
import type { Serve } from './serve.ts'

/** A request without its body, as a server receives it. */
export interface RequestHead {
  readonly method: string
  /** The target of the request: a URL, or its path and query. Still percent-encoded, as the client sent it. */
  readonly url: string
  /** `http` or `https`, as far as the server knows what the client used. */
  readonly scheme: string
  /** The IP address of the client. `undefined`: the server does not know one that it trusts. */
  readonly address: string | undefined
  /** The server's own request object, such as an `IncomingMessage`. Hooks receive it. */
  readonly request: unknown
  /** Identifies the request in logs and in responses of 500 and above. @default a random UUID */
  readonly requestId?: string
  /** @default the log of the host, where each line contains the id of the request */
  readonly log?: Log | undefined
  /**
   * A header by its lower-case name. Several headers of one name are joined by `, `, also `authorization`. `host` works
   * with every protocol version.
   */
  header(name: string): string | undefined
}

/** The body of a request. At most one of the methods is called, at most once, and only if the operation needs the body. */
export interface RequestBody {
  /** Reads the whole body within its limits, for which `collectBody` exists. */
  whole(bounds: BodyBounds): Uint8Array | Promise<Uint8Array>
  /** The bytes as they arrive. Its `return` leaves unread bytes to the server. */
  bytes(): ByteSource
}

const noParams: Params = Object.freeze({})

/** What a call needs to know about how it is served. */
export type ServeFacts = Pick<Serve, 'loggable' | 'codes' | 'log'>

/** The call of a request. A class avoids creating functions for each request. */
export class HeadCall implements Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly params: Params
  caller: Caller | undefined = undefined
  hasEnded = false
  readonly #head: RequestHead
  readonly #serve: ServeFacts | undefined
  #requestId: string | undefined

  constructor(
    head: RequestHead,
    target: RequestTarget = readTarget(head.url),
    params: Params = noParams,
    serve?: ServeFacts,
  ) {
    this.method = head.method
    this.path = target.path
    this.query = target.query
    this.params = params
    this.#head = head
    this.#serve = serve
  }

  get request(): unknown {
    return this.#head.request
  }

  /** Generated on first access, because only failures need it. */
  get requestId(): string {
    this.#requestId ??= this.#head.requestId ?? crypto.randomUUID()
    return this.#requestId
  }

  get log(): Log {
    return cleanLog(
      this.#head.log ?? requestLog(() => this.requestId, this.#serve?.log),
      this.#serve?.loggable,
    )
  }

  get codes(): Call['codes'] {
    return this.#serve?.codes
  }

  get address(): string | undefined {
    return this.#head.address
  }

  /** Behind a proxy, servers take it from a header, which may be any text. */
  get scheme(): string {
    return this.#head.scheme === 'https' ? 'https' : 'http'
  }

  header(name: string): string | undefined {
    return this.#head.header(name)
  }
}

/** Waits for something that may be late. */
interface LateWaiter {
  readonly late: () => void
  readonly until: number
}

interface Deadlines {
  /** Calls `late` once the time is over, unless the waiter leaves before. */
  enter(late: () => void): LateWaiter
  leave(waiter: LateWaiter): void
}

const known = new WeakMap<BodyBounds, Deadlines>()

/** The deadlines of the bodies with these bounds. An operation has one object for all of them. */
const deadlinesOf = (bounds: BodyBounds): Deadlines => {
  const found = known.get(bounds)
  if (found !== undefined) return found
  const made = deadlinesAfter(bounds.timeout)
  known.set(bounds, made)
  return made
}

/** One timer for all that wait equally long, because a timer for each would cost more than reading a short body. */
const deadlinesAfter = (milliseconds: number): Deadlines => {
  const waiters = new Set<LateWaiter>()
  let isArmed = false
  const arm = (wait: number): void => {
    isArmed = true
    const timer = setTimeout(check, wait)
    // Whatever a body waits for keeps the process alive. Some runtimes return a number.
    if (typeof timer === 'object') timer.unref()
  }
  const check = (): void => {
    isArmed = false
    const now = performance.now()
    for (const waiter of waiters) {
      // They are in the order of their arrival.
      if (waiter.until > now) {
        arm(waiter.until - now)
        return
      }
      waiters.delete(waiter)
      waiter.late()
    }
  }
  return {
    enter: (late) => {
      const waiter = { late, until: performance.now() + milliseconds }
      waiters.add(waiter)
      if (!isArmed) arm(milliseconds)
      return waiter
    },
    leave: (waiter) => void waiters.delete(waiter),
  }
}

/**
 * The error of a body that the application has already read: a mistake that would otherwise look like an empty body, or
 * never end. Clients get a 500, and the log explains it.
 *
 * @example
 * ```ts
 * import { alreadyRead } from 'modelrest/host'
 *
 * export const assertUnread = (request: Request): void => {
 *   if (request.bodyUsed) throw alreadyRead()
 * }
 * ```
 */
export const alreadyRead = (): Error =>
  new Error(
    'The body of the request was read before it reached modelrest. Mount modelrest before the middleware or body parser that reads it, remove the hook that reads it, or pass a copy: request.clone().',
  )

/**
 * Collects a body within its size and time limits; the time starts now. `settle` is called once, with the body or an error:
 * 413 if it is too large, 408 if it is too slow, 400 if the client ends it too early.
 */
export const collectBody = (
  bounds: BodyBounds,
  settle: (refusal: HttpError | null, body: Uint8Array) => void,
) => {
  const { limit, timeout } = bounds
  const deadlines = deadlinesOf(bounds)
  const gathered = new Gathered()
  let isSettled = false
  const settleOnce = (refusal: HttpError | null): void => {
    if (isSettled) return
    isSettled = true
    deadlines.leave(waiter)
    settle(refusal, gathered.whole())
  }
  const waiter = deadlines.enter(() =>
    settleOnce(problem('request_timeout', `The body did not arrive within ${timeout / 1000} seconds.`)),
  )
  return {
    add: (piece: Uint8Array): void => {
      if (isSettled) return
      if (gathered.size + piece.byteLength > limit) settleOnce(tooLarge(limit))
      else gathered.add(piece)
    },
    end: (): void => settleOnce(null),
    fail: (cause: unknown): void =>
      settleOnce(problem('rejected', 'The body ended before it was complete.', { cause })),
  }
}
