import { type ProblemCode, problemCodes } from './codes.ts'
import { boundedIssues, clipped, type Issue } from './issue.ts'

export type { Issue } from './issue.ts'

/** What {@link HttpError} takes beside its status and detail. */
export interface HttpErrorOptions {
  /** @default the general code of the status, as `not_found` for 404 */
  readonly code?: ProblemCode
  readonly errors?: readonly Issue[]
  /** Response headers, as `{ 'Retry-After': '5' }`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The error behind this one. It is logged and never sent. */
  readonly cause?: unknown
}

/**
 * An error with an HTTP status: thrown by a hook, it is the answer of the request.
 *
 * The reply is `application/problem+json` (RFC 9457) with `detail` as its explanation. No error response has more than
 * 64 kB: texts that are longer than that allows are cut, and of many `errors` the first ones are kept.
 *
 * @throws RangeError if the status is not between 400 and 599.
 * @example
 * ```ts
 * import { HttpError } from 'modelrest'
 *
 * export const assertOpen = (hour: number): void => {
 *   if (hour < 8) throw new HttpError(403, 'The shop is closed until 8.')
 * }
 * ```
 */
export class HttpError extends Error {
  override readonly name: string = 'HttpError'
  readonly status: number
  readonly detail: string
  readonly code: ProblemCode
  readonly errors: readonly Issue[]
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, detail: string, options: HttpErrorOptions = {}) {
    const bounded = clipped(detail, 'detail')
    super(bounded, { cause: options.cause })
    if (!(Number.isInteger(status) && status >= 400 && status <= 599)) {
      throw new RangeError(`HttpError: the status must be between 400 and 599, not ${status}`)
    }
    this.status = status
    this.detail = bounded
    this.code = options.code ?? generalCode(status)
    this.errors = boundedIssues(options.errors ?? [])
    this.headers = options.headers ?? {}
  }
}

/** An {@link HttpError} with the status that the table of codes gives. */
export const problem = (
  code: ProblemCode,
  detail: string,
  options: Omit<HttpErrorOptions, 'code'> = {},
): HttpError => new HttpError(problemCodes[code].status, detail, { ...options, code })

const generalCodes: Readonly<Partial<Record<number, ProblemCode>>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'unique_conflict',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'invalid_body',
  429: 'too_many_requests',
  503: 'unavailable',
}

const generalCode = (status: number): ProblemCode =>
  generalCodes[status] ?? (status < 500 ? 'rejected' : 'internal_error')
