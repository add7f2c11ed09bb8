import type { ScopedCall } from '../../controller/scope.ts'
import type { Model, Relation } from '../../model/model.ts'
import type { Condition } from '../../query/ast.ts'
import type { Row, Session } from '../../source/source.ts'
import type { Uploads } from '../../upload/uploads.ts'
import type { RecordScope } from '../parts/records.ts'
import type { Resource } from '../parts/resource.ts'
import type { NestedTarget, Path, WriteTarget } from '../parts/target.ts'
import type { Shown } from '../show/replies.ts'
import type { Locate } from './places.ts'

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
  readonly resource: Resource
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
  readonly resource: Resource
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
