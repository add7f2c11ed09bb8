import type { ScopedCall } from '../../controller/scope.ts'
import type { Condition } from '../../query/ast.ts'
import type { Row } from '../../source/source.ts'
import type { BoundReference } from '../references.ts'
import type { Together } from './relations.ts'

/** A related record that a body writes. */
export interface Change {
  readonly verb: 'create' | 'update' | 'replace' | 'delete'
  /** Where the body has it. */
  readonly path: readonly PropertyKey[]
  /** The values of `keys`. Absent: the database makes them. */
  readonly key?: readonly unknown[]
  /** The values of the body in the form that is stored, and the fields that the client sent. */
  readonly values: Row
  readonly sent: readonly string[]
  /** The existing record for which the permission was checked. */
  readonly seen?: Row
  readonly references: readonly BoundReference[]
}

/** The related records that a body writes along one relation. */
export interface Plan {
  readonly together: Together
  /** The request, with the scope of its caller on the target. */
  readonly scoped: ScopedCall
  readonly changes: readonly Change[]
  /** The body has the whole set, so other records are deleted. */
  readonly isWhole: boolean
  /** Holds for the records at the other end of a join table that the caller can reach. */
  readonly farReach: Condition
}
