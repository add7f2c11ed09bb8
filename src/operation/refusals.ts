import type { IssueCode, ProblemCode } from '../error/codes.ts'
import { HttpError, problem, ValueError } from '../error/errors.ts'
import { isReadable, isWritable, type Model } from '../model/model.ts'
import { SourceError, type SourceErrorKind } from '../source/source.ts'
import type { Call } from './call.ts'

export interface RefusalContext {
  readonly model: Model
  /** Names of all models that are served: a refusal names no other. */
  readonly served: ReadonlySet<string>
  /** What an error of a hook's own statement says of the state of the database. @default nothing */
  readonly refusalOf?: (error: unknown) => SourceError | undefined
}

/** How a database may refuse any operation that reads, and any that writes. */
export const readProblems: readonly ProblemCode[] = ['unavailable']
export const writeProblems: readonly ProblemCode[] = ['write_conflict', 'outcome_unknown', 'unavailable']

export const toHttpProblem = (error: unknown, call: Call, about: RefusalContext): unknown => {
  const refusal = refusalIn(error, about)
  return refusal === undefined ? error : toProblem(refusal, kindFor(call, refusal), about)
}

/** An error of the hook itself stands as it is, whatever has caused it. */
const refusalIn = (error: unknown, { refusalOf }: RefusalContext): SourceError | undefined => {
  if (error instanceof SourceError) return error
  return error instanceof HttpError || error instanceof ValueError ? undefined : refusalOf?.(error)
}

/** What only reads does nothing that could be half done, or done twice. */
const kindFor = ({ method }: Call, { kind }: SourceError): SourceErrorKind =>
  (method === 'GET' || method === 'HEAD') && (kind === 'contended' || kind === 'lost') ? 'unavailable' : kind

interface Refusal {
  readonly code: ProblemCode
  readonly detail: string
  /** One for each field that the source names. */
  readonly issue?: { readonly code: IssueCode; readonly detail: string }
  /** Seconds. */
  readonly retryAfter?: number
}

const invalidBody = (detail: string, code: IssueCode, issueDetail: string): Refusal => ({
  code: 'invalid_body',
  detail,
  issue: { code, detail: issueDetail },
})

const taken = 'Another record has this value already.'

const refusals: Readonly<Record<SourceErrorKind, Refusal>> = {
  unique: { code: 'unique_conflict', detail: taken, issue: { code: 'taken', detail: taken } },
  'missing-reference': invalidBody(
    'The body points to a record that does not exist.',
    'missing_reference',
    'There is no such record.',
  ),
  'still-referenced': { code: 'still_referenced', detail: 'Other records still refer to this one.' },
  'not-null': invalidBody('A field cannot be null.', 'not_nullable', 'The field cannot be null.'),
  check: invalidBody(
    'A rule of the database refuses the body.',
    'constraint',
    'A rule of the database refuses the value.',
  ),
  value: invalidBody(
    'The database cannot hold a value of the body.',
    'invalid',
    'The database cannot hold the value.',
  ),
  type: invalidBody(
    'A column cannot take a value of this type.',
    'wrong_type',
    'The column cannot take a value of this type.',
  ),
  unrepresentable: { code: 'unrepresentable_value', detail: 'A stored value cannot be returned exactly.' },
  contended: {
    code: 'write_conflict',
    detail: 'Others are writing the same at the moment. Nothing was done.',
    retryAfter: 1,
  },
  lost: {
    code: 'outcome_unknown',
    detail: 'The database went away before it said whether this was done.',
    retryAfter: 5,
  },
  unavailable: {
    code: 'unavailable',
    detail: 'The database cannot be reached at the moment.',
    retryAfter: 5,
  },
}

const toProblem = (
  error: SourceError,
  kind: SourceErrorKind,
  { model, served }: RefusalContext,
): HttpError => {
  const { code, detail, issue, retryAfter } = refusals[kind]
  // Callers learn of no field and no model that they cannot know of.
  const fields = model.fields.filter(
    (field) => error.fields.includes(field.name) && (isReadable(field) || isWritable(field)),
  )
  const referring = kind === 'still-referenced' ? error.models.filter((name) => served.has(name)) : []
  return problem(code, detail, {
    cause: error,
    errors: [
      ...(issue === undefined ? [] : fields.map(({ name }) => ({ pointer: `/${name}`, ...issue }))),
      ...referring.map((name) => ({
        code: 'referenced' as const,
        detail: `${name} records still refer to this one.`,
      })),
    ],
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  })
}
