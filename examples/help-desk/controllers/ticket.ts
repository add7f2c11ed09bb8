import { count, inArray } from 'drizzle-orm'
import { type ChangeContext, controllerFor, HttpError, type RecordOf } from 'modelrest/fastify'
import { z } from 'zod'
import { isAdmin, isAgent } from '../member.ts'
import { comments } from '../tables.ts'
import { notify } from '../webhook.ts'

/** Runs in the transaction of each write, so two agents cannot both close a ticket. */
const assertClosedOnce = (
  _request: unknown,
  { status, reason }: RecordOf<'Ticket'>,
  { before }: Partial<ChangeContext<'Ticket'>>,
): void => {
  const isClosed = status === 'closed'
  if (isClosed !== Boolean(reason?.trim()))
    throw new HttpError(422, 'A closed ticket has a reason, an open one has none.', { code: 'wrong_reason' })
  if (isClosed && before?.status === 'closed' && before.reason !== reason)
    throw new HttpError(409, 'The ticket is already closed.', { code: 'ticket_closed' })
}

export default controllerFor('Ticket', {
  operations: ['list', 'read', 'create', 'update', 'delete'],
  readOnly: ['organisation_id'],
  stamps: { requester_id: 'caller on create' },
  include: ['requester'],
  write: ['comments', 'tags'],
  bulk: true,
  softDelete: 'deleted_at',
  version: 'revision',
  // Administrators see and restore what agents have deleted.
  permissions: { delete: isAgent, deleted: isAdmin },

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

  afterCreate: assertClosedOnce,
  afterUpdate: assertClosedOnce,

  // Runs after the commit, so changes that were rolled back are not sent.
  afterCommit: (_request, event, { id, status }) => notify({ event, ticket: id, status }),
})
