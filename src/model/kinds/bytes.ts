import { Buffer } from 'node:buffer'
import { accepted, type KindField, type KindRow, type Reading, refused, Unrepresentable } from '../codec.ts'
import { acceptedIf, atMost, never } from './row.ts'

const DIGIT = '[A-Za-z0-9+/]'

/** Canonical base64: padded, and with nothing in the bits that the padding leaves over. */
const pattern = `^(?:${DIGIT}{4})*(?:${DIGIT}[AQgw]==|${DIGIT}{2}[AEIMQUYcgkosw048]=)?$`

const expected = ({ maxLength }: KindField): string => atMost('base64', maxLength, 'bytes')

const readText = (text: string): Reading => {
  const decoded = Buffer.from(text, 'base64')
  return acceptedIf(decoded.toString('base64') === text, decoded, 'base64, padded with =')
}

const read = (value: unknown, field: KindField): Reading => {
  const reading =
    value instanceof Uint8Array
      ? accepted(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
      : typeof value === 'string'
        ? readText(value)
        : refused('wrong_type', expected(field))
  const tooLong =
    reading.ok &&
    field.maxLength !== undefined &&
    Buffer.isBuffer(reading.value) &&
    reading.value.length > field.maxLength
  return tooLong ? refused('too_long', expected(field)) : reading
}

/** Base64 has whole groups of three bytes: where the length is no multiple of three, a last group must be padded. */
const lengthSchema = (bytes: number): object => {
  const whole = Math.floor(bytes / 3) * 4
  const rest = bytes % 3
  if (rest === 0) return { maxLength: whole }
  const padding = rest === 1 ? '==$' : '=$'
  return { maxLength: whole + 4, not: { minLength: whole + 1, not: { pattern: padding } } }
}

export const bytes: KindRow = Object.freeze<KindRow>({
  comparable: true,
  ordered: false,
  textual: false,
  noun: 'base64',
  schema: ({ maxLength }) => ({
    type: 'string',
    contentEncoding: 'base64',
    pattern,
    ...(maxLength !== undefined && lengthSchema(maxLength)),
  }),
  read,
  readText,
  write: (value) => {
    if (value instanceof Uint8Array)
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
    throw new Unrepresentable('bytes in a form that is not known')
  },
  writesAsIs: never,
})
