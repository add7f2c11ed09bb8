import type { IssueCode, ProblemCode } from '../error/codes.ts'
import { HttpError, problem, ValueError } from '../error/errors.ts'
import { type Field, isReadable, isWritable, type Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { SourceError, type SourceErrorKind } from '../source/source.ts'
import type { Call } from './call.ts'
import { isSafe } from './methods.ts'

export interface RefusalContext {
  readonly model: Model
  /** The names of all served models. Errors do not name other models. */
  readonly served: ReadonlySet<string>
  /** Recognizes database errors of a hook's own statements. @default none is recognized */
  readonly refusalOf?: (error: unknown) => SourceError | undefined
}

/** The problems of a query string that names fields or relations. */
export const queryProblems: readonly ProblemCode[] = [
  'malformed_query',
  'query_too_long',
  'unknown_field',
  'invalid_operator',
  'invalid_value',
  'page_too_large',
]

/** The problems with which authentication may refuse a request, in addition to those of every operation. */
export interface AuthProblems {
  /** Of any request. */
  readonly all: readonly ProblemCode[]
  /** Of writes only. */
  readonly writes: readonly ProblemCode[]
}

/** The database errors that every read, and every write, may cause. */
export const readProblems: readonly ProblemCode[] = ['unavailable']
export const writeProblems: readonly ProblemCode[] = [...readProblems, 'write_conflict', 'outcome_unknown']

export const toHttpProblem = (error: unknown, call: Call, about: RefusalContext): unknown => {
  const refusal = refusalIn(error, about)
  if (refusal === undefined || (call.failure?.error === error && !states.has(refusal.kind))) return error
  return refusal.kind === 'value' && (isSafe(call) || call.method === 'DELETE')
    ? notCompared(refusal, about)
    : toProblem(refusal, kindFor(call, refusal), about)
}

/** What errors of a hook may say of the database. Others concern records of the hook, not the body of the request. */
const states: ReadonlySet<SourceErrorKind> = new Set<SourceErrorKind>(['contended', 'lost', 'unavailable'])

/** For a check in a hook of the service that takes the place of a unique constraint. */
export const takenProblem = (model: Model, fields: readonly string[]): Error =>
  toProblem(new SourceError('unique', { fields }), 'unique', { model, served: new Set() })

/** An error that a hook throws deliberately stays unchanged, regardless of its cause. */
const refusalIn = (error: unknown, { refusalOf }: RefusalContext): SourceError | undefined => {
  if (error instanceof SourceError) return error
  return error instanceof HttpError || error instanceof ValueError ? undefined : refusalOf?.(error)
}

/** Reads change nothing, so their outcome is never unknown. */
const kindFor = (call: Call, { kind }: SourceError): SourceErrorKind =>
  isSafe(call) && (kind === 'contended' || kind === 'lost') ? 'unavailable' : kind

/** The database, or a type of the application, refused a value of the query. Reads and deletes have no others. */
const notCompared = (error: SourceError, { model }: RefusalContext): Error => {
  const named = model.fields.filter((field) => error.fields.includes(field.name) && isReadable(field))
  const fields = named.map(({ name }) => name).join(', ')
  return problem(
    'invalid_value',
    `The database cannot compare a value in the query with ${fields || 'a field'}.`,
    {
      cause: error,
    },
  )
}

interface Refusal {
  readonly code: ProblemCode
  readonly detail: string
  /** Reported for each field that the source names. */
  readonly issue?: { readonly code: IssueCode; readonly detail: string }
  /** Seconds. */
  readonly retryAfter?: number
}

const invalidBody = (detail: string, code: IssueCode, issueDetail: string): Refusal => ({
  code: 'invalid_body',
  detail,
  issue: { code, detail: issueDetail },
})

const taken = 'Another record already has this value.'

const refusals: Readonly<Record<SourceErrorKind, Refusal>> = {
  unique: { code: 'unique_conflict', detail: taken, issue: { code: 'taken', detail: taken } },
  'missing-reference': invalidBody(
    'The body refers to a record that does not exist.',
    'missing_reference',
    'The referenced record does not exist.',
  ),
  'still-referenced': { code: 'still_referenced', detail: 'Other records still refer to this record.' },
  'not-null': invalidBody('A field cannot be null.', 'not_nullable', 'The field cannot be null.'),
  check: invalidBody(
    'A database constraint rejects the body.',
    'constraint',
    'A database constraint rejects the value.',
  ),
  value: invalidBody(
    'The database cannot store a value in the body.',
    'invalid',
    'The database cannot store the value.',
  ),
  type: invalidBody(
    'A value in the body has the wrong type for its column.',
    'wrong_type',
    'The value has the wrong type for its column.',
  ),
  ignored: {
    code: 'conflict',
    detail: 'The database ignored the write, for example because of a trigger. Nothing was saved.',
  },
  unrepresentable: { code: 'unrepresentable_value', detail: 'A stored value cannot be represented exactly.' },
  contended: {
    code: 'write_conflict',
    detail: 'Concurrent requests wrote to the same records, so nothing was saved. Retry the request.',
    retryAfter: 1,
  },
  lost: {
    code: 'outcome_unknown',
    detail: 'The database connection was lost; the write may or may not have been saved.',
    retryAfter: 5,
  },
  unavailable: {
    code: 'unavailable',
    detail: 'The database is temporarily unavailable.',
    retryAfter: 5,
  },
}

/** The code of an issue about a record that the database refused. */
export const issueCodeOf = ({ kind }: SourceError): IssueCode | ProblemCode =>
  refusals[kind].issue?.code ?? refusals[kind].code

/** Of what a validator of the application says. */
const LONGEST = 300

const toProblem = (error: SourceError, kind: SourceErrorKind, { model, served }: RefusalContext): Error => {
  const { code, detail, issue, retryAfter } = refusals[kind]
  const named = model.fields.filter((field) => error.fields.includes(field.name))
  if (kind === 'not-null' && named.length > 0 && !named.some(isWritable))
    return unsetError(model, named, error)
  // Does not disclose fields and models that callers cannot see.
  const fields = named.filter((field) => isReadable(field) || isWritable(field))
  const referring = kind === 'still-referenced' ? error.models.filter((name) => served.has(name)) : []
  const said = (name: string): string | undefined => ownValue(error.messages, name)?.slice(0, LONGEST)
  return problem(code, said('') ?? detail, {
    cause: error,
    errors: [
      ...(issue === undefined
        ? []
        : fields.map(({ name }) => ({
            ...{ pointer: `/${name}`, code: issue.code },
            detail: said(name) ?? issue.detail,
          }))),
      ...referring.map((name) => ({
        code: 'referenced' as const,
        detail: `${name} records still refer to this record.`,
      })),
    ],
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  })
}

/** Clients cannot send the field, so its absence is a mistake of the application. */
const unsetError = ({ name: model }: Model, [field]: readonly Field[], cause: SourceError): Error =>
  new Error(
    `${model}.${field?.name} is required, but clients cannot send it, and it was not set. Set it in a beforeCreate hook, or give the column a default.`,
    { cause },
  )
