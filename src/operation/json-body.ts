import type { ProblemCode } from '../error/codes.ts'
import { problem } from '../error/http-error.ts'
import { type Issue, pointerTo } from '../error/issue.ts'
import { type Imprecise, type JsonReading, MAX_DEPTH, readJsonText } from '../model/json-text.ts'

/** Problems of every operation that takes a JSON body. */
export const bodyProblems: readonly ProblemCode[] = [
  'malformed_json',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'invalid_body',
]

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
  const reading = readJsonText(text)
  if (reading.ok) return reading.value
  throw refusal(reading)
}

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
    return problem('invalid_body', 'A number in the body cannot be held exactly.', {
      errors: reading.numbers.map(impreciseIssue),
    })
  const { position } = reading
  const where = position === undefined ? 'it ends too early' : `see character ${position}`
  return problem('malformed_json', `The body is not valid JSON: ${where}.`)
}

const impreciseIssue = ({ path, source }: Imprecise): Issue => ({
  pointer: pointerTo(path),
  code: 'imprecise_number',
  detail: `${source.slice(0, 40)} has more digits than can be held exactly. Send it as a string.`,
})
