import { Readable } from 'node:stream'
import { type HttpError, pointerTo, problem } from '../../error/errors.ts'
import { MAX_DEPTH, tooLarge } from '../../operation/body.ts'
import type { BodyBounds } from '../../operation/operation.ts'
import type { ByteSource } from '../../operation/steps.ts'
import { alreadyRead } from '../call.ts'
import type { NodeRequest } from './request.ts'

/** Members that body parsers add to a request. */
interface Parsed {
  readonly body?: unknown
  readonly rawBody?: unknown
}

/**
 * The body of a request that a parser of the application has read: its bytes if the application keeps them, or the JSON
 * value if it has only one meaning.
 *
 * @throws HttpError 413 if it is too large, 422 for a number that the parser may have rounded, 400 for a replacement character;
 * Error if the bytes cannot be told from the value for another reason
 */
export const parsedBody = (request: NodeRequest, { limit }: BodyBounds): Uint8Array => {
  const bytes = bytesOf(request, limit)
  if (bytes === undefined) throw alreadyRead()
  if (bytes.byteLength > limit) throw tooLarge(limit)
  return bytes
}

/**
 * The same for an operation that reads a stream, such as a form.
 *
 * @throws Error if the application does not keep its bytes
 */
export const parsedBytes = (request: NodeRequest): ByteSource => {
  const bytes = keptBytes(request)
  if (bytes === undefined) throw alreadyRead()
  return Readable.from([bytes])
}

const keptBytes = ({ body, rawBody }: NodeRequest & Parsed): Uint8Array | undefined =>
  [rawBody, body].find((kept) => kept instanceof Uint8Array)

const bytesOf = (request: NodeRequest & Parsed, limit: number): Uint8Array | undefined => {
  const kept = keptBytes(request)
  if (kept !== undefined) return kept
  const { body, headers } = request
  const isJson = /^application\/([\w.+-]+\+)?json\b/i.test(headers['content-type'] ?? '')
  // A text may be one that was not parsed.
  if (!isJson || typeof body !== 'object') return undefined
  if (!isExact(body, limit)) throw inexact(body)
  return Buffer.from(JSON.stringify(body))
}

/** What the client can change if it is a number or a character, otherwise what the application must change. */
const inexact = (body: object | null): Error => {
  const found = firstInexact(body, [])
  if (found === undefined) return alreadyRead()
  const { value, path } = found
  if (typeof value === 'number') return maybeRounded(path, value)
  return typeof value === 'string'
    ? problem('malformed_json', 'The body is not valid UTF-8, or contains a replacement character (U+FFFD).')
    : alreadyRead()
}

const maybeRounded = (path: FoundValue['path'], value: number): HttpError =>
  problem('invalid_body', 'A number in the body cannot be represented exactly.', {
    errors: [
      {
        pointer: pointerTo(path),
        code: 'imprecise_number',
        detail: `${value} may have been rounded. Send a number of at most ${MOST_DIGITS} digits.`,
      },
    ],
  })

interface FoundValue {
  readonly value: unknown
  readonly path: readonly (string | number)[]
}

/** Does not look deeper than bodies may be nested. */
const firstInexact = (value: unknown, path: FoundValue['path']): FoundValue | undefined => {
  if (!isPlain(value)) return isExactLeaf(value) ? undefined : { value, path }
  if (path.length > MAX_DEPTH) return undefined
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    if (!isExactLeaf(key)) return { value: key, path }
    const found = firstInexact(Reflect.get(value, key), [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Whether parsing has lost nothing. Decimals with at most 15 digits survive it, but not all that have more. Invalid UTF-8
 * becomes a replacement character.
 *
 * @throws HttpError 413 as soon as the values cannot fit into the limit: a parser may accept many more
 */
const isExact = (body: unknown, limit: number): boolean => {
  const values = [body]
  let least = 0
  while (values.length > 0) {
    const value = values.pop()
    if (!isPlain(value)) {
      if (!isExactLeaf(value)) return false
      continue
    }
    const members = Array.isArray(value) ? value : Object.keys(value)
    // Each takes a character and a comma.
    least += 2 * members.length
    if (least > limit) throw tooLarge(limit)
    // A long array would not fit into the arguments of one call.
    for (const member of members) values.push(member)
    if (members !== value) for (const key of members) values.push(Reflect.get(value, key))
  }
  return true
}

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)

const isExactLeaf = (value: unknown): boolean => {
  if (typeof value === 'string') return !value.includes('\uFFFD')
  if (typeof value === 'number') return Number.isSafeInteger(value) || digitsOf(value) <= MOST_DIGITS
  return value === null || typeof value === 'boolean'
}

const MOST_DIGITS = 15

const digitsOf = (value: number): number =>
  Number.isFinite(value)
    ? String(value)
        .replace(/e.*$/, '')
        .replace(/^-?[0.]*/, '')
        .replace('.', '').length
    : Number.POSITIVE_INFINITY
