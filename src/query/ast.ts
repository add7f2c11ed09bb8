import { type TextComparison, textComparisons } from '../model/text-comparisons.ts'
import type { JsonComparison, JsonScalar, JsonStep } from './json-path.ts'

/**
 * Compares one field with one value. For text: `contains` and `equals-ignoring-case` ignore case, `starts-with` does not. A source
 * gets the last two only if it has the capability of the same name.
 */
export type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge' | TextComparison

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
  /** Compares the value at a path inside a JSON field. Only for sources with the capability `jsonPaths`. */
  | {
      readonly op: 'json'
      readonly field: string
      readonly path: readonly JsonStep[]
      readonly is: JsonComparison
      readonly value: JsonScalar
    }
  /** Some element of an array equals a value in the form of the elements. Only with the capability `arrayElements`. */
  | { readonly op: 'has-element'; readonly field: string; readonly value: unknown }
  /** The value at the path is missing or null. */
  | { readonly op: 'json-null'; readonly field: string; readonly path: readonly JsonStep[] }
  | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }
  /** The field sorts equal to the value (strings may do so without being equal), and the condition holds. */
  | { readonly op: 'tie'; readonly field: string; readonly value: unknown; readonly condition: Condition }
  /**
   * At the other end of a relation is at least one record for which the condition holds. With `link`, that condition holds for
   * the record of the join table too.
   */
  | {
      readonly op: 'related'
      readonly relation: string
      readonly condition: Condition
      readonly link?: Condition
    }

const ofText: ReadonlySet<string> = new Set(Object.keys(textComparisons))

export const isTextComparison = (op: string): op is TextComparison => ofText.has(op)

/** Holds for every record. */
export const everything: Condition = Object.freeze({ op: 'and', conditions: Object.freeze([]) })

/** Both conditions. Does not nest if one of them is `everything`. */
export const both = (a: Condition, b: Condition): Condition => {
  if (a === everything) return b
  return b === everything ? a : { op: 'and', conditions: [a, b] }
}

/** Several conditions as one, frozen. A single one stays as it is. */
export const joined = (op: 'and' | 'or', conditions: readonly Condition[]): Condition => {
  const [first] = conditions
  return first !== undefined && conditions.length === 1
    ? first
    : Object.freeze({ op, conditions: Object.freeze(conditions) })
}

/** The conditions in a condition. */
export const conditionsIn = (condition: Condition): readonly Condition[] => {
  if ('conditions' in condition) return condition.conditions
  if (!('condition' in condition)) return []
  const isLinked = condition.op === 'related' && condition.link !== undefined
  return isLinked ? [condition.condition, condition.link] : [condition.condition]
}

/** The values that a condition compares with. They are only in `value` and `values`. */
export const valuesIn = (condition: Condition): readonly unknown[] => {
  switch (condition.op) {
    case 'in':
      return condition.values
    case 'is-null':
    case 'is-not-null':
    case 'json-null':
      return []
    case 'tie':
      return [condition.value, ...valuesIn(condition.condition)]
    case 'and':
    case 'or':
    case 'not':
    case 'related':
      return conditionsIn(condition).flatMap(valuesIn)
    default:
      return [condition.value]
  }
}

/** The condition with other conditions in it: the same object if none changes. */
export const withParts = (condition: Condition, change: (part: Condition) => Condition): Condition => {
  if ('conditions' in condition) {
    const conditions = condition.conditions.map(change)
    const isSame = conditions.every((part, at) => part === condition.conditions[at])
    return isSame ? condition : { ...condition, conditions }
  }
  if (!('condition' in condition)) return condition
  const inner = change(condition.condition)
  const link = condition.op === 'related' && condition.link ? change(condition.link) : undefined
  const isSame =
    inner === condition.condition && (link === undefined || ('link' in condition && link === condition.link))
  return isSame ? condition : { ...condition, condition: inner, ...(link && { link }) }
}

/** What a condition says about the fields of its own model. `T`: what a part says. */
export interface Folding<T> {
  readonly and: (parts: readonly T[]) => T
  readonly or: (parts: readonly T[]) => T
  /** One field has one of these values. */
  readonly has: (field: string, values: readonly unknown[]) => T
  /** For all other conditions. */
  readonly otherwise: T
}

export const fold = <T>(condition: Condition, by: Folding<T>): T => {
  switch (condition.op) {
    case 'and':
    case 'or':
      return by[condition.op](condition.conditions.map((part) => fold(part, by)))
    case 'eq':
      return by.has(condition.field, [condition.value])
    case 'in':
      return by.has(condition.field, condition.values)
    case 'is-null':
      return by.has(condition.field, [null])
    default:
      return by.otherwise
  }
}

const unknown: ReadonlyMap<string, unknown> = new Map()

/** The fields for which a condition allows exactly one value: field name -> value in the form of the field. */
export const fixedValues = (condition: Condition): ReadonlyMap<string, unknown> =>
  fold<ReadonlyMap<string, unknown>>(condition, {
    and: (parts) => new Map(parts.flatMap((part) => [...part])),
    or: () => unknown,
    has: (field, values) => (values.length === 1 ? new Map([[field, values[0]]]) : unknown),
    otherwise: unknown,
  })

/** Whether a condition is about related records. */
export const hasRelation = (condition: Condition): boolean =>
  condition.op === 'related' || conditionsIn(condition).some(hasRelation)

/** The condition that fields have these values, in the same order. */
export const haveValues = (fields: readonly string[], values: readonly unknown[]): Condition => ({
  op: 'and',
  conditions: fields.map((field, place) => ({ op: 'eq', field, value: values[place] })),
})

/** One sort key. Nulls are the largest value. */
export interface Order {
  readonly field: string
  readonly direction: 'asc' | 'desc'
  /**
   * To-one relations that lead to the model of the field, one after the other. A record without such a related record has the
   * value null. @default the field is one of this model
   */
  readonly via?: readonly Hop[]
}

/** A step along a to-one relation. */
export interface Hop {
  readonly relation: string
  /** Related records for which it does not hold count as absent. @default everything */
  readonly guard?: Condition
}

/** The name of a sort value in a row: `price`, or `customer.name` for a field that is reached through relations. */
export const sortName = ({ field, via = [] }: Order): string =>
  [...via.map(({ relation }) => relation), field].join('.')

/**
 * Selects records of a model. `order` ends with the primary key, which makes it total. Each row also has the values of sort keys
 * that are reached through relations, under their `sortName`.
 */
export interface Selection {
  readonly filter: Condition
  readonly order: readonly Order[]
  readonly limit: number
  readonly offset: number
  /** The fields to read, including the whole primary key. @default all */
  readonly fields?: readonly string[]
}

/** Records to return with each record, found along a relation. */
export interface Include {
  readonly relation: string
  /** Of the other model. For a to-one relation, its filter, order and limit are those of any one record. */
  readonly selection: Selection
  /** The fields to show. @default all readable fields */
  readonly fields?: readonly string[]
  /** Whether to count all related records that match. Only for to-many relations. */
  readonly count: 'exact' | 'none'
  readonly include: readonly Include[]
}

/**
 * A function of the values of a group. `count` without a field counts records, with a field those that have a value, and
 * `count_distinct` the different values of a field.
 */
export interface Aggregate {
  readonly fn: 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max'
  readonly field?: string
}

/** The part of a date or date-time by which records are grouped. `week`: ISO 8601, by its Monday. */
export type DatePart = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour'

/** Records with the same value are in the same group. */
export interface Grouping {
  readonly field: string
  /** Groups by the start of this part of the value. */
  readonly part?: DatePart
}

/**
 * Groups records and computes functions of each group. Without groupings, all records are one group.
 *
 * The name of a result column is the field, `month_created_at` for a part, `count`, or `sum_total` for a function.
 */
export interface Aggregation {
  readonly filter: Condition
  readonly groups: readonly Grouping[]
  readonly aggregates: readonly Aggregate[]
  /** Holds for the rows of the result, whose columns it names like fields. Only for sources with the capability `having`. @default everything */
  readonly having?: Condition
  /** Names of result columns. Ends with all groups, which makes it total. */
  readonly order: readonly { readonly column: string; readonly direction: 'asc' | 'desc' }[]
  readonly limit: number
  /** The IANA time zone of the parts of instants. @default `UTC` */
  readonly timezone: string
}

/** The name of a result column of an aggregation: `status`, `month_created_at`, `count`, `sum_total`. */
export const columnName = (of: Aggregate | Grouping): string => {
  const prefix = 'fn' in of ? of.fn : of.part
  return [prefix, of.field].filter((part) => part !== undefined).join('_')
}
