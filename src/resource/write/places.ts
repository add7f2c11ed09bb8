import { HttpError, type Issue, pointerTo, ValueError } from '../../error/errors.ts'
import { toHttpError } from '../../error/problem.ts'
import type { Call } from '../../operation/call.ts'
import { issueCodeOf, toHttpProblem } from '../../operation/refusals.ts'
import type { Steps } from '../../operation/steps.ts'
import { SourceError, type SourceErrorKind } from '../../source/source.ts'
import type { Path, WriteTarget } from '../parts/target.ts'

/** They say something of the database, not of a record, and decide whether the transaction is retried. */
const states: ReadonlySet<SourceErrorKind> = new Set<SourceErrorKind>(['contended', 'lost', 'unavailable'])

export const isState = ({ kind }: SourceError): boolean => states.has(kind)

/** Makes an error say where the body has the record that it is about. */
export type Locate = (error: unknown) => unknown

/**
 * Runs steps about a record that is one of several in a body. Their refusals say where the body has that record.
 *
 * @param failed receives what says where. @default it is not needed
 */
export function* locating<T>(
  target: WriteTarget,
  call: Call,
  path: Path,
  begin: () => Steps<T>,
  failed?: (locate: Locate) => void,
): Steps<T> {
  const locate: Locate = (error) => located(target, call, path, error)
  try {
    return yield* begin()
  } catch (error) {
    failed?.(locate)
    throw locate(error)
  }
}

const located = (target: WriteTarget, call: Call, path: Path, thrown: unknown): unknown => {
  const error = thrown instanceof ValueError ? toHttpError(thrown) : thrown
  if (error instanceof SourceError ? isState(error) : !(error instanceof HttpError)) return error
  const known = toHttpProblem(error, call, target.resource.rules)
  if (!(known instanceof HttpError) || known.status >= 500) return known
  // The key that the body sent, or a record that was deleted meanwhile.
  if (known.code === 'not_found') return target.missing([path])
  const { status, code, detail, headers } = known
  const whole = { code: error instanceof SourceError ? issueCodeOf(error) : code, detail }
  const errors = issuesOf(target, known.errors, whole).map((issue) => under(path, issue))
  return new HttpError(status, detail, { code, headers, errors, cause: known })
}

/** @param whole about the record, if no member of the body is to blame */
const issuesOf = (
  { isLink, foreign }: WriteTarget,
  errors: readonly Issue[],
  whole: Issue,
): readonly Issue[] => {
  // The body does not contain the foreign key. A new parent is missing once its transaction has ended.
  const own = errors.filter(({ pointer }) => !foreign.some((name) => pointer === pointerTo([name])))
  const [first = whole, ...others] = own
  if (!isLink) return [first, ...others]
  // An element of a join table is a key, without members.
  return [{ code: first.code, detail: first.detail }]
}

const under = (path: Path, issue: Issue): Issue => ({
  ...issue,
  pointer: pointerTo(path) + (issue.pointer ?? ''),
})

/** Collects the mistakes of a part of the body, so that one response names those of all parts. */
export function* collecting<T>(issues: Issue[], path: Path, begin: () => Steps<T>): Steps<T | undefined> {
  try {
    return yield* begin()
  } catch (error) {
    const isBody = error instanceof HttpError && error.code === 'invalid_body' && error.errors.length > 0
    if (!isBody) throw error
    issues.push(...error.errors.map((issue) => under(path, issue)))
    return undefined
  }
}
