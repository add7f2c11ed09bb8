import type { DMMF } from '@prisma/generator-helper'
import type { PrismaField, PrismaMetadata, PrismaModel, PrismaRelation } from '../source/prisma/metadata.ts'

/** The parts of a Prisma schema that `prismaModels` needs. Models and enums in the order of their names. */
export const metadataOf = (dmmf: DMMF.Document, provider: string): PrismaMetadata => {
  const { models, enums, indexes } = dmmf.datamodel
  // Neither views nor models with a required field that the client does not know: it lists neither.
  const writable = new Set(
    dmmf.mappings.modelOperations
      .filter(({ createMany }) => typeof createMany === 'string')
      .map(({ model }) => model),
  )
  return {
    version: 1,
    provider,
    models: byName(models, (model) =>
      modelOf(
        model,
        indexes.filter((index) => index.model === model.name),
        !writable.has(model.name),
      ),
    ),
    enums: byName(enums, ({ values }) => values.map(({ name }) => name)),
    storedNames: byName(enums, ({ values }) =>
      Object.fromEntries(
        values.flatMap(({ name, dbName }) => (dbName == null ? [] : [[name, dbName] as const])),
      ),
    ),
  }
}

const byName = <Given extends { readonly name: string }, Made>(
  all: readonly Given[],
  make: (one: Given) => Made,
): Record<string, Made> =>
  Object.fromEntries(
    all.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map((one) => [one.name, make(one)]),
  )

const modelOf = (model: DMMF.Model, indexes: readonly DMMF.Index[], isReadOnly: boolean): PrismaModel => {
  const scalars = model.fields.filter(({ kind }) => kind !== 'object')
  const id = indexes.find(({ type }) => type === 'id')
  return {
    table: model.dbName ?? model.name,
    ...(model.schema != null && { schema: model.schema }),
    ...(model.documentation !== undefined && { documentation: model.documentation }),
    ...(isReadOnly && { isReadOnly }),
    primaryKey: id?.fields.map(({ name }) => name) ?? [],
    ...(id?.dbName !== undefined && { primaryKeyName: id.dbName }),
    uniques: indexes.filter(({ type }) => type === 'unique').map(uniqueOf),
    fields: Object.fromEntries(scalars.map((field) => [field.name, fieldOf(field)])),
    relations: Object.fromEntries(
      model.fields.flatMap((field) =>
        field.relationName === undefined ? [] : [[field.name, relationOf(field, field.relationName)]],
      ),
    ),
  }
}

const uniqueOf = ({ fields, dbName }: DMMF.Index): PrismaModel['uniques'][number] => ({
  fields: fields.map(({ name }) => name),
  ...(dbName !== undefined && { name: dbName }),
})

const fieldOf = (field: DMMF.Field): PrismaField => ({
  type: field.type,
  ...(field.dbName != null && { column: field.dbName }),
  ...(field.nativeType != null && { native: [field.nativeType[0], ...field.nativeType[1]] as const }),
  ...(field.isList && { isList: true }),
  ...(!field.isRequired && { isNullable: true }),
  ...(field.isUpdatedAt === true && { isUpdatedAt: true }),
  ...(field.default !== undefined && { default: field.default }),
  ...(field.documentation !== undefined && { documentation: field.documentation }),
})

const relationOf = (field: DMMF.Field, name: string): PrismaRelation => {
  const { relationFromFields: fields = [], relationToFields: references = [] } = field
  return {
    model: field.type,
    ...(field.isList && { isList: true }),
    name,
    ...(fields.length > 0 && { fields, references }),
    ...(field.relationOnDelete !== undefined && { onDelete: field.relationOnDelete }),
    ...(!field.isRequired && { isNullable: true }),
  }
}
