import type { HookContext, ScopeOption } from 'modelrest/fastify'
import type { users } from './tables.ts'

/** The caller as a member of an organisation, or null. */
export const memberOf = async (context: HookContext) => {
  const user = (await context.user()) as typeof users.$inferSelect | null
  return user?.organisation_id ? { ...user, organisation_id: user.organisation_id } : null
}

/** A permission for agents and administrators. */
export const isAgent = async (_request: unknown, _record: unknown, context: HookContext) =>
  ['agent', 'admin'].includes((await memberOf(context))?.role ?? '')

/** A permission for administrators. */
export const isAdmin = async (_request: unknown, _record: unknown, context: HookContext) =>
  (await memberOf(context))?.role === 'admin'

/** Members reach what belongs to their organisation; requesters only their own tickets, and what belongs to those. */
export const scope: ScopeOption = async (_request, context, { name, fields }) => {
  const member = await memberOf(context)
  if (member === null) return []
  const { id, role, organisation_id } = member
  if (name === 'Organisation') return { id: organisation_id }
  const ticket = role === 'requester' ? { organisation_id, requester_id: id } : { organisation_id }
  if (name === 'Ticket') return ticket
  return fields.includes('organisation_id') ? { organisation_id } : { ticket }
}
