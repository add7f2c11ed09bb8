import { type Field, fieldOf, type Model } from '../model/model.ts'
import { type Condition, everything, type Order } from './ast.ts'

const nothing: Condition = Object.freeze({ op: 'or', conditions: Object.freeze([]) })

/** Records that follow one another: those of `continued` come when there are no more of `first`. */
export interface Following {
  readonly first: Condition
  readonly continued?: Condition
}

/**
 * The records that come after the one with these sort values. Nulls are the largest value.
 *
 * Values and nulls of the first key are apart, since no index gives both in one range of a sort. Values are compared by
 * the order of the column, never byte for byte, since that is how the database sorts.
 */
export const after = (model: Model, order: readonly Order[], values: readonly unknown[]): Following => {
  const [key, ...others] = order
  if (key === undefined) return { first: nothing }
  const field = fieldOf(model, key.field)
  const rest = inOneRange(model, others, values.slice(1))
  const value = values[0]
  const isNull: Condition = { op: 'is-null', field: field.name }
  if (value !== null) {
    const first = fromKey(bounds[key.direction]({ ...field, nullable: false }, value), rest)
    return key.direction === 'asc' && field.nullable ? { first, continued: isNull } : { first }
  }
  const first: Condition = { op: 'and', conditions: [isNull, rest] }
  return key.direction === 'desc' ? { first, continued: { op: 'is-not-null', field: field.name } } : { first }
}

/**
 * Each key narrows the records to those that do not come before, so that an index on the first keys leads straight to
 * the page; only records with the same value ask the next key.
 */
const inOneRange = (model: Model, order: readonly Order[], values: readonly unknown[]): Condition =>
  order.reduceRight<Condition>(
    (rest, { field, direction }, index) =>
      fromKey(bounds[direction](fieldOf(model, field), values[index]), rest),
    nothing,
  )

const fromKey = ({ notBefore, beyond }: Bounds, rest: Condition): Condition => {
  const beyondOrRest = isNothing(rest) ? beyond : either(beyond, rest)
  return notBefore === everything ? beyondOrRest : { op: 'and', conditions: [notBefore, beyondOrRest] }
}

interface Bounds {
  readonly notBefore: Condition
  readonly beyond: Condition
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

const isNothing = (condition: Condition): boolean => condition === nothing

const either = (a: Condition, b: Condition): Condition =>
  isNothing(a) ? b : { op: 'or', conditions: [a, b] }
