import type { z } from 'zod'
import type { HttpError } from '../../error/http-error.ts'
import type { Model } from '../../model/model.ts'
import { issuesOf } from '../issues.ts'
import { bodyRefusal } from '../validate.ts'
import { discreet } from './discreet.ts'
import { standardIssues } from './standard-issues.ts'
import type { StandardIssue, StandardSchema } from './standard-schema.ts'

/** The refusal of a body by a schema of the application's own. */
export const refusalOf = (
  issues: readonly StandardIssue[],
  body: object,
  model: Model,
  schema: StandardSchema,
): HttpError => {
  const found = isZod(schema)
    ? issuesOf(issues as readonly z.core.$ZodIssue[], body, schema)
    : standardIssues(issues, body)
  return bodyRefusal(discreet(found, body, model))
}

const isZod = (schema: StandardSchema): schema is StandardSchema & z.ZodType => '_zod' in schema
