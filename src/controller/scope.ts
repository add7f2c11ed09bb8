import { rowOf } from '../model/kinds/index.ts'
import type { Field, Model } from '../model/model.ts'
import { isPlainObject } from '../model/objects.ts'
import type { Call } from '../operation/call.ts'
import type { Steps } from '../operation/steps.ts'
import { type Condition, everything } from '../query/ast.ts'
import type { ModelOf } from '../query/order.ts'
import { readEitherForm } from '../schema/columns.ts'
import type { Session } from '../source/source.ts'
import type { Controller } from './controller.ts'
import { hookContext, runHook, useResult } from './hooks.ts'

/** A request, with the scope of its caller. */
export interface ScopedCall {
  readonly call: Call
  /** When the permissions and scope of the caller were determined, from `performance.now()`. */
  readonly since: number
  /** The records that the caller can reach. Part of the WHERE clause of every statement. */
  guard: Condition
  /** The scopes that this request has determined so far, by model. */
  guards: Map<string, Condition> | undefined
}

export interface ScopeContext {
  readonly source: Session
  readonly controllers: ReadonlyMap<string, Controller>
  readonly modelOf: ModelOf
}

/** Determines which records of a model the caller can reach. The scope of a model runs once per request. */
export function* guardOf(
  { source, controllers, modelOf }: ScopeContext,
  model: Model,
  scoped: ScopedCall,
): Steps<Condition> {
  const controller = controllers.get(model.name)
  if (controller?.hooks.scope === undefined) return everything
  const known = scoped.guards?.get(model.name)
  if (known !== undefined) return known
  const { call } = scoped
  const scope = yield* runHook(controller, 'scope', call, (hook) =>
    hook(call.request, hookContext(source, call)),
  )
  const guard = useResult(controller, 'scope', call, () => conditionOf(scope, model, modelOf))
  scoped.guards ??= new Map()
  scoped.guards.set(model.name, guard)
  return guard
}

/**
 * The result of a scope hook as a condition: an object means that all equalities hold, an array that any object matches.
 * Anything else throws and therefore fails closed: the caller gets an opaque 500, and the log has the reason.
 */
export const conditionOf = (scope: unknown, model: Model, modelOf: ModelOf): Condition => {
  if (!Array.isArray(scope)) return equalitiesOf(scope, model, modelOf)
  const choices = scope.map((choice) => equalitiesOf(choice, model, modelOf))
  if (choices.includes(everything)) return everything
  return choices.length === 1 && choices[0] !== undefined ? choices[0] : anyOf(choices)
}

/** Databases limit the number of conditions on one level, so more of them are nested. */
const MOST_BESIDE = 500

export const anyOf = (conditions: readonly Condition[]): Condition => {
  if (conditions.length <= MOST_BESIDE) return { op: 'or', conditions }
  const parts = Math.ceil(conditions.length / MOST_BESIDE)
  const part = (_: unknown, at: number) => conditions.slice(at * MOST_BESIDE, (at + 1) * MOST_BESIDE)
  return anyOf(Array.from({ length: parts }, part).map(anyOf))
}

const equalitiesOf = (scope: unknown, model: Model, modelOf: ModelOf): Condition => {
  if (!isPlainObject(scope))
    throw unusableScope(model, 'Return an object that maps fields to values, or an array of such objects.')
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
  if (field === undefined) throw unusableScope(model, `Unknown field or to-one relation ${name}.`)
  if (!rowOf(field).comparable) throw unusableScope(model, `The field ${name} cannot be compared.`)
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
    throw unusableScope(model, `The value of ${field.name} is invalid for its column.`)
  return { op: 'eq', field: field.name, value: reading.value }
}

const unusableScope = (model: Model, reason: string): Error =>
  new Error(`The scope of ${model.name} is invalid, so the request was refused. ${reason}`)
