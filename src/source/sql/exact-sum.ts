import { AVERAGE_DIGITS } from '../../query/aggregate-kinds.ts'
import { unitsOf } from '../../query/aggregate-rows.ts'
import { SourceError } from '../source.ts'
import type { BoundField } from './bound-table.ts'
import { itself } from './codecs.ts'
import type { Database } from './database.ts'
import type { ExactSum, Figure } from './figures.ts'
import { sumInSqlite } from './sqlite-sum.ts'
import type { Column } from './table.ts'
import { type Sql, sql } from './text.ts'
import { plainFacts } from './types.ts'

/** @throws SourceError `type` for a column whose values the database cannot sum exactly */
export const exactSum = ({ dialect }: Database, bound: BoundField): ExactSum => {
  const { field, column } = bound
  const { stored, isMapped } = column
  const isSame = stored.kind === field.kind || (isWhole(stored.kind) && isWhole(field.kind))
  if (!isSame || isMapped === true) throw notSummed(bound)
  if (dialect !== 'sqlite') return inNumeric(bound, dialect === 'pg')
  const sum = sumInSqlite(bound)
  if (sum === undefined) throw notSummed(bound)
  return sum
}

const isWhole = (kind: string): boolean => kind === 'integer' || kind === 'bigint'

const notSummed = ({ field }: BoundField): SourceError =>
  new SourceError('type', {
    fields: [field.name],
    cause: new Error(`The database cannot sum the values of ${field.name} exactly.`),
  })

/** PostgreSQL and MySQL have decimals. */
const inNumeric = (bound: BoundField, isPg: boolean): ExactSum => {
  const { name, field } = bound
  const { scale } = field
  const sum = sql`sum(${name})`
  const figures = isPg ? pgFigures(sum) : mysqlFigures(sum, bound)
  return {
    columns: [isPg ? sql`${sum}::text` : sql`cast(${sum} as char)`],
    sum: figures.sum,
    average: figures.average,
    read: ([value]) => {
      const text = String(value)
      // PostgreSQL has decimals that are not a number, or infinite.
      if (!/^-?\d/.test(text)) throw new SourceError('unrepresentable', { fields: [field.name] })
      return unitsOf(text, scale)
    },
  }
}

type Figures = Pick<ExactSum, 'sum' | 'average'>

const decimal = plainFacts('decimal')

const figureOf = (name: Sql, codec: Partial<Column['codec']>): Figure => ({
  keys: [name],
  compared: () => ({
    ...{ name, codec: { encode: itself, encodeCompared: itself, ...codec }, stored: decimal },
  }),
})

const pgFigures = (sum: Sql): Figures => {
  const numeric = sql`${sum}::numeric`
  const comparedSlot = (slot: Sql): Sql => sql`${slot}::numeric`
  // A numeric without a scale has as many digits as its values.
  const scale = sql`(scale(${numeric}) + ${sql.raw(String(AVERAGE_DIGITS))})`
  return {
    sum: { ...figureOf(numeric, { comparedSlot }), keys: [sum] },
    average: (count) =>
      figureOf(
        sql`${roundedUnits(sql`${numeric} * power(10::numeric, ${scale})`, count)} * power(10::numeric, -${scale})`,
        { comparedSlot },
      ),
  }
}

/** The digits of a decimal of MySQL, which takes a larger one for the largest, and those of a number of records. */
const MOST_DIGITS = 65
const COUNT_DIGITS = 12

const mysqlFigures = (sum: Sql, bound: BoundField): Figures => {
  const { scale = 0, precision = 20 } = bound.field.kind === 'decimal' ? bound.field : {}
  const isWide = precision + AVERAGE_DIGITS + COUNT_DIGITS > MOST_DIGITS
  const inUnits = (value: unknown, digits: number): string => {
    const { units } = unitsOf(String(value), digits)
    if (isWide || String(units).length > MOST_DIGITS) throw notSummed(bound)
    return String(units)
  }
  const digits = scale + AVERAGE_DIGITS
  return {
    sum: figureOf(sum, {
      encodeCompared: (value) => {
        if (value !== null) inUnits(value, scale)
        return value
      },
      comparedSlot: (slot) => sql`cast(${slot} as decimal(65, ${sql.raw(String(scale))}))`,
    }),
    average: (count) =>
      figureOf(roundedUnits(sql`${sum} * ${sql.raw(`1${'0'.repeat(digits)}`)}`, count), {
        encodeCompared: (value) => (value === null ? null : inUnits(value, digits)),
        comparedSlot: (slot) => sql`cast(${slot} as decimal(65, 0))`,
      }),
  }
}

/** Exact, because what is divided has no remainder. @param units a sum in units of the last digit of its average */
const roundedUnits = (units: Sql, count: Sql): Sql => {
  const [dividend, divisor] = [sql`(abs(${units}) * 2 + ${count})`, sql`(${count} * 2)`]
  return sql`(sign(${units}) * ((${dividend} - ${dividend} % ${divisor}) / ${divisor}))`
}
