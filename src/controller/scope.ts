import { rowOf } from '../model/kinds/index.ts'
import type { Field, Model } from '../model/model.ts'
import { isPlainObject } from '../model/objects.ts'
import type { Call } from '../operation/call.ts'
import type { Steps } from '../operation/steps.ts'
import { type Condition, everything } from '../query/ast.ts'
import { readEitherForm } from '../schema/columns.ts'
import { type Controller, hookContext, runHook } from './hooks.ts'

/** One request at the records of a model. */
export interface ScopedCall {
  readonly call: Call
  /** When it was found out what the caller may do, as `performance.now()` has it. */
  readonly since: number
  /** What the caller may reach: it joins the WHERE of every statement. */
  guard: Condition
  /** The scopes that were asked for in this request, by model. */
  guards: Map<string, Condition> | undefined
}

export interface ScopeContext {
  readonly db: unknown
  readonly controllers: ReadonlyMap<string, Controller>
  readonly modelOf: ModelOf
}

/** What the caller may reach of a model. Its scope is asked once in a request. */
export function* guardOf(
  { db, controllers, modelOf }: ScopeContext,
  model: Model,
  scoped: ScopedCall,
): Steps<Condition> {
  const controller = controllers.get(model.name)
  if (controller?.hooks.scope === undefined) return everything
  const known = scoped.guards?.get(model.name)
  if (known !== undefined) return known
  const { call } = scoped
  const scope = yield* runHook(controller, 'scope', (hook) => hook(call.request, hookContext(db, call)))
  const guard = conditionOf(scope, model, modelOf)
  scoped.guards ??= new Map()
  scoped.guards.set(model.name, guard)
  return guard
}

type ModelOf = (name: string) => Model

/**
 * What a scope hook gave, as a condition. An object is equalities that all hold, an array of objects any of them. Anything
 * else throws, so that it fails closed: the caller gets an opaque 500 and the log says why.
 */
export const conditionOf = (scope: unknown, model: Model, modelOf: ModelOf): Condition => {
  if (!Array.isArray(scope)) return equalitiesOf(scope, model, modelOf)
  const choices = scope.map((choice) => equalitiesOf(choice, model, modelOf))
  if (choices.includes(everything)) return everything
  return choices.length === 1 && choices[0] !== undefined ? choices[0] : anyOf(choices)
}

/** Databases take so many conditions beside each other; there may be more of them. */
const MOST_BESIDE = 500

const anyOf = (conditions: readonly Condition[]): Condition => {
  if (conditions.length <= MOST_BESIDE) return { op: 'or', conditions }
  const parts = Math.ceil(conditions.length / MOST_BESIDE)
  const part = (_: unknown, at: number) => conditions.slice(at * MOST_BESIDE, (at + 1) * MOST_BESIDE)
  return anyOf(Array.from({ length: parts }, part).map(anyOf))
}

const equalitiesOf = (scope: unknown, model: Model, modelOf: ModelOf): Condition => {
  if (!isPlainObject(scope))
    throw unusableScope(model, 'It must return an object of equalities, or an array of them.')
  const conditions = Object.entries(scope).map(([name, value]) => equalityOf(name, value, model, modelOf))
  if (conditions.length === 0) return everything
  return conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : { op: 'and', conditions }
}

const equalityOf = (name: string, value: unknown, model: Model, modelOf: ModelOf): Condition => {
  const relation = model.relations.find((known) => known.name === name && known.kind === 'to-one')
  if (relation !== undefined) {
    return { op: 'related', relation: name, condition: equalitiesOf(value, modelOf(relation.model), modelOf) }
  }
  const field = model.fields.find((known) => known.name === name)
  if (field === undefined) throw unusableScope(model, `There is no field or to-one relation ${name}.`)
  if (!rowOf(field).comparable) throw unusableScope(model, `${name} cannot be compared.`)
  if (!Array.isArray(value)) return equal(field, value, model)
  return value.length === 1 ? equal(field, value[0], model) : among(field, value, model)
}

const among = (field: Field, values: readonly unknown[], model: Model): Condition => {
  const each = Array.from(values, (one) => equal(field, one, model))
  const given = each.flatMap((condition) => (condition.op === 'eq' ? [condition.value] : []))
  const some: Condition = { op: 'in', field: field.name, values: given }
  return given.length === each.length
    ? some
    : { op: 'or', conditions: [{ op: 'is-null', field: field.name }, some] }
}

const equal = (field: Field, value: unknown, model: Model): Condition => {
  if (value === null) return { op: 'is-null', field: field.name }
  const reading = value === undefined ? undefined : readEitherForm(value, field)
  if (reading?.ok !== true)
    throw unusableScope(model, `The value of ${field.name} is not one that the column can have.`)
  return { op: 'eq', field: field.name, value: reading.value }
}

const unusableScope = (model: Model, reason: string): Error =>
  new Error(`The scope of ${model.name} cannot be used, so nothing was answered. ${reason}`)

/** The fields that have one value alone in a scope: field name -> value in the field's form. */
export const fixedValues = (guard: Condition): ReadonlyMap<string, unknown> => {
  switch (guard.op) {
    case 'eq':
      return new Map([[guard.field, guard.value]])
    case 'is-null':
      return new Map([[guard.field, null]])
    case 'and':
      return new Map(guard.conditions.flatMap((condition) => [...fixedValues(condition)]))
    default:
      return new Map()
  }
}
