import { isFileField } from '../model/file-fields.ts'
import { kinds } from '../model/kinds.ts'
import { ownValue } from '../model/own-value.ts'
import type { FormShape } from '../operation/operation.ts'
import { exampleOf } from '../schema/example.ts'
import { formSchemaOf, partsIn, uploadOf } from '../schema/form-schema.ts'
import { jsonSchemasOf } from '../schema/json-schemas.ts'
import { membersOf } from '../schema/members.ts'
import type { NamedSchema } from '../schema/named-schema.ts'
import { imageTypes } from '../upload/file-type.ts'
import type { Resource } from './resource.ts'

type Which = 'create' | 'update' | 'replace'

/**
 * A body in JSON as it could be. `undefined`: the application's own schema decides which values it takes, or the body must
 * bring a file, which JSON cannot.
 */
export const bodyExample = (resource: Resource, which: Which): unknown =>
  membersOf(resource.model, which).some(({ field, required }) => required && isFileField(field))
    ? undefined
    : knownExample(resource, which)

const knownExample = (
  { jsonSchemas, model }: Resource,
  which: Which,
): Readonly<Record<string, unknown>> | undefined =>
  jsonSchemas[which] === jsonSchemasOf(model)[which] ? exampleOf(model, which) : undefined

/** The form that an act takes beside JSON; `undefined`: it takes none. */
export const formShape = (resource: Resource, which: Which): FormShape | undefined => {
  const { files, model, jsonSchemas } = resource
  if (files === undefined || !files.takesForm[which]) return undefined
  const json = jsonSchemas[which]
  const schema = formSchemaOf(model, json, () => partExamples(resource, which))
  return {
    schema,
    get encoding() {
      return encodingOf(resource, json)
    },
    get example() {
      return formExample(resource, which)
    },
    limit: files.limits.totalBytes,
  }
}

/** A page that asks for parts fills in a number of its own where it is given none: the key of no record at all. */
const partExamples = (resource: Resource, which: Which): Readonly<Record<string, unknown>> => {
  const known = knownExample(resource, which)
  return known === undefined ? {} : { ...exampleOf(resource.model, 'detail'), ...known }
}

/** What the schema of a part does not say: which images it takes, and that a text is JSON. */
const encodingOf = ({ model }: Resource, json: NamedSchema): NonNullable<FormShape['encoding']> => {
  const named = new Map(model.fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.keys(partsIn(json)).flatMap((name) => {
      if (uploadOf(model, name) === 'image') return [[name, { contentType: imageTypes.join(', ') }]]
      const field = named.get(name)
      const isJson = field !== undefined && kinds[field.kind].textIsJson === true
      return isJson ? [[name, { contentType: 'application/json' }]] : []
    }),
  )
}

/** What a part brings that is taken for such a file: text has no signature, and of images one begins with text. */
const uploads = { file: 'the bytes of a file', image: 'GIF89a' } as const

const formExample = (resource: Resource, which: Which): unknown => {
  const example = knownExample(resource, which)
  if (example === undefined) return undefined
  const parts = membersOf(resource.model, which).map(({ field: { name, kind } }) => {
    const { upload } = kinds[kind]
    return [name, upload === undefined ? ownValue(example, name) : uploads[upload]] as const
  })
  // No part is null, but for one that is JSON.
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined && value !== null))
}
