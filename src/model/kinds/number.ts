import {
  accepted,
  comparison,
  type KindField,
  type KindRow,
  type Reading,
  refused,
  Unrepresentable,
} from '../codec.ts'
import { onceFor } from '../objects.ts'
import { otherForm } from './decimal.ts'

/** The bounds of an integer: those of its column, within what a JavaScript number holds exactly. */
export const integerBounds = ({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
}: KindField): { readonly minimum: number; readonly maximum: number } => ({
  minimum: Math.max(Number(minimum), Number.MIN_SAFE_INTEGER),
  maximum: Math.min(Number(maximum), Number.MAX_SAFE_INTEGER),
})

const INT32 = 2 ** 31
const wholeForm = /^(?:0|-?[1-9]\d*)$/

type Bounds = Required<Pick<KindField, 'minimum' | 'maximum'>>

const wholeNumber = ({ minimum, maximum }: Bounds): string => `a whole number from ${minimum} to ${maximum}`

const readInteger = (value: unknown, field: KindField): Reading => {
  const bounds = integerBounds(field)
  if (typeof value !== 'number' || !Number.isInteger(value)) return refused('wrong_type', wholeNumber(bounds))
  const isWithin = value >= bounds.minimum && value <= bounds.maximum
  return isWithin ? accepted(value) : refused('out_of_range', wholeNumber(bounds))
}

export const integer: KindRow = Object.freeze<KindRow>({
  ...comparison.order,
  noun: 'a whole number',
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
    wholeForm.test(text)
      ? readInteger(Number(text), field)
      : refused('invalid_format', wholeNumber(integerBounds(field))),
  write: (value) => {
    if (Number.isSafeInteger(value)) return value
    throw new Unrepresentable('a whole number that its form cannot hold exactly')
  },
  // A column whose type reaches as far as a number does may hold more (a 64-bit one read as a number).
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

export const float: KindRow = Object.freeze<KindRow>({
  ...comparison.order,
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
    throw new Unrepresentable('a number that JSON has no form for')
  },
})

const bigintBounds = ({ minimum = -(2n ** 63n), maximum = 2n ** 63n - 1n }: KindField) => ({
  minimum: BigInt(minimum),
  maximum: BigInt(maximum),
})

const expectedBigint = (field: KindField): string => wholeNumber(bigintBounds(field))

const readBigint = (value: unknown, field: KindField): Reading => {
  if (typeof value === 'bigint') return withinBounds(value, field)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return withinBounds(BigInt(value), field)
  return typeof value === 'string'
    ? readBigintText(value, field)
    : refused('wrong_type', expectedBigint(field))
}

const readBigintText = (text: string, field: KindField): Reading => {
  if (!wholeForm.test(text)) return refused('invalid_format', expectedBigint(field))
  // No column holds so many digits: do not build a number of a megabyte.
  return text.length > 100
    ? refused('out_of_range', expectedBigint(field))
    : withinBounds(BigInt(text), field)
}

const withinBounds = (value: bigint, field: KindField): Reading => {
  const { minimum, maximum } = bigintBounds(field)
  if (value < minimum || value > maximum) return refused('out_of_range', expectedBigint(field))
  return accepted(field.form === 'string' ? String(value) : value)
}

/** A regular expression for the whole numbers from 1 to `most`. */
const upTo = (most: bigint): string => {
  const digits = String(most)
  const shorter = digits.length > 1 ? [`[1-9]\\d{0,${digits.length - 2}}`] : []
  return `(?:${[...shorter, ...notAbove(digits, 1)].join('|')})`
}

/** Texts of as many digits that are not above them, the first digit at least `least`. */
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
  // Two's complement has one more number below zero: naming it apart halves the pattern.
  if (-minimum === maximum + 1n) return `^(?:0|-?${upTo(maximum)}|${minimum})$`
  return `^(?:0|${upTo(maximum)}|-${upTo(-minimum)})$`
})

export const bigint: KindRow = Object.freeze<KindRow>({
  ...comparison.order,
  noun: 'a whole number',
  schema: (field) => ({
    type: 'string',
    pattern: bigintPattern(field),
    description: `${expectedBigint(field).replace(/^a/, 'A')}, as a string.`,
  }),
  read: readBigint,
  readText: readBigintText,
  write: (value) => {
    if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
    if (typeof value === 'string' && wholeForm.test(value)) return value
    throw new Unrepresentable('a whole number that its form cannot hold exactly')
  },
  otherJson: otherForm,
  writesAsIs: ({ form }) => form === 'string',
})
