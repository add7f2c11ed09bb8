import { isReadable, type Model } from '../model/model.ts'
import type { Order } from './ast.ts'
import { assertStored, queryFields } from './fields.ts'
import { type Parameters, refuse, shown } from './parameters.ts'
import { follow, hopsOf, namesAt, type QueryPlace, rootPlace, unknownName } from './places.ts'
import type { ListRules } from './settings.ts'
import { newTally } from './tally.ts'

/** Each `sort` with the `order` at the same position, then the primary key. @throws HttpError 400 */
export const readSort = (parameters: Parameters, place: QueryPlace): readonly Order[] => {
  const { model, rules } = place
  const remedy = () => rewritten(parameters, rules)
  const requested = sortTerms(parameters, rules.maxSorts, (name) => sortedBy(name, place, remedy))
  return withKey(requested, model)
}

/** @throws HttpError 400, if not all of `sort` and `order` fit to each other */
export const sortTerms = <Key>(
  { values }: Parameters,
  maxSorts: number,
  keyOf: (name: string) => Key,
): readonly (Key & Pick<Order, 'direction'>)[] => {
  const sorts = values.get('sort') ?? []
  const orders = values.get('order') ?? []
  if (sorts.length > maxSorts) {
    const why = `A query may have at most ${maxSorts} sort parameters, not ${sorts.length}.`
    throw refuse('malformed_query', 'sort', why)
  }
  if (orders.length > sorts.length) {
    const why = `The query has more order (${orders.length}) than sort (${sorts.length}) parameters.`
    throw refuse('malformed_query', 'order', `${why} Each order needs a sort at the same position.`)
  }
  return sorts.map((name, index) => {
    const key = keyOf(name)
    if (sorts.indexOf(name) < index)
      throw refuse('malformed_query', 'sort', `sort contains ${name} twice. Name each field once.`)
    return Object.freeze({ ...key, direction: directionOf(orders[index]) })
  })
}

/** Adds the missing fields of the primary key, which makes the order total. */
export const withKey = (order: readonly Order[], model: Model): readonly Order[] => {
  const { key } = queryFields(model)
  const own = new Set(order.filter(({ via = [] }) => via.length === 0).map(({ field }) => field))
  return Object.freeze([...order, ...key.filter(({ field }) => !own.has(field))])
}

/** @param remedy the order in the notation of this API @throws HttpError 400 for a name that lists cannot be sorted by */
const sortedBy = (
  name: string,
  place: QueryPlace,
  remedy: () => string | undefined,
): Pick<Order, 'field' | 'via'> => {
  const target = follow(name, place)
  const { relations, field } = target
  const { model } = target.place
  const { sortable } = queryFields(model)
  if (target.unknown !== undefined) assertStored(name, 'sort', { ...place.rules, model }, target.unknown)
  if (target.unknown !== undefined || isHidden(name, place.model)) {
    const right = remedy()
    if (right !== undefined)
      throw refuse('unknown_field', 'sort', `Unknown field ${shown(name)} in sort. Write ${right} instead.`)
    throw unknownName(
      name,
      'sort',
      'Unknown field',
      namesAt(target, sortable, toOne(target.place)),
      ' in sort',
    )
  }
  const many = relations.find(({ relation }) => relation.kind === 'to-many')
  if (many !== undefined)
    throw notSortable(`${name}, because ${many.relation.name} has any number of records`, place)
  if (field === undefined) throw notSortable(`${name}, which is a relation`, place)
  if (relations.length > 0 && !place.rules.relatedSort)
    throw notSortable(`${name}, because this API cannot sort through relations`, place)
  if (field.row.comparable || field.row.ordered)
    return { field: field.field.name, ...(relations.length > 0 && { via: hopsOf(relations) }) }
  throw notSortable(`${name}, which is ${field.row.noun}`, place)
}

/** A row has the value of a sort key under its name, which must not be that of a field that clients cannot read. */
const isHidden = (name: string, { fields }: Model): boolean =>
  fields.some((field) => field.name === name && !isReadable(field))

const toOne = ({ model, rules }: QueryPlace): readonly string[] =>
  [...rules.relationsOf(model).values()]
    .filter(({ relation }) => rules.relatedSort && relation.kind === 'to-one')
    .map(({ relation }) => relation.name)

const notSortable = (what: string, place: QueryPlace): Error => {
  const allowed = [...queryFields(place.model).sortable, ...toOne(place).map((name) => `${name}.…`)]
  return refuse('invalid_operator', 'sort', `sort cannot use ${what}. Allowed: ${allowed.join(', ')}.`)
}

/** Notations of other APIs: `-price`, `+price`, `price desc`, `price:desc`, `price.desc`. */
const foreign = /^(?<sign>[-+ ]?)(?<name>[^ :]+?)(?:[ :.](?<word>asc|desc))?$/i

/** Translates the order into the notation of this API, if all of it is in that of another API: `sort=price&order=desc`. */
const rewritten = ({ values, separator }: Parameters, rules: ListRules): string | undefined => {
  const sorts = values.get('sort') ?? []
  const orders = values.get('order') ?? []
  const parts = sorts.flatMap((text, at) => text.split(',').map((part) => ({ part: part.trimEnd(), at })))
  if (parts.length > rules.maxSorts) return undefined
  const terms = parts.map(({ part, at }) => {
    const { sign, name = '', word = orders[at] } = foreign.exec(part)?.groups ?? {}
    const isDescending = sign === '-' || word?.toLowerCase() === 'desc'
    if (!isSortable(name, rootPlace('sort', rules, newTally()))) return undefined
    return `sort=${name}${separator}order=${isDescending ? 'desc' : 'asc'}`
  })
  return terms.includes(undefined) ? undefined : terms.join(separator)
}

const isSortable = (name: string, place: QueryPlace): boolean => {
  const { relations, field } = follow(name, place)
  const isOne = relations.every(({ relation }) => relation.kind === 'to-one')
  return isOne && field !== undefined && (field.row.comparable || field.row.ordered)
}

const directionOf = (order = 'asc'): Order['direction'] => {
  if (order === 'asc' || order === 'desc') return order
  throw refuse('invalid_value', 'order', `order must be asc or desc, not ${shown(order)}.`, 'not_in_enum')
}
