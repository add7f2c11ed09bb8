import { isFileField } from '../../model/kinds/index.ts'
import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { withUnfinished } from '../../model/soft-deletion.ts'
import type { Condition, Order } from '../../query/ast.ts'
import type { ModelSource, Row } from '../../source/source.ts'
import { type Unscoped, unscopedReads } from './records.ts'

/** The columns of a table that may hold keys of files. */
export interface FileColumns {
  readonly model: Model
  readonly fields: readonly string[]
  /** Its records, including deleted and unfinished ones. */
  readonly records: Unscoped
  /** By primary key. */
  readonly order: readonly Order[]
}

/**
 * Every column that may hold a file, including those of models that are not served.
 *
 * @param named the option `fileFields`
 */
export const fileColumnsOf = (
  source: ModelSource,
  named: Readonly<Record<string, readonly string[] | undefined>> = {},
): readonly FileColumns[] =>
  source.models.flatMap((model) => {
    const more = ownValue(named, model.name) ?? []
    const fields = model.fields
      .filter((field) => isFileField(field) || more.includes(field.name))
      .map(({ name }) => name)
    const order = model.primaryKey.map((field): Order => ({ field, direction: 'asc' }))
    return fields.length === 0
      ? []
      : [{ model, fields, order, records: unscopedReads(source, withUnfinished(model)) }]
  })

/** The number of records per statement. */
export const RECORDS_PER_STATEMENT = 1000

/** The number of keys per statement. */
export const KEYS_PER_STATEMENT = 200

/** Those of the keys that a record of any model holds. One statement for each table and 200 keys, unless many records hold the same file. */
export const heldKeys = async (
  columns: readonly FileColumns[],
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  const held = new Set<string>()
  for (let at = 0; at < keys.length; at += KEYS_PER_STATEMENT) {
    let left = keys.slice(at, at + KEYS_PER_STATEMENT)
    for (const table of columns) {
      for (const key of await heldIn(table, left)) held.add(key)
      left = left.filter((key) => !held.has(key))
      if (left.length === 0) break
    }
  }
  return held
}

const heldIn = async (
  { fields, order, records }: FileColumns,
  keys: readonly string[],
): Promise<readonly string[]> => {
  const held: string[] = []
  // More than a page of records may hold the same key.
  for (let asked = keys; asked.length > 0; ) {
    const values = asked
    const filter: Condition = { op: 'or', conditions: fields.map((field) => ({ op: 'in', field, values })) }
    const holding = await records.list({ filter, order, limit: RECORDS_PER_STATEMENT, offset: 0, fields })
    const found = new Set(holding.flatMap((row) => keysIn(row, fields)))
    held.push(...asked.filter((key) => found.has(key)))
    asked = holding.length < RECORDS_PER_STATEMENT ? [] : asked.filter((key) => !found.has(key))
  }
  return held
}

export const keysIn = (row: Row, fields: readonly string[]): readonly string[] =>
  fields.flatMap((field) => {
    const key = ownValue(row, field)
    return typeof key === 'string' ? [key] : []
  })
