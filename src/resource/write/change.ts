import type { ScopedCall } from '../../controller/scope.ts'
import { HttpError, type Issue, pointerTo, ValueError } from '../../error/errors.ts'
import { toHttpError } from '../../error/problem.ts'
import type { Model, Relation } from '../../model/model.ts'
import type { Call } from '../../operation/call.ts'
import { issueCodeOf, toHttpProblem } from '../../operation/refusals.ts'
import type { Steps } from '../../operation/steps.ts'
import type { Condition } from '../../query/ast.ts'
import { type Row, type Session, SourceError, type SourceErrorKind } from '../../source/source.ts'
import type { Uploads } from '../../upload/uploads.ts'
import type { RecordScope } from '../parts/records.ts'
import type { NestedTarget, Path, WriteTarget } from '../parts/resource.ts'
import type { Shown } from '../show/replies.ts'

/** What a request does to a record. `restore` clears the time of its deletion. */
export type ChangeVerb = 'create' | 'update' | 'replace' | 'restore' | 'delete'

/** A record that a request writes. */
export interface Change {
  readonly verb: ChangeVerb
  /** Where the body has it. Empty: the record is the body. */
  readonly path: Path
  /** The values of the keys of its target. Absent: the database makes them. */
  readonly key?: readonly unknown[] | undefined
  /** Those of the body in the form that is stored, and once its hook has run, those to store. */
  readonly values: Row
  /** The members of the body. */
  readonly sent: readonly string[]
  /** The fields that come from the client: those of the body, or those that a custom schema made of it. */
  readonly fields: readonly string[]
  /** The existing record for which the permission was checked, or that was read for hooks. */
  readonly seen?: Row | undefined
  /** The existing record, if the transaction has locked and read it already. */
  readonly locked?: Row | undefined
  readonly uploads?: Uploads | undefined
  /** What the client requires of the existing record. */
  readonly match?: Match | undefined
  /** Foreign keys that must refer to records in scope. @default none */
  readonly references?: readonly BoundReference[]
  /** The records related to it that the body writes. @default none */
  readonly below?: readonly NestedChanges[]
}

/** What the header `If-Match` requires of the record that a write changes. */
export interface Match {
  /** Part of the guard of the statement. `everything`: the record must be compared under a lock. */
  readonly condition: Condition
  /** Whether a record, as it is stored, is one that the client means. */
  readonly isMet: (stored: Row) => boolean
}

/** A foreign key that a client sent, to a model with a scope or hidden records. */
export interface BoundReference {
  readonly relation: Relation
  readonly target: Model
  /** Holds for the records that it may refer to. */
  readonly scope: RecordScope
}

/** Changes of records of one model. */
export interface Changes {
  readonly target: WriteTarget
  /** The request, with the scope of its caller on the target. */
  readonly scoped: ScopedCall
  readonly all: readonly Change[]
}

/** Changes of the records along a relation of another record. */
export interface NestedChanges extends Changes {
  readonly target: NestedTarget
  /** The body has the whole set, so other records are deleted. */
  readonly isWhole: boolean
  /** Holds for the records at the other end of a join table that the caller can reach. */
  readonly farReach: Condition
}

/** A record that is written, but possibly not committed yet, and what the response shows of it. */
export interface Stored extends Shown {
  readonly target: WriteTarget
  readonly change: Change
  /** The record before the write, if hooks or its files need it. */
  readonly before?: Row
}

/** A transaction that writes records. */
export interface Transaction {
  readonly session: Session
  /** Called before a hook runs, because hooks run once, and if a retry could not succeed. */
  readonly endRetries: () => void
  /** Called with what says where the body has a record that is refused: some databases say why only after the end of the transaction. */
  readonly failed: (locate: Locate) => void
  /** Called with a change whose statement is refused. @default it is not needed */
  readonly refused?: (refusal: RefusedChange) => void
}

export interface RefusedChange {
  readonly target: WriteTarget
  readonly scoped: ScopedCall
  readonly change: Change
}

/** How changes of one target are written. */
export interface WriteContext {
  readonly target: WriteTarget
  readonly scoped: ScopedCall
  /** Holds, with the scope, for the records that may be changed: the foreign key to their parent, or a filter. @default all */
  readonly among?: Condition
  /** The foreign key to the parent. @default there is none */
  readonly parent?: Row
  /** The error for a record that is no longer among them. @default 404 */
  readonly missing?: () => Error
}

/** The same in a transaction. */
export interface WriteContextInside extends WriteContext {
  readonly transaction: Transaction
}

/** What a change says that has no body. */
export const nothingSent: Pick<Change, 'values' | 'sent' | 'fields'> = { values: {}, sent: [], fields: [] }

/** The existing records of a parent, by the text of their key. */
export interface Current {
  readonly rows: ReadonlyMap<string, Row>
  /** Those of them that the caller can reach, and thus delete. */
  readonly reached: ReadonlyMap<string, Row>
}

export const noRows: Current = Object.freeze({ rows: new Map(), reached: new Map() })

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
  const known = toHttpProblem(error, call, target.rules)
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
