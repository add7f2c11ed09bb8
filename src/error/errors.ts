import { Buffer } from 'node:buffer'
import leven from 'leven'
import { type IssueCode, type ProblemCode, problemCodes } from './codes.ts'

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
    if (!(Number.isInteger(status) && status >= 400 && status <= 599))
      throw new RangeError(`HttpError: the status must be between 400 and 599, not ${status}`)
    this.status = status
    this.detail = bounded
    this.code = options.code ?? generalCodes[status] ?? (status < 500 ? 'rejected' : 'internal_error')
    this.errors = boundedIssues(options.errors ?? [])
    this.headers = options.headers ?? {}
  }
}

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

/**
 * Thrown by a hook to refuse a request: the reply is a 400 with the message as its detail (specification, 7).
 *
 * @example
 * ```ts
 * import { ValueError } from 'modelrest'
 *
 * export const assertPolite = (name: string): void => {
 *   if (name.includes('forbidden')) throw new ValueError('The name contains a forbidden word.')
 * }
 * ```
 */
export class ValueError extends Error {
  override readonly name: string = 'ValueError'
}

/** A mistake in options, settings or models, found before the first request. The message says what to write instead. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

/**
 * Names what is allowed, the closest first: ` Did you mean isAsync? Allowed: auth, exclude, isAsync.`
 *
 * Case and underscores do not count, so that `is_async` finds `isAsync`.
 */
export const suggest = (wrong: string, allowed: Iterable<string>): string => {
  const names = [...allowed].sort()
  const plain = (name: string) => name.replaceAll(/[_-]/g, '').toLowerCase()
  const sought = plain(wrong)
  let [closest, distance] = ['', Math.floor(Math.max(2, wrong.length / 3)) + 1]
  for (const name of names) {
    const own = leven(plain(name), sought, { maxDistance: distance })
    if (own < distance) [closest, distance] = [name, own]
  }
  return `${closest === '' ? '' : ` Did you mean ${closest}?`} Allowed: ${names.join(', ') || 'none'}.`
}

/** @throws StartError that begins with `refusal`, for a name that is not among those known */
export const assertKnown = (refusal: string, name: string, known: readonly string[]): void => {
  if (!known.includes(name)) throw new StartError(`${refusal} ${name}.${suggest(name, known)}`)
}

/** One entry of a problem's `errors`: a place in the body (`pointer`, RFC 6901) or a query parameter. */
export type Issue = {
  readonly code: IssueCode | ProblemCode
  readonly detail: string
  /** JSON pointer into the request body, as `/price`. A key or pointer that is very long is cut, and ends with `…`. */
  readonly pointer?: string
  /** Name of the query parameter. */
  readonly parameter?: string
}

/** A client that has corrected so many places asks again for the rest. */
export const MAX_ISSUES = 100

/** Bytes of JSON. With the texts around them they stay below the 64 kB that an error response may have. */
const most = { key: 250, place: 1000, issue: 2000, issues: 40_000, detail: 8000, path: 4000 } as const

type Bounded = Exclude<keyof typeof most, 'issues'>

/** A text that may have come from a client, no longer than a response or a line of the log should repeat it. */
export const clipped = (text: string, as: Bounded): string => cut(text, most[as])

const cut = (text: string, bytes: number): string => {
  // No character takes more in JSON.
  if (6 * text.length <= bytes) return text
  let size = 0
  let at = 0
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    size += bytesOf(code)
    if (size > bytes) return `${text.slice(0, at)}…`
    at += code > 0xffff ? 2 : 1
  }
  return text
}

/** What a character takes in JSON, where half of a surrogate pair and a control character are escaped. */
const bytesOf = (code: number): number => {
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6
  if (code < 0x80) return code === 0x22 || code === 0x5c ? 2 : 1
  if (code < 0x800) return 2
  return code > 0xffff ? 4 : 3
}

/** A JSON pointer (RFC 6901) to a place in the body. Keys that a client made very long are cut. */
export const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${clipped(String(key), 'key').replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Characters of a name in a sentence: enough to recognise it. */
const MAX_NAME = 60

/** A text that a client chose, short enough for a sentence. */
export const shortened = (text: string): string => {
  const characters = Array.from(text.slice(0, 2 * MAX_NAME + 2))
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME).join('')}…` : text
}

/** As many of the issues, each as long, as an error response may have. */
export const boundedIssues = (found: Iterable<Issue>): readonly Issue[] => {
  const issues: Issue[] = []
  let bytes = 0
  for (const issue of found) {
    const bounded = boundedIssue(issue)
    bytes += Buffer.byteLength(JSON.stringify(bounded)) + 1
    if (bytes > most.issues) break
    issues.push(bounded)
    if (issues.length === MAX_ISSUES) break
  }
  return issues
}

const boundedIssue = ({ pointer, parameter, code, detail }: Issue): Issue => ({
  ...(pointer !== undefined && { pointer: clipped(pointer, 'place') }),
  ...(parameter !== undefined && { parameter: clipped(parameter, 'place') }),
  code,
  detail: clipped(detail, 'issue'),
})
