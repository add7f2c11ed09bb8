import { ownValue } from '../../model/objects.ts'
import { type Sql, sql } from './text.ts'

/** Types of single precision. `float` is one of double precision in PostgreSQL. */
const singles: Readonly<Record<string, readonly string[]>> = {
  ...{ pg: ['real', 'float4'], mysql: ['float', 'float4'], mariadb: ['float', 'float4'] },
}

const MOST_DIGITS_OF_A_SINGLE = 9

/** The shortest number with the same 32-bit value: 0.1, not 0.10000000149011612. */
export const readSingle = (raw: unknown): number => {
  const value = Number(raw)
  for (let digits = 1; digits < MOST_DIGITS_OF_A_SINGLE; digits += 1) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return Number(value.toPrecision(MOST_DIGITS_OF_A_SINGLE))
}

/** MySQL compares a column with all digits of a number. Those beyond single precision are compared and refused unchanged. */
export const nearestSingle = (value: unknown): unknown => {
  const single = Math.fround(Number(value))
  return Number.isFinite(single) ? single : value
}

/** PostgreSQL would refuse the digits of a larger number, but reads infinity, which drivers accept as text. */
export const pgSingle = (value: unknown): unknown => {
  const single = Math.fround(Number(value))
  return Number.isFinite(single) ? single : String(single)
}

/** PostgreSQL would store the infinity. */
const isSingle = (value: unknown): boolean => Number.isFinite(Math.fround(Number(value)))

/** In MySQL, the text of a single has only six digits. */
const inDouble = (column: Sql): Sql => sql`(${column} + 0e0)`

interface Conversion {
  readonly selected: (column: Sql) => Sql
  readonly decode: (raw: unknown) => unknown
  readonly param: (value: unknown) => unknown
  readonly fits?: (value: unknown) => boolean
}

/** A conversion whose values are found by what is shown of them, also where the column has single precision. */
export const withSingles = <Of extends Conversion>(
  conversion: Of,
  { field, type }: { readonly field: { readonly kind: string }; readonly type: string },
  family: string,
): Of => {
  if (field.kind !== 'float' || ownValue(singles, family)?.includes(type) !== true) return conversion
  const { selected, decode, param } = conversion
  if (family === 'pg')
    return {
      ...conversion,
      param: (value) => pgSingle(param(value)),
      fits: (value) => isSingle(param(value)),
    }
  return {
    ...conversion,
    selected: (column) => selected(inDouble(column)),
    decode: (raw) => decode(readSingle(raw)),
    param: (value) => nearestSingle(param(value)),
  }
}
