import type { ProblemCode } from '../error/codes.ts'
import type { Log } from '../observe/log.ts'
import type { Steps } from './steps.ts'

/** One request, in no host's language. */
export interface Call {
  /** As it was sent; HEAD is served by the GET operation. */
  readonly method: string
  /** The path as the client sent it, prefix included, still percent-encoded. */
  readonly path: string
  /** The path's parameters by name, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>
  /** The query string without its question mark, still percent-encoded. */
  readonly query: string
  /**
   * A header by its lower-case name. Several of one name come joined by `, `, `authorization` too. `host` is what was
   * asked for, in whatever way the protocol says it.
   */
  header(name: string): string | undefined
  /** `http` or `https`, as the client used it, as far as the host knows. */
  readonly scheme: string
  /** Where it came from: an IP address, as far as the host knows and trusts one. */
  readonly address: string | undefined
  /** The host's own request object. */
  readonly request: unknown
  /** Stands in the log and in replies of 500 and above. */
  readonly requestId: string
  readonly log: Log
  // What authentication finds out. Only it sets these.
  /** `undefined`: anonymous, or not known yet. */
  caller?: Caller | undefined
  /** Reads the caller's record without the password, at most once a second. Absent: there is none. */
  user?: () => unknown
  /** Checks again, after the body has arrived, that the caller is who they were. Absent: it does not matter. */
  confirm?: () => Steps<void>
  /** How a 401 says to authenticate (RFC 9110, 11.6.1). @default Bearer */
  challenge?: string
}

/** Who sent a request. */
export interface Caller {
  /** In the form of the user model's key. */
  readonly id: unknown
  /** What else is known of them, as the claims of a token. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** Bytes that are sent as they come, once. A `Readable` of Node is that. */
export interface ReplyStream extends AsyncIterable<Uint8Array> {
  /** Gives back what reading holds: for a client that has gone, or asked for no body. */
  destroy(): unknown
}

/** What a host sends. */
export interface Reply {
  readonly status: number
  /** Names in lower case. A header with several values is sent as several lines, as `set-cookie`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** `undefined`: no body. A stream comes with its `content-length`. */
  readonly body: string | Uint8Array | ReplyStream | undefined
  /** Of a refusal: its problem code, for those who watch. It is not sent but in the body. */
  readonly code?: ProblemCode
}
