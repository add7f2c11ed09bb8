import type { Model } from '../model/model.ts'
import { type Condition, conditionsIn, everything, hasRelation } from './ast.ts'
import { leadsToOne, type ModelOf, relationOf } from './order.ts'

/** The records that a condition is about. */
interface ConditionModel {
  readonly model: Model
  readonly modelOf: ModelOf
}

/**
 * Rewrites a condition so that those on the same relation share one subquery where the meaning allows it.
 *
 * Alternatives about any related record are one question, `items.price>9|items.quantity=2` is `items(price>9|quantity=2)`, and
 * so are conditions that no related record may meet. Conditions that must all be met stay separate, because different records
 * may meet them, unless there is at most one.
 */
export const sharingSubqueries = (condition: Condition, about: ConditionModel): Condition =>
  hasRelation(condition) ? rewritten(condition, about, true) : condition

/** Moves `not` inwards, up to relations and to parts without any. */
const rewritten = (condition: Condition, about: ConditionModel, holds: boolean): Condition => {
  if (!hasRelation(condition)) return holds ? condition : not(condition)
  switch (condition.op) {
    case 'not':
      return rewritten(condition.condition, about, !holds)
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => rewritten(part, about, holds))
      return joined(holds ? condition.op : opposites[condition.op], parts, about)
    }
    case 'related': {
      const inner = rewritten(condition.condition, behind(condition, about), true)
      const related = Object.freeze({ ...condition, condition: inner })
      return holds ? related : not(related)
    }
    default:
      return holds ? condition : not(condition)
  }
}

const opposites = { and: 'or', or: 'and' } as const

const not = (condition: Condition): Condition => Object.freeze({ op: 'not', condition })

type Related = Extract<Condition, { readonly op: 'related' }>

const behind = ({ relation }: Related, { model, modelOf }: ConditionModel): ConditionModel => ({
  model: modelOf(relationOf(model, relation).model),
  modelOf,
})

/** @param parts rewritten */
const joined = (op: 'and' | 'or', parts: readonly Condition[], about: ConditionModel): Condition => {
  if (op === 'or' && parts.includes(everything)) return everything
  const flat = parts.flatMap((part) => (part.op === op ? part.conditions : [part]))
  const groups = new Map<string | number, Condition[]>()
  for (const [at, part] of flat.entries()) {
    const key = shares(op, part, about) ?? at
    groups.set(key, [...(groups.get(key) ?? []), part])
  }
  const conditions = [...groups.values()].map((same) => shared(op, same, about))
  const [first = everything] = conditions
  return conditions.length < 2 ? first : Object.freeze({ op, conditions: Object.freeze(conditions) })
}

const relatedIn = (part: Condition): Related | undefined => {
  const inner = part.op === 'not' ? part.condition : part
  return inner.op === 'related' ? inner : undefined
}

/** Parts with the same result can share a subquery. `undefined`: this one cannot. */
const shares = (
  op: 'and' | 'or',
  part: Condition,
  { model, modelOf }: ConditionModel,
): string | undefined => {
  const related = relatedIn(part)
  if (related === undefined || related.link !== undefined) return undefined
  const relation = relationOf(model, related.relation)
  const isNot = part.op === 'not'
  const isAboutAny = isNot === (op === 'and')
  return isAboutAny || leadsToOne(relation, modelOf(relation.model)) ? `${isNot} ${relation.name}` : undefined
}

const shared = (op: 'and' | 'or', same: readonly Condition[], about: ConditionModel): Condition => {
  const [first = everything, ...others] = same
  const related = relatedIn(first)
  if (others.length === 0 || related === undefined) return first
  const isNot = first.op === 'not'
  const inner = same.flatMap((part) => relatedIn(part)?.condition ?? [])
  const condition = joined(isNot ? opposites[op] : op, inner, behind(related, about))
  const one: Condition = Object.freeze({ op: 'related', relation: related.relation, condition })
  return isNot ? not(one) : one
}

/** How many subqueries of to-many relations a condition has. */
export const toManyIn = (condition: Condition, about: ConditionModel): number => {
  if (condition.op !== 'related')
    return conditionsIn(condition).reduce((sum, part) => sum + toManyIn(part, about), 0)
  const isMany = relationOf(about.model, condition.relation).kind === 'to-many'
  return Number(isMany) + toManyIn(condition.condition, behind(condition, about))
}
