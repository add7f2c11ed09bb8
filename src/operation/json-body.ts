import type { ProblemCode } from '../error/codes.ts'
import { problem } from '../error/http-error.ts'

/** Problems of every operation that takes a JSON body. */
export const bodyProblems: readonly ProblemCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'invalid_body',
]

/** Deeper nesting than this is refused: everything that later walks the value does so by recursion. */
const MAX_DEPTH = 100

/**
 * The JSON text of a body as a value.
 *
 * A number that JavaScript cannot hold exactly (`9.999999999999999999`, 2^53 + 1) is refused with a 422 rather than
 * rounded: it belongs into a string.
 *
 * @throws HttpError 400 `malformed_json`, 422 `invalid_body`
 */
export const readJson = (bytes: Uint8Array): unknown => {
  const text = decode(bytes)
  if (text.trim() === '') throw problem('malformed_json', 'The body is empty. Send a JSON object.')
  assertDepth(text)
  if (!mayBeImprecise.test(text)) return parse(text, undefined)
  const value = parse(text, markImprecise)
  assertPrecise(value)
  return value
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const decode = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw problem('malformed_json', 'The body is not valid UTF-8.')
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown
const parseWithSource = JSON.parse as (text: string, reviver?: Reviver) => unknown

const parse = (text: string, reviver: Reviver | undefined): unknown => {
  try {
    return parseWithSource(text, reviver)
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const where = position === undefined ? 'it ends too early' : `see character ${position}`
    throw problem('malformed_json', `The body is not valid JSON: ${where}.`)
  }
}

const assertDepth = (text: string): void => {
  if (text.length <= 2 * MAX_DEPTH) return
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) inString = !inString
    else if (inString) at += code === 0x5c ? 1 : 0
    else if (code === 0x5b || code === 0x7b) depth++
    else if (code === 0x5d || code === 0x7d) depth--
    if (depth > MAX_DEPTH)
      throw problem('malformed_json', `The body is nested deeper than ${MAX_DEPTH} levels.`)
  }
}

/** Sixteen digits or a three-digit exponent: below that a double is always exact enough to be written back. */
const mayBeImprecise = /[\d.]{16}|[eE][+-]?\d{3}/

class Imprecise {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

const markImprecise: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && plain(source) !== plain(String(value))
    ? new Imprecise(source)
    : value

/** `12.50e1` as sign, digits without outer zeros and exponent of the last digit, so that equal numbers are equal texts. */
const plain = (number: string): string => {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = trimZeros(digits)
  if (significant === '') return '0'
  const scale = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${scale}`
}

const trimZeros = (digits: string): string => {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

const assertPrecise = (value: unknown): void => {
  const errors = [...impreciseIn(value, '')].map(({ pointer, source }) => ({
    pointer,
    code: 'imprecise_number' as const,
    detail: `${source.slice(0, 40)} has more digits than can be held exactly. Send it as a string.`,
  }))
  if (errors.length > 0)
    throw problem('invalid_body', 'A number in the body cannot be held exactly.', { errors })
}

function* impreciseIn(value: unknown, pointer: string): Generator<{ pointer: string; source: string }> {
  if (value instanceof Imprecise) yield { pointer, source: value.source }
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield* impreciseIn(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
  }
}
