import Fastify from 'fastify'
import {
  type Statements,
  statementsOf,
  withCounts,
  withCustomers,
  withItems,
  withProducts,
} from '../relations-by-hand.ts'
import type { Open } from '../serve.ts'

const integer = { type: 'integer' } as const
const string = { type: 'string' } as const
const object = (properties: object) => ({ type: 'object', properties }) as const
const order = { id: integer, customer_id: integer, status: string } as const
const item = { id: integer, order_id: integer, product_id: integer, quantity: integer, price: integer }
const customer = object({ id: integer, name: string, city: string })
const product = object({ id: integer, name: string })
const about = object({
  items: object({ has_more: { type: 'boolean' }, count: integer, count_exact: { type: 'boolean' } }),
})
const listOf = (items: object) => ({ type: 'array', items: object(items) })

type Rows = readonly Readonly<Record<string, unknown>>[]
type Complete = (statements: Statements, orders: Rows) => Rows | Promise<Rows>

/** Lists with related records as one writes them by hand. */
export const open: Open = async (database, location) => {
  const app = Fastify()
  const s = statementsOf(database, location)
  const route = (
    path: string,
    which: 'orders' | 'inCity' | 'withItem' | 'byCustomer',
    complete: Complete,
    members: object = {},
  ): void => {
    const page = object({
      items: listOf({ ...order, ...members }),
      count: { type: ['integer', 'null'] },
      count_exact: { type: 'boolean' },
    })
    const querystring = object({ after: integer, city: string })
    app.get<{ Querystring: { after?: number; city?: string } }>(
      path,
      { schema: { querystring, response: { 200: page } } },
      async ({ query: { after, city } }) => {
        const value = city ?? after
        const orders = await s[which](...(value === undefined ? [] : [value]))
        return { items: await complete(s, orders), count: null, count_exact: false }
      },
    )
  }
  const asIs: Complete = (_statements, orders) => orders
  route('/plain', 'orders', asIs)
  route('/to-one', 'orders', withCustomers, { customer })
  route('/to-many', 'orders', withItems, { items: listOf(item), _related: about })
  route(
    '/two-levels',
    'orders',
    async (statements, orders) =>
      withItems(statements, await withCustomers(statements, orders), (items) =>
        withProducts(statements, items),
      ),
    { customer, items: listOf({ ...item, product }), _related: about },
  )
  route('/counts', 'orders', withCounts, { items: listOf(item), _related: about })
  route('/in-city', 'inCity', asIs)
  route('/with-item', 'withItem', asIs)
  route('/by-customer', 'byCustomer', asIs)
  return { origin: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}
