import type { z } from 'zod'
import { problem } from '../error/http-error.ts'
import { issuesOf, NO_OBJECT } from './issues.ts'

/**
 * The body as the schema reads it.
 *
 * @throws HttpError 422 `invalid_body` with an entry in `errors` for each place that is wrong.
 */
export const validateBody = (
  schema: z.ZodType<Record<string, unknown>>,
  body: unknown,
): Record<string, unknown> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refusal([NO_OBJECT])
  const result = schema.safeParse(body)
  if (result.success) return result.data
  throw refusal(issuesOf(result.error.issues, body, schema))
}

const refusal = (errors: ReturnType<typeof issuesOf>): Error => {
  const [first, ...more] = errors
  const others = more.length === 0 ? '' : ` ${more.length} more in errors.`
  return problem('invalid_body', `The body does not fit the schema. ${first?.detail ?? ''}${others}`, {
    errors,
  })
}
