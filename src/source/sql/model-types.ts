import type { WithFiles, WithUploads } from '../../model/kinds/binary.ts'

/** The compile-time type of a model of an ORM. */
export interface OrmModel<Name extends string, Fields, New> {
  readonly app: 'app'
  readonly name: Name
  readonly record: Fields
  readonly insert: New
  /** The payload of a hook. */
  readonly payload: WithUploads<New>
  /** The result of a hook. */
  readonly stored: WithFiles<New>
}
