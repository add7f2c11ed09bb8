import { assertKnown, StartError, suggest } from '../../error/errors.ts'
import { isRecord } from '../../error/record.ts'
import type { JsonSchema } from '../../model/codec.ts'
import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { takesBodies } from '../../model/operations.ts'
import type { NameIn } from '../../model/types.ts'
import { jsonSchemasOf, type NamedSchema, propertiesOf } from '../json-schema.ts'
import { toNamedSchema } from './named.ts'
import {
  type CustomBodies,
  type CustomBody,
  isStandardSchema,
  type StandardSchema,
} from './standard-schema.ts'
import { declaredKeys, jsonSchemaOf, partialOf, undocumented } from './vendors.ts'

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
  const notes = silent.map(({ place, schema }) => undocumented(place, schema, 'the generated schema'))
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
