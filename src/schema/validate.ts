import { z } from 'zod'
import { type HttpError, problem } from '../error/http-error.ts'
import { boundedIssues, type Issue } from '../error/issue.ts'
import { onceFor } from '../model/once-for.ts'
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
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw bodyRefusal([NO_OBJECT])
  const result = schema.safeParse(hasInheritedName(schema) ? withoutPrototype(body) : body)
  if (result.success) return result.data
  throw bodyRefusal(issuesOf(result.error.issues, body, schema))
}

/** A column may be named `constructor`: every object has one, so that an absent field would be there. */
const hasInheritedName = onceFor(
  (schema: z.ZodType) => schema instanceof z.ZodObject && Object.keys(schema.shape).some(isInherited),
)

/** Whether every object has something by this name. */
export const isInherited = (name: string): boolean => name in Object.prototype

/** A body that has nothing but what was sent. */
export const withoutPrototype = (body: object): Record<string, unknown> =>
  Object.assign(Object.create(null), body)

/** The refusal of a body for what is wrong with it: 422 `invalid_body`. */
export const bodyRefusal = (found: Iterable<Issue>): HttpError => {
  const errors = boundedIssues(found)
  const [first, ...more] = errors
  const others = more.length === 0 ? '' : ` ${more.length} more in errors.`
  return problem('invalid_body', `The body does not fit the schema. ${first?.detail ?? ''}${others}`, {
    errors,
  })
}
