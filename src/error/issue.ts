import { Buffer } from 'node:buffer'
import type { IssueCode, ProblemCode } from './codes.ts'

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

/** What may be cut: each has a bound of its own. */
export type Bounded = Exclude<keyof typeof most, 'issues'>

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
