import { type TextComparison, textComparisons } from '../model/text-comparisons.ts'
import type { Comparison, Condition } from './ast.ts'

/** The comparison of a leaf. `ties` and `unties`: the field sorts equal to the value, or not. */
export type LeafOperator =
  | Comparison
  | `${TextComparison}-not`
  | 'in'
  | 'in-not'
  | 'ties'
  | 'unties'
  | 'is-null'
  | 'is-not-null'

/**
 * A condition without `not`, whose leaves say whether they hold for null. It translates directly to query languages in which
 * a comparison with null is neither true nor false, such as SQL.
 */
export type NormalCondition =
  | {
      readonly op: Exclude<LeafOperator, 'in' | 'in-not' | 'is-null' | 'is-not-null'>
      readonly field: string
      /** Never null. */
      readonly value: unknown
      /** The leaf also holds if the field is null. */
      readonly orNull: boolean
    }
  | {
      readonly op: 'in' | 'in-not'
      readonly field: string
      /** Never empty, and without null. */
      readonly values: readonly unknown[]
      readonly orNull: boolean
    }
  | { readonly op: 'is-null' | 'is-not-null'; readonly field: string }
  /** A condition inside JSON or an array, which holds or does not, also for null. */
  | { readonly op: 'inside' | 'inside-not'; readonly condition: InsideCondition }
  | { readonly op: 'and' | 'or'; readonly conditions: readonly NormalCondition[] }
  | { readonly op: 'always' | 'never' }
  /**
   * With `isSome`, a related record exists for which the condition holds; otherwise, no such record exists. With `link`, that
   * condition holds for its record of the join table too.
   */
  | {
      readonly op: 'related'
      readonly relation: string
      readonly isSome: boolean
      readonly condition: NormalCondition
      readonly link?: NormalCondition
    }

type InsideCondition = Extract<Condition, { readonly op: 'json' | 'json-null' | 'has-element' }>

/**
 * Rewrites a condition in negation normal form. Empty lists, comparisons with null and constant parts are evaluated: `and` and `or` have at least two
 * parts, and `always` and `never` occur only as the whole condition, or `always` as that of a related record.
 *
 * @throws Error for a value that is undefined, which query builders would drop together with its condition
 */
export const normalForm = (condition: Condition): NormalCondition => {
  switch (condition.op) {
    case 'not':
      return oppositeOf(normalForm(condition.condition))
    case 'and':
    case 'or':
      return joined(condition.op, condition.conditions.map(normalForm))
    case 'related': {
      const { relation } = condition
      const inner = normalForm(condition.condition)
      const link = condition.link && normalForm(condition.link)
      if (inner.op === 'never' || link?.op === 'never') return constant(false)
      const linked = link !== undefined && link.op !== 'always' && { link }
      return { op: 'related', relation, isSome: true, condition: inner, ...linked }
    }
    case 'is-null':
    case 'is-not-null':
      return { op: condition.op, field: condition.field }
    case 'json':
    case 'json-null':
    case 'has-element':
      return { op: 'inside', condition }
    case 'in': {
      const { field, values } = condition
      for (const value of values) assertDefined(field, value)
      const some = values.filter((value) => value !== null)
      return some.length === 0 ? constant(false) : { op: 'in', field, values: some, orNull: false }
    }
    case 'tie': {
      const { field, value } = condition
      assertDefined(field, value)
      if (value === null) return constant(false)
      return joined('and', [{ op: 'ties', field, value, orNull: false }, normalForm(condition.condition)])
    }
    default: {
      const { op, field, value } = condition
      assertDefined(field, value)
      // Only `ne` holds for null.
      if (value === null) return constant(op === 'ne')
      return { op, field, value, orNull: op === 'ne' }
    }
  }
}

const constant = (holds: boolean): NormalCondition => ({ op: holds ? 'always' : 'never' })

const joined = (op: 'and' | 'or', parts: readonly NormalCondition[]): NormalCondition => {
  const [deciding, neutral] = op === 'and' ? (['never', 'always'] as const) : (['always', 'never'] as const)
  if (parts.some((part) => part.op === deciding)) return { op: deciding }
  const conditions = parts.filter((part) => part.op !== neutral)
  const [only] = conditions
  if (only === undefined) return { op: neutral }
  return conditions.length === 1 ? only : { op, conditions }
}

type TextLeaf = TextComparison | `${TextComparison}-not`

const textOpposites = Object.fromEntries(
  (Object.keys(textComparisons) as TextComparison[]).flatMap((op) => [
    [op, `${op}-not`],
    [`${op}-not`, op],
  ]),
) as Readonly<Record<TextLeaf, TextLeaf>>

const opposites = {
  ...textOpposites,
  ...{ eq: 'ne', ne: 'eq', lt: 'ge', le: 'gt', gt: 'le', ge: 'lt' },
  in: 'in-not',
  'in-not': 'in',
  ties: 'unties',
  unties: 'ties',
  'is-null': 'is-not-null',
  'is-not-null': 'is-null',
  inside: 'inside-not',
  'inside-not': 'inside',
  and: 'or',
  or: 'and',
  always: 'never',
  never: 'always',
} as const

/** The condition that holds where this one does not, for query languages whose `not` does not hold for null. */
export const oppositeOf = (condition: NormalCondition): NormalCondition => {
  if (condition.op === 'related') return { ...condition, isSome: !condition.isSome }
  const op = opposites[condition.op]
  if ('conditions' in condition)
    return { op, conditions: condition.conditions.map(oppositeOf) } as NormalCondition
  const orNull = 'orNull' in condition && { orNull: !condition.orNull }
  return { ...condition, op, ...orNull } as NormalCondition
}

export const assertDefined = (field: string, value: unknown): void => {
  if (value === undefined) throw new Error(`The condition on ${field} has no value.`)
}
