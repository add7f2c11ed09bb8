import { z } from 'zod'
import type { StandardResult, StandardSchema } from './standard-schema.ts'

type Run = (value: unknown) => StandardResult | PromiseLike<StandardResult>

/** Runs a schema. What it throws itself comes out as it is. */
export const runnerOf = (schema: StandardSchema): Run =>
  isZod(schema) ? zodRunner(schema) : (value) => schema['~standard'].validate(value)

interface ZodResult {
  readonly success: boolean
  readonly data?: unknown
  readonly error?: { readonly issues: readonly z.core.$ZodIssue[] }
}

interface ZodLike {
  safeParse(value: unknown): ZodResult
  safeParseAsync(value: unknown): Promise<ZodResult>
}

/** A Zod 4 schema, of whichever copy of Zod. */
const isZod = (schema: StandardSchema): schema is StandardSchema & ZodLike =>
  '_zod' in schema &&
  ['safeParse', 'safeParseAsync'].every((name) => typeof Reflect.get(schema, name) === 'function')

/** Zod's own `validate` runs a schema a second time, asynchronously, whatever it threw the first time. */
const zodRunner = (schema: ZodLike): Run => {
  let waits = false
  return (value) => {
    if (!waits) {
      try {
        return standard(schema.safeParse(value))
      } catch (error) {
        if (!isAsyncError(error)) throw error
        waits = true
      }
    }
    return schema.safeParseAsync(value).then(standard)
  }
}

/** Another copy of Zod has another class. */
const isAsyncError = (error: unknown): boolean =>
  error instanceof z.core.$ZodAsyncError ||
  (error instanceof Error && error.message.includes('Use .parseAsync() instead'))

const standard = ({ data, error }: ZodResult): StandardResult =>
  error === undefined ? { value: data } : { issues: error.issues }
