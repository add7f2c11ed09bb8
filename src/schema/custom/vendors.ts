import { z } from 'zod'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'

/** What Standard Schema has no word for, and each library does in its own way. */
interface Library {
  /** The schema with all its keys optional. `undefined`: the library cannot do that to this schema. */
  readonly partial: (schema: StandardSchema) => unknown
  /** Has `~standard.jsonSchema` leave out what JSON Schema has no word for, instead of failing. */
  readonly jsonSchemaOptions?: Readonly<Record<string, unknown>>
  /** The library's own JSON Schema of what goes in, for schemas without `~standard.jsonSchema`. */
  readonly jsonSchema?: (schema: StandardSchema) => unknown
}

/** By vendor. */
const libraries: ReadonlyMap<string, Library> = new Map<string, Library>([
  [
    'zod',
    {
      partial: (schema) =>
        isZodObject(schema) && !hasMethod(schema, 'partial')
          ? z.core.util.partial(z.ZodOptional, schema, undefined)
          : callMethod(schema, 'partial'),
      jsonSchemaOptions: { unrepresentable: 'any' },
      jsonSchema: (schema) =>
        isZodType(schema) ? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) : undefined,
    },
  ],
  [
    'valibot',
    {
      partial: async (schema) => {
        if (!('entries' in schema) || 'pipe' in schema) return undefined
        const { partial, partialAsync } = await import('valibot')
        const isAsync = 'async' in schema && schema.async === true
        return isAsync ? partialAsync(schema as never) : partial(schema as never)
      },
      jsonSchemaOptions: { errorMode: 'ignore' },
      jsonSchema: async (schema) => {
        const { toJsonSchema } = await import('@valibot/to-json-schema')
        const options = { typeMode: 'input', target: 'draft-2020-12', errorMode: 'ignore' } as const
        return toJsonSchema(schema as never, options)
      },
    },
  ],
  [
    'arktype',
    {
      partial: (schema) => (isPlainArkObject(schema) ? callMethod(schema, 'partial') : undefined),
      jsonSchema: (schema) => callMethod(Reflect.get(schema, 'in'), 'toJsonSchema'),
    },
  ],
])

/** Of other libraries it is not known whether `partial` keeps all that a schema says. */
const libraryOf = (schema: StandardSchema): Library =>
  libraries.get(schema['~standard'].vendor) ?? { partial: () => undefined }

/** The schema with all its keys optional. `undefined`: its library cannot do that, or it would lose rules. */
export const partialOf = async (schema: StandardSchema): Promise<StandardSchema | undefined> => {
  const partial = await orUndefined(() => libraryOf(schema).partial(schema))
  return isStandardSchema(partial) ? partial : undefined
}

/** The JSON Schema (2020-12) of what goes into the schema. `undefined`: nobody can say. */
export const jsonSchemaOf = async (schema: StandardSchema): Promise<object | undefined> => {
  const { jsonSchema, jsonSchemaOptions } = libraryOf(schema)
  const made =
    (await orUndefined(() =>
      callMethod(Reflect.get(schema['~standard'], 'jsonSchema'), 'input', {
        target: 'draft-2020-12',
        ...(jsonSchemaOptions && { libraryOptions: jsonSchemaOptions }),
      }),
    )) ?? (await orUndefined(() => jsonSchema?.(schema)))
  return typeof made === 'object' && made !== null ? made : undefined
}

/** Libraries refuse by throwing. */
const orUndefined = async (make: () => unknown): Promise<unknown> => {
  try {
    return await make()
  } catch {
    return undefined
  }
}

const canHaveMethods = (value: unknown): value is object =>
  (typeof value === 'object' || typeof value === 'function') && value !== null

const hasMethod = (owner: unknown, name: string): boolean =>
  canHaveMethods(owner) && typeof Reflect.get(owner, name) === 'function'

const callMethod = (owner: unknown, name: string, ...given: readonly unknown[]): unknown => {
  const method: unknown = canHaveMethods(owner) ? Reflect.get(owner, name) : undefined
  return typeof method === 'function' ? Reflect.apply(method, owner, given) : undefined
}

const isZodType = (schema: object): schema is z.core.$ZodType => '_zod' in schema

const isZodObject = (schema: object): schema is z.core.$ZodObject =>
  isZodType(schema) && schema._zod.def.type === 'object'

/** All that an ArkType object may say for its `partial` to keep it: rules about the whole object go without a word. */
const arkKeys: ReadonlySet<string> = new Set([
  'domain',
  'required',
  'optional',
  'index',
  'undeclared',
  'meta',
])

const isPlainArkObject = (schema: object): boolean => {
  const json: unknown = Reflect.get(schema, 'json')
  return canHaveMethods(json) && !Array.isArray(json) && Object.keys(json).every((key) => arkKeys.has(key))
}

/** The keys that a schema names, as far as can be known: those of its JSON Schema, or of its entries (Valibot). */
export const declaredKeys = (schema: StandardSchema, json: object | undefined): ReadonlySet<string> => {
  const entries: unknown = Reflect.get(schema, 'entries')
  return new Set([...(isObjectLike(entries) ? Object.keys(entries) : []), ...keysIn(json, json ?? {}, 0)])
}

/** References may go in circles. */
const MAX_DEPTH = 8

const keysIn = (json: unknown, root: object, depth: number): readonly string[] => {
  if (!isObjectLike(json) || depth > MAX_DEPTH) return []
  const properties: unknown = Reflect.get(json, 'properties')
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword): readonly unknown[] => {
    const schemas: unknown = Reflect.get(json, keyword)
    return Array.isArray(schemas) ? schemas : []
  })
  const key = /^#\/\$defs\/(.+)$/.exec(String(Reflect.get(json, '$ref')))?.[1]
  const definitions: unknown = Reflect.get(root, '$defs')
  const referred: unknown =
    key !== undefined && isObjectLike(definitions) ? Reflect.get(definitions, key) : undefined
  return [
    ...(isObjectLike(properties) ? Object.keys(properties) : []),
    ...[...parts, referred].flatMap((part) => keysIn(part, root, depth + 1)),
  ]
}

const isObjectLike = (value: unknown): value is object => typeof value === 'object' && value !== null
