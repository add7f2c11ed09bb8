import type { Model, Relation } from '../model/model.ts'
import {
  both,
  type Condition,
  everything,
  type Include,
  type Order,
  type Selection,
  withParts,
} from './ast.ts'
import type { ListQuery } from './list-query.ts'
import { type ModelOf, relationOf } from './order.ts'
import type { RelatedModel } from './tally.ts'

/** Which records of each model the caller can reach. */
export interface Guards {
  readonly modelOf: ModelOf
  /** By the name of the model, which may be that of a join table. */
  readonly guardOf: (model: string) => Condition
}

/**
 * Adds the guard of each related model, and that of a join table as `link`, so that records out of reach count as absent: for
 * conditions they do not exist, and sort keys are null. The guards themselves may contain conditions on related records, to
 * which nothing is added.
 *
 * A query keeps its cursors. The selections of its `include` are those of other models, so guard each separately.
 *
 * @param model the model that the part is about. Its own guard is not added
 */
export const withGuards = <Part extends Condition | Order | ListQuery>(
  part: Part,
  model: Model,
  guards: Guards,
): Part => guarded(part, model, guards) as Part

const guarded = (part: Condition | Order | ListQuery, model: Model, guards: Guards): object => {
  if ('op' in part) return guardedCondition(part, model, guards)
  return 'matching' in part ? guardedQuery(part, model, guards) : guardedOrder(part, model, guards)
}

const guardedCondition = (condition: Condition, model: Model, guards: Guards): Condition => {
  if (condition.op !== 'related')
    return withParts(condition, (inner) => guardedCondition(inner, model, guards))
  const relation = relationOf(model, condition.relation)
  const target = guardedCondition(condition.condition, guards.modelOf(relation.model), guards)
  const link = guardedLink(condition.link, relation, guards)
  const guarded = { ...condition, condition: both(target, guards.guardOf(relation.model)) }
  return link === everything ? guarded : { ...guarded, link }
}

const guardedLink = (link: Condition = everything, { through }: Relation, guards: Guards): Condition => {
  if (through === undefined) return link
  const { model } = through
  const own = link === everything ? link : guardedCondition(link, guards.modelOf(model), guards)
  return both(own, guards.guardOf(model))
}

const guardedOrder = (key: Order, model: Model, guards: Guards): Order => {
  if (key.via === undefined) return key
  let from = model
  const via = key.via.map(({ relation: name, guard = everything }) => {
    from = guards.modelOf(relationOf(from, name).model)
    const own = guard === everything ? guard : guardedCondition(guard, from, guards)
    const all = both(own, guards.guardOf(from.name))
    return { relation: name, ...(all !== everything && { guard: all }) }
  })
  return { ...key, via }
}

const guardedQuery = (query: ListQuery, model: Model, guards: Guards): ListQuery => {
  const { selection, matching, continued } = query
  const ofFilter = (filter: Condition): Condition => guardedCondition(filter, model, guards)
  const order = selection.order.map((key) => guardedOrder(key, model, guards))
  return {
    ...query,
    selection: { ...selection, filter: ofFilter(selection.filter), order },
    matching: ofFilter(matching),
    ...(continued && { continued: continued.map(ofFilter) }),
  }
}

/** The parts of a request that lead to related models. */
interface Leading {
  readonly uses: readonly RelatedModel[]
  readonly filter?: Condition
  readonly selection?: Pick<Selection, 'filter' | 'order'>
  readonly include?: readonly Include[]
}

/** All models whose guards a request needs: those that the query string leads to, and those that a hook leads to. */
export const relatedModels = (
  { uses, filter = everything, selection = { filter, order: [] }, include = [] }: Leading,
  { model, modelOf }: { readonly model: Model; readonly modelOf: ModelOf },
): readonly RelatedModel[] => {
  // A condition on records of a model needs its guard, also if they are not included.
  const known = new Set(uses.flatMap((use) => (use.isOptional ? [] : [use.model])))
  const others: RelatedModel[] = []
  const guardOf = (name: string): Condition => {
    if (!known.has(name)) others.push({ model: name, path: name })
    known.add(name)
    return everything
  }
  const visit = (from: Model, { filter, order }: typeof selection, includes: readonly Include[]): void => {
    withGuards(filter, from, { modelOf, guardOf })
    for (const key of order) withGuards(key, from, { modelOf, guardOf })
    for (const { relation, selection, include } of includes)
      visit(modelOf(relationOf(from, relation).model), selection, include)
  }
  visit(model, selection, include)
  return others.length === 0 ? uses : [...uses, ...others]
}
