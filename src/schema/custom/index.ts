import { assertKnown, StartError, suggest } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import type { JsonSchema } from '../../model/codec.ts'
import type { Model } from '../../model/model.ts'
import { capital } from '../../model/naming.ts'
import { ownValue } from '../../model/objects.ts'
import { takesBodies } from '../../model/operations.ts'
import type { NameIn } from '../../model/types.ts'
import { jsonSchemasOf, type NamedSchema, propertiesOf } from '../json-schema.ts'
import {
  type CustomBodies,
  type CustomBody,
  isStandardSchema,
  type StandardSchema,
} from './standard-schema.ts'
import { declaredKeys, jsonSchemaOf, partialOf } from './vendors.ts'

/**
 * Custom schemas for the bodies of a model, of any library that implements [Standard Schema](https://standardschema.dev).
 * Their output is stored, so transforms apply.
 */
export interface CustomSchema {
  /** Reads the bodies of POST and PUT. Without `update` also those of PATCH, with every key optional. */
  readonly create?: StandardSchema
  /** Reads the bodies of PATCH. */
  readonly update?: StandardSchema
}

/** Model name -> schemas that replace the generated ones. */
export type CustomSchemas<Types = unknown> = { readonly [Name in NameIn<Types>]?: CustomSchema }

const keys = ['create', 'update'] as const satisfies readonly (keyof CustomSchema)[]

/** @throws StartError for an unknown or read-only model, an unknown key, or a value that is not a Standard Schema */
export const assertCustomSchemas = (
  custom: CustomSchemas,
  described: readonly Model[],
  served: readonly Model[],
): void => {
  const names = served.filter(takesBodies).map(({ name }) => name)
  for (const [name, schemas] of Object.entries(custom)) {
    const model = described.find((known) => known.name === name)
    if (model === undefined)
      throw new StartError(`customSchemas: unknown model ${name}.${suggest(name, names)}`)
    const shown = served.find((known) => known.name === name)
    if (shown === undefined)
      throw new StartError(
        `customSchemas.${name}: the model ${name} is excluded. Remove the schemas, or change the option exclude.`,
      )
    if (model.readOnly)
      throw new StartError(`customSchemas.${name}: ${name} is a view, which is read-only. Remove the entry.`)
    if (!takesBodies(shown))
      throw new StartError(
        `customSchemas.${name}: modelConfig.${name}.operations has neither create nor update nor replace. Remove the entry.`,
      )
    assertSchemas(`customSchemas.${name}`, schemas)
  }
}

const assertSchemas = (place: string, schemas: unknown): void => {
  if (isStandardSchema(schemas) || typeof schemas !== 'object' || schemas === null)
    throw new StartError(
      `${place} must be an object of schemas, such as ${place.split('.')[1]}: { create: schema }.`,
    )
  for (const [key, schema] of Object.entries(schemas)) {
    assertKnown(`${place}: unknown key`, key, keys)
    if (schema !== undefined && !isStandardSchema(schema))
      throw new StartError(
        `${place}.${key} must be a schema of a library that implements Standard Schema, such as Zod, Valibot or ArkType.`,
      )
  }
}

/**
 * The schemas by model name, and the warnings for startup.
 *
 * @throws StartError if `update` is missing and cannot be derived from `create`
 */
export const customBodiesOf = async (
  custom: CustomSchemas,
  models: readonly Model[],
  isAsync: boolean,
): Promise<{ readonly bodies: ReadonlyMap<string, CustomBodies>; readonly notes: readonly string[] }> => {
  const bodies = new Map<string, CustomBodies>()
  for (const model of models) {
    const schemas = ownValue(custom, model.name)
    if (schemas !== undefined) bodies.set(model.name, await bodiesOf(model, schemas, isAsync))
  }
  return { bodies, notes: [...bodies.values()].flatMap(notesOf) }
}

type Which = keyof CustomBodies

const bodiesOf = async (
  model: Model,
  { create, update }: CustomSchema,
  mayWait: boolean,
): Promise<CustomBodies> => {
  const place = `customSchemas.${model.name}`
  const read = async (key: string, schema: StandardSchema, onlySent = false) => {
    const json = await jsonSchemaOf(schema)
    const declared = declaredKeys(schema, json)
    const body: CustomBody = { place: `${place}.${key}`, schema, onlySent, mayWait, declared }
    if (json === undefined) return () => body
    const documented = onlySent ? withoutDefaults(json) : json
    return (which: Which): CustomBody => ({ ...body, shown: documentedSchema(model, which, documented) })
  }
  const partial = create && update === undefined ? await partialFor(create, place) : undefined
  const whole = create && (await read('create', create))
  const changes = update ? await read('update', update) : partial && (await read('create', partial, true))
  return {
    ...(whole && { create: whole('create'), replace: whole('replace') }),
    ...(changes && { update: changes('update') }),
  }
}

const partialFor = async (create: StandardSchema, place: string): Promise<StandardSchema> => {
  const partial = await partialOf(create)
  if (partial !== undefined) return partial
  throw new StartError(
    `${place}: update is required, because the keys of this create schema (${create['~standard'].vendor}) cannot be made optional without losing rules or transforms of the whole object. Write ${place.replace('customSchemas.', '')}: { create, update }.`,
  )
}

/** A PATCH keeps absent fields, so a default would be wrong. */
const withoutDefaults = ({ required: _required, ...json }: JsonSchema): JsonSchema => {
  const kept = Object.entries(propertiesOf(json)).map(([name, schema]) => {
    if (!isRecord(schema)) return [name, schema]
    const { default: _default, ...plain }: JsonSchema = schema
    return [name, plain]
  })
  return 'properties' in json ? { ...json, properties: Object.fromEntries(kept) } : json
}

const notesOf = (own: CustomBodies): readonly string[] => {
  const silent = Object.values(own).filter(({ shown }) => shown === undefined)
  const notes = silent.map(({ place, schema }) => {
    const remedy = schema['~standard'].vendor === 'valibot' ? ' Install @valibot/to-json-schema.' : ''
    return `${place} has no JSON Schema, so the documentation shows the generated schema.${remedy}`
  })
  return [...new Set(notes)]
}

/** Fills in properties without a type (`z.coerce.date()`) from the generated schema that is replaced. */
const documentedSchema = (model: Model, which: Which, json: JsonSchema): NamedSchema => {
  const generated = jsonSchemasOf(model)[which]
  const { schema, uses = [], name } = toNamedSchema(generated.name, json)
  const known = propertiesOf(generated.schema)
  const filled = Object.entries(propertiesOf(schema)).map(([key, property]) => [
    key,
    isSilent(property) ? { ...ownValue(known, key), ...property } : describedBy(model, key, property),
  ])
  const whole = 'properties' in schema ? { ...schema, properties: Object.fromEntries(filled) } : schema
  const text = JSON.stringify(whole)
  const borrowed = (generated.uses ?? []).filter((used) =>
    text.includes(`"#/components/schemas/${used.name}"`),
  )
  return { name, schema: whole, uses: [...uses, ...borrowed] }
}

/** Adds the description of the field to a property without one. */
const describedBy = (model: Model, name: string, property: unknown): unknown => {
  const description = model.fields.find((field) => field.name === name)?.description
  return description !== undefined && isRecord(property) ? { description, ...property } : property
}

const annotations: ReadonlySet<string> = new Set(['title', 'description', 'deprecated'])

const isSilent = (schema: unknown): boolean =>
  isRecord(schema) && Object.keys(schema).every((keyword) => annotations.has(keyword))

type NameOfRef = (ref: string) => string | undefined

const each = (value: unknown, place: NameOfRef): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toDocumentSchema(inner, place)]))
    : undefined
const inside = (value: unknown, place: NameOfRef): unknown =>
  Array.isArray(value) ? value.map((inner) => toDocumentSchema(inner, place)) : toDocumentSchema(value, place)
const same = (value: unknown): unknown => value

type Rule = (value: unknown, place: NameOfRef) => unknown
const under = (rule: Rule, names: string): readonly (readonly [string, Rule])[] =>
  names.split(' ').map((name) => [name, rule])

/** The keywords of JSON Schema 2020-12 that a document may have. Other keywords of libraries are removed. */
const keywords: ReadonlyMap<string, Rule> = new Map([
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
const toNamedSchema = (name: string, schema: JsonSchema): NamedSchema => {
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
