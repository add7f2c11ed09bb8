import { counted, int, text, to } from '../../stage/columns.ts'
import { declare } from '../../stage/declared.ts'

const key = { key: 'given' } as const
const nullable = { nullable: true } as const

/** The shop of docs/relations.md. */
export const { tables, ddl } = declare({
  customers: { id: counted, name: text(), city: text() },
  orders: { id: counted, customer_id: to('customers', nullable), status: text() },
  products: { id: counted, name: text() },
  order_items: {
    ...{ id: counted, order_id: to('orders'), product_id: to('products', nullable) },
    ...{ quantity: int(), price: int() },
  },
  tags: { id: counted, name: text() },
  order_tags: { order_id: to('orders', key), tag_id: to('tags', key) },
}).sqlite
