import type { StandardSchema } from './standard-schema.ts'

/** The keys that a schema names, as far as can be known: those of its JSON Schema, or of its entries (Valibot). */
export const declaredKeys = (schema: StandardSchema, json: object | undefined): ReadonlySet<string> => {
  const entries: unknown = Reflect.get(schema, 'entries')
  return new Set([...(isObject(entries) ? Object.keys(entries) : []), ...keysIn(json, json ?? {}, 0)])
}

/** References may go in circles. */
const MAX_DEPTH = 8

const keysIn = (json: unknown, root: object, depth: number): readonly string[] => {
  if (!isObject(json) || depth > MAX_DEPTH) return []
  const properties: unknown = Reflect.get(json, 'properties')
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword): readonly unknown[] => {
    const schemas: unknown = Reflect.get(json, keyword)
    return Array.isArray(schemas) ? schemas : []
  })
  const key = /^#\/\$defs\/(.+)$/.exec(String(Reflect.get(json, '$ref')))?.[1]
  const definitions: unknown = Reflect.get(root, '$defs')
  const referred: unknown =
    key !== undefined && isObject(definitions) ? Reflect.get(definitions, key) : undefined
  return [
    ...(isObject(properties) ? Object.keys(properties) : []),
    ...[...parts, referred].flatMap((part) => keysIn(part, root, depth + 1)),
  ]
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
