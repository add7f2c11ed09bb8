import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import { canonical, plainNotation } from '../../../model/kinds/decimal-text.ts'
import type { TypedField } from '../column-facts.ts'

/** Digits of the largest decimal, and of those after its point. */
const MOST_DIGITS = 65
const MOST_SCALE = 30

/** One more digit than the column has: what is between two of its values stays between them. */
const scaleBeside = ({ scale = 0 }: TypedField): number => Math.min(scale + 1, MOST_SCALE)

/** A text is compared with a decimal as a float, which is not exact. */
export const decimalSlot = (field: TypedField, slot: SQLChunk): SQL =>
  sql`cast(${slot} as decimal(${sql.raw(`${MOST_DIGITS}, ${scaleBeside(field)}`)}))`

/** A number that compares with all values of a decimal column as the given one does, and fits into the cast. */
export const comparedDecimal =
  (field: TypedField) =>
  (value: unknown): unknown => {
    const plain = plainNotation(String(value))
    if (plain === undefined) return value
    const scale = scaleBeside(field)
    const sign = plain.startsWith('-') ? '-' : ''
    const [whole = '', fraction = ''] = canonical(plain.replace('-', ''), 0).split('.')
    const wholeDigits = Math.min((field.precision ?? 10) - (field.scale ?? 0), MOST_DIGITS - scale - 1)
    if (whole.length > wholeDigits && whole !== '0') return `${sign}1${'0'.repeat(wholeDigits)}`
    return `${sign}${whole}.${between(fraction, scale)}`
  }

/** Cut off, but not down to a value that the column may have. */
const between = (fraction: string, scale: number): string => {
  const kept = fraction.slice(0, scale)
  const isExact = /^0*$/.test(fraction.slice(scale))
  if (isExact || !kept.endsWith('0')) return kept.padEnd(1, '0')
  return `${kept.slice(0, -1)}1`
}
