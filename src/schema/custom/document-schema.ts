import type { JsonSchema } from '../../model/codec.ts'
import type { NamedSchema } from '../named-schema.ts'

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Place = (ref: string) => string | undefined

const each = (value: unknown, place: Place): unknown =>
  isSchema(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, translated(inner, place)]))
    : undefined
const all = (value: unknown, place: Place): unknown =>
  Array.isArray(value) ? value.map((inner) => translated(inner, place)) : undefined
const one = (value: unknown, place: Place): unknown => translated(value, place)
const same = (value: unknown): unknown => value

type Rule = (value: unknown, place: Place) => unknown
const under = (rule: Rule, names: string): readonly (readonly [string, Rule])[] =>
  names.split(' ').map((name) => [name, rule])

/** The keywords of JSON Schema 2020-12 that a document may hold. What libraries add of their own is left out. */
const keywords: ReadonlyMap<string, Rule> = new Map([
  ...under(each, 'properties patternProperties dependentSchemas'),
  ...under(all, 'allOf anyOf oneOf prefixItems'),
  ...under(one, 'items additionalProperties not if then else contains propertyNames'),
  ...under(one, 'unevaluatedItems unevaluatedProperties'),
  ...under(same, 'type enum format pattern title description default examples deprecated readOnly writeOnly'),
  ...under(same, 'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...under(same, 'minItems maxItems uniqueItems minContains maxContains minProperties maxProperties'),
  ...under(same, 'required dependentRequired contentEncoding contentMediaType'),
])

const translated = (schema: unknown, place: Place): unknown => {
  if (!isSchema(schema)) return schema
  const made: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const inner = keywords.get(keyword)?.(value, place)
    if (inner !== undefined) made[keyword] = inner
  }
  // Generators of clients read an enum, never a const.
  if ('const' in schema && !('enum' in schema)) made['enum'] = [schema['const']]
  const ref = typeof schema['$ref'] === 'string' ? place(schema['$ref']) : undefined
  if (ref !== undefined) made['$ref'] = `#/components/schemas/${ref}`
  return made
}

const definitionForm = /^#\/(?:\$defs|definitions)\/(.+)$/

/** `a~1b` of a JSON pointer in a URI as the name that it is. */
const unescaped = (part: string): string =>
  decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')

const definitionsIn = (schema: JsonSchema, keyword: string): object => {
  const definitions = schema[keyword]
  return isSchema(definitions) ? definitions : {}
}

/** A library's JSON Schema as the document holds it: under a name, and each of its definitions under one of their own. */
export const toNamedSchema = (name: string, schema: object): NamedSchema => {
  const given: JsonSchema = { ...schema }
  const definitions = Object.entries({
    ...definitionsIn(given, 'definitions'),
    ...definitionsIn(given, '$defs'),
  })
  const names = new Map(
    definitions.map(([key], at) => [
      key,
      `${name}${/^[A-Za-z]\w*$/.test(key) ? key.slice(0, 1).toUpperCase() + key.slice(1) : `Part${at + 1}`}`,
    ]),
  )
  const place: Place = (ref) => {
    const key = definitionForm.exec(ref)?.[1]
    return ref === '#' ? name : key === undefined ? undefined : names.get(unescaped(key))
  }
  const named = (key: string, definition: unknown): NamedSchema => ({
    name: key,
    schema: translated(definition, place) as JsonSchema,
  })
  return {
    ...named(name, given),
    uses: definitions.map(([key, definition]) => named(names.get(key) ?? key, definition)),
  }
}
