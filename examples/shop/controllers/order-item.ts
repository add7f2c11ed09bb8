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
import { customers, orders } from '../models.ts'

class ItemController extends BaseModelController {
  static readonly points: number = 10

  static scope: ScopeHook<'OrderItem'> = (request) => {
    const customer = customerOf(request)
    return customer === undefined ? {} : { order: { customer_id: customer } }
  }

  // Without `async`: on SQLite a transaction is one tick, so that nothing else joins it.
  static afterCreate: AfterCreate<'OrderItem'> = (_request, item, { db }) => {
    const order = db.select().from(orders).where(eq(orders.id, item.order_id)).get()
    if (order === undefined) return
    db.update(customers)
      .set({ loyalty_points: sql`${customers.loyalty_points} + ${this.points}` })
      .where(eq(customers.id, order.customer_id))
      .run()
    // Here and not before the item is stored: the order cannot be shipped in between. Item and points are undone.
    if (order.shipped_at !== null) throw new ValueError('The order is shipped already: no item can join it.')
  }

  // The reply is on its way: here one may wait for others, as a warehouse.
  static afterCommit: AfterCommit<'OrderItem'> = async (request, event, item) => {
    request.log.info({ event, order: item.order_id, product: item.product_id }, 'The warehouse is told.')
  }
}

export const OrderItemController = controllerFor('OrderItem', ItemController)
