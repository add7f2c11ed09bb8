import type { z } from 'zod'
import { type Awaitable, isPromise } from '../../model/objects.ts'
import type { CustomBody, StandardResult, StandardSchema } from './standard-schema.ts'

type Run = (value: unknown) => Awaitable<StandardResult>

/** Validates values against a custom schema. @throws Error for a promise that the application must not wait for */
export const runnerOf = ({
  place,
  schema,
  mayWait,
}: Pick<CustomBody, 'place' | 'schema' | 'mayWait'>): Run => {
  const run = plainRunnerOf(schema)
  if (mayWait) return run
  return (value) => {
    const result = run(value)
    if (!isPromise(result)) return result
    result.then(undefined, () => undefined)
    throw new Error(
      `${place} validates asynchronously, but isAsync is false. Remove its async rules, or remove isAsync.`,
    )
  }
}

/**
 * Runs a schema without catching its errors. Zod's own `validate` would run the schema a second time, asynchronously,
 * after any error.
 */
const plainRunnerOf = (schema: StandardSchema): Run => {
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
