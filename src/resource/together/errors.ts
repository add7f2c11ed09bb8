import { HttpError, type Issue, pointerTo } from '../../error/errors.ts'
import type { Call } from '../../operation/call.ts'
import { toHttpProblem } from '../../operation/refusals.ts'
import type { Steps } from '../../operation/steps.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import { SourceError, type SourceErrorKind } from '../../source/source.ts'
import type { Together } from './relations.ts'

type Path = readonly PropertyKey[]

/** They say something of the database, not of a record, and decide whether the transaction is retried. */
const states: ReadonlySet<SourceErrorKind> = new Set<SourceErrorKind>(['contended', 'lost', 'unavailable'])

/** Runs steps about a related record. Their refusals say where the body has that record. */
export function* locating<T>(together: Together, call: Call, path: Path, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps
  } catch (error) {
    throw located(together, call, path, error)
  }
}

const located = ({ relation, target }: Together, call: Call, path: Path, error: unknown): unknown => {
  if (error instanceof SourceError ? states.has(error.kind) : !(error instanceof HttpError)) return error
  const known = toHttpProblem(error, call, target)
  if (!(known instanceof HttpError) || known.status >= 500) return known
  // The key that the body sent, or a record that was deleted meanwhile.
  if (known.code === 'not_found') return bodyRefusal([missing(path)])
  const { status, code, detail, headers, errors } = known
  const own = errors.length === 0 ? [{ code, detail }] : errors
  // An element of a join table is a key, without members.
  const isKey = relation.through !== undefined
  const moved = own.map((issue) => (isKey ? { ...issue, pointer: pointerTo(path) } : under(path, issue)))
  return new HttpError(status, detail, { code, headers, errors: moved, cause: known })
}

const under = (path: Path, issue: Issue): Issue => ({
  ...issue,
  pointer: pointerTo(path) + (issue.pointer ?? ''),
})

/** Like a foreign key to a record that does not exist, or that the caller cannot reach. */
export const missing = (path: Path): Issue => ({
  pointer: pointerTo(path),
  code: 'missing_reference',
  detail: 'The record does not exist, or belongs to another record.',
})

/** Collects the mistakes of a part of the body, so that one response names those of all parts. */
export function* collecting<T>(issues: Issue[], path: Path, steps: Steps<T>): Steps<T | undefined> {
  try {
    return yield* steps
  } catch (error) {
    const isBody = error instanceof HttpError && error.code === 'invalid_body' && error.errors.length > 0
    if (!isBody) throw error
    issues.push(...error.errors.map((issue) => under(path, issue)))
    return undefined
  }
}
