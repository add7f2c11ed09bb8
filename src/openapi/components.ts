import { isDeepStrictEqual } from 'node:util'
import { StartError } from '../error/start-error.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Operation } from '../operation/operation.ts'
import type { NamedSchema } from '../schema/named-schema.ts'
import { problemSchema } from './problem-schema.ts'

/**
 * Every schema that an operation names, and those that these use, once each.
 *
 * @throws StartError where two schemas have one name and differ.
 */
export const toSchemas = (operations: readonly Operation[]): Readonly<Record<string, JsonSchema>> => {
  const found = new Map<string, { readonly schema: JsonSchema; readonly place: string }>()
  const add = (named: NamedSchema, place: string): void => {
    const known = found.get(named.name)
    if (known === undefined) {
      found.set(named.name, { schema: named.schema, place })
      for (const used of named.uses ?? []) add(used, place)
    } else if (known.schema !== named.schema && !isDeepStrictEqual(known.schema, named.schema)) {
      throw new StartError(
        `Two different schemas are named ${named.name}: one in ${known.place}, one in ${place}. Rename a model so that they differ.`,
      )
    }
  }
  add(problemSchema, 'the error replies')
  for (const { id, success, body } of operations) {
    if (body !== undefined) add(body.schema, `the body of ${id}`)
    if (body?.form !== undefined) add(body.form.schema, `the form of ${id}`)
    if (success.schema !== undefined) add(success.schema, `the reply of ${id}`)
  }
  return Object.fromEntries([...found].map(([name, { schema }]) => [name, schema]))
}
