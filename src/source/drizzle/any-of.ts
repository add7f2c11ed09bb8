import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import { kinds } from '../../model/kinds/index.ts'
import type { TypedField } from './column-types.ts'

/** A list of values as one parameter, so that a statement does not grow with it. */
export interface AnyOf {
  /** `undefined`: there are values among them that have no exact text in it. */
  toParameter(values: readonly unknown[], stored: TypedField): string | undefined
  /** Whether a column is any of the values in the slot. */
  sql(column: ListedColumn, slot: SQLChunk): SQL
}

/** A column that is asked about. */
interface ListedColumn {
  readonly compared: SQLChunk
  /** Of text: the column as it compares byte for byte, where it does not by itself. */
  readonly exact: SQL | undefined
}

/** Asked twice where the column's own comparison takes more as equal: once so that its index serves, once byte for byte. */
const bothWays =
  (isAny: (side: SQLChunk, slot: SQLChunk) => SQL): AnyOf['sql'] =>
  ({ compared, exact }, slot) =>
    exact === undefined ? isAny(compared, slot) : sql`(${isAny(compared, slot)} and ${isAny(exact, slot)})`

/** Numbers with a fraction, which SQLite reads a digit short, and blobs have no place in its JSON. */
const isExactInJson = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value)

export const sqliteAnyOf: AnyOf = {
  toParameter: (values) => (values.every(isExactInJson) ? JSON.stringify(values) : undefined),
  sql: bothWays((side, slot) => sql`${side} in (select value from json_each(${slot}))`),
}

const plain: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean'])

/** An array as PostgreSQL writes one; what it is an array of follows from the column. */
export const pgAnyOf: AnyOf = {
  toParameter: (values) =>
    values.every((value) => plain.has(typeof value))
      ? `{${values.map((value) => `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`).join()}}`
      : undefined,
  sql: bothWays((side, slot) => sql`${side} = any (${slot})`),
}

/** Text is compared byte for byte alone: two columns of different collations cannot be compared by their own. */
export const mysqlAnyOf: AnyOf = {
  toParameter: (values, { kind }) => {
    const isExact = kinds[kind].textual
      ? (value: unknown) => typeof value === 'string'
      : (value: unknown) => kind === 'integer' && Number.isSafeInteger(value)
    return values.every(isExact) ? JSON.stringify(values) : undefined
  },
  sql: ({ compared, exact }, slot) =>
    exact === undefined
      ? sql`${compared} in (select value from json_table(${slot}, '$[*]' columns (value bigint path '$')) as listed)`
      : sql`${exact} in (select cast(value as binary) from json_table(${slot}, '$[*]' columns (value longtext path '$')) as listed)`,
}
