import { unitsOf } from '../../query/aggregate-rows.ts'
import { SourceError } from '../source.ts'
import type { BoundField } from './bound-table.ts'
import type { Database } from './database.ts'
import { type Sql, sql } from './text.ts'

/** How a database sums integers or decimals without losing a digit. */
interface ExactSum {
  /** Selected for the sum. Each is null if there are no values. */
  readonly columns: readonly Sql[]
  /** Sorts by the sum. */
  readonly keys: readonly Sql[]
  /** Sorts by the average, to four digits more than those of the sum. */
  averageKeys(count: Sql): readonly Sql[]
  /** The sum from the selected values, in units of the last of its digits. */
  read(values: readonly unknown[]): { readonly units: bigint; readonly digits: number }
}

/** @throws SourceError `type` for a column whose values the database cannot sum exactly */
export const exactSum = ({ dialect }: Database, bound: BoundField): ExactSum => {
  const { field, column } = bound
  const { stored, isMapped } = column
  const isSame = stored.kind === field.kind || (isWhole(stored.kind) && isWhole(field.kind))
  if (!isSame || isMapped === true) throw notSummed(bound)
  return dialect === 'sqlite' ? inSqlite(bound) : inNumeric(bound, dialect === 'pg')
}

/** Digits of an average after those of the field. */
const MORE_DIGITS = 4

const isWhole = (kind: string): boolean => kind === 'integer' || kind === 'bigint'

const notSummed = ({ field }: BoundField): SourceError =>
  new SourceError('type', {
    fields: [field.name],
    cause: new Error(`The database cannot sum the values of ${field.name} exactly.`),
  })

/** PostgreSQL and MySQL have decimals. */
const inNumeric = ({ name, field }: BoundField, isPg: boolean): ExactSum => {
  const { scale } = field
  const sum = sql`sum(${name})`
  return {
    columns: [isPg ? sql`${sum}::text` : sql`cast(${sum} as char)`],
    keys: [sum],
    averageKeys: (count) => {
      // A quotient of PostgreSQL has the digits of its dividend, or 16 in total.
      const dividend = isPg ? sql`${sum}::numeric * 1.${sql.raw('0'.repeat(MORE_DIGITS))}` : sum
      return [sql`round(${dividend} / ${count}, ${sql.raw(String(Math.max(scale ?? 0, 0) + MORE_DIGITS))})`]
    },
    read: ([value]) => {
      const text = String(value)
      // PostgreSQL has decimals that are not a number, or infinite.
      if (!/^-?\d/.test(text)) throw new SourceError('unrepresentable', { fields: [field.name] })
      return unitsOf(text, scale)
    },
  }
}

/** SQLite sums 64-bit integers at most, so values are summed in parts, the highest of which has the sign. */
interface Parts {
  readonly parts: readonly Sql[]
  readonly base: bigint
}

const inSqlite = (bound: BoundField): ExactSum => {
  const { parts, base } = partsIn(bound)
  const digits = bound.field.kind === 'decimal' ? (bound.column.decimal?.scale ?? 0) : 0
  const size = sql.raw(String(base))
  // What is carried from the lower parts: all except the first are positive.
  const keys = normalized(parts, size)
  return {
    columns: parts.map((part) => sql`cast(${part} as text)`),
    keys,
    averageKeys: (count) => dividedBy(count, keys, size),
    read: (values) => ({
      units: values.reduce<bigint>((sum, value) => sum * base + BigInt(String(value)), 0n),
      digits,
    }),
  }
}

/** Carries what is too large for a part to the next higher one. All parts except the highest are positive. */
const normalized = (parts: readonly Sql[], size: Sql): readonly Sql[] =>
  parts.reduceRight<{ readonly keys: readonly Sql[]; readonly carried?: Sql }>(
    ({ keys, carried }, part, at) => {
      const whole = carried === undefined ? part : sql`(${part} + ${carried})`
      if (at === 0) return { keys: [whole, ...keys] }
      return { keys: [sql`${whole} % ${size}`, ...keys], carried: sql`${whole} / ${size}` }
    },
    { keys: [] },
  ).keys

/** Long division: the quotient of each part, and four more digits. */
const dividedBy = (count: Sql, parts: readonly Sql[], size: Sql): readonly Sql[] => {
  const quotients: Sql[] = []
  let rest: Sql | undefined
  for (const part of parts) {
    const dividend: Sql = rest === undefined ? sql`(${part})` : sql`(${rest} * ${size} + ${part})`
    const isFirst = rest === undefined
    // Divisions round toward zero, and the first part may be negative.
    rest = isFirst ? sql`((${dividend} % ${count} + ${count}) % ${count})` : sql`(${dividend} % ${count})`
    quotients.push(isFirst ? sql`(${dividend} - ${rest}) / ${count}` : sql`${dividend} / ${count}`)
  }
  const most = sql.raw(String(2 * 10 ** MORE_DIGITS))
  return [...quotients, sql`(${rest} * ${most} + ${count}) / (2 * ${count})`]
}

/** Nine digits: their sum fits in 64 bits for nine billion records. */
const DIGITS = 9

const partsIn = (bound: BoundField): Parts => {
  const { name, column, field, ordered } = bound
  const { units, scale } = column.decimal ?? {}
  if (typeof units === 'object') return partsOfText(name, units.precision)
  if (units === 'number' || field.kind !== 'decimal') return halves(ordered(name))
  // At most 15 digits, which floating-point numbers keep. Without a scale, their place is not known.
  if (scale === undefined) throw notSummed(bound)
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
