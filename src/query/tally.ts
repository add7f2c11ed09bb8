import type { Model, Relation } from '../model/model.ts'
import type { TextComparison } from '../model/text-comparisons.ts'
import type { Include } from './ast.ts'
import { relationOf } from './order.ts'
import { refuse } from './parameters.ts'
import type { ListRules } from './settings.ts'

/** A model whose records a request concerns through relations. */
export interface RelatedModel {
  readonly model: string
  /** The model is that of a join table: the one at the start of the relation. */
  readonly from?: string
  /** The relations from the model of the request: `items.product`. */
  readonly path: string
  /**
   * The parameter that leads there, which an error names: `q`, `sort`, `include`, or the name at the start of a segment. The
   * caller needs a permission to list. Absent: a hook of the application leads there.
   */
  readonly parameter?: string
  /** The application includes it, not the request: it is left out for a caller who may not list the model. */
  readonly isOptional?: true
}

/** Counts what a query string has used of its limits so far. */
export interface QueryTally {
  conditions: number
  /** In units of the setting QUERY_MAX_CONTAINS. */
  contains: number
  /** Subqueries of to-many relations. */
  toMany: number
  readonly uses: RelationUses
}

export const newTally = (): QueryTally => ({
  conditions: 0,
  contains: 0,
  toMany: 0,
  uses: new RelationUses(),
})

class RelationUses {
  readonly #uses = new Map<string, RelatedModel>()

  /** @param relations those that lead to the relation, and the relation itself */
  add(parameter: string, relations: readonly string[], from: Model, relation: Relation): void {
    const path = relations.join('.')
    for (const use of relatedModelsOf(from, relation))
      this.#uses.set(`${parameter} ${path} ${use.model}`, Object.freeze({ ...use, path, parameter }))
  }

  /** Each once for each parameter and path. */
  all(): readonly RelatedModel[] {
    return Object.freeze([...this.#uses.values()])
  }
}

/** The model at the other end, and that of the join table. */
export const modelsOf = ({ model, through }: Relation): readonly string[] =>
  through === undefined ? [model] : [model, through.model]

/** The same, as a relation of `from` leads to them. */
export const relatedModelsOf = (
  { name: from }: Pick<Model, 'name'>,
  { model, through }: Relation,
): readonly Pick<RelatedModel, 'model' | 'from'>[] =>
  through === undefined ? [{ model }] : [{ model }, { model: through.model, from }]

/** The models of relations that the application includes, not the request. */
export const optionalUses = (
  includes: readonly Include[],
  { model, modelOf }: Pick<ListRules, 'model' | 'modelOf'>,
  before = '',
): readonly RelatedModel[] =>
  includes.flatMap(({ relation: name, include }) => {
    const relation = relationOf(model, name)
    const path = before + name
    const own = relatedModelsOf(model, relation).map(
      (used): RelatedModel => Object.freeze({ ...used, path, parameter: 'include', isOptional: true }),
    )
    return [...own, ...optionalUses(include, { model: modelOf(relation.model), modelOf }, `${path}.`)]
  })

/** @throws HttpError 400 above the limit */
export const countCondition = (tally: QueryTally, { maxConditions }: ListRules, parameter: string): void => {
  tally.conditions += 1
  if (tally.conditions <= maxConditions) return
  throw refuse(
    'malformed_query',
    parameter,
    `A query may have at most ${maxConditions} conditions. Each relation in the name of a field counts as one more.`,
  )
}

/** A database compares the searched string at each character of the stored one, so a longer string costs more. */
const CHARACTERS_AT_ONCE = 50

/** What a comparison of text costs at most. */
export const textUnits = (op: TextComparison, text: string): number =>
  op === 'contains' ? Math.ceil(text.length / CHARACTERS_AT_ONCE) : 1

/** @throws HttpError 400 above the limit */
export const countContains = (
  tally: QueryTally,
  units: number,
  { maxContains }: ListRules,
  parameter: string,
): void => {
  tally.contains += units
  if (tally.contains <= maxContains) return
  throw refuse(
    'malformed_query',
    parameter,
    `A query may have at most ${maxContains} conditions on parts of text; search counts once per field, each string once per ${CHARACTERS_AT_ONCE} characters, and ^= and ~= once. Compare whole values with ==, or use fewer or shorter strings.`,
  )
}

/** @param hops the number of to-many relations in the condition @throws HttpError 400 above the limit */
export const countToMany = (
  tally: QueryTally,
  hops: number,
  { maxToMany }: ListRules,
  parameterAt: () => string,
): void => {
  tally.toMany += hops
  if (tally.toMany <= maxToMany) return
  throw refuse(
    'malformed_query',
    parameterAt(),
    `A query may have at most ${maxToMany} conditions through to-many relations; each such relation in a name counts once. Alternatives on the same relation count as one, such as (items.price>10|items.quantity=2), and so do conditions that the same record must meet: items(price>10&quantity=2).`,
  )
}
