import { AVERAGE_DIGITS } from '../../query/aggregate-kinds.ts'
import { unitsOf } from '../../query/aggregate-rows.ts'
import type { BoundField } from './bound-table.ts'
import type { Compared, ExactSum } from './figures.ts'
import { type Sql, sql } from './text.ts'
import { plainFacts } from './types.ts'

/** SQLite sums 64-bit integers at most, so values are summed in parts, the highest of which has the sign. */
interface Parts {
  readonly parts: readonly Sql[]
  readonly base: bigint
}

/** @returns `undefined` for a decimal without a scale */
export const sumInSqlite = (bound: BoundField): ExactSum | undefined => {
  const summed = partsIn(bound)
  if (summed === undefined) return undefined
  const { parts, base } = summed
  const digits = bound.field.kind === 'decimal' ? (bound.column.decimal?.scale ?? 0) : 0
  const bases = parts.slice(1).map(() => base)
  const keys = normalized(parts, bases)
  return {
    columns: parts.map((part) => sql`cast(${part} as text)`),
    sum: { keys, compared: () => comparedAsText(keys, { bases, digits }) },
    average: (count) => {
      const finer = { bases: [...bases, 10n ** BigInt(AVERAGE_DIGITS)], digits: digits + AVERAGE_DIGITS }
      const places = average(parts, { count, isNegative: sql`(${keys[0]} < 0)`, bases: finer.bases })
      return { keys: places, compared: () => comparedAsText(places, finer) }
    },
    read: (values) => ({
      units: values.reduce<bigint>((sum, value) => sum * base + BigInt(String(value)), 0n),
      digits,
    }),
  }
}

/**
 * Carries what is too large for a part to the next higher one. All parts except the highest are positive.
 *
 * @param bases of all parts except the highest
 */
const normalized = (parts: readonly Sql[], bases: readonly bigint[]): readonly Sql[] =>
  parts.reduceRight<{ readonly keys: readonly Sql[]; readonly carried?: Sql }>(
    ({ keys, carried }, part, at) => {
      const whole = carried === undefined ? part : sql`(${part} + ${carried})`
      if (at === 0) return { keys: [whole, ...keys] }
      const size = sql.raw(String(bases[at - 1]))
      return { keys: [sql`${whole} % ${size}`, ...keys], carried: sql`${whole} / ${size}` }
    },
    { keys: [] },
  ).keys

/** Long division of twice the sum, with more digits, by twice the count: so the last digit is rounded, half away from zero. */
const average = (
  parts: readonly Sql[],
  {
    count,
    isNegative,
    bases,
  }: { readonly count: Sql; readonly isNegative: Sql; readonly bases: readonly bigint[] },
): readonly Sql[] => {
  const divisor = sql`(${count} * 2)`
  const [first, ...others] = normalized(
    [...parts.map((part) => sql`(${part} * 2)`), sql`(${count} - ${isNegative})`],
    bases,
  )
  // Divisions round toward zero, and the first part may be negative.
  let rest = sql`((${first} % ${divisor} + ${divisor}) % ${divisor})`
  const quotients = [sql`(${first} - ${rest}) / ${divisor}`]
  others.forEach((part, at) => {
    const dividend = sql`(${rest} * ${sql.raw(String(bases[at]))} + ${part})`
    quotients.push(sql`${dividend} / ${divisor}`)
    rest = sql`(${dividend} % ${divisor})`
  })
  return quotients
}

/** Makes the highest part positive. */
const OFFSET = 2n ** 62n
const FIRST_WIDTH = 19
const WIDTH = 10

/** Sorts before and after all digits. */
const [BELOW_ALL, ABOVE_ALL] = ['', '~']

/** Parts as one text, which is ordered as the number is. */
const comparedAsText = (
  keys: readonly Sql[],
  { bases, digits }: { readonly bases: readonly bigint[]; readonly digits: number },
): Compared => {
  const [first, ...others] = keys
  const widths = [FIRST_WIDTH, ...others.map(() => WIDTH)].map((width) => `%0${width}d`).join('')
  const values = sql.join([sql`${first} + ${sql.raw(String(OFFSET))}`, ...others], sql`, `)
  const encode = (value: unknown): unknown => (value === null ? null : textOf(String(value), bases, digits))
  return {
    name: sql`case when ${first} is not null then printf('${sql.raw(widths)}', ${values}) end`,
    codec: { encode, encodeCompared: encode },
    stored: plainFacts('text'),
  }
}

/** @param decimal with at most `digits` digits after the point, as conditions have it */
const textOf = (decimal: string, bases: readonly bigint[], digits: number): string => {
  let rest = unitsOf(decimal, digits).units
  const others = bases.toReversed().map((base) => {
    const part = ((rest % base) + base) % base
    rest = (rest - part) / base
    return String(part).padStart(WIDTH, '0')
  })
  const first = String(rest + OFFSET).padStart(FIRST_WIDTH, '0')
  if (first.startsWith('-')) return BELOW_ALL
  return first.length > FIRST_WIDTH ? ABOVE_ALL : first + others.toReversed().join('')
}

/** Nine digits: their sum fits in 64 bits for nine billion records. */
const DIGITS = 9

const partsIn = (bound: BoundField): Parts | undefined => {
  const { name, column, field, ordered } = bound
  const { units, scale } = column.decimal ?? {}
  if (typeof units === 'object') return partsOfText(name, units.precision)
  if (units === 'number' || field.kind !== 'decimal') return halves(ordered(name))
  // At most 15 digits, which floating-point numbers keep. Without a scale, their place is not known.
  if (scale === undefined) return undefined
  return halves(sql`cast(round(${name} * 1e${sql.raw(String(scale))}) as integer)`)
}

const halves = (value: Sql): Parts => ({
  parts: [sql`sum(${value} >> 32)`, sql`sum(${value} & 4294967295)`],
  base: 2n ** 32n,
})

/** The text of the digits plus 10^precision, as `decimal` stores them. */
const partsOfText = (name: Sql, precision: number): Parts => {
  const width = precision + 1
  const first = width % DIGITS || DIGITS
  const lengths = [first, ...Array.from({ length: (width - first) / DIGITS }, () => DIGITS)]
  const parts = lengths.map((length, at) => {
    const start = at === 0 ? 1 : first + (at - 1) * DIGITS + 1
    const sum = sql`sum(cast(substr(${name}, ${sql.raw(`${start}, ${length}`)}) as integer))`
    // Null, unless there are values.
    return at === 0 ? sql`(${sum} - count(${name}) * ${sql.raw(`1${'0'.repeat(first - 1)}`)})` : sum
  })
  return { parts, base: 10n ** BigInt(DIGITS) }
}
