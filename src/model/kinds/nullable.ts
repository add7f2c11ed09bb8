import type { JsonSchema } from '../codec.ts'

/**
 * The schema with null beside its values: `type: [T, 'null']`. An enum stays whole beside null, so that clients that are
 * generated from it keep it as a type; a schema without a type takes null already.
 */
export const nullable = (schema: JsonSchema): JsonSchema => {
  if ('enum' in schema || '$ref' in schema) return { anyOf: [schema, { type: 'null' }] }
  return typeof schema['type'] === 'string' ? { ...schema, type: [schema['type'], 'null'] } : schema
}
