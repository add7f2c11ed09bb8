import { accepted, type KindField, type KindRow, type Reading, refused, Unrepresentable } from '../codec.ts'
import { never } from './row.ts'

/** The bounds of an integer: those of its column, within what a JavaScript number holds exactly. */
export const integerBounds = ({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
}: KindField): { readonly minimum: number; readonly maximum: number } => ({
  minimum: Math.max(Number(minimum), Number.MIN_SAFE_INTEGER),
  maximum: Math.min(Number(maximum), Number.MAX_SAFE_INTEGER),
})

const INT32 = 2 ** 31

const wholeNumber = (field: KindField): string => {
  const { minimum, maximum } = integerBounds(field)
  return `a whole number from ${minimum} to ${maximum}`
}

const readInteger = (value: unknown, field: KindField): Reading => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return refused('wrong_type', wholeNumber(field))
  const { minimum, maximum } = integerBounds(field)
  return value < minimum || value > maximum ? refused('out_of_range', wholeNumber(field)) : accepted(value)
}

export const integer: KindRow = Object.freeze<KindRow>({
  comparable: true,
  ordered: true,
  textual: false,
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
    /^(?:0|-?[1-9]\d*)$/.test(text)
      ? readInteger(Number(text), field)
      : refused('invalid_format', wholeNumber(field)),
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

/** What a double holds, where the column does not say less. */
const doubleBounds = (field: KindField): KindField => ({
  minimum: -Number.MAX_VALUE,
  maximum: Number.MAX_VALUE,
  ...field,
})

const readFloat = (value: unknown, field: KindField): Reading => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return refused('wrong_type', aNumber(field))
  const { minimum = value, maximum = value } = field
  return value < minimum || value > maximum ? refused('out_of_range', aNumber(field)) : accepted(value)
}

export const float: KindRow = Object.freeze<KindRow>({
  comparable: true,
  ordered: true,
  textual: false,
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
    return Number.isFinite(value)
      ? readFloat(value, field)
      : refused('out_of_range', aNumber(doubleBounds(field)))
  },
  write: (value) => {
    if (Number.isFinite(value)) return value
    throw new Unrepresentable('a number that JSON has no form for')
  },
  writesAsIs: never,
})
