import { suggest } from '../error/errors.ts'
import { isRecord } from '../error/record.ts'
import { type Condition, everything, type Include, type Order } from './ast.ts'
import { queryFields } from './fields.ts'
import { assertCondition, assertOrder, type ModelContext } from './given.ts'
import { withFieldsOf } from './include.ts'
import { relationOf } from './order.ts'
import type { ListRules, UsableRelation } from './settings.ts'
import { withKey } from './sort.ts'

/**
 * A relation of `include` in the query of a list. A relation that a request includes has all members; `filter`, `order`, `limit`
 * and `count` exist only for to-many relations.
 */
export interface HookInclude {
  /** A relation that clients can use. */
  readonly relation: AnyName
  /** The fields to show, in addition to the key. @default all readable fields */
  readonly fields?: readonly string[]
  /** The condition that related records must meet. @default all related records */
  readonly filter?: Condition
  /** How the related records of each record are sorted. @default by their primary key */
  readonly order?: readonly Order[]
  /** How many related records each record has, at most `includeMaxPerRecord`. @default `includePerRecord` */
  readonly limit?: number
  /** `exact` also counts all related records that meet the condition. @default none */
  readonly count?: 'exact' | 'none'
  /** Relations of the related records. @default none */
  readonly include?: readonly HookInclude[]
}

/** Any string. Beside it, editors complete the names that types know. */
export type AnyName = string & Record<never, never>

/** The includes of a parsed query, for a hook. Frozen, because parsed queries are cached. */
export const hookIncludes = (
  includes: readonly Include[],
  { model, modelOf }: Pick<ListRules, 'model' | 'modelOf'>,
): readonly HookInclude[] =>
  Object.freeze(
    includes.map(({ relation: name, selection, fields, count, include }) => {
      const { kind, model: target } = relationOf(model, name)
      const { filter, order, limit } = selection
      return Object.freeze({
        relation: name,
        ...(fields && { fields }),
        ...(kind === 'to-many' && { filter, order, limit, count }),
        include: hookIncludes(include, { model: modelOf(target), modelOf }),
      })
    }),
  )

/** The includes that a hook returned. @throws Error that names the hook and the mistake */
export const givenIncludes = (given: unknown, place: ModelContext, rules: ListRules): readonly Include[] => {
  let relations = 0
  const read = (list: unknown, at: ModelContext, path: readonly string[]): readonly Include[] => {
    const { hook, model } = at
    if (!Array.isArray(list) || !list.every(isRecord))
      throw new Error(
        `${hook()} must return a query whose include is an array such as [{ relation: 'customer', fields: ['name'] }].`,
      )
    const known = rules.relationsOf(model)
    return Object.freeze(
      list.map((each, index): Include => {
        const name = String(each['relation'])
        const usable = known.get(name)
        const names = [...path, name]
        if (usable === undefined)
          throw new Error(
            `${hook()} returned an include of the unknown or closed relation ${names.join('.')}.${suggest(name, known.keys())}`,
          )
        if (list.findIndex((other) => other['relation'] === each['relation']) < index)
          throw new Error(`${hook()} returned an include of ${names.join('.')} twice. Remove one.`)
        relations += 1
        if (relations > rules.includeMaxRelations || names.length > rules.includeMaxDepth)
          throw new Error(
            `${hook()} returned an include of ${names.join('.')}, which is above INCLUDE_MAX_RELATIONS (${rules.includeMaxRelations}) or INCLUDE_MAX_DEPTH (${rules.includeMaxDepth}).`,
          )
        const there = { ...at, model: usable.target }
        return includeOf(each, usable, { place: there, rules, path: names.join('.') }, (inner) =>
          read(inner, there, names),
        )
      }),
    )
  }
  return read(given, place, [])
}

interface RelationReading {
  /** At the other end of the relation. */
  readonly place: ModelContext
  readonly rules: ListRules
  readonly path: string
}

type Members = Readonly<Record<string, unknown>>

const allowedMembers = {
  'to-one': ['relation', 'fields', 'include'],
  'to-many': ['relation', 'fields', 'include', 'filter', 'order', 'limit', 'count'],
} as const

const includeOf = (
  given: Members,
  { relation, target }: UsableRelation,
  reading: RelationReading,
  inner: (given: unknown) => readonly Include[],
): Include => {
  const { path, place, rules } = reading
  const allowed: readonly string[] = allowedMembers[relation.kind]
  const unknown = Object.keys(given).find((name) => !allowed.includes(name))
  if (unknown !== undefined)
    throw new Error(
      `${place.hook()} returned an include of ${path} with the unknown member ${unknown}.${suggest(unknown, allowed)}`,
    )
  const isMany = relation.kind === 'to-many'
  const { key } = queryFields(target)
  const { order = key, count = 'none' } = given
  const most = rules.includeMaxPerRecord
  const { limit = isMany ? Math.min(rules.includePerRecord, most) : 1, filter = everything } = given
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 0 || limit > most)
    throw new Error(
      `${place.hook()} returned an include of ${path} whose limit is not an integer between 0 and ${most}.`,
    )
  if (count !== 'exact' && count !== 'none')
    throw new Error(`${place.hook()} returned an include of ${path} whose count is not exact or none.`)
  assertOrder(order, place)
  assertCondition(filter, place)
  const fields = fieldsOf(given['fields'], reading)
  const include = given['include'] === undefined ? none : inner(given['include'])
  const read = fields && { fields: withFieldsOf(include, target, fields) }
  const selection = { filter, order: withKey(order, target), limit, offset: 0, ...read }
  return Object.freeze({
    relation: relation.name,
    selection: Object.freeze(selection),
    ...(fields && { fields }),
    count,
    include,
  })
}

const none: readonly Include[] = Object.freeze([])

/** In the order of the model, with the key, as in the parameter `fields`. */
const fieldsOf = (given: unknown, { place, path }: RelationReading): readonly string[] | undefined => {
  if (given === undefined) return undefined
  const { names } = queryFields(place.model)
  if (!Array.isArray(given))
    throw new Error(`${place.hook()} returned an include of ${path} whose fields are not an array.`)
  const unknown = given.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new Error(
      `${place.hook()} returned an include of ${path} with the unknown field ${String(unknown)}.${suggest(String(unknown), names)}`,
    )
  return Object.freeze(names.filter((name) => given.includes(name) || place.model.primaryKey.includes(name)))
}
