import { ZodOptional, z } from 'zod'
import { isRecord } from '../../error/record.ts'
import type { JsonSchema } from '../../model/codec.ts'
import { ownValue } from '../../model/objects.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'

type ReadSchema = (schema: StandardSchema) => unknown

/** What a schema accepts, or what it returns. */
type Side = 'input' | 'output'

/** Bundlers accept a package that is not installed only if the failure of its import is handled. */
const absent = (error: unknown): never => {
  throw error
}

/** Make all keys optional. Other libraries are missing, because their `partial` may lose rules. */
const partials: Readonly<Record<string, ReadSchema>> = {
  zod: (schema) =>
    callMethod(schema, 'partial') ??
    (isZodObject(schema) ? z.core.util.partial(ZodOptional, schema, undefined) : undefined),
  valibot: async (schema) => {
    if (!('entries' in schema) || 'pipe' in schema) return undefined
    const { partial, partialAsync } = await import('valibot').catch(absent)
    const isAsync = 'async' in schema && schema.async === true
    return isAsync ? partialAsync(schema as never) : partial(schema as never)
  },
  arktype: (schema) => (isPlainArkObject(schema) ? callMethod(schema, 'partial') : undefined),
}

/** For schemas without `~standard.jsonSchema`: those of zod/mini and Valibot. */
const jsonSchemas: Readonly<Record<string, (schema: StandardSchema, side: Side) => unknown>> = {
  zod: (schema, side) =>
    isZodType(schema) ? z.toJSONSchema(schema, { io: side, unrepresentable: 'any' }) : undefined,
  valibot: async (schema, side) => {
    const { toJsonSchema } = await import('@valibot/to-json-schema').catch(absent)
    const options = { typeMode: side, target: 'draft-2020-12', errorMode: 'ignore' } as const
    return toJsonSchema(schema as never, options)
  },
}

/** The schema with all keys optional. `undefined` if its library cannot do that, or rules would be lost. */
export const partialOf = async (schema: StandardSchema): Promise<StandardSchema | undefined> => {
  const partial = await orUndefined(() => ownValue(partials, schema['~standard'].vendor)?.(schema))
  return isStandardSchema(partial) ? partial : undefined
}

/** The JSON Schema (2020-12) of what a schema accepts or returns, if the library supports it. */
export const jsonSchemaOf = async (
  schema: StandardSchema,
  side: Side = 'input',
): Promise<JsonSchema | undefined> => {
  const { vendor } = schema['~standard']
  // Both options, one of Zod and one of Valibot, omit rules that JSON Schema cannot express.
  const libraryOptions = { unrepresentable: 'any', errorMode: 'ignore' }
  const made =
    (await orUndefined(() =>
      callMethod(Reflect.get(schema['~standard'], 'jsonSchema'), side, {
        target: 'draft-2020-12',
        ...(vendor !== 'arktype' && { libraryOptions }),
      }),
    )) ?? (await orUndefined(() => ownValue(jsonSchemas, vendor)?.(schema, side)))
  return isRecord(made) ? { ...made } : undefined
}

/** A startup warning about a schema whose library does not describe it. @param shown what the documentation has instead */
export const undocumented = (place: string, schema: StandardSchema, shown: string): string =>
  `${place} has no JSON Schema, so the documentation shows ${shown}.${schema['~standard'].vendor === 'valibot' ? ' Install @valibot/to-json-schema.' : ''}`

const orUndefined = async (make: () => unknown): Promise<unknown> => {
  try {
    return await make()
  } catch {
    return undefined
  }
}

const callMethod = (owner: unknown, name: string, ...given: readonly unknown[]): unknown => {
  const method: unknown = Reflect.get(Object(owner), name)
  return typeof method === 'function' ? Reflect.apply(method, owner, given) : undefined
}

const isZodType = (schema: object): schema is z.core.$ZodType => '_zod' in schema
const isZodObject = (schema: object): schema is z.core.$ZodObject =>
  isZodType(schema) && schema._zod.def.type === 'object'

/** The keys that ArkType's `partial` keeps. It silently drops rules about the whole object. */
const arkKeys: readonly string[] = ['domain', 'required', 'optional', 'index', 'undeclared', 'meta']

const isPlainArkObject = (schema: object): boolean => {
  const json: unknown = Reflect.get(schema, 'json')
  return isRecord(json) && Object.keys(json).every((key) => arkKeys.includes(key))
}

/** The keys that a schema names, as far as known: those of its JSON Schema or of its entries (Valibot). */
export const declaredKeys = (schema: StandardSchema, json: JsonSchema = {}): ReadonlySet<string> =>
  new Set([...Object.keys(Object(Reflect.get(schema, 'entries'))), ...keysIn(json, Object(json['$defs']))])

/** References may be circular. */
const MAX_DEPTH = 8

const keysIn = (json: unknown, definitions: object, depth = 0): readonly string[] => {
  if (!isRecord(json) || depth > MAX_DEPTH) return []
  const { properties, allOf, anyOf, oneOf, $ref } = json
  const name = /^#\/\$defs\/(.+)$/.exec(String($ref))?.[1] ?? ''
  const parts = [allOf, anyOf, oneOf, Object.hasOwn(definitions, name) ? Reflect.get(definitions, name) : []]
  return [
    ...Object.keys(Object(properties)),
    ...parts.flat().flatMap((part) => keysIn(part, definitions, depth + 1)),
  ]
}
