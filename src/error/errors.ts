import { Buffer } from 'node:buffer'
import leven from 'leven'
import { type ErrorCode, type IssueCode, type ProblemCode, problemCodes } from './codes.ts'
import { codeMistake, generalCode } from './own-codes.ts'

/** Options of {@link HttpError}. */
export interface HttpErrorOptions {
  /**
   * A code of your own in snake case, such as `ticket_closed`, or one of modelrest with its own status. The option
   * `openapi.codes` lists your own codes in the documentation.
   *
   * @default the general code of the status, such as `not_found` for 404
   */
  readonly code?: ErrorCode
  readonly errors?: readonly Issue[]
  /** Response headers, such as `{ 'Retry-After': '5' }`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The underlying error. It is logged, never sent. */
  readonly cause?: unknown
}

/**
 * An error with an HTTP status. Throw it in a hook to refuse the request with that status.
 *
 * The response is `application/problem+json` (RFC 9457) with `detail`. An error response is at most 64 kB: longer
 * strings are cut, and only the first `errors` are sent.
 *
 * @throws RangeError if the status is not an integer from 400 to 599, if `code` is not in snake case or is longer than 60
 *   characters, or if it is a code of modelrest that belongs to another status
 * @example
 * ```ts
 * import { HttpError } from 'modelrest'
 *
 * export const assertOpen = (hour: number): void => {
 *   if (hour < 8) throw new HttpError(403, 'The shop is closed until 8.', { code: 'shop_closed' })
 * }
 * ```
 */
export class HttpError extends Error {
  override readonly name: string = 'HttpError'
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly errors: readonly Issue[]
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, detail: string, options: HttpErrorOptions = {}) {
    const bounded = clipped(detail, 'detail')
    super(bounded, { cause: options.cause })
    if (!(Number.isInteger(status) && status >= 400 && status <= 599))
      throw new RangeError(`HttpError: status must be an integer from 400 to 599, not ${status}.`)
    const code = options.code ?? generalCode(status)
    const mistake = codeMistake(status, code)
    if (mistake !== undefined) throw new RangeError(`HttpError: ${mistake}`)
    this.status = status
    this.detail = bounded
    this.code = code
    this.errors = boundedIssues(options.errors ?? [])
    this.headers = options.headers ?? {}
  }
}

export const problem = (
  code: ProblemCode,
  detail: string,
  options: Omit<HttpErrorOptions, 'code'> = {},
): HttpError => new HttpError(problemCodes[code].status, detail, { ...options, code })

/**
 * Throw it in a hook to refuse the request: the response is a 400 with the message as `detail`.
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

/** A mistake in options, settings or models, found before the first request. The message says how to correct it. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

/**
 * Suggests the closest allowed name and lists all allowed names:
 * ` Did you mean isAsync? Allowed: auth, exclude, isAsync.`
 *
 * Ignores case and underscores: `is_async` finds `isAsync`.
 */
export const suggest = (wrong: string, allowed: Iterable<string>): string => {
  const names = [...allowed].sort()
  const closest = closestTo(wrong, names)
  return `${closest === '' ? '' : ` Did you mean ${closest}?`} Allowed: ${names.join(', ') || 'none'}.`
}

/** The name that `wrong` probably stands for. Empty: none of them. */
export const closestTo = (wrong: string, names: readonly string[]): string => {
  const plain = (name: string) => name.replaceAll(/[_-]/g, '').toLowerCase()
  const sought = plain(wrong)
  let [closest, distance] = ['', Math.floor(Math.max(2, wrong.length / 3)) + 1]
  for (const name of names) {
    const own = leven(plain(name), sought, { maxDistance: distance })
    if (own < distance) [closest, distance] = [name, own]
  }
  return closest
}

/** @throws StartError if the name is not known. Its message begins with `refusal` */
export const assertKnown = (refusal: string, name: string, known: readonly string[]): void => {
  if (!known.includes(name)) throw new StartError(`${refusal} ${name}.${suggest(name, known)}`)
}

/** Member -> the result of `typeof`. */
type Members = Readonly<Record<string, 'object' | 'function' | 'string' | 'boolean'>>

/** @throws StartError if a member of a port is missing or has the wrong type. Its message begins with `place` */
export const assertMembers = (
  place: string,
  given: object,
  { required, optional }: { readonly required: Members; readonly optional: Members },
): void => {
  const assert = (name: string, type: string, otherwise = ''): void => {
    const value: unknown = Reflect.get(given, name)
    if (value === undefined && otherwise !== '') return
    if (typeof value !== type || value === null)
      throw new StartError(`${place}: ${name} must be a ${type}${otherwise}.`)
  }
  for (const [name, type] of Object.entries(required)) assert(name, type)
  for (const [name, type] of Object.entries(optional)) assert(name, type, ' or absent')
}

/** An entry of a problem's `errors`: one mistake in the body (`pointer`, RFC 6901) or in a query parameter. */
export type Issue = {
  readonly code: IssueCode | ErrorCode
  readonly detail: string
  /** JSON pointer into the request body, such as `/price`. Long keys and pointers are cut and end with `…`. */
  readonly pointer?: string
  /** Name of the query parameter. */
  readonly parameter?: string
}

/** A client that corrects these issues and sends the body again gets the remaining ones. */
export const MAX_ISSUES = 100

/** Bytes of JSON. Together with the other members they stay below 64 kB, the limit of an error response. */
const most = { key: 250, place: 1000, issue: 2000, issues: 40_000, detail: 8000, path: 4000 } as const

type Bounded = Exclude<keyof typeof most, 'issues'>

/** Cuts a string from a client to the length that a response or log line may repeat. */
export const clipped = (text: string, as: Bounded): string => cut(text, most[as])

const cut = (text: string, bytes: number): string => {
  // A character takes at most 6 bytes in JSON.
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

/** Bytes of a character in JSON, which escapes lone surrogates and control characters. */
const bytesOf = (code: number): number => {
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6
  if (code < 0x80) return code === 0x22 || code === 0x5c ? 2 : 1
  if (code < 0x800) return 2
  return code > 0xffff ? 4 : 3
}

/** A JSON pointer (RFC 6901) into the body, with long keys cut. */
export const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${clipped(String(key), 'key').replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Characters of a name in a message. */
const MAX_NAME = 60

/** Shortens a name from a client for use in a message. */
export const shortened = (text: string): string => {
  const characters = Array.from(text.slice(0, 2 * MAX_NAME + 2))
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME).join('')}…` : text
}

/** The first issues that fit into an error response, each cut to its limit. */
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
