import { isRecord } from '../error/record.ts'
import { type JsonSchema, nullable } from '../model/codec.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, type Model, refersByKey } from '../model/model.ts'
import { capital, wordsOf } from '../model/naming.ts'
import { lazyRecord, onceFor } from '../model/objects.ts'
import { isReply, membersOf, type SchemaName, schemaNames } from './members.ts'

/** `ProductCreate` */
export interface NamedSchema {
  readonly name: string
  readonly schema: JsonSchema
  /** Those that `schema` refers to as `#/components/schemas/…`, so that the document holds them too. */
  readonly uses?: readonly NamedSchema[]
}

export const propertiesOf = ({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  isRecord(properties) ? (properties as Readonly<Record<string, JsonSchema>>) : {}

export type ModelJsonSchemas = Readonly<Record<SchemaName, NamedSchema>>

/** The JSON Schemas of a model, each made when the document asks for it. */
export const jsonSchemasOf: (model: Model) => ModelJsonSchemas = onceFor((model: Model) => {
  const schemas = lazyRecord(schemaNames, (which) => objectSchema(model, which))
  return lazyRecord(schemaNames, (which) =>
    Object.freeze({
      // A bare `List` or `Date` would collide with what clients have of their own.
      name: model.name + capital(which),
      get schema(): JsonSchema {
        return schemas[which]
      },
      get uses(): readonly NamedSchema[] {
        return membersOf(model, which).flatMap(({ field }) => [
          ...enumOf(model, field),
          ...(isReply(which) || hasType(kinds[field.kind].schema(field)) ? [] : [anyJson]),
        ])
      },
    }),
  )
})

/** Requests are closed; replies stay open, so that a new column breaks no old client. */
const objectSchema = (model: Model, which: SchemaName): JsonSchema => {
  const members = membersOf(model, which)
  const required = members.filter((member) => member.required).map(({ field }) => field.name)
  return Object.freeze({
    type: 'object',
    ...(model.description !== undefined && { description: model.description }),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      members.map(({ field }) => [
        field.name,
        describedBy(field, { ...valueSchema(model, field, which), ...marksOf(model, field, which) }),
      ]),
    ),
    additionalProperties: isReply(which),
  })
}

/** The field's own description, then the one of its kind: two paragraphs, since the first may be any CommonMark. */
const describedBy = ({ description }: Field, schema: JsonSchema): JsonSchema =>
  description === undefined
    ? schema
    : { ...schema, description: [description, schema['description'] ?? ''].join('\n\n').trim() }

const valueSchema = (model: Model, field: Field, which: SchemaName): JsonSchema => {
  const [named] = enumOf(model, field)
  if (named !== undefined) return nullable({ $ref: refTo(named) })
  const row = kinds[field.kind]
  if (isReply(which)) return field.nullable ? nullable(row.schema(field)) : row.schema(field)
  const schema = row.sentSchema?.(field) ?? row.schema(field)
  if (!hasType(schema)) return { ...schema, anyOf: [{ $ref: refTo(anyJson) }, { type: 'null' }] }
  return field.nullable ? nullable(schema) : schema
}

const hasType = (schema: JsonSchema): boolean => 'type' in schema || 'enum' in schema

const refTo = ({ name }: NamedSchema): string => `#/components/schemas/${name}`

/**
 * Java's clients on Jackson begin a property without a type as null, which every PATCH would send; one that is this schema
 * or null begins as absent, and is the same type in all languages.
 */
export const anyJson: NamedSchema = Object.freeze({
  name: 'AnyJson',
  schema: Object.freeze({ description: 'Any JSON value.' }),
})

/**
 * Generators of clients lose the type of an enum inside `anyOf`, as a nullable field has it, unless it has a name. The
 * document takes only ASCII names: a field with another one keeps its enum where it is.
 */
const enumOf = (model: Model, field: Field): readonly NamedSchema[] => {
  if (!field.nullable || !/^\w+$/.test(field.name)) return []
  const schema = kinds[field.kind].schema(field)
  if (!('enum' in schema)) return []
  return [{ name: `${model.name}${wordsOf(field.name).map(capital).join('')}Enum`, schema }]
}

const marksOf = (model: Model, field: Field, which: SchemaName): JsonSchema => {
  if (isReply(which))
    return membersOf(model, 'create').some((member) => member.field === field) ? {} : { readOnly: true }
  if (field.access === 'write-only') return { writeOnly: true }
  // An absent field of an update stays untouched: a default there would say that it does not.
  return which === 'update' ? {} : defaultOf(model, field)
}

/** For readers of the document: the database applies it. A key that has to be sent has none. */
const defaultOf = (model: Model, field: Field): JsonSchema => {
  if (field.default === undefined || field.default === null || refersByKey(model, field)) return {}
  const row = kinds[field.kind]
  const reading = row.read(field.default, field)
  return reading.ok ? { default: row.write(reading.value, field) } : {}
}
