import { controllerFor, HttpError } from 'modelrest/fastify'
import { isAdmin, isAgent, memberOf } from '../member.ts'

export default controllerFor('User', {
  internal: false,
  operations: ['list', 'read', 'update'],
  writable: ['role'],

  scope: async (_request, context) => {
    const member = await memberOf(context)
    return member ? { organisation_id: member.organisation_id } : { id: context.caller?.id ?? [] }
  },

  // Requesters see who else is there, but not their addresses.
  access: async (request, context) =>
    (await isAgent(request, undefined, context)) ? {} : { read: ['name', 'role'] },

  permissions: {
    update: async (request, user, context) =>
      user?.id === context.caller?.id || (await isAdmin(request, user, context)),
  },

  /** Users change their own name and address, and administrators the roles of others. */
  beforeUpdate(_request, user, { role = user.role, ...others }, _schema, { caller }) {
    const isOwn = user.id === caller?.id
    if (isOwn ? role !== user.role : Object.keys(others).length > 0)
      throw new HttpError(403, 'Another user must make this change.', { code: 'not_your_change' })
    return isOwn ? others : { role }
  },
})
