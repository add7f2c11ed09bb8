import {
  accepted,
  comparedBy,
  comparison,
  type KindField,
  type KindRow,
  type Reading,
  refused,
  shortest,
  Unrepresentable,
} from '../codec.ts'
import { onceFor } from '../objects.ts'
import { otherForm } from './decimal.ts'

/** The bounds of an integer: those of its column, limited to safe integers. */
export const integerBounds = ({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
}: KindField): { readonly minimum: number; readonly maximum: number } => ({
  minimum: Math.max(Number(minimum), Number.MIN_SAFE_INTEGER),
  maximum: Math.min(Number(maximum), Number.MAX_SAFE_INTEGER),
})

const INT32 = 2 ** 31
const integerForm = /^(?:0|-?[1-9]\d*)$/

type Bounds = Required<Pick<KindField, 'minimum' | 'maximum'>>

const anInteger = ({ minimum, maximum }: Bounds): string => `an integer from ${minimum} to ${maximum}`

const readInteger = (value: unknown, field: KindField): Reading => {
  const bounds = integerBounds(field)
  if (typeof value !== 'number' || !Number.isInteger(value)) return refused('wrong_type', anInteger(bounds))
  const isWithin = value >= bounds.minimum && value <= bounds.maximum
  return isWithin ? accepted(value) : refused('out_of_range', anInteger(bounds))
}

export const integerKind: KindRow = Object.freeze<KindRow>({
  ...comparison.order,
  compare: comparedBy((value) => integerKind.write(value, shortest)),
  noun: 'an integer',
  schema: (field) => {
    const { minimum, maximum } = integerBounds(field)
    return {
      type: 'integer',
      format: minimum >= -INT32 && maximum < INT32 ? 'int32' : 'int64',
      minimum,
      maximum,
    }
  },
  read: readInteger,
  readText: (text, field) =>
    integerForm.test(text)
      ? readInteger(Number(text), field)
      : refused('invalid_format', anInteger(integerBounds(field))),
  write: (value) => {
    if (Number.isSafeInteger(value)) return value
    throw new Unrepresentable('an integer that JavaScript cannot represent exactly')
  },
  // A 64-bit column that is read as a number may hold larger values.
  writesAsIs: (field) => {
    const { minimum, maximum } = integerBounds(field)
    return minimum > Number.MIN_SAFE_INTEGER && maximum < Number.MAX_SAFE_INTEGER
  },
})

const aNumber = ({ minimum, maximum }: KindField): string =>
  [
    'a number',
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`up to ${maximum}`]),
  ].join(' ')

const readFloat = (value: unknown, field: KindField): Reading => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return refused('wrong_type', aNumber(field))
  const { minimum = value, maximum = value } = field
  return value < minimum || value > maximum ? refused('out_of_range', aNumber(field)) : accepted(value)
}

export const floatKind: KindRow = Object.freeze<KindRow>({
  ...comparison.order,
  compare: comparedBy((value) => floatKind.write(value, shortest)),
  noun: 'a number',
  schema: ({ minimum, maximum }) => ({
    type: 'number',
    format: 'double',
    ...(minimum !== undefined && { minimum: Number(minimum) }),
    ...(maximum !== undefined && { maximum: Number(maximum) }),
  }),
  read: readFloat,
  readText: (text, field) => {
    if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return refused('invalid_format', aNumber(field))
    const value = Number(text)
    if (Number.isFinite(value)) return readFloat(value, field)
    const bounds = { minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE, ...field }
    return refused('out_of_range', aNumber(bounds))
  },
  write: (value) => {
    if (Number.isFinite(value)) return value
    throw new Unrepresentable('a number that JSON cannot represent')
  },
})

const bigintBounds = ({ minimum = -(2n ** 63n), maximum = 2n ** 63n - 1n }: KindField) => ({
  minimum: BigInt(minimum),
  maximum: BigInt(maximum),
})

const expectedBigint = (field: KindField): string => anInteger(bigintBounds(field))

const readBigint = (value: unknown, field: KindField): Reading => {
  if (typeof value === 'bigint') return withinBounds(value, field)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return withinBounds(BigInt(value), field)
  return typeof value === 'string'
    ? readBigintText(value, field)
    : refused('wrong_type', expectedBigint(field))
}

const readBigintText = (text: string, field: KindField): Reading => {
  if (!integerForm.test(text)) return refused('invalid_format', expectedBigint(field))
  // No column holds this many digits, and a bigint of a megabyte is expensive.
  return text.length > 100
    ? refused('out_of_range', expectedBigint(field))
    : withinBounds(BigInt(text), field)
}

const withinBounds = (value: bigint, field: KindField): Reading => {
  const { minimum, maximum } = bigintBounds(field)
  if (value < minimum || value > maximum) return refused('out_of_range', expectedBigint(field))
  return accepted(field.form === 'string' ? String(value) : value)
}

/** A regular expression for the integers from 1 to `most`. */
const upTo = (most: bigint): string => {
  const digits = String(most)
  const shorter = digits.length > 1 ? [`[1-9]\\d{0,${digits.length - 2}}`] : []
  return `(?:${[...shorter, ...notAbove(digits, 1)].join('|')})`
}

/**
 * Patterns for the numbers with as many digits as `digits` that are at most `digits` and whose first digit is at least
 * `least`.
 */
const notAbove = (digits: string, least: number): readonly string[] => {
  const first = Number(digits[0])
  const rest = digits.slice(1)
  if (rest === '') return [`[${least}-${first}]`]
  const below = first > least ? [`[${least}-${first - 1}]\\d{${rest.length}}`] : []
  return [...below, `${first}(?:${notAbove(rest, 0).join('|')})`]
}

const bigintPattern = onceFor((field: KindField): string => {
  const { minimum, maximum } = bigintBounds(field)
  if (minimum >= 0n) return `^(?:0|${upTo(maximum)})$`
  // Two's complement has one more negative number. A separate alternative for it halves the pattern.
  if (-minimum === maximum + 1n) return `^(?:0|-?${upTo(maximum)}|${minimum})$`
  return `^(?:0|${upTo(maximum)}|-${upTo(-minimum)})$`
})

export const bigintKind: KindRow = Object.freeze<KindRow>({
  ...comparison.order,
  compare: comparedBy((value) => BigInt(String(bigintKind.write(value, shortest)))),
  noun: 'an integer',
  schema: (field) => ({
    type: 'string',
    pattern: bigintPattern(field),
    description: `${expectedBigint(field).replace(/^a/, 'A')}, as a string.`,
  }),
  read: readBigint,
  readText: readBigintText,
  write: (value) => {
    if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
    if (typeof value === 'string' && integerForm.test(value)) return value
    throw new Unrepresentable('an integer that JavaScript cannot represent exactly')
  },
  otherJson: otherForm,
  writesAsIs: ({ form }) => form === 'string',
})
