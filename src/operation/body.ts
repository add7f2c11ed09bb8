import { Buffer } from 'node:buffer'
import type { ProblemCode } from '../error/codes.ts'
import { type HttpError, type Issue, pointerTo, problem } from '../error/errors.ts'
import { type Imprecise, type JsonReading, MAX_DEPTH, readJsonText } from '../model/kinds/json.ts'

export const bodyProblems: readonly ProblemCode[] = [
  'malformed_json',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'invalid_body',
]

/** Parses a JSON body. Rejects numbers that JavaScript cannot represent exactly (2^53 + 1) instead of rounding them. */
export const readJson = (bytes: Uint8Array): unknown => {
  const text = decode(bytes)
  if (text.trim() === '') throw problem('malformed_json', 'The body is empty. Send a JSON object.')
  const reading = readJsonText(text)
  if (reading.ok) return reading.value
  throw refusal(reading)
}

export { MAX_DEPTH }

const utf8 = new TextDecoder('utf-8', { fatal: true })

const decode = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw problem('malformed_json', 'The body is not valid UTF-8.')
  }
}

const refusal = (reading: Extract<JsonReading, { ok: false }>): Error => {
  if (reading.reason === 'too-deep')
    return problem('malformed_json', `The body is nested deeper than ${MAX_DEPTH} levels.`)
  if (reading.reason === 'imprecise')
    return problem('invalid_body', 'A number in the body cannot be represented exactly.', {
      errors: reading.numbers.map(impreciseIssue),
    })
  const { position } = reading
  const where = position === undefined ? '' : `: see position ${position}`
  return problem('malformed_json', `The body is not valid JSON${where}.`)
}

const impreciseIssue = ({ path, source }: Imprecise): Issue => ({
  pointer: pointerTo(path),
  code: 'imprecise_number',
  detail: `${source.slice(0, 40)} has more digits than a JSON number can represent exactly. Send it as a string.`,
})

/** Collects bytes that arrive in pieces. The cost of a piece is proportional to its bytes, even if it is tiny. */
export class Gathered {
  #bytes: Uint8Array = noBytes
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The first piece is not copied until a second one arrives. */
  add(piece: Uint8Array): void {
    const size = this.#size + piece.byteLength
    if (this.#size === 0) this.#bytes = piece
    else {
      if (size > this.#bytes.byteLength || !this.#isOwn) this.#grow(size)
      this.#bytes.set(piece, this.#size)
    }
    this.#size = size
  }

  whole(): Uint8Array {
    return this.#size === this.#bytes.byteLength ? this.#bytes : this.#bytes.subarray(0, this.#size)
  }

  #isOwn = false

  #grow(size: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(2 * size, LEAST))
    bytes.set(this.whole())
    this.#bytes = bytes
    this.#isOwn = true
  }
}

const LEAST = 1024
const noBytes = new Uint8Array()

export const tooLarge = (limit: number): HttpError =>
  problem('body_too_large', `The body must not be larger than ${limit} bytes.`)
