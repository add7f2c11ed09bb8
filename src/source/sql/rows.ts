import { Unrepresentable } from '../../model/codec.ts'
import type { Field, Model } from '../../model/model.ts'
import { type Row, SourceError } from '../source.ts'
import type { BoundField } from './bound-table.ts'
import type { RawRow } from './database.ts'

/** A value of another table, or one that was computed. */
export interface NamedField {
  readonly name: string
  readonly bound: BoundField
}

/** Reads rows of these fields, including the primary key, and of values with other names. The same order in every record lets V8 use one object shape. */
export const rowReader = (
  model: Model,
  own: readonly BoundField[],
  others: readonly NamedField[] = [],
): ((raw: RawRow) => Row) => {
  const fields = [...own, ...others.map(({ bound }) => bound)]
  const names = [...own.map(({ field }) => field.name), ...others.map(({ name }) => name)]
  const decoders = fields.map(({ column }) => column.codec.decode)
  const count = names.length
  // A copy has all fields at once, which takes less time and memory than to add them one by one.
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(names.map((name) => [name, null]))
  return (raw) => {
    const row: Record<string, unknown> = { ...empty }
    let place = 0
    try {
      for (; place < count; place += 1) {
        const value = raw[place]
        const decode = decoders[place]
        row[names[place] as string] = decode === undefined || value === null ? value : decode(value)
      }
    } catch (error) {
      const key = model.primaryKey.map((name) => String(raw[names.indexOf(name)])).join(',')
      throw unrepresentable(`${model.name} ${key}`, fields[place]?.field, error)
    }
    return row
  }
}

/** Reads a value of a field that is not part of a record, such as the smallest one. */
export const fieldReader = ({ column: { codec }, field }: BoundField): ((raw: unknown) => unknown) => {
  const { decode } = codec
  return (raw) => {
    if (decode === undefined || raw === null) return raw
    try {
      return decode(raw)
    } catch (error) {
      throw unrepresentable('a group of records', field, error)
    }
  }
}

const unrepresentable = (record: string, field: Field | undefined, error: unknown): SourceError => {
  const name = field?.name ?? ''
  const cause = new Unrepresentable(
    `${record}, field ${name}: the stored value cannot be represented exactly`,
    { cause: error },
  )
  return new SourceError('unrepresentable', { fields: [name], cause })
}
