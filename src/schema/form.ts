import type { JsonSchema } from '../model/codec.ts'
import { kinds } from '../model/kinds/index.ts'
import type { Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { anyJson, type NamedSchema, propertiesOf } from './json-schema.ts'

/** The schema of a body as a form: files are bytes, and parts are never null. Pages prefill the examples. */
export const formSchemaOf = (
  model: Model,
  json: NamedSchema,
  examples: () => Readonly<Record<string, unknown>>,
): NamedSchema =>
  Object.freeze({
    name: `${json.name}Form`,
    get schema(): JsonSchema {
      const known = examples()
      const parts = Object.entries(propertiesOf(json.schema)).map(([name, schema]) => [
        name,
        uploadOf(model, name) === undefined
          ? withExample(withoutNull(schema), ownValue(known, name))
          : bytes(schema),
      ])
      return { ...json.schema, type: 'object', properties: Object.fromEntries(parts) }
    },
    get uses(): readonly NamedSchema[] {
      return json.uses ?? []
    },
  })

/** The kind of file that a part uploads. `undefined` for text. */
export const uploadOf = (model: Model, name: string): 'file' | 'image' | undefined => {
  const field = model.fields.find((candidate) => candidate.name === name)
  return field === undefined ? undefined : kinds[field.kind].upload
}

const bytes = ({ writeOnly }: JsonSchema): JsonSchema => ({
  type: 'string',
  format: 'binary',
  ...(writeOnly === true && { writeOnly }),
})

/** Not next to a `$ref`, because not every reader supports an example there. */
const withExample = (schema: JsonSchema, example: unknown): JsonSchema =>
  example === undefined || example === null || '$ref' in schema ? schema : { ...schema, examples: [example] }

const isNull = (schema: unknown): boolean => Object(schema).type === 'null'

const withoutNull = (schema: JsonSchema): JsonSchema => {
  const { type, anyOf, ...rest } = schema
  if (Array.isArray(type) && type.includes('null')) {
    const [only, ...others] = type.filter((one) => one !== 'null')
    return { ...rest, type: others.length === 0 ? only : [only, ...others] }
  }
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return schema
  const [only, ...others] = anyOf.filter((one) => !isNull(one))
  if (others.length > 0) return { ...rest, anyOf: [only, ...others] }
  // The keywords next to the reference describe the same.
  return only?.$ref === `#/components/schemas/${anyJson.name}` ? rest : { ...rest, ...only }
}
