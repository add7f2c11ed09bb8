import { fileFieldsOf, isFileField } from '../../model/kinds/index.ts'
import { type Field, isReadable, type Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { withUnfinished } from '../../model/soft-deletion.ts'
import type { Condition, Order } from '../../query/ast.ts'
import { queryFields } from '../../query/fields.ts'
import type { ModelSource, Row } from '../../source/source.ts'
import type { Media } from '../../upload/media.ts'
import type { MultipartModel } from '../../upload/multipart-models.ts'
import type { MultipartLimits } from '../../upload/multipart-settings.ts'
import type { FileStorage } from '../../upload/storage.ts'
import { type Unscoped, unscopedReads } from './records.ts'

export interface FileSetup {
  readonly storage: FileStorage
  /** Where records of any model may hold the files of the storage. */
  readonly columns: readonly FileColumns[]
  /** The size and time limits of forms. */
  readonly limits: MultipartLimits
  /** The operations that accept forms, by model name. */
  readonly multipart: ReadonlyMap<string, Pick<MultipartModel, 'create' | 'update'>>
}

export interface ModelFiles extends Omit<FileSetup, 'multipart'> {
  /** The fields that hold files, including hidden ones. */
  readonly fields: readonly Field[]
  /** Whether the operation accepts forms as well as JSON. */
  readonly takesForm: Readonly<Record<'create' | 'update' | 'replace', boolean>>
}

export const modelFilesOf = (model: Model, { multipart, ...setup }: FileSetup): ModelFiles | undefined => {
  const { create = false, update = false } = multipart.get(model.name) ?? {}
  const fields = fileFieldsOf(model)
  if (fields.length === 0 && !create && !update) return undefined
  return { ...setup, fields, takesForm: { create, update, replace: update } }
}

export interface ModelMedia extends Media {
  readonly storage: FileStorage
  /** The fields whose files callers can read. */
  readonly fields: readonly Field[]
  /** The fields whose files are read with a signature: those that any caller can read. */
  readonly signed: readonly Field[]
  /** All of them are public. */
  readonly isOpen: boolean
}

/** @param whole the model as all callers together see it */
export const modelMediaOf = (
  model: Model,
  { storage }: FileSetup,
  media: Media,
  { isOpen, whole }: { readonly isOpen: boolean; readonly whole: Model },
): ModelMedia | undefined => {
  const signed = fileFieldsOf(whole).filter(isReadable)
  const fields = fileFieldsOf(model).filter(isReadable)
  return signed.length === 0 ? undefined : { ...media, storage, fields, signed, isOpen }
}

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
    const { key: order } = queryFields(model)
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
