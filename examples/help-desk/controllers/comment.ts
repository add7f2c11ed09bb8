import { controllerFor, type HookContext, HttpError, type RecordOf } from 'modelrest/fastify'

const TEN_MINUTES = 600_000

const assertUnlocked = (_request: unknown, { created_at }: RecordOf<'Comment'>): void => {
  if (Date.now() - created_at.getTime() > TEN_MINUTES)
    throw new HttpError(423, 'A comment can be changed for ten minutes.', { code: 'comment_locked' })
}

const isAuthor = (_request: unknown, comment: RecordOf<'Comment'> | undefined, { caller }: HookContext) =>
  comment?.author_id === caller?.id

export default controllerFor('Comment', {
  stamps: { author_id: 'caller on create' },
  permissions: { update: isAuthor, delete: isAuthor },
  // They also run for comments in the body of a ticket.
  beforeUpdate: assertUnlocked,
  beforeDelete: assertUnlocked,
})
