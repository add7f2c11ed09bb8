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
          : called(schema, 'partial'),
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
      partial: (schema) => (isPlainArkObject(schema) ? called(schema, 'partial') : undefined),
      jsonSchema: (schema) => called(Reflect.get(schema, 'in'), 'toJsonSchema'),
    },
  ],
])

/** Of other libraries it is not known whether `partial` keeps all that a schema says. */
const libraryOf = (schema: StandardSchema): Library =>
  libraries.get(schema['~standard'].vendor) ?? { partial: () => undefined }

/** The schema with all its keys optional. `undefined`: its library cannot do that, or it would lose rules. */
export const partialOf = async (schema: StandardSchema): Promise<StandardSchema | undefined> => {
  const partial = await orNothing(() => libraryOf(schema).partial(schema))
  return isStandardSchema(partial) ? partial : undefined
}

/** The JSON Schema (2020-12) of what goes into the schema. `undefined`: nobody can say. */
export const jsonSchemaOf = async (schema: StandardSchema): Promise<object | undefined> => {
  const { jsonSchema, jsonSchemaOptions } = libraryOf(schema)
  const made =
    (await orNothing(() =>
      called(Reflect.get(schema['~standard'], 'jsonSchema'), 'input', {
        target: 'draft-2020-12',
        ...(jsonSchemaOptions && { libraryOptions: jsonSchemaOptions }),
      }),
    )) ?? (await orNothing(() => jsonSchema?.(schema)))
  return typeof made === 'object' && made !== null ? made : undefined
}

/** Libraries refuse by throwing. */
const orNothing = async (make: () => unknown): Promise<unknown> => {
  try {
    return await make()
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' || typeof value === 'function') && value !== null

const hasMethod = (owner: unknown, name: string): boolean =>
  isObject(owner) && typeof Reflect.get(owner, name) === 'function'

const called = (owner: unknown, name: string, ...given: readonly unknown[]): unknown => {
  const method: unknown = isObject(owner) ? Reflect.get(owner, name) : undefined
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
  return isObject(json) && !Array.isArray(json) && Object.keys(json).every((key) => arkKeys.has(key))
}
