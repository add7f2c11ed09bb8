import type { Model } from 'modelrest'
import type { Shop } from '../../../examples/shop/app.ts'
import { sqliteOf } from '../sqlite-of.ts'
import type { Answer, Sent } from './shop-client.ts'

type Row = Readonly<Record<string, unknown>>

/** The records of each model, by its name. */
export type Rows = ReadonlyMap<string, readonly Row[]>

/** Of these records, those that one customer has to do with. */
const ownRows: Readonly<Record<string, (rows: Rows, customer: unknown) => readonly Row[]>> = {
  Customer: (rows, customer) => rowsIn(rows, 'Customer').filter(({ id }) => id === customer),
  Order: (rows, customer) => rowsIn(rows, 'Order').filter(({ customer_id }) => customer_id === customer),
  OrderItem: (rows, customer) => {
    const orders = new Set(ownRows['Order']?.(rows, customer).map(({ id }) => id))
    return rowsIn(rows, 'OrderItem').filter(({ order_id }) => orders.has(order_id))
  },
}

const rowsIn = (rows: Rows, model: string): readonly Row[] => rows.get(model) ?? []

/** The records that a request in the name of a customer is about: their own, where they have any. */
export const rowsFor = (rows: Rows, model: string, customer: unknown): readonly Row[] => {
  const own = customer === undefined ? [] : (ownRows[model]?.(rows, customer) ?? [])
  return own.length > 0 ? own : rowsIn(rows, model)
}

const orderOf: Readonly<Record<string, string>> = { Order: 'id', OrderItem: 'order_id' }

/** Checks that a reply shows nothing of other customers than the one in whose name it was asked for. */
export const reachChecks = (
  shop: Shop,
): ((model: Model, sent: Sent, answer: Answer) => readonly string[]) => {
  const owner = sqliteOf(shop).prepare('select customer_id from orders where id = ?').pluck()
  const wrongIn = (model: Model, record: Row, customer: string): readonly string[] => {
    const key = orderOf[model.name]
    const wrong = key !== undefined && record[key] !== undefined && owner.get(record[key]) !== customer
    return [
      ...(wrong ? [`${model.name} ${record[key]} is of another customer than ${customer}.`] : []),
      ...model.relations.flatMap(({ name, model: other }) => {
        const target = shop.rest.models.find((each) => each.name === other)
        const related = [(record[name] ?? []) as Row | readonly Row[]].flat()
        return target === undefined ? [] : related.flatMap((row) => wrongIn(target, row, customer))
      }),
    ]
  }
  return (model, { headers }, { status, text }) => {
    const customer = headers['x-customer-id']
    if (customer === undefined || status >= 300 || text === '') return []
    const body = JSON.parse(text) as Row
    const isRecord = model.primaryKey.some((name) => Object.hasOwn(body, name))
    const rows = isRecord ? [body] : (body['items'] as readonly Row[])
    return rows.flatMap((row) => wrongIn(model, row, customer))
  }
}
