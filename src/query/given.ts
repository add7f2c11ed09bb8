import { suggest } from '../error/errors.ts'
import { isRecord } from '../error/record.ts'
import { fieldOf, type Model } from '../model/model.ts'
import { type TextComparison, textComparisons } from '../model/text-comparisons.ts'
import type { Condition, Order, Selection } from './ast.ts'
import { isKey } from './json-conditions.ts'
import { jsonComparisons } from './json-path.ts'
import { type ModelOf, relationOf } from './order.ts'

/** Where the names that a hook returned are known. */
export interface ModelContext {
  readonly model: Model
  readonly modelOf: ModelOf
  /** The source has the capability `relations`. Without it, only conditions on to-one relations are possible. */
  readonly hasRelations: boolean
  /** It has the capability `relatedSort` too. */
  readonly sortsRelated: boolean
  /** Names the hook that returned the query. */
  readonly hook: () => string
}

/** The query that a hook returned. Members that it leaves out keep their values. @throws Error that names the mistake */
export const givenQuery = <Query extends Selection>(
  given: unknown,
  query: Query,
  place: ModelContext,
): Query => {
  const { hook } = place
  if (!isRecord(given))
    throw new Error(`${hook()} must return a query, such as { ...query, limit: 5 }, or nothing.`)
  const made = { ...query, ...given }
  const { limit, offset } = made
  for (const [name, value] of Object.entries({ limit, offset }))
    if (!Number.isSafeInteger(value) || value < 0)
      throw new Error(`${hook()} must return a query whose ${name} is an integer of at least 0.`)
  assertOrder(made.order, place)
  assertCondition(made.filter, place)
  return made
}

export function assertOrder(order: unknown, place: ModelContext): asserts order is readonly Order[] {
  if (!Array.isArray(order) || !order.every(isOrder))
    throw new Error(
      `${place.hook()} must return a query whose order is an array such as [{ field: 'id', direction: 'asc' }]. A direction is asc or desc.`,
    )
  for (const { field, via } of order) assertField(field, alongHops(via, place))
}

const isOrder = (value: unknown): value is { readonly field: unknown; readonly via?: unknown } =>
  isRecord(value) && (value['direction'] === 'asc' || value['direction'] === 'desc')

/** The place at the end of the hops of a sort key. */
const alongHops = (via: unknown, place: ModelContext): ModelContext => {
  if (via === undefined) return place
  if (!Array.isArray(via) || !via.every(isRecord))
    throw new Error(
      `${place.hook()} must return a query whose order has relations such as via: [{ relation: 'customer' }].`,
    )
  if (!place.sortsRelated)
    throw new Error(
      `${place.hook()} returned a query that is sorted through relations, which the source does not support.`,
    )
  let there = place
  for (const { relation, guard } of via) {
    there = atRelation(relation, there, 'to-one')
    if (guard !== undefined) assertCondition(guard, there)
  }
  return there
}

const assertField = (name: unknown, { model, hook }: ModelContext): void => {
  const names = model.fields.map((field) => field.name)
  if (!names.some((known) => known === name))
    throw new Error(
      `${hook()} returned a query with the unknown field ${String(name)}.${suggest(String(name), names)}`,
    )
}

type Members = Readonly<Record<string, unknown>>

const ofField = ({ field }: Members, place: ModelContext): void => assertField(field, place)

const ofEqual = (condition: Members, place: ModelContext): void => {
  ofField(condition, place)
  const { conditions, name } = fieldOf(place.model, String(condition['field']))
  if (conditions === 'inexact')
    throw new Error(
      `${place.hook()} returned a filter that compares ${name} with op ${String(condition['op'])}, but the source does not compare strings exactly, so it could find other records.`,
    )
}

const ofText = (condition: Members, place: ModelContext): void => {
  ofField(condition, place)
  const op = String(condition['op'])
  const { name, comparisons = [] } = fieldOf(place.model, String(condition['field']))
  if (![...comparisons, 'contains'].includes(op))
    throw new Error(
      `${place.hook()} returned a filter that compares ${name} with op ${op}, which the field or its source does not support.`,
    )
}

const ofList = (condition: Members, place: ModelContext): void => {
  if (!Array.isArray(condition['values']))
    throw new Error(`${place.hook()} returned a filter in which op in has no values. It must have an array.`)
  ofEqual(condition, place)
}

const ofOne = ({ condition }: Members, place: ModelContext): void => assertCondition(condition, place)

const ofTie = (condition: Members, place: ModelContext): void => {
  ofField(condition, place)
  ofOne(condition, place)
}

const ofAll = ({ op, conditions }: Members, place: ModelContext): void => {
  if (!Array.isArray(conditions))
    throw new Error(
      `${place.hook()} returned a filter in which op ${String(op)} has no conditions. It must have an array.`,
    )
  for (const condition of conditions) assertCondition(condition, place)
}

const ofRelation = ({ relation: name, condition, link }: Members, place: ModelContext): void => {
  assertCondition(condition, atRelation(name, place, place.hasRelations ? 'any' : 'to-one'))
  if (link === undefined) return
  const { through } = relationOf(place.model, String(name))
  if (through === undefined)
    throw new Error(
      `${place.hook()} returned a filter with a link for ${String(name)}, which does not have a join table.`,
    )
  assertCondition(link, { ...place, model: place.modelOf(through.model) })
}

/** The place at the other end of a relation. */
const atRelation = (name: unknown, place: ModelContext, allowed: 'any' | 'to-one'): ModelContext => {
  const { model, modelOf, hook } = place
  const known = model.relations.filter(({ kind }) => allowed === 'any' || kind === 'to-one')
  const relation = known.find((each) => each.name === name)
  if (relation !== undefined) return { ...place, model: modelOf(relation.model) }
  const names = known.map((each) => each.name)
  const what = allowed === 'any' ? 'relation' : 'to-one relation'
  throw new Error(
    `${hook()} returned a query with the unknown ${what} ${String(name)}.${suggest(String(name), names)}`,
  )
}

const ofJson = (condition: Members, place: ModelContext): void => {
  ofField(condition, place)
  const { name, jsonPaths } = fieldOf(place.model, String(condition['field']))
  const { op, path, is, value } = condition
  const isStep = (step: unknown): boolean =>
    typeof step === 'string' ? isKey(step) : Number.isSafeInteger(step) && Number(step) >= 0
  const isPath = Array.isArray(path) && path.length > 0 && path.every(isStep)
  if (jsonPaths !== true || !isPath)
    throw new Error(
      `${place.hook()} returned a filter with op ${String(op)} that needs a JSON field whose source can look inside, not ${name}, and a path such as ['size', 0]: keys without quotes, backslashes and control characters, and places in arrays.`,
    )
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value)
  if (op === 'json' && !(jsonComparisons.some((known) => known === is) && isScalar))
    throw new Error(
      `${place.hook()} returned a filter with op json that needs is (${jsonComparisons.join(', ')}) and a value: a string, number or boolean.`,
    )
}

const ofElement = (condition: Members, place: ModelContext): void => {
  ofField(condition, place)
  const { name, comparesElements } = fieldOf(place.model, String(condition['field']))
  if (comparesElements !== true)
    throw new Error(
      `${place.hook()} returned a filter with op has-element, but the source cannot find elements of ${name}.`,
    )
}

const textChecks = Object.fromEntries(Object.keys(textComparisons).map((op) => [op, ofText])) as Readonly<
  Record<TextComparison, typeof ofText>
>

const checks: Readonly<Record<Condition['op'], (condition: Members, place: ModelContext) => void>> = {
  ...{ eq: ofEqual, ne: ofEqual, lt: ofField, le: ofField, gt: ofField, ge: ofField },
  ...textChecks,
  ...{ json: ofJson, 'json-null': ofJson, 'has-element': ofElement },
  ...{ in: ofList, 'is-null': ofField, 'is-not-null': ofField, tie: ofTie },
  ...{ and: ofAll, or: ofAll, not: ofOne, related: ofRelation },
}

const isOperator = (op: unknown): op is Condition['op'] => typeof op === 'string' && Object.hasOwn(checks, op)

export function assertCondition(condition: unknown, place: ModelContext): asserts condition is Condition {
  const op = isRecord(condition) ? condition['op'] : undefined
  if (!isRecord(condition) || !isOperator(op))
    throw new Error(
      `${place.hook()} must return a query whose filter is a condition such as { op: 'eq', field: 'id', value: 1 }. Allowed for op: ${Object.keys(checks).join(', ')}.`,
    )
  checks[op](condition, place)
}
