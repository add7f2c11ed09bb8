import type { Model } from '../model/model.ts'
import { type Condition, everything, type Include, type Order, type Selection } from './ast.ts'
import type { ListQuery } from './list-query.ts'
import { type ModelOf, relationOf } from './order.ts'
import type { RelatedModel } from './tally.ts'
import { translateCondition, translateOrder, translateSelection } from './translation.ts'

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
  if ('op' in part) return translateCondition(part, model, guards)
  if (!('matching' in part)) return translateOrder(part, model, guards)
  const { selection, matching, continued } = part
  const ofFilter = (filter: Condition): Condition => translateCondition(filter, model, guards)
  return {
    ...part,
    selection: translateSelection(selection, model, guards),
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
