import type { Comparison, Condition } from './ast.ts'
import type { QueryField } from './fields.ts'

/** What stands between a field and its value. */
export interface Operator {
  readonly sign: string
  /** It is about smaller and larger. */
  readonly isOrder: boolean
  /** It takes several values, with commas between them, and the empty one. */
  readonly isList: boolean
  /** `values` are those that were written, at least one; null where null was. */
  readonly meaning: (target: QueryField, values: readonly unknown[]) => Condition
}

const compare = (op: Comparison, { field }: QueryField, value: unknown): Condition =>
  Object.freeze({ op, field: field.name, value })

const isNull = ({ field }: QueryField): Condition => Object.freeze({ op: 'is-null', field: field.name })

const oneOf = (target: QueryField, values: readonly unknown[]): Condition =>
  values.length === 1
    ? compare('eq', target, values[0])
    : Object.freeze({ op: 'in', field: target.field.name, values: Object.freeze(values) })

const equals: Operator['meaning'] = (target, values) => {
  if (!values.includes(null)) return oneOf(target, values)
  const others = values.filter((value) => value !== null)
  if (others.length === 0) return isNull(target)
  return Object.freeze({ op: 'or', conditions: Object.freeze([oneOf(target, others), isNull(target)]) })
}

const differs: Operator['meaning'] = (target, values) => {
  const condition = equals(target, values)
  if (condition.op === 'eq') return compare('ne', target, values[0])
  return Object.freeze(
    condition.op === 'is-null' ? { op: 'is-not-null', field: condition.field } : { op: 'not', condition },
  )
}

const matches: Operator['meaning'] = (target, values) =>
  target.contains && values[0] !== null ? compare('contains', target, values[0]) : equals(target, values)

const order = (sign: string, op: Comparison): Operator => ({
  sign,
  isOrder: true,
  isList: false,
  meaning: (target, values) => compare(op, target, values[0]),
})

/** Longer signs first, so that `>=` is not read as `>`. */
export const operators: readonly Operator[] = Object.freeze([
  { sign: '==', isOrder: false, isList: true, meaning: equals },
  { sign: '!=', isOrder: false, isList: true, meaning: differs },
  order('>=', 'ge'),
  order('<=', 'le'),
  { sign: '=', isOrder: false, isList: false, meaning: matches },
  order('>', 'gt'),
  order('<', 'lt'),
])
