import type { IssueCode } from '../error/codes.ts'
import { type HttpError, type Issue, problem } from '../error/http-error.ts'
import { type Field, isReadable, isWritable } from '../model/model.ts'
import type { Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import type { Steps } from '../operation/steps.ts'
import { SourceError, type SourceErrorKind } from '../source/source-error.ts'
import type { Resource } from './resource.ts'

/** Runs an act; what the source refuses becomes the answer that the contract has for it (contract, 5). */
export const translated = (resource: Resource, run: Operation['run']): Operation['run'] =>
  function* (call): Steps<Reply> {
    try {
      return yield* run(call)
    } catch (error) {
      throw error instanceof SourceError ? refusals[error.kind](error, resource) : error
    }
  }

type Refusal = (error: SourceError, resource: Resource) => HttpError

const refusals: Readonly<Record<SourceErrorKind, Refusal>> = {
  unique: (error, resource) =>
    problem('unique_conflict', 'Another record has this value already.', {
      cause: error,
      errors: issues(error, resource, 'taken', 'Another record has this value already.'),
    }),
  'missing-reference': (error, resource) =>
    problem('invalid_body', 'The body points to a record that does not exist.', {
      cause: error,
      errors: issues(error, resource, 'missing_reference', 'There is no such record.'),
    }),
  'still-referenced': (error, resource) => {
    const models = error.models.filter((name) => resource.served.has(name))
    return problem('still_referenced', 'Other records still refer to this one.', {
      cause: error,
      errors: models.map((name) => ({
        code: 'referenced',
        detail: `${name} records still refer to this one.`,
      })),
    })
  },
  'not-null': (error, resource) =>
    problem('invalid_body', 'A field cannot be null.', {
      cause: error,
      errors: issues(error, resource, 'not_nullable', 'The field cannot be null.'),
    }),
  check: (error, resource) =>
    problem('invalid_body', 'A rule of the database refuses the body.', {
      cause: error,
      errors: issues(error, resource, 'constraint', 'A rule of the database refuses the value.'),
    }),
  value: (error, resource) =>
    problem('invalid_body', 'The database cannot hold a value of the body.', {
      cause: error,
      errors: issues(error, resource, 'invalid', 'The database cannot hold the value.'),
    }),
  unrepresentable: (error) =>
    problem('unrepresentable_value', 'A stored value cannot be returned exactly.', { cause: error }),
  unavailable: (error) =>
    problem('unavailable', 'The database cannot be reached at the moment.', {
      cause: error,
      headers: { 'retry-after': '5' },
    }),
}

/** One issue for each field that the caller may know of. */
const issues = (error: SourceError, { model }: Resource, code: IssueCode, detail: string): readonly Issue[] =>
  model.fields
    .filter((field) => error.fields.includes(field.name) && isKnownToCallers(field))
    .map((field) => ({ pointer: `/${field.name}`, code, detail }))

const isKnownToCallers = (field: Field): boolean => isReadable(field) || isWritable(field)
