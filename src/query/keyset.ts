import { type Field, fieldOf, type Model } from '../model/model.ts'
import { both, type Condition, everything, type Order } from './ast.ts'

const nothing: Condition = Object.freeze({ op: 'or', conditions: Object.freeze([]) })

/** A position in a sorted list: after the record with these sort values. */
export interface Place {
  readonly values: readonly unknown[]
  /** How many of the first sort keys have the same value in an adjacent record. */
  readonly ties: number
}

/**
 * The records after a position, as consecutive ranges. Nulls are the largest value.
 *
 * Each is one range of an index on the sort keys, so the database does not read the records before the position. For this
 * reason, values, nulls and ties with the position are separate ranges. Values are compared by the collation of the column,
 * never byte for byte, because the database sorts by it.
 */
export const rangesAfter = (
  model: Model,
  order: readonly Order[],
  { values, ties }: Place,
): readonly Condition[] => {
  const [key, ...others] = order
  if (key === undefined) return []
  const field = fieldOf(model, key.field)
  const value = values[0]
  const rest: Place = { values: values.slice(1), ties: ties - 1 }
  const isNull: Condition = { op: 'is-null', field: field.name }
  if (value === null) {
    const nulls = rangesAfter(model, others, rest).map((range) => both(isNull, range))
    return key.direction === 'asc' ? nulls : [...nulls, { op: 'is-not-null', field: field.name }]
  }
  const nulls = key.direction === 'asc' && field.nullable ? [isNull] : []
  const range = bounds[key.direction]({ ...field, nullable: false }, value)
  if (ties > 0) {
    const tied = rangesAfter(model, others, rest).map(
      (condition): Condition => ({ op: 'tie', field: field.name, value, condition }),
    )
    return [...tied, range.beyond, ...nulls]
  }
  return [fromKey(range, inOneRange(model, others, rest.values)), ...nulls]
}

/** An index on the first keys finds the start of the page; only records with equal values need the next key. */
const inOneRange = (model: Model, order: readonly Order[], values: readonly unknown[]): Condition =>
  order.reduceRight<Condition>(
    (rest, { field, direction }, index) =>
      fromKey(bounds[direction](fieldOf(model, field), values[index]), rest),
    nothing,
  )

interface Bounds {
  readonly notBefore: Condition
  readonly beyond: Condition
}

const fromKey = ({ notBefore, beyond }: Bounds, rest: Condition): Condition => {
  if (rest === nothing) return beyond
  const beyondOrRest = either(beyond, rest)
  return notBefore === everything ? beyondOrRest : { op: 'and', conditions: [notBefore, beyondOrRest] }
}

const bounds: Readonly<Record<Order['direction'], (field: Field, value: unknown) => Bounds>> = {
  asc: ({ name, nullable }, value) => {
    const isNull: Condition = { op: 'is-null', field: name }
    if (value === null) return { notBefore: isNull, beyond: nothing }
    const orNull = (condition: Condition) => (nullable ? either(condition, isNull) : condition)
    return {
      notBefore: orNull({ op: 'ge', field: name, value }),
      beyond: orNull({ op: 'gt', field: name, value }),
    }
  },
  desc: ({ name }, value) =>
    value === null
      ? { notBefore: everything, beyond: { op: 'is-not-null', field: name } }
      : { notBefore: { op: 'le', field: name, value }, beyond: { op: 'lt', field: name, value } },
}

const either = (a: Condition, b: Condition): Condition =>
  a === nothing ? b : { op: 'or', conditions: [a, b] }
