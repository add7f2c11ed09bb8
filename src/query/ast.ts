/** How one field is compared with one value. `contains` is for text, without regard to case. */
export type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' | 'contains'

/**
 * A condition in no database's language. It is two-valued: a comparison with null is false, `ne` counts null as
 * different, and `not` makes true of every false.
 *
 * Values have the form of their field (`ValueForm`), so that a source passes them on as they are.
 */
export type Condition =
  | { readonly op: Comparison; readonly field: string; readonly value: unknown }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly unknown[] }
  | { readonly op: 'is-null' | 'is-not-null'; readonly field: string }
  | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }
  /** The field sorts as the value does, though texts may do so without being equal, and the condition holds. */
  | { readonly op: 'tie'; readonly field: string; readonly value: unknown; readonly condition: Condition }
  /** The record at the other end of a to-one relation is there, and the condition holds for it. */
  | { readonly op: 'related'; readonly relation: string; readonly condition: Condition }

/** Holds for every record. */
export const everything: Condition = Object.freeze({ op: 'and', conditions: Object.freeze([]) })

/** Both conditions, without a needless level. */
export const both = (a: Condition, b: Condition): Condition => {
  if (a === everything) return b
  return b === everything ? a : { op: 'and', conditions: [a, b] }
}

/** One sort key. Nulls are the largest value. */
export interface Order {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/** Which records of a model are asked for. `order` ends with the primary key, so that it is total. */
export interface Selection {
  readonly filter: Condition
  readonly order: readonly Order[]
  readonly limit: number
  readonly offset: number
  /** The fields to read, all of the primary key among them. @default all */
  readonly fields?: readonly string[]
}
