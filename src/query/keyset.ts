import { type Field, fieldOf, type Model } from '../model/model.ts'
import { type Condition, everything, type Order } from './ast.ts'

const nothing: Condition = Object.freeze({ op: 'or', conditions: Object.freeze([]) })

/**
 * The records that come after the one with these sort values. Nulls are the largest value.
 *
 * Each key narrows the records to those that do not come before, so that an index on the first keys leads straight to
 * the page; only records with the same value ask the next key. Values are compared by the order of the column, never
 * byte for byte, since that is how the database sorts.
 */
export const after = (model: Model, order: readonly Order[], values: readonly unknown[]): Condition =>
  order.reduceRight<Condition>((rest, { field, direction }, index) => {
    const { notBefore, beyond } = bounds[direction](fieldOf(model, field), values[index])
    const beyondOrRest = isNothing(rest) ? beyond : either(beyond, rest)
    return notBefore === everything ? beyondOrRest : { op: 'and', conditions: [notBefore, beyondOrRest] }
  }, nothing)

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
