import { controllerFor } from 'modelrest/fastify'
import { customerOf } from '../caller.ts'
import { run } from '../statements.ts'
import { tablesOf } from '../tables.ts'

export const OrderController = controllerFor('Order', {
  // Tenants without authentication: with the header, a caller can reach only the orders of that customer.
  scope(request) {
    const customer = customerOf(request)
    return customer === undefined ? {} : { customer_id: customer }
  },

  beforeCreate(_request, payload) {
    return payload.status === 'shipped' ? { ...payload, shipped_at: new Date() } : undefined
  },

  // Clients cannot send `shipped_at` (modelConfig in app.ts): it follows from the status.
  beforeUpdate(_request, order, payload) {
    const isShippedNow = payload.status === 'shipped' && order.status !== 'shipped'
    return isShippedNow ? { ...payload, shipped_at: new Date() } : undefined
  },

  // Runs in the transaction of the update, so an entry exists if and only if the change was saved.
  afterUpdate(_request, { id, status }, { db }) {
    const { auditEntries } = tablesOf(db)
    return run(db.insert(auditEntries).values({ order_id: id, status }))
  },
})
