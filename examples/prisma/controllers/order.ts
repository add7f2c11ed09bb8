import { controllerFor, HttpError } from 'modelrest/node'

// Payloads, records and `db` have the types of the generated client.
export const OrderController = controllerFor('Order', {
  beforeUpdate(_request, order, payload) {
    if (order.status === 'paid' && payload.status === 'open')
      throw new HttpError(409, 'A paid order stays paid.')
  },
  async afterCreate(_request, order, { db }) {
    await db.audit.create({ data: { text: `Order ${order.number} was placed.` } })
  },
})
