import type { z } from 'zod'
import type { Awaitable } from '../../model/objects.ts'
import type { StandardResult, StandardSchema } from './standard-schema.ts'

/**
 * Runs a schema without catching its errors. Zod's own `validate` would run the schema a second time, asynchronously,
 * after any error.
 */
export const runnerOf = (schema: StandardSchema): ((value: unknown) => Awaitable<StandardResult>) => {
  if (!isZod(schema)) return (value) => schema['~standard'].validate(value)
  let waits = false
  return (value) => {
    if (!waits) {
      try {
        return toStandardResult(schema.safeParse(value))
      } catch (error) {
        // Recognized by its text, because another copy of Zod has another class.
        if (!(error instanceof Error && error.message.includes('Use .parseAsync() instead'))) throw error
        waits = true
      }
    }
    return schema.safeParseAsync(value).then(toStandardResult)
  }
}

/** Whether it is a Zod 4 schema, of any copy of Zod. */
const isZod = (schema: StandardSchema): schema is StandardSchema & z.ZodType =>
  '_zod' in schema &&
  ['safeParse', 'safeParseAsync'].every((name) => typeof Reflect.get(schema, name) === 'function')

const toStandardResult = ({ data, error }: z.ZodSafeParseResult<unknown>): StandardResult =>
  error === undefined ? { value: data } : { issues: error.issues }
