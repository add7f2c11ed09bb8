import { isFileField } from '../model/kinds/index.ts'
import { type Field, isReadable, isWritable, type Model, refersByKey } from '../model/model.ts'

/** The five schemas of a model: two for responses, three for requests. */
export type SchemaName = 'list' | 'detail' | 'create' | 'update' | 'replace'

export const schemaNames: readonly SchemaName[] = ['list', 'detail', 'create', 'update', 'replace']

export interface SchemaMember {
  readonly field: Field
  readonly required: boolean
}

/** Whether the schema is for responses: values in JSON, and unknown members allowed. */
export const isReply = (which: SchemaName): boolean => which === 'list' || which === 'detail'

/** The fields of a model that a schema has, in their order. */
export const membersOf = (model: Model, which: SchemaName): readonly SchemaMember[] => rules[which](model)

const isKey = (model: Model, field: Field): boolean => model.primaryKey.includes(field.name)

/** The database or the ORM generates a key with a default, unless the application lets clients send it. */
const isCreatable = (model: Model, field: Field): boolean =>
  isWritable(field) &&
  (!(isKey(model, field) && field.hasDefault) || refersByKey(model, field) || field.sendable === true)

const isNeeded = (model: Model, field: Field): boolean =>
  !(field.nullable || field.optional || (field.hasDefault && !refersByKey(model, field)))

const replaceable = (model: Model): readonly Field[] =>
  model.fields.filter(
    (field) => isCreatable(model, field) && !isKey(model, field) && field.createOnly !== true,
  )

/** Clients cannot send back a field that they cannot read, or the content of a file. */
export const staysOnReplace = (field: Field): boolean =>
  field.staysOnReplace === true || field.access === 'write-only' || isFileField(field)

const rules: Readonly<Record<SchemaName, (model: Model) => readonly SchemaMember[]>> = {
  // Clients choose the fields of a list; the key is always included.
  list: (model) => model.fields.filter(isReadable).map((field) => ({ field, required: isKey(model, field) })),
  detail: (model) => model.fields.filter(isReadable).map((field) => ({ field, required: true })),
  create: (model) =>
    model.fields
      .filter((field) => isCreatable(model, field))
      .map((field) => ({ field, required: isNeeded(model, field) })),
  update: (model) => replaceable(model).map((field) => ({ field, required: false })),
  replace: (model) =>
    replaceable(model).map((field) => ({
      field,
      required: (isNeeded(model, field) || field.neededOnReplace === true) && !staysOnReplace(field),
    })),
}
