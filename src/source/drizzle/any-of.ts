import { type SQL, type SQLChunk, sql } from 'drizzle-orm'

/** A list of values as one parameter, so that a statement does not grow with it. */
export interface AnyOf {
  /** `undefined`: there are values among them that have no exact text in it. */
  toParameter(values: readonly unknown[]): string | undefined
  /** Whether a side is any of the values in the slot. */
  sql(side: SQLChunk, slot: SQLChunk): SQL
}

/** Numbers with a fraction, which SQLite reads a digit short, and blobs have no place in its JSON. */
const isExactInJson = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value)

export const sqliteAnyOf: AnyOf = {
  toParameter: (values) => (values.every(isExactInJson) ? JSON.stringify(values) : undefined),
  sql: (side, slot) => sql`${side} in (select value from json_each(${slot}))`,
}

const plain: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean'])

/** An array as PostgreSQL writes one; what it is an array of follows from the column. */
export const pgAnyOf: AnyOf = {
  toParameter: (values) =>
    values.every((value) => plain.has(typeof value))
      ? `{${values.map((value) => `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`).join()}}`
      : undefined,
  sql: (side, slot) => sql`${side} = any (${slot})`,
}
