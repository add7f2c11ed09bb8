import { kinds } from '../model/kinds.ts'
import { isReadable, type Model } from '../model/model.ts'
import type { Order } from './ast.ts'
import type { Parameters } from './parameters.ts'
import { refuse } from './refuse.ts'
import type { ListRules } from './rules.ts'

/**
 * The sort keys: `sort` with the `order` at the same position, `asc` where that is missing. The primary key comes last,
 * so that the order is total.
 *
 * @throws HttpError 400
 */
export const readSort = (parameters: Parameters, { model, maxSorts }: ListRules): readonly Order[] => {
  const sorts = parameters.all('sort')
  const orders = parameters.all('order')
  if (sorts.length > maxSorts)
    throw refuse('malformed_query', 'sort', `There are more than ${maxSorts} sort parameters.`)
  if (orders.length > sorts.length) {
    throw refuse(
      'malformed_query',
      'order',
      `There are ${orders.length} order and ${sorts.length} sort parameters. Each order needs a sort.`,
    )
  }
  const asked = sorts.map(
    (field, index): Order => ({
      field: sortable(field, model),
      direction: directionOf(orders[index]),
    }),
  )
  const named = new Set(sorts)
  if (named.size < sorts.length)
    throw refuse('malformed_query', 'sort', 'A field is named twice in sort. Name it once.')
  const rest = model.primaryKey.filter((field) => !named.has(field))
  return [...asked, ...rest.map((field): Order => ({ field, direction: 'asc' }))]
}

const sortable = (name: string, model: Model): string => {
  const known = model.fields.filter(isReadable)
  const field = known.find((candidate) => candidate.name === name)
  if (field !== undefined && kinds[field.kind].comparable) return name
  const names = known.filter(({ kind }) => kinds[kind].comparable).map((each) => each.name)
  throw field === undefined
    ? refuse(
        'unknown_field',
        'sort',
        `There is no field ${JSON.stringify(name)} to sort by. Fields: ${names.join(', ')}.`,
      )
    : refuse('invalid_operator', 'sort', `${name} cannot be sorted by. Fields: ${names.join(', ')}.`)
}

const directionOf = (order = 'asc'): Order['direction'] => {
  if (order === 'asc' || order === 'desc') return order
  throw refuse('invalid_value', 'order', `order must be asc or desc, not ${JSON.stringify(order)}.`)
}
