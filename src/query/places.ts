import { suggest } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import { both, type Condition, everything, type Hop } from './ast.ts'
import { type QueryField, queryFields } from './fields.ts'
import { MOST_PLACE, readSteps } from './json-conditions.ts'
import type { JsonStep } from './json-path.ts'
import { refuse, shown } from './parameters.ts'
import type { ListRules, UsableRelation } from './settings.ts'
import { countCondition, type QueryTally } from './tally.ts'

/** The model whose names are known at a point of the query string, and how the query string led to it. */
export interface QueryPlace {
  readonly model: Model
  /** The relations from the model of the request to this one. */
  readonly path: readonly string[]
  /** How many groups and relations are around it. */
  readonly depth: number
  /** The parameter that an error names: `q`, or the name at the start of the segment. */
  readonly parameter: string
  readonly rules: ListRules
  readonly tally: QueryTally
}

export const rootPlace = (parameter: string, rules: ListRules, tally: QueryTally): QueryPlace => {
  const { model } = rules
  return { model, path: [], depth: 0, parameter, rules, tally }
}

/** @throws HttpError 400 if the limit of depth is reached */
export const deeper = (place: QueryPlace): QueryPlace => {
  const { depth, parameter, rules } = place
  if (depth < rules.maxDepth) return { ...place, depth: depth + 1 }
  throw refuse(
    'malformed_query',
    parameter,
    `Groups and relations may be nested up to ${rules.maxDepth} levels deep.`,
  )
}

/** Goes along a relation, which counts as a condition and as a level of depth. @throws HttpError 400 */
const along = (place: QueryPlace, { relation, target }: UsableRelation): QueryPlace => {
  const { parameter, rules, tally } = place
  countCondition(tally, rules, parameter)
  const path = [...place.path, relation.name]
  tally.uses.add(parameter, path, place.model, relation)
  return { ...deeper(place), model: target, path }
}

/** The result of following a name such as `customer.address.city`. */
export interface Target {
  readonly relations: readonly UsableRelation[]
  /** Where the relations lead to. */
  readonly place: QueryPlace
  /** Absent: the name is that of a relation. */
  readonly field?: QueryField
  /** The place of a value inside a JSON field. */
  readonly path?: readonly JsonStep[]
  /** The part that is not known at that place. */
  readonly unknown?: string
}

/**
 * A name that begins with that of a JSON field: the longest one.
 *
 * @throws HttpError 400 if the rest is not a path, or conditions cannot look inside the field
 */
const insideJson = (
  name: string,
  { model, parameter, rules: { maxDepth } }: QueryPlace,
): Pick<Target, 'field' | 'path'> | undefined => {
  const [field] = [...queryFields(model).byName.values()]
    .filter(({ field }) => field.kind === 'json' && name.startsWith(`${field.name}.`))
    .sort((one, other) => other.field.name.length - one.field.name.length)
  if (field === undefined) return undefined
  const own = field.field.name
  if (field.field.jsonPaths !== true)
    throw refuse(
      'invalid_operator',
      parameter,
      `${shown(name)} is not supported, because the database cannot compare what is inside ${own}. Allowed: ${own}=null, ${own}!=null.`,
    )
  const path = readSteps(name.slice(own.length + 1))
  if (path !== undefined && path.length > maxDepth)
    throw refuse('malformed_query', parameter, `A path inside JSON may have at most ${maxDepth} steps.`)
  if (path !== undefined) return { field, path }
  throw refuse(
    'malformed_query',
    parameter,
    `${shown(name)} is not a path. After ${own}, write keys, places in arrays up to ${MOST_PLACE}, or keys in double quotes: ${own}.color, ${own}.0, ${own}."a.b". A key may not be empty, or contain double quotes, backslashes or control characters.`,
  )
}

/**
 * Follows a name. A field precedes a relation with the same name, also if its name contains a dot, unless only a relation can
 * stand there. Both precede what is inside JSON, which only conditions can name.
 *
 * @throws HttpError 400 if a limit is reached
 */
export const follow = (
  name: string,
  from: QueryPlace,
  wanted: 'relation' | 'any' | 'inside' = 'any',
): Target => {
  const relations: UsableRelation[] = []
  const { rules } = from
  let [place, rest] = [from, name]
  for (;;) {
    const field = wanted !== 'relation' ? queryFields(place.model).byName.get(rest) : undefined
    if (field !== undefined) return { relations, place, field }
    const end = rest.indexOf('.')
    const next = rules.relationsOf(place.model).get(end === -1 ? rest : rest.slice(0, end))
    if (next === undefined) {
      const inside = wanted === 'inside' ? insideJson(rest, place) : undefined
      return { relations, place, ...(inside ?? { unknown: rest }) }
    }
    relations.push(next)
    place = along(place, next)
    if (end === -1) return { relations, place }
    rest = rest.slice(end + 1)
  }
}

/** Whether a name begins with a field or a relation of a place. Does not count toward limits, unlike `follow`. */
export const isNamedAt = (name: string, { model, rules }: QueryPlace): boolean =>
  [name, firstOf(name)].some((known) => queryFields(model).byName.has(known)) ||
  rules.relationsOf(model).has(firstOf(name))

const firstOf = (name: string): string => name.split('.', 1)[0] ?? ''

/** Whether a name is that of a field, also of a related record. Does not count toward limits, unlike `follow`. */
export const endsWithField = (name: string, { model, rules }: QueryPlace): boolean => {
  let [at, rest] = [model, name]
  for (;;) {
    if (queryFields(at).byName.has(rest)) return true
    const end = rest.indexOf('.')
    const next = end === -1 ? undefined : rules.relationsOf(at).get(rest.slice(0, end))
    if (next === undefined) return false
    at = next.target
    rest = rest.slice(end + 1)
  }
}

/** The names at a place, as they can be written after the relations that led to it. */
export const namesAt = (
  { relations, place }: Target,
  fields: readonly string[],
  hops: readonly string[] = [...place.rules.relationsOf(place.model).keys()],
): readonly string[] => {
  const before = relations.map(({ relation }) => `${relation.name}.`).join('')
  return [...new Set([...fields, ...hops])].map((name) => before + name)
}

/** @param allowed names that are allowed in its place */
export const unknownName = (
  name: string,
  parameter: string,
  what: string,
  allowed: Iterable<string>,
  where = '',
): Error =>
  refuse('unknown_field', parameter, `${what} ${shown(name)}${where}.${suggest(name.slice(0, 60), allowed)}`)

/** A condition on the records at the other end of relations, of which at least one must meet it. */
export const relatedBy = (hops: readonly Hop[], condition: Condition): Condition =>
  hops.reduceRight<Condition>(
    (inner, { relation, guard = everything }) =>
      Object.freeze({ op: 'related', relation, condition: both(inner, guard) }),
    condition,
  )

export const hopsOf = (relations: readonly UsableRelation[]): readonly Hop[] =>
  Object.freeze(relations.map(({ relation }) => Object.freeze({ relation: relation.name })))
