/** Compares one field with one value. `contains` is for text and ignores case. */
export type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' | 'contains'

/**
 * A condition, independent of the database. It is two-valued: a comparison with null is false, `ne` counts null as
 * different, and `not` turns every false into true.
 *
 * Values have the form of their field (`ValueForm`); a source needs no conversion.
 */
export type Condition =
  | { readonly op: Comparison; readonly field: string; readonly value: unknown }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly unknown[] }
  | { readonly op: 'is-null' | 'is-not-null'; readonly field: string }
  | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }
  /** The field sorts equal to the value (strings may do so without being equal), and the condition holds. */
  | { readonly op: 'tie'; readonly field: string; readonly value: unknown; readonly condition: Condition }
  /** The record at the other end of a to-one relation exists, and the condition holds for it. */
  | { readonly op: 'related'; readonly relation: string; readonly condition: Condition }

/** Holds for every record. */
export const everything: Condition = Object.freeze({ op: 'and', conditions: Object.freeze([]) })

/** Both conditions. Does not nest if one of them is `everything`. */
export const both = (a: Condition, b: Condition): Condition => {
  if (a === everything) return b
  return b === everything ? a : { op: 'and', conditions: [a, b] }
}

/** One sort key. Nulls are the largest value. */
export interface Order {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/** Selects records of a model. `order` ends with the primary key, which makes it total. */
export interface Selection {
  readonly filter: Condition
  readonly order: readonly Order[]
  readonly limit: number
  readonly offset: number
  /** The fields to read, including the whole primary key. @default all */
  readonly fields?: readonly string[]
}
