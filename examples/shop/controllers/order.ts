import { controllerFor } from 'modelrest/fastify'
import { customerOf } from '../caller.ts'
import { run } from '../statements.ts'
import { tablesOf } from '../tables.ts'

export const OrderController = controllerFor('Order', {
  // Tenancy before there is authentication: with the header a caller reaches the orders of that customer alone.
  scope(request) {
    const customer = customerOf(request)
    return customer === undefined ? {} : { customer_id: customer }
  },

  beforeCreate(_request, payload) {
    return payload.status === 'shipped' ? { ...payload, shipped_at: new Date() } : undefined
  },

  // No client may send `shipped_at` (modelConfig in app.ts): it follows from the status.
  beforeUpdate(_request, order, payload) {
    const isShippedNow = payload.status === 'shipped' && order.status !== 'shipped'
    return isShippedNow ? { ...payload, shipped_at: new Date() } : undefined
  },

  // In the transaction of the update: there is an entry for what was stored, and for nothing else.
  afterUpdate(_request, { id, status }, { db }) {
    const { auditEntries } = tablesOf(db)
    return run(db.insert(auditEntries).values({ order_id: id, status }))
  },
})
