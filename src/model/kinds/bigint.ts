import { accepted, type KindField, type KindRow, type Reading, refused, Unrepresentable } from '../codec.ts'
import { onceFor } from '../once-for.ts'
import { otherForm } from './decimal-text.ts'

const plainForm = /^(?:0|-?[1-9]\d*)$/

const boundsOf = ({ minimum = -(2n ** 63n), maximum = 2n ** 63n - 1n }: KindField) => ({
  minimum: BigInt(minimum),
  maximum: BigInt(maximum),
})

const expected = (field: KindField): string => {
  const { minimum, maximum } = boundsOf(field)
  return `a whole number from ${minimum} to ${maximum}`
}

const read = (value: unknown, field: KindField): Reading => {
  if (typeof value === 'bigint') return within(value, field)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return within(BigInt(value), field)
  return typeof value === 'string' ? readText(value, field) : refused('wrong_type', expected(field))
}

const readText = (text: string, field: KindField): Reading => {
  if (!plainForm.test(text)) return refused('invalid_format', expected(field))
  // No column holds so many digits: do not build a number of a megabyte.
  return text.length > 100 ? refused('out_of_range', expected(field)) : within(BigInt(text), field)
}

const within = (value: bigint, field: KindField): Reading => {
  const { minimum, maximum } = boundsOf(field)
  if (value < minimum || value > maximum) return refused('out_of_range', expected(field))
  return accepted(field.form === 'string' ? String(value) : value)
}

/** A regular expression for the whole numbers from 1 to `most`, which has no leading zero. */
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

const patternOf = onceFor((field: KindField): string => {
  const { minimum, maximum } = boundsOf(field)
  if (minimum >= 0n) return `^(?:0|${upTo(maximum)})$`
  // Two's complement has one more number below zero: naming it apart halves the pattern.
  if (-minimum === maximum + 1n) return `^(?:0|-?${upTo(maximum)}|${minimum})$`
  return `^(?:0|${upTo(maximum)}|-${upTo(-minimum)})$`
})

export const bigint: KindRow = Object.freeze<KindRow>({
  comparable: true,
  ordered: true,
  textual: false,
  noun: 'a whole number',
  schema: (field) => ({
    type: 'string',
    pattern: patternOf(field),
    description: `${expected(field).replace(/^a/, 'A')}, as a string.`,
  }),
  read,
  readText,
  write: (value) => {
    if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
    if (typeof value === 'string' && plainForm.test(value)) return value
    throw new Unrepresentable('a whole number that its form cannot hold exactly')
  },
  otherJson: otherForm,
  writesAsIs: ({ form }) => form === 'string',
})
