import { StartError } from '../../error/start-error.ts'
import type { JsonSchema } from '../../model/codec.ts'
import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/own-value.ts'
import type { CustomBodies, CustomBody } from './custom-body.ts'
import type { CustomSchema, CustomSchemas } from './custom-schemas.ts'
import { declaredKeys } from './declared-keys.ts'
import { jsonSchemaOf, partialOf } from './libraries.ts'
import { shownSchema } from './shown-schema.ts'
import type { StandardSchema } from './standard-schema.ts'

/** What the schemas of the application's own come to. */
export interface Customised {
  /** By the names of their models. */
  readonly bodies: ReadonlyMap<string, CustomBodies>
  /** What start-up should warn of, a line each. */
  readonly notes: readonly string[]
}

/** @throws StartError where a lone create schema gives no update schema */
export const customBodiesOf = async (
  custom: CustomSchemas,
  models: readonly Model[],
  isAsync: boolean,
): Promise<Customised> => {
  const bodies = new Map<string, CustomBodies>()
  for (const model of models) {
    const schemas = ownValue(custom, model.name)
    if (schemas !== undefined) bodies.set(model.name, await bodiesOf(model, schemas, isAsync))
  }
  return { bodies, notes: [...bodies.values()].flatMap((own) => notesOf(own)) }
}

const bodiesOf = async (
  model: Model,
  { create, update }: CustomSchema,
  mayWait: boolean,
): Promise<CustomBodies> => {
  const place = `customSchemas.${model.name}`
  const bodyOf = async (
    which: 'create' | 'update' | 'replace',
    at: string,
    schema: StandardSchema,
    onlySent: boolean,
  ): Promise<CustomBody> => {
    const json = await jsonSchemaOf(schema)
    const shown = json && shownSchema(model, which, onlySent ? withoutDefaults(json) : json)
    return {
      ...{ place: at, schema, onlySent, mayWait, declared: declaredKeys(schema, json) },
      ...(shown && { shown }),
    }
  }
  const changes = update ?? (create && (await partialFor(create, place)))
  return {
    ...(create && {
      create: await bodyOf('create', `${place}.create`, create, false),
      replace: await bodyOf('replace', `${place}.create`, create, false),
    }),
    ...(changes && {
      update: await bodyOf(
        'update',
        `${place}.${update ? 'update' : 'create'}`,
        changes,
        update === undefined,
      ),
    }),
  }
}

const partialFor = async (create: StandardSchema, place: string): Promise<StandardSchema> => {
  const partial = await partialOf(create)
  if (partial !== undefined) return partial
  throw new StartError(
    `${place} needs update beside create: this create schema (${create['~standard'].vendor}) cannot be made optional without losing rules or transforms that are about the whole object. Write ${place.replace('customSchemas.', '')}: { create, update }.`,
  )
}

/** An absent key stays untouched: a default there would say that it does not. */
const withoutDefaults = (json: object): JsonSchema => {
  const { required: _required, properties, ...rest }: JsonSchema = { ...json }
  const kept = Object.entries(Object(properties)).map(([name, schema]) => {
    if (typeof schema !== 'object' || schema === null) return [name, schema]
    const { default: _default, ...plain }: JsonSchema = { ...schema }
    return [name, plain]
  })
  return { ...rest, ...(properties !== undefined && { properties: Object.fromEntries(kept) }) }
}

const notesOf = (own: CustomBodies): readonly string[] => {
  const silent = Object.values(own).filter(({ shown }) => shown === undefined)
  const notes = silent.map(
    ({ place, schema }) =>
      `${place} has no JSON Schema, so that the documentation shows the generated one.${remedyOf(schema)}`,
  )
  return [...new Set(notes)]
}

const remedyOf = (schema: StandardSchema): string =>
  schema['~standard'].vendor === 'valibot' ? ' Install @valibot/to-json-schema.' : ''
