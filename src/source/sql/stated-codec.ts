import type { Element, Field } from '../../model/model.ts'
import { type ColumnCodec, codecOf, type Family, type StoredColumn } from './codecs.ts'
import { textList } from './lists.ts'
import { sql } from './text.ts'

/** A column whose values no ORM converts. */
interface Stated extends Omit<StoredColumn, 'field'> {
  readonly field: Field
}

/** How the values of a column get to the database and back if nothing but the driver is in between, whatever its options. */
export const statedCodec = (column: Stated, family: Family): ColumnCodec => {
  const { field } = column
  if (field.kind === 'json') return jsonCodec(column, family)
  if (field.kind !== 'array' || field.element === undefined) return codecOf(column, family)
  return family === 'pg' ? listCodec(column, field.element) : jsonCodec(column, family)
}

/** Drivers take objects for several values, or for parts of a statement. */
const jsonCodec = (column: Stated, family: Family): ColumnCodec => ({
  ...codecOf({ ...column, field: { kind: 'json', form: 'json' } }, family),
  param: (value) => JSON.stringify(value),
})

/** Numbers of JSON would lose digits. */
const asTexts: readonly Element['kind'][] = ['bigint', 'decimal']

const listCodec = (column: Stated, element: Element): ColumnCodec => {
  const codec = textList(element, codecOf({ ...column, field: element }, 'pg'))
  return {
    ...{ ...codecOf(column, 'pg'), ...codec },
    ...(asTexts.includes(element.kind) && { selected: (name) => sql`to_json(${name}::text[])::text` }),
  }
}
