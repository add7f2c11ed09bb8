import type { IssueCode, ProblemCode } from '../error/codes.ts'
import { HttpError, type Issue, problem, ValueError } from '../error/errors.ts'
import { type Field, isReadable, isWritable, type Model } from '../model/model.ts'
import { SourceError, type SourceErrorKind } from '../source/source.ts'
import type { Call, Reply } from './call.ts'
import type { Operation } from './operation.ts'
import type { Steps } from './steps.ts'

/** What an act is about, as far as a refusal may tell. */
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

/** Runs an act; what the source refuses becomes the answer that the contract has for it (contract, 5). */
export const translateErrors = (about: RefusalContext, run: Operation['run']): Operation['run'] =>
  function* (call): Steps<Reply> {
    try {
      return yield* run(call)
    } catch (error) {
      const refusal = refusalIn(error, about)
      throw refusal === undefined ? error : refusals[kindFor(call, refusal)](refusal, about)
    }
  }

/** What a hook says itself is not said otherwise, whatever has caused it. */
const refusalIn = (error: unknown, { refusalOf }: RefusalContext): SourceError | undefined => {
  if (error instanceof SourceError) return error
  return error instanceof HttpError || error instanceof ValueError ? undefined : refusalOf?.(error)
}

/** What only reads does nothing that could be half done, or done twice. */
const kindFor = ({ method }: Call, { kind }: SourceError): SourceErrorKind =>
  (method === 'GET' || method === 'HEAD') && (kind === 'contended' || kind === 'lost') ? 'unavailable' : kind

type Refusal = (error: SourceError, about: RefusalContext) => HttpError

const refusals: Readonly<Record<SourceErrorKind, Refusal>> = {
  unique: (error, about) =>
    problem('unique_conflict', 'Another record has this value already.', {
      cause: error,
      errors: issues(error, about, 'taken', 'Another record has this value already.'),
    }),
  'missing-reference': (error, about) =>
    problem('invalid_body', 'The body points to a record that does not exist.', {
      cause: error,
      errors: issues(error, about, 'missing_reference', 'There is no such record.'),
    }),
  'still-referenced': (error, about) => {
    const models = error.models.filter((name) => about.served.has(name))
    return problem('still_referenced', 'Other records still refer to this one.', {
      cause: error,
      errors: models.map((name) => ({
        code: 'referenced',
        detail: `${name} records still refer to this one.`,
      })),
    })
  },
  'not-null': (error, about) =>
    problem('invalid_body', 'A field cannot be null.', {
      cause: error,
      errors: issues(error, about, 'not_nullable', 'The field cannot be null.'),
    }),
  check: (error, about) =>
    problem('invalid_body', 'A rule of the database refuses the body.', {
      cause: error,
      errors: issues(error, about, 'constraint', 'A rule of the database refuses the value.'),
    }),
  value: (error, about) =>
    problem('invalid_body', 'The database cannot hold a value of the body.', {
      cause: error,
      errors: issues(error, about, 'invalid', 'The database cannot hold the value.'),
    }),
  type: (error, about) =>
    problem('invalid_body', 'A column cannot take a value of this type.', {
      cause: error,
      errors: issues(error, about, 'wrong_type', 'The column cannot take a value of this type.'),
    }),
  unrepresentable: (error) =>
    problem('unrepresentable_value', 'A stored value cannot be returned exactly.', { cause: error }),
  contended: (error) =>
    problem('write_conflict', 'Others are writing the same at the moment. Nothing was done.', {
      cause: error,
      headers: { 'retry-after': '1' },
    }),
  lost: (error) =>
    problem('outcome_unknown', 'The database went away before it said whether this was done.', {
      cause: error,
      headers: { 'retry-after': '5' },
    }),
  unavailable: (error) =>
    problem('unavailable', 'The database cannot be reached at the moment.', {
      cause: error,
      headers: { 'retry-after': '5' },
    }),
}

/** One issue for each field that the caller may know of. */
const issues = (
  error: SourceError,
  { model }: RefusalContext,
  code: IssueCode,
  detail: string,
): readonly Issue[] =>
  model.fields
    .filter((field) => error.fields.includes(field.name) && isKnownToCallers(field))
    .map((field) => ({ pointer: `/${field.name}`, code, detail }))

const isKnownToCallers = (field: Field): boolean => isReadable(field) || isWritable(field)
