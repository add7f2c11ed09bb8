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

/** What a property of an entity is: a field, a relation to one record, or neither. */
export type KindOf<Value, Entities, References = Entities> = unknown extends Value
  ? 'field'
  : Value extends Date | Uint8Array
    ? 'field'
    : Value extends ((...args: never) => unknown) | Promise<unknown> | { getItems(...args: never): unknown }
      ? 'none'
      : [Entities] extends [never]
        ? 'field'
        : Value extends readonly Entities[]
          ? 'none'
          : Value extends Entities | References
            ? 'relation'
            : 'field'
