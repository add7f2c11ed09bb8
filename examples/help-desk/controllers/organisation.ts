import { and, eq, isNull } from 'drizzle-orm'
import { action, controllerFor, type HookContext, HttpError } from 'modelrest/fastify'
import { z } from 'zod'
import { isAdmin } from '../member.ts'
import { organisations, users } from '../tables.ts'

type Membership = Pick<typeof users.$inferInsert, 'organisation_id' | 'role'>

/** Makes the caller a member, unless they already are one: a user gets a role once. */
const enter = ({ db, caller }: HookContext, membership: Membership): void => {
  const isFree = and(eq(users.id, caller?.id ?? 0), isNull(users.organisation_id))
  const { changes } = db.update(users).set(membership).where(isFree).run()
  if (changes === 0)
    throw new HttpError(409, 'You already belong to an organisation.', { code: 'already_member' })
}

export default controllerFor('Organisation', {
  operations: ['list', 'read', 'update'],
  readOnly: ['join_code'],

  access: async (request, context) =>
    (await isAdmin(request, undefined, context)) ? {} : { read: { join_code: false } },

  permissions: { update: isAdmin, found: 'authenticated', join: 'authenticated' },

  actions: {
    found: action({
      on: 'collection',
      summary: 'Found an organisation, as its administrator',
      input: z.object({ name: z.string().trim().min(1).max(100) }),
      output: z.object({ id: z.int() }),
      codes: ['already_member'],
      run(_request, _record, { name }, context) {
        const { id } = context.db.insert(organisations).values({ name }).returning().get()
        enter(context, { organisation_id: id, role: 'admin' })
        return { id }
      },
    }),
    join: action({
      on: 'collection',
      summary: 'Join an organisation, as a requester',
      input: z.object({ join_code: z.string().max(36) }),
      codes: ['already_member', 'unknown_join_code'],
      run(_request, _record, { join_code }, context) {
        const theirs = eq(organisations.join_code, join_code)
        const found = context.db.select().from(organisations).where(theirs).get()
        if (found === undefined)
          throw new HttpError(404, 'No organisation has this join code.', { code: 'unknown_join_code' })
        enter(context, { organisation_id: found.id, role: 'requester' })
      },
    }),
  },
})
