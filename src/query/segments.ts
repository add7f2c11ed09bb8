import { refuse, shown } from './refuse.ts'

/** What stands between two `&` of a query string, decoded once. */
export interface Segment {
  /** Everything before the first of `=`, `!`, `<`, `>` and `(`. */
  readonly name: string
  /** What follows `name=`, or empty where the name stands alone. `undefined`: something else follows. */
  readonly value: string | undefined
  readonly text: string
}

/**
 * The segments of a query string, without empty ones. `+` is a space, but a plus before the offset of a date-time.
 *
 * @throws HttpError 400 for broken percent-encoding
 */
export const readSegments = (rawQuery: string): readonly Segment[] => {
  const segments: Segment[] = []
  for (const raw of rawQuery.split('&')) if (raw !== '') segments.push(segmentOf(decode(raw)))
  return segments
}

const endOfName = /[=!<>(]/

const segmentOf = (text: string): Segment => {
  const at = text.search(endOfName)
  if (at === -1) return { name: text, value: '', text }
  return { name: text.slice(0, at), value: text[at] === '=' ? text.slice(at + 1) : undefined, text }
}

/** `T23:59:59.123+`, its colons percent-encoded or not. */
const plusOfOffset = /(T\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d{1,9})?)?)\+(?=\d\d)/gi

const decode = (raw: string): string => {
  const spaced = raw.includes('+') ? raw.replace(plusOfOffset, '$1%2B').replaceAll('+', ' ') : raw
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    const name = segmentOf(raw).name || 'q'
    throw refuse(
      'malformed_query',
      name,
      `${shown(name)}: a % is not followed by the code of a UTF-8 character. Write %25 for a % itself.`,
    )
  }
}
