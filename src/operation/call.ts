import type { ErrorCode } from '../error/codes.ts'
import type { OwnCodes } from '../error/own-codes.ts'
import type { CallerKey } from '../model/types.ts'
import type { Log } from '../observe/log.ts'
import type { Session } from '../source/source.ts'
import type { Steps } from './steps.ts'

/** A request, independent of the host. */
export interface Call {
  /** The method of the request. HEAD is served by the GET operation. */
  readonly method: string
  /** The path of the request including the prefix, still percent-encoded. */
  readonly path: string
  /** The path parameters by name, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>
  /** The query string without its question mark, still percent-encoded. */
  readonly query: string
  /**
   * A header by its lower-case name. Several headers of one name are joined by `, `, including `authorization`. `host`
   * works with every protocol version.
   */
  header(name: string): string | undefined
  /** `http` or `https`, as far as the host knows what the client used. */
  readonly scheme: string
  /** The IP address of the client, if the host knows and trusts one. */
  readonly address: string | undefined
  /** The host's own request object. */
  readonly request: unknown
  /** Part of log lines and of responses of 500 and above. */
  readonly requestId: string
  readonly log: Log
  /** The meanings of the application's codes. */
  readonly codes?: OwnCodes | undefined
  /** The last error that a function of the application caused, and the function, for the log. */
  failure?: Failure
  /** Set by modelrest once the request must not hold memory any more. Hosts do not set it. */
  hasEnded?: boolean
  // Only authentication sets these.
  /** `undefined`: anonymous, or not authenticated yet. */
  caller?: Caller | undefined
  /** Reads the caller's record without the password, at most once a second. Absent: there is no record. */
  user?: (session: Session) => unknown
  /** Authenticates the caller again after the body has arrived. Absent: not necessary. */
  confirm?: () => Steps<void>
  /** The credential of the caller opens only reads. @default it opens writes, too */
  readsOnly?: true
  /** The `WWW-Authenticate` of a 401 (RFC 9110, 11.6.1) if a token was sent, but not accepted. @default Bearer */
  challenge?: string
}

export interface Failure {
  readonly error: unknown
  /** Such as `the hook beforeCreate of Product (controllers/product.ts, ProductController)`. */
  readonly place: string
}

/** Notes for the log which function of the application failed, and returns the error. */
export const failedIn = (call: Call, place: string, error: unknown): unknown => {
  call.failure = { error, place }
  return error
}

/** The authenticated sender of a request. */
export interface Caller {
  /** The key of the user, with the type of the user model's primary key. */
  readonly id: CallerKey
  /** Further facts, such as the claims of a token. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** Bytes that are sent once, as they arrive, such as a `Readable` of Node. */
export interface ReplyStream extends AsyncIterable<Uint8Array> {
  /** Releases resources if the client disconnects or does not need the body. */
  destroy(): unknown
}

/** The response that a host sends. */
export interface Reply {
  readonly status: number
  /** Names are in lower case. An array is sent as several header lines, as needed for `set-cookie`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** `undefined`: no body. A stream requires a `content-length` header. */
  readonly body: string | Uint8Array | ReplyStream | undefined
  /** The problem code of an error, for observers. It is sent only as part of the body. */
  readonly code?: ErrorCode
  /** Called once the response has been sent, or cannot be sent any more. Absent: the request holds nothing. */
  readonly sent?: () => void
}
