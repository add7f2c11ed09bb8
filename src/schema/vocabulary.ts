import type { CountMode, FieldKind } from '../model/model.ts'
import type { PaginationType } from '../model/pagination.ts'

/** What the member `x-modelrest` of a document says beyond OpenAPI. docs/x-modelrest.schema.json describes it. */
export interface Vocabulary {
  /** Members may be added without another version. */
  readonly version: 1
  /** The operators of each group of fields. */
  readonly operators: Readonly<Record<string, readonly DescribedOperator[]>>
  readonly limits: Readonly<Record<string, number>>
  /** What list responses call their members. A member that they do not have is absent. */
  readonly envelope: Readonly<Record<string, string>>
  /** By the name of the model. */
  readonly models: Readonly<Record<string, DescribedModel>>
}

/** An operator of conditions. */
export interface DescribedOperator {
  readonly sign: string
  /** Absent: what the operator says. */
  readonly meaning?: string
}

/** What the document says of a model, equal for all callers. */
export interface DescribedModel {
  readonly label: { readonly one: string; readonly many: string }
  readonly path: string
  /** The fields of the primary key. Empty: the model has none, so its records are only listed. */
  readonly key: readonly string[]
  /** The field whose value names a record to people. Absent: the key does. */
  readonly title?: string
  /** The kinds of the fields that clients can read or write. */
  readonly fields: Readonly<Record<string, FieldKind>>
  /** The names of computed fields, which responses have too. */
  readonly computed?: readonly string[]
  /** What clients can do -> the `operationId`. */
  readonly operations: Readonly<Record<string, string>>
  /** Whether an array of records creates them all. */
  readonly createsMany?: true
  /** A group of operators -> the fields that have them in conditions. */
  readonly conditions: Readonly<Record<string, readonly string[]>>
  readonly sort: readonly string[]
  /** The fields that `search` looks in. */
  readonly search: readonly string[]
  readonly relations: Readonly<Record<string, DescribedRelation>>
  /** What responses include if a request does not say. */
  readonly include?: readonly string[]
  /** How its lists are paged; the first is the default. */
  readonly pages: readonly PaginationType[]
  readonly counts: readonly CountMode[]
  /** The field that each write raises. */
  readonly version?: string
  /** Whether changes need `If-Match`. */
  readonly requireIfMatch?: true
  /** Deleted records can be shown and restored. */
  readonly trash?: true
  /** The field that a deletion sets, if clients can read it. */
  readonly deletedAt?: string
  readonly actions?: Readonly<Record<string, DescribedAction>>
}

/** A relation that conditions and `include` can follow. */
export interface DescribedRelation {
  readonly model: string
  readonly kind: 'to-one' | 'to-many'
  /** Fields of this model. Without `through`, their values are those of `references` of the other model. */
  readonly fields: readonly string[]
  readonly references: readonly string[]
  /** A join table is between the two. */
  readonly through?: true
  /** Whether bodies write its records. */
  readonly write?: true
  /** The `operationId` of the list below a record. */
  readonly list?: string
  /** The `operationId` that creates a record below a record. */
  readonly create?: string
}

/** An action, which runs on one record or on none. */
export interface DescribedAction {
  readonly operation: string
  readonly on: 'record' | 'collection'
  /** Whether its operation has a body. */
  readonly input: boolean
}
