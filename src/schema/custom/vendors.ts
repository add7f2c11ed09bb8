import { ZodOptional, z } from 'zod'
import type { JsonSchema } from '../../model/codec.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'

type Act = (schema: StandardSchema) => unknown

/**
 * Has all keys of an object's schema optional: what Standard Schema has no word for. Of other libraries it is not known
 * whether their `partial` keeps all that a schema says.
 */
const partials: ReadonlyMap<string, Act> = new Map<string, Act>([
  [
    'zod',
    (schema) =>
      callMethod(schema, 'partial') ??
      (isZodObject(schema) ? z.core.util.partial(ZodOptional, schema, undefined) : undefined),
  ],
  [
    'valibot',
    async (schema) => {
      if (!('entries' in schema) || 'pipe' in schema) return undefined
      const { partial, partialAsync } = await import('valibot')
      const isAsync = 'async' in schema && schema.async === true
      return isAsync ? partialAsync(schema as never) : partial(schema as never)
    },
  ],
  ['arktype', (schema) => (isPlainArkObject(schema) ? callMethod(schema, 'partial') : undefined)],
])

/** JSON Schemas of what goes into schemas that have no `~standard.jsonSchema`: those of zod/mini and Valibot. */
const jsonSchemas: ReadonlyMap<string, Act> = new Map<string, Act>([
  [
    'zod',
    (schema) =>
      isZodType(schema) ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : undefined,
  ],
  [
    'valibot',
    async (schema) => {
      const { toJsonSchema } = await import('@valibot/to-json-schema')
      const options = { typeMode: 'input', target: 'draft-2020-12', errorMode: 'ignore' } as const
      return toJsonSchema(schema as never, options)
    },
  ],
])

/** The schema with all its keys optional. `undefined`: its library cannot do that, or it would lose rules. */
export const partialOf = async (schema: StandardSchema): Promise<StandardSchema | undefined> => {
  const partial = await orUndefined(() => partials.get(schema['~standard'].vendor)?.(schema))
  return isStandardSchema(partial) ? partial : undefined
}

/** The JSON Schema (2020-12) of what goes into the schema. `undefined`: nobody can say. */
export const jsonSchemaOf = async (schema: StandardSchema): Promise<JsonSchema | undefined> => {
  const { vendor } = schema['~standard']
  // What JSON Schema has no word for is left out, in the words of Zod and of Valibot.
  const libraryOptions = { unrepresentable: 'any', errorMode: 'ignore' }
  const made =
    (await orUndefined(() =>
      callMethod(Reflect.get(schema['~standard'], 'jsonSchema'), 'input', {
        target: 'draft-2020-12',
        ...(vendor !== 'arktype' && { libraryOptions }),
      }),
    )) ?? (await orUndefined(() => jsonSchemas.get(vendor)?.(schema)))
  return isObject(made) ? { ...made } : undefined
}

/** Libraries refuse by throwing. */
const orUndefined = async (make: () => unknown): Promise<unknown> => {
  try {
    return await make()
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const callMethod = (owner: unknown, name: string, ...given: readonly unknown[]): unknown => {
  const method: unknown =
    isObject(owner) || typeof owner === 'function' ? Reflect.get(owner, name) : undefined
  return typeof method === 'function' ? Reflect.apply(method, owner, given) : undefined
}

const isZodType = (schema: object): schema is z.core.$ZodType => '_zod' in schema

const isZodObject = (schema: object): schema is z.core.$ZodObject =>
  isZodType(schema) && schema._zod.def.type === 'object'

/** All that an ArkType object may say for its `partial` to keep it: rules about the whole object go without a word. */
const arkKeys: readonly string[] = ['domain', 'required', 'optional', 'index', 'undeclared', 'meta']

const isPlainArkObject = (schema: object): boolean => {
  const json: unknown = Reflect.get(schema, 'json')
  return isObject(json) && !Array.isArray(json) && Object.keys(json).every((key) => arkKeys.includes(key))
}

/** The keys that a schema names, as far as can be known: those of its JSON Schema, or of its entries (Valibot). */
export const declaredKeys = (schema: StandardSchema, json: JsonSchema = {}): ReadonlySet<string> =>
  new Set([...Object.keys(Object(Reflect.get(schema, 'entries'))), ...keysIn(json, Object(json['$defs']))])

/** References may go in circles. */
const MAX_DEPTH = 8

const keysIn = (json: unknown, definitions: object, depth = 0): readonly string[] => {
  if (!isObject(json) || depth > MAX_DEPTH) return []
  const { properties, allOf, anyOf, oneOf, $ref }: JsonSchema = { ...json }
  const name = /^#\/\$defs\/(.+)$/.exec(String($ref))?.[1] ?? ''
  const parts = [allOf, anyOf, oneOf, Object.hasOwn(definitions, name) ? Reflect.get(definitions, name) : []]
  return [
    ...Object.keys(Object(properties)),
    ...parts.flat().flatMap((part) => keysIn(part, definitions, depth + 1)),
  ]
}
