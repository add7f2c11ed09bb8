import { isRecord } from '../../error/record.ts'
import type { JsonSchema } from '../../model/codec.ts'
import { capital } from '../../model/naming.ts'
import type { NamedSchema } from '../json-schema.ts'

type NameOfRef = (ref: string) => string | undefined

const each = (value: unknown, place: NameOfRef): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toDocumentSchema(inner, place)]))
    : undefined
const inside = (value: unknown, place: NameOfRef): unknown =>
  Array.isArray(value) ? value.map((inner) => toDocumentSchema(inner, place)) : toDocumentSchema(value, place)
const same = (value: unknown): unknown => value

type ReferenceRule = (value: unknown, place: NameOfRef) => unknown
const under = (rule: ReferenceRule, names: string): readonly (readonly [string, ReferenceRule])[] =>
  names.split(' ').map((name) => [name, rule])

/** The keywords of JSON Schema 2020-12 that a document may have. Other keywords of libraries are removed. */
const keywords: ReadonlyMap<string, ReferenceRule> = new Map([
  ...under(each, 'properties patternProperties dependentSchemas'),
  ...under(inside, 'allOf anyOf oneOf prefixItems items additionalProperties not if then else contains'),
  ...under(inside, 'propertyNames unevaluatedItems unevaluatedProperties'),
  ...under(same, 'type enum format pattern title description default examples deprecated readOnly writeOnly'),
  ...under(same, 'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...under(same, 'minItems maxItems uniqueItems minContains maxContains minProperties maxProperties'),
  ...under(same, 'required dependentRequired contentEncoding contentMediaType'),
])

const toDocumentSchema = (schema: unknown, place: NameOfRef): unknown => {
  if (!isRecord(schema)) return schema
  const made: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const inner = keywords.get(keyword)?.(value, place)
    if (inner !== undefined) made[keyword] = inner
  }
  // Client generators support enum, but not const.
  if ('const' in schema && !('enum' in schema)) made['enum'] = [schema['const']]
  const ref = typeof schema['$ref'] === 'string' ? place(schema['$ref']) : undefined
  if (ref !== undefined) made['$ref'] = `#/components/schemas/${ref}`
  return made
}

const definitionForm = /^#\/(?:\$defs|definitions)\/(.+)$/

/** Decodes a part of a JSON pointer in a URI (RFC 6901). */
const unescapePointer = (part: string): string =>
  decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')

/** Each definition of a library's JSON Schema becomes a named schema of the document. */
export const toNamedSchema = (name: string, schema: JsonSchema): NamedSchema => {
  const definitions = Object.entries({ ...Object(schema['definitions']), ...Object(schema['$defs']) })
  const names = new Map(
    definitions.map(([key], at) => [
      key,
      name + (/^[A-Za-z]\w*$/.test(key) ? capital(key) : `Part${at + 1}`),
    ]),
  )
  const place: NameOfRef = (ref) => {
    const key = definitionForm.exec(ref)?.[1]
    if (ref === '#') return name
    return key === undefined ? undefined : names.get(unescapePointer(key))
  }
  const named = (key: string, definition: unknown): NamedSchema => ({
    name: key,
    schema: toDocumentSchema(definition, place) as JsonSchema,
  })
  return {
    ...named(name, schema),
    uses: definitions.map(([key, definition]) => named(names.get(key) ?? key, definition)),
  }
}
