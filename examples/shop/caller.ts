import type { FastifyRequest } from 'fastify'

/**
 * The customer in the header `x-customer-id`. `undefined` means the shop itself.
 *
 * This shows how to separate the records of customers. It does not protect them, because anyone can send this header.
 * With `AUTH=1`, callers are employees of the shop, who may act for any customer.
 */
export const customerOf = ({ headers }: FastifyRequest): readonly string[] | undefined => {
  const id = headers['x-customer-id']
  if (id === undefined) return undefined
  // An empty list matches no records. A longer string does not fit the column, and a scope with it would be refused.
  return typeof id === 'string' && id.length <= 36 ? [id] : []
}
