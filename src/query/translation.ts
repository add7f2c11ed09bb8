import type { Model } from '../model/model.ts'
import { both, type Condition, everything, type Hop, type Order, type Selection, withParts } from './ast.ts'
import { type ModelOf, relationOf } from './order.ts'

/** What conditions, sort keys and selections become, also those on the models that they lead to. */
export interface Translation {
  readonly modelOf: ModelOf
  /** Also holds for the records of a model that a relation leads to, or that join its records. @default everything */
  readonly guardOf?: (model: string) => Condition
  /** @default all names stay the same */
  readonly namesOf?: (model: string) => OtherNames | undefined
}

/** The other names of the fields and relations of a model, without those that stay the same. */
export interface OtherNames {
  readonly fields: ReadonlyMap<string, string>
  readonly relations: ReadonlyMap<string, string>
}

type Related = Extract<Condition, { readonly op: 'related' }>

/** @param model the model that the condition is about. Its own guard is not added */
export const translateCondition = (condition: Condition, model: Model, by: Translation): Condition => {
  if (condition === everything) return condition
  if (condition.op === 'related') return translateRelated(condition, model, by)
  const changed = withParts(condition, (part) => translateCondition(part, model, by))
  if (!('field' in changed)) return changed
  const field = by.namesOf?.(model.name)?.fields.get(changed.field)
  return field === undefined ? changed : { ...changed, field }
}

export const translateRelated = <Part extends Related>(
  condition: Part,
  model: Model,
  by: Translation,
): Part => {
  const { name, model: end, through } = relationOf(model, condition.relation)
  const relation = by.namesOf?.(model.name)?.relations.get(name) ?? name
  const link = through === undefined ? everything : guarded(condition.link, through.model, by)
  const changed = { ...condition, relation, condition: guarded(condition.condition, end, by) }
  return link === everything ? changed : { ...changed, link }
}

/** A condition on records that another model leads to. */
const guarded = (condition: Condition = everything, model: string, by: Translation): Condition => {
  const own = translateCondition(condition, by.modelOf(model), by)
  return by.guardOf === undefined ? own : both(own, by.guardOf(model))
}

export const translateOrder = (key: Order, model: Model, by: Translation): Order => {
  let at = model
  const via = key.via?.map(({ relation: name, guard }): Hop => {
    const relation = by.namesOf?.(at.name)?.relations.get(name) ?? name
    at = by.modelOf(relationOf(at, name).model)
    const all = guarded(guard, at.name, by)
    return { relation, ...(all !== everything && { guard: all }) }
  })
  const field = by.namesOf?.(at.name)?.fields.get(key.field)
  return via === undefined && field === undefined
    ? key
    : { ...key, ...(field && { field }), ...(via && { via }) }
}

export const translateSelection = (selection: Selection, model: Model, by: Translation): Selection => {
  const names = by.namesOf?.(model.name)?.fields
  const filter = translateCondition(selection.filter, model, by)
  const order = each(selection.order, (key) => translateOrder(key, model, by))
  const fields = names && selection.fields && each(selection.fields, (name) => names.get(name) ?? name)
  const isSame = filter === selection.filter && order === selection.order && fields === undefined
  return isSame ? selection : { ...selection, filter, order, ...(fields && { fields }) }
}

/** The same array if no element changes. */
const each = <T>(all: readonly T[], change: (one: T) => T): readonly T[] => {
  const changed = all.map(change)
  return changed.some((one, at) => one !== all[at]) ? changed : all
}
