import type { FastifyRequest } from 'fastify'

/**
 * The customer in whose name a request comes, by its header `x-customer-id`. `undefined`: the shop itself.
 *
 * Anyone may send any header: this shows how the records of many customers are kept apart, and protects nothing. With
 * `AUTH=1` callers are those who work in the shop, in whichever customer's name.
 */
export const customerOf = ({ headers }: FastifyRequest): readonly string[] | undefined => {
  const id = headers['x-customer-id']
  if (id === undefined) return undefined
  // A list of none reaches nothing. The column holds no longer text, and a scope with such a value is refused.
  return typeof id === 'string' && id.length <= 36 ? [id] : []
}
