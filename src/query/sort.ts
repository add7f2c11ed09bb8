import { suggest } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import type { Order } from './ast.ts'
import { type QueryFields, queryFields } from './fields.ts'
import { type Parameters, refuse, shown } from './parameters.ts'
import type { ListRules } from './settings.ts'

/** Each `sort` with the `order` at the same position, then the primary key. @throws HttpError 400 */
export const readSort = ({ values }: Parameters, { model, maxSorts }: ListRules): readonly Order[] => {
  const fields = queryFields(model)
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
  if (sorts.length === 0) return fields.key
  const requested = sorts.map((name, index): Order => {
    assertSortable(name, fields, () => rewritten(sorts, orders, fields, maxSorts))
    if (sorts.indexOf(name) < index)
      throw refuse('malformed_query', 'sort', `sort contains ${name} twice. Name each field once.`)
    return Object.freeze({ field: name, direction: directionOf(orders[index]) })
  })
  return withKey(requested, model)
}

/** Adds the missing fields of the primary key, which makes the order total. */
export const withKey = (order: readonly Order[], model: Model): readonly Order[] => {
  const { key } = queryFields(model)
  return Object.freeze([...order, ...key.filter(({ field }) => order.every((own) => own.field !== field))])
}

const assertSortable = (
  name: string,
  { byName, sortable }: QueryFields,
  remedy: () => string | undefined,
): void => {
  const known = byName.get(name)
  if (known === undefined) {
    const right = remedy()
    const hint = right === undefined ? suggest(name.slice(0, 60), sortable) : ` Write ${right} instead.`
    throw refuse('unknown_field', 'sort', `Unknown field ${shown(name)} in sort.${hint}`)
  }
  if (known.row.comparable || known.row.ordered) return
  const why = `sort cannot use ${name}, which is ${known.row.noun}.`
  throw refuse('invalid_operator', 'sort', `${why} Allowed: ${sortable.join(', ')}.`)
}

/** Notations of other APIs: `-price`, `+price`, `price desc`, `price:desc`, `price.desc`. */
const foreign = /^(?<sign>[-+ ]?)(?<name>[^ :]+?)(?:[ :.](?<word>asc|desc))?$/i

/** Translates the order into the notation of this API, if all of it is in that of another API: `sort=price&order=desc`. */
const rewritten = (
  sorts: readonly string[],
  orders: readonly string[],
  { sortable }: QueryFields,
  most: number,
): string | undefined => {
  const parts = sorts.flatMap((text, at) => text.split(',').map((part) => ({ part: part.trimEnd(), at })))
  if (parts.length > most) return undefined
  const terms = parts.map(({ part, at }) => {
    const { sign, name = '', word = orders[at] } = foreign.exec(part)?.groups ?? {}
    const isDescending = sign === '-' || word?.toLowerCase() === 'desc'
    return sortable.includes(name) ? `sort=${name}&order=${isDescending ? 'desc' : 'asc'}` : undefined
  })
  return terms.includes(undefined) ? undefined : terms.join('&')
}

const directionOf = (order = 'asc'): Order['direction'] => {
  if (order === 'asc' || order === 'desc') return order
  throw refuse('invalid_value', 'order', `order must be asc or desc, not ${shown(order)}.`, 'not_in_enum')
}
