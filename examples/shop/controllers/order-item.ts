import { eq, sql } from 'drizzle-orm'
import {
  type AfterCommit,
  type AfterCreate,
  BaseModelController,
  controllerFor,
  type ScopeHook,
  ValueError,
} from 'modelrest/fastify'
import { customerOf } from '../caller.ts'
import { after, first, run } from '../statements.ts'
import { tablesOf } from '../tables.ts'

class ItemController extends BaseModelController {
  static readonly points: number = 10

  static scope: ScopeHook<'OrderItem'> = (request) => {
    const customer = customerOf(request)
    return customer === undefined ? {} : { order: { customer_id: customer } }
  }

  // Without `async`: on SQLite a transaction is one tick, so that nothing else joins it.
  static afterCreate: AfterCreate<'OrderItem'> = (_request, item, { db }) => {
    const { customers, orders } = tablesOf(db)
    const order = first(db.select().from(orders).where(eq(orders.id, item.order_id)))
    return after(order, (found) => {
      // Here and not before the item is stored: the order cannot be shipped in between. The item is undone.
      if (found?.shipped_at) throw new ValueError('The order is shipped already: no item can join it.')
      const points = sql`${customers.loyalty_points} + ${this.points}`
      const theirs = eq(customers.id, found?.customer_id ?? '')
      return run(db.update(customers).set({ loyalty_points: points }).where(theirs))
    })
  }

  // The reply is on its way: here one may wait for others, as a warehouse.
  static afterCommit: AfterCommit<'OrderItem'> = async (request, event, item) => {
    request.log.info({ event, order: item.order_id, product: item.product_id }, 'The warehouse is told.')
  }
}

export const OrderItemController = controllerFor('OrderItem', ItemController)
