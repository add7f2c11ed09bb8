import type { JsonSchema } from '../../model/codec.ts'
import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/own-value.ts'
import { jsonSchemasOf } from '../json-schemas.ts'
import type { NamedSchema } from '../named-schema.ts'
import { toNamedSchema } from './document-schema.ts'

/**
 * The JSON Schema of a schema of the application's own, under the name of the generated one that it replaces. Of what it
 * knows nothing (a date that is made from anything) the generated one speaks.
 */
export const shownSchema = (
  model: Model,
  which: 'create' | 'update' | 'replace',
  json: object,
): NamedSchema => {
  const generated = jsonSchemasOf(model)[which]
  const { schema, uses = [], name } = toNamedSchema(generated.name, json)
  const known = propertiesOf(generated.schema)
  const filled = Object.entries(propertiesOf(schema)).map(([key, property]) => [
    key,
    isSilent(property) ? { ...ownValue(known, key), ...property } : property,
  ])
  const whole = 'properties' in schema ? { ...schema, properties: Object.fromEntries(filled) } : schema
  const text = JSON.stringify(whole)
  const borrowed = (generated.uses ?? []).filter((used) =>
    text.includes(`"#/components/schemas/${used.name}"`),
  )
  return { name, schema: whole, uses: [...uses, ...borrowed] }
}

const propertiesOf = ({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  typeof properties === 'object' && properties !== null
    ? (properties as Readonly<Record<string, JsonSchema>>)
    : {}

const words: ReadonlySet<string> = new Set(['title', 'description', 'deprecated'])

const isSilent = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && Object.keys(schema).every((keyword) => words.has(keyword))
