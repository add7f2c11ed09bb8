import { refuse } from './refuse.ts'

/**
 * The segments of a query string, each decoded once. `+` is a space, but a plus before the offset of a date-time.
 *
 * @throws HttpError 400 for broken percent-encoding
 */
export const decodedSegments = (rawQuery: string): readonly string[] =>
  rawQuery
    .split('&')
    .filter((segment) => segment !== '')
    .map(decode)

/** `T23:59:59.123+`, its colons percent-encoded or not. */
const plusOfOffset = /(T\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d{1,9})?)?)\+(?=\d\d)/gi

const decode = (segment: string): string => {
  if (!/[%+]/.test(segment)) return segment
  const spaced = segment.includes('+')
    ? segment.replaceAll(plusOfOffset, '$1%2B').replaceAll('+', ' ')
    : segment
  try {
    return decodeURIComponent(spaced)
  } catch {
    const parameter = /^[^=!<>(]*/.exec(segment)?.[0] ?? 'q'
    throw refuse(
      'malformed_query',
      parameter,
      'The query holds a % that starts no UTF-8 character. Write %25 for a %.',
    )
  }
}
