import { fieldOf, type Model } from '../model/model.ts'
import { both, type Condition, everything, type Order } from './ast.ts'
import { relatedBy } from './places.ts'

const nothing: Condition = Object.freeze({ op: 'or', conditions: Object.freeze([]) })

/** A position in a sorted list: after the record with these sort values. */
export interface KeysetPosition {
  readonly values: readonly unknown[]
  /** How many of the first sort keys have the same value in an adjacent record. */
  readonly ties: number
}

/** A sort key as conditions on a record of the list. */
interface KeyConditions {
  readonly direction: Order['direction']
  readonly nullable: boolean
  readonly isNull: Condition
  readonly isNotNull: Condition
  readonly compares: (op: 'lt' | 'le' | 'gt' | 'ge', value: unknown) => Condition
  /** Sorts equal to the value, and the condition holds. */
  readonly ties: (value: unknown, condition: Condition) => Condition
}

const keyOf = ({ field, direction, via = [] }: Order, model: Model): KeyConditions => {
  if (via.length === 0)
    return {
      ...{ direction, nullable: fieldOf(model, field).nullable },
      ...{ isNull: { op: 'is-null', field }, isNotNull: { op: 'is-not-null', field } },
      compares: (op, value) => ({ op, field, value }),
      ties: (value, condition) => ({ op: 'tie', field, value, condition }),
    }
  const isNotNull = relatedBy(via, { op: 'is-not-null', field })
  return {
    // Also the record that does not have a related record.
    ...{ direction, nullable: true, isNull: { op: 'not', condition: isNotNull }, isNotNull },
    compares: (op, value) => relatedBy(via, { op, field, value }),
    ties: (value, condition) =>
      both(relatedBy(via, { op: 'tie', field, value, condition: everything }), condition),
  }
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
  place: KeysetPosition,
): readonly Condition[] =>
  rangesOf(
    order.map((key) => keyOf(key, model)),
    place,
  )

const rangesOf = (keys: readonly KeyConditions[], { values, ties }: KeysetPosition): readonly Condition[] => {
  const [key, ...others] = keys
  if (key === undefined) return []
  const value = values[0]
  const rest: KeysetPosition = { values: values.slice(1), ties: ties - 1 }
  if (value === null) {
    const nulls = rangesOf(others, rest).map((range) => both(key.isNull, range))
    return key.direction === 'asc' ? nulls : [...nulls, key.isNotNull]
  }
  const nulls = key.direction === 'asc' && key.nullable ? [key.isNull] : []
  const range = bounds[key.direction]({ ...key, nullable: false }, value)
  if (ties > 0) {
    const tied = rangesOf(others, rest).map((condition) => key.ties(value, condition))
    return [...tied, range.beyond, ...nulls]
  }
  return [fromKey(range, inOneRange(others, rest.values)), ...nulls]
}

/** An index on the first keys finds the start of the page; only records with equal values need the next key. */
const inOneRange = (keys: readonly KeyConditions[], values: readonly unknown[]): Condition =>
  keys.reduceRight<Condition>(
    (rest, key, index) => fromKey(bounds[key.direction](key, values[index]), rest),
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

const bounds: Readonly<Record<Order['direction'], (key: KeyConditions, value: unknown) => Bounds>> = {
  asc: ({ nullable, isNull, compares }, value) => {
    if (value === null) return { notBefore: isNull, beyond: nothing }
    const orNull = (condition: Condition) => (nullable ? either(condition, isNull) : condition)
    return { notBefore: orNull(compares('ge', value)), beyond: orNull(compares('gt', value)) }
  },
  desc: ({ isNotNull, compares }, value) =>
    value === null
      ? { notBefore: everything, beyond: isNotNull }
      : { notBefore: compares('le', value), beyond: compares('lt', value) },
}

const either = (a: Condition, b: Condition): Condition =>
  a === nothing ? b : { op: 'or', conditions: [a, b] }
