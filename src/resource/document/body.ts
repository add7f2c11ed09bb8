import { isRecord } from '../../error/record.ts'
import type { JsonSchema } from '../../model/codec.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import type { BodyShape, FormShape } from '../../operation/operation.ts'
import { formSchemaOf, uploadOf } from '../../schema/form.ts'
import { type NamedSchema, propertiesOf } from '../../schema/json-schema.ts'
import { membersOf } from '../../schema/members.ts'
import { imageTypes } from '../../upload/keys.ts'
import type { Resource } from '../parts/resource.ts'
import { JSON_TYPE } from '../show/replies.ts'
import { type BodyKind, bodyExample, knownExample, nestedExample, nestedSchema } from './nested.ts'

const MERGE_PATCH = 'application/merge-patch+json'

export const bodyShape = (
  resource: Pick<Resource, 'model' | 'bodies' | 'rules'>,
  which: BodyKind,
): BodyShape => {
  const form = formShape(resource, which)
  return {
    mediaTypes: which === 'update' ? [JSON_TYPE, MERGE_PATCH] : [JSON_TYPE],
    required: which !== 'update',
    schema: nestedSchema(resource, which),
    get example() {
      return nestedExample(resource, which, bodyExample(resource, which))
    },
    ...resource.rules.bodyBounds,
    ...(form !== undefined && { form }),
  }
}

const formShape = (resource: Pick<Resource, 'model' | 'bodies'>, which: BodyKind): FormShape | undefined => {
  const { model } = resource
  const { files, jsonSchemas } = resource.bodies
  if (files === undefined || !files.takesForm[which]) return undefined
  const json = jsonSchemas[which]
  const schema = formSchemaOf(model, json, () => knownExample(resource, which) ?? {})
  return {
    schema,
    get encoding() {
      return encodingOf(resource.model, json)
    },
    get example() {
      return formExample(resource, which)
    },
    limit: files.limits.UPLOAD_BODY_LIMIT,
  }
}

/** The content types of parts that a schema cannot express: accepted images, and strings in JSON. */
const encodingOf = (model: Model, json: NamedSchema): NonNullable<FormShape['encoding']> => {
  const named = new Map(model.fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.keys(propertiesOf(json.schema)).flatMap((name) => {
      if (uploadOf(model, name) === 'image') return [[name, { contentType: imageTypes.join(', ') }]]
      const field = named.get(name)
      const isJson = field !== undefined && kinds[field.kind].textIsJson === true
      return isJson ? [[name, { contentType: 'application/json' }]] : []
    }),
  )
}

/**
 * Example contents that pass the check of the file type: text needs no signature, and the signature of GIF is plain text.
 */
const exampleUploads = { file: 'the bytes of a file', image: 'GIF89a' } as const

const formExample = (resource: Pick<Resource, 'model' | 'bodies'>, which: BodyKind): unknown => {
  const example = knownExample(resource, which)
  if (example === undefined) return undefined
  const shown = propertiesOf(resource.bodies.jsonSchemas[which].schema)
  const members = membersOf(resource.model, which).filter(({ field }) => Object.hasOwn(shown, field.name))
  const parts = members.map(({ field: { name, kind } }) => {
    const { upload } = kinds[kind]
    return [name, upload === undefined ? ownValue(example, name) : exampleUploads[upload]] as const
  })
  // A part cannot be null, except in JSON.
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined && value !== null))
}

/**
 * The body of a record that is created below another one. It does not show the foreign key, because the path has it. Schemas and
 * examples are made when a document is.
 */
export const bodyBelow = (whole: BodyShape, name: string, foreign: readonly string[]): BodyShape => {
  const { mediaTypes, required, limit, timeout, form } = whole
  return {
    ...{ mediaTypes, required, limit, timeout },
    schema: schemaWithout(whole.schema, name, foreign),
    get example() {
      return exampleWithout(whole.example, foreign)
    },
    ...(form && {
      form: {
        limit: form.limit,
        schema: schemaWithout(form.schema, `${name}Form`, foreign),
        get encoding() {
          return form.encoding ?? {}
        },
        get example() {
          return exampleWithout(form.example, foreign)
        },
      },
    }),
  }
}

const schemaWithout = (whole: NamedSchema, name: string, members: readonly string[]): NamedSchema =>
  Object.freeze({
    name,
    get schema(): JsonSchema {
      const { required, ...schema } = whole.schema
      const rest = Array.isArray(required) ? required.filter((member) => !members.includes(member)) : []
      return {
        ...schema,
        ...(rest.length > 0 && { required: rest }),
        properties: membersWithout(propertiesOf(whole.schema), members),
      }
    },
    get uses(): readonly NamedSchema[] {
      return whole.uses ?? []
    },
  })

const exampleWithout = (example: unknown, members: readonly string[]): unknown =>
  isRecord(example) ? membersWithout(example, members) : example

const membersWithout = <T>(
  object: Readonly<Record<string, T>>,
  members: readonly string[],
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(object).filter(([member]) => !members.includes(member)))
