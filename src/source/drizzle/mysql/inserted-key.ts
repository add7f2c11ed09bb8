import { is, SQL } from 'drizzle-orm'
import type { BoundField, BoundTable } from '../bound-table.ts'
import type { Writes } from '../writes.ts'
import { countsUp } from './known-keys.ts'

/** A part of a key: its value as the driver takes it, or the number that the database has counted up to. */
export type KeyPart = { readonly value: unknown } | 'counted'

/** What was written to the columns of the key. @param before the key of a record that was there already */
export const writtenKey = (
  { key, model }: BoundTable,
  { columns, values }: Writes,
  before?: readonly unknown[],
): readonly KeyPart[] => {
  const given = new Map<BoundField, unknown>()
  for (const { bound, expression } of columns)
    if (expression === undefined) given.set(bound, values[given.size])
  return key.map((bound, place) => {
    const value = given.get(bound)
    if (value !== undefined && value !== null && !is(value, SQL)) return { value }
    const isWritten = columns.some((written) => written.bound === bound)
    if (!isWritten && before !== undefined) return { value: bound.encodeCompared(before[place]) }
    if (countsUp(bound.column) && (!isWritten || value === null)) return 'counted'
    const { default: constant } = bound.column
    if (constant !== undefined && !is(constant, SQL)) return { value: bound.encode(constant) }
    throw new Error(`The database made the key of ${model.name} and does not say what it is.`)
  })
}
