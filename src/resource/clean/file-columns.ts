import { isFileField } from '../../model/file-fields.ts'
import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/own-value.ts'
import { type Condition, everything, type Order } from '../../query/ast.ts'
import { after } from '../../query/keyset.ts'
import type { ModelSource, RecordStore, Row } from '../../source/source.ts'
import { folderOf } from '../../upload/storage/storage-key.ts'

/** The columns of one table that hold the keys of files. */
export interface FileColumns {
  readonly model: Model
  readonly fields: readonly string[]
  readonly store: RecordStore
}

/**
 * Every column that may hold a file, also of models that are not served: what a record holds is no orphan, whoever may see
 * that record.
 *
 * @param named the option `fileFields`
 */
export const fileColumnsOf = (
  source: ModelSource,
  named: Readonly<Record<string, readonly string[] | undefined>>,
): readonly FileColumns[] =>
  source.models.flatMap((model) => {
    const more = ownValue(named, model.name) ?? []
    const fields = model.fields
      .filter((field) => isFileField(field) || more.includes(field.name))
      .map(({ name }) => name)
    return fields.length === 0 ? [] : [{ model, fields, store: source.store(model) }]
  })

/** The folders of a storage that files of these columns are put into. */
export const foldersOf = (columns: readonly FileColumns[]): ReadonlySet<string> =>
  new Set(
    columns.flatMap(({ model, fields }) => fields.map((field) => folderOf({ model: model.name, field }))),
  )

const PAGE = 1000

/** The keys that the records of a table hold, a page of them at a time. */
export const heldKeys = async function* ({
  model,
  fields,
  store,
}: FileColumns): AsyncGenerator<readonly string[]> {
  const order = model.primaryKey.map((field): Order => ({ field, direction: 'asc' }))
  const some: Condition = {
    op: 'or',
    conditions: fields.map((field) => ({ op: 'is-not-null', field })),
  }
  const selected = { order, limit: PAGE, offset: 0, fields: [...new Set([...model.primaryKey, ...fields])] }
  // By the key, not by an offset: records that are deleted meanwhile must not make others be passed over.
  for (let rest: Condition = everything; ; ) {
    const rows = await store.list({ ...selected, filter: some }, rest)
    yield rows.flatMap((row) => keysIn(row, fields))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    const values = model.primaryKey.map((field) => ownValue(last, field))
    rest = { op: 'or', conditions: after(model, order, { values, ties: 0 }) }
  }
}

/** Those of some keys that records hold now. */
export const heldOf = async (
  { model, fields, store }: FileColumns,
  keys: readonly string[],
): Promise<readonly string[]> => {
  const order = model.primaryKey.map((field): Order => ({ field, direction: 'asc' }))
  const held: string[] = []
  let asked = keys
  // Many records may hold one key, more than a page of them.
  for (;;) {
    if (asked.length === 0) return held
    const values = asked
    const filter: Condition = { op: 'or', conditions: fields.map((field) => ({ op: 'in', field, values })) }
    const rows = await store.list({ filter, order, limit: PAGE, offset: 0 }, everything)
    const found = new Set(rows.flatMap((row) => keysIn(row, fields)))
    held.push(...asked.filter((key) => found.has(key)))
    if (rows.length < PAGE) return held
    asked = asked.filter((key) => !found.has(key))
  }
}

const keysIn = (row: Row, fields: readonly string[]): readonly string[] =>
  fields.flatMap((field) => {
    const key = ownValue(row, field)
    return typeof key === 'string' ? [key] : []
  })
