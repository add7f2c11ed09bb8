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

  // Not `async`: on SQLite a transaction must finish within one tick, or other work would join it.
  static afterCreate: AfterCreate<'OrderItem'> = (_request, item, { db }) => {
    const { customers, orders } = tablesOf(db)
    const order = first(db.select().from(orders).where(eq(orders.id, item.order_id)))
    return after(order, (found) => {
      // Check after the insert, so the order cannot be shipped in between. The error rolls the item back.
      if (found?.shipped_at)
        throw new ValueError('The order has already been shipped. You cannot add items to it.')
      const points = sql`${customers.loyalty_points} + ${this.points}`
      const theirs = eq(customers.id, found?.customer_id ?? '')
      return run(db.update(customers).set({ loyalty_points: points }).where(theirs))
    })
  }

  // The response has been sent, so this may wait for other services, such as a warehouse.
  static afterCommit: AfterCommit<'OrderItem'> = async (request, event, item) => {
    request.log.info({ event, order: item.order_id, product: item.product_id }, 'Notified the warehouse.')
  }
}

export const OrderItemController = controllerFor('OrderItem', ItemController)
