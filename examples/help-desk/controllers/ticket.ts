import { count, inArray } from 'drizzle-orm'
import { action, controllerFor, HttpError } from 'modelrest/fastify'
import { z } from 'zod'
import { isAgent } from '../member.ts'
import { comments } from '../tables.ts'
import { notify } from '../webhook.ts'

export default controllerFor('Ticket', {
  operations: ['list', 'read', 'create', 'update'],
  readOnly: ['organisation_id', 'requester_id', 'status', 'reason'],
  include: ['requester'],
  write: ['comments', 'tags'],
  permissions: { close: isAgent },

  // Requesters never see the note, and cannot filter or sort by it.
  access: async (request, context) =>
    (await isAgent(request, undefined, context))
      ? {}
      : { read: { internal_note: false }, write: ['subject', 'description'] },

  computed: {
    comment_count: {
      schema: z.int(),
      load(records, { db }) {
        const ids = records.map(({ id }) => id)
        const rows = db
          .select({ id: comments.ticket_id, count: count() })
          .from(comments)
          .where(inArray(comments.ticket_id, ids))
          .groupBy(comments.ticket_id)
          .all()
        const counts = new Map(rows.map((row) => [row.id, row.count]))
        return ids.map((id) => counts.get(id) ?? 0)
      },
    },
  },

  beforeCreate: (_request, payload, _schema, { caller }) => ({
    ...payload,
    requester_id: Number(caller?.id),
  }),

  // Runs after the commit, so changes that were rolled back are not sent.
  afterCommit: (_request, event, { id, status }) => notify({ event, ticket: id, status }),

  actions: {
    close: action({
      on: 'record',
      summary: 'Close a ticket',
      input: z.object({ reason: z.string().trim().min(3).max(500) }),
      codes: ['ticket_closed'],
      run(_request, ticket, { reason }) {
        if (ticket.status === 'closed')
          throw new HttpError(409, 'The ticket is already closed.', { code: 'ticket_closed' })
        return { status: 'closed', reason }
      },
    }),
  },
})
