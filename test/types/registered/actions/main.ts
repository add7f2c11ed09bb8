// Actions know the record of their model, the output of their schema and what they may return.
import { type } from 'arktype'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { FastifyRequest } from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { type Actions, action, BaseModelController, controllerFor } from 'modelrest/fastify'
import * as v from 'valibot'
import { z } from 'zod'
import type { Same } from '../../same.ts'

const tickets = sqliteTable('tickets', {
  id: integer().primaryKey(),
  status: text({ enum: ['open', 'closed'] }).notNull(),
  reason: text(),
})
const users = sqliteTable('users', { id: integer().primaryKey(), name: text().notNull() })
export const models = drizzleModels(drizzle('desk.db'), { tickets, users })

declare module 'modelrest/fastify' {
  interface Register {
    models: typeof models
  }
}

export const TicketController = controllerFor('Ticket', {
  beforeCreate: (_request, payload) => ({ ...payload, status: 'open' }),
  permissions: {
    update: 'public',
    close: 'authenticated',
    reopen: (_request, ticket) => ticket?.status === 'closed',
  },
  actions: {
    close: action({
      on: 'record',
      input: z.object({ reason: z.string().transform(Number) }),
      run(request, ticket, input, { db }) {
        const host: Same<typeof request, FastifyRequest> = true
        const record: Same<typeof ticket, typeof tickets.$inferSelect> = true
        const given: Same<typeof input, { reason: number }> = true
        db.delete(users).run()
        return { status: 'closed', reason: `${input.reason} ${host} ${record} ${given}` }
      },
    }),
    reopen: action({ on: 'record', run: (_request, ticket) => ({ status: ticket.status, reason: null }) }),
    wrong: action({
      on: 'record',
      // @ts-expect-error the status has no such value
      run: () => ({ status: 'gone' }),
    }),
    importAll: action({
      on: 'collection',
      input: v.object({ words: v.array(v.string()) }),
      output: z.object({ count: z.string().transform(Number) }),
      permission: (_request, record) => record === undefined,
      async run(_request, record, input) {
        const none: Same<typeof record, undefined> = true
        return { count: `${input.words.length} ${none}` }
      },
    }),
    wrongOutput: action({
      on: 'collection',
      output: z.object({ count: z.number() }),
      // @ts-expect-error the count is a number
      run: () => ({ count: '1' }),
    }),
    nothing: action({
      on: 'collection',
      // @ts-expect-error a collection has nothing to store
      run: () => ({ status: 'open' }),
    }),
    ofArkType: action({
      on: 'collection',
      input: type({ count: 'number' }),
      run: (_request, _record, input) => void input.count.toFixed(),
    }),
    withoutInput: action({
      on: 'collection',
      run: (_request, _record, input) => void ((input satisfies undefined) ?? 1),
    }),
  },
})

export const Misspelt = controllerFor('Ticket', {
  // @ts-expect-error neither an operation nor an action
  permissions: { clsoe: 'public' },
  actions: { close: action({ on: 'record', run: () => undefined }) },
})

export const OfClass = controllerFor(
  'Ticket',
  class extends BaseModelController {
    static actions: Actions<'Ticket'> = {
      close: action({ on: 'record', run: (_request, ticket) => ({ status: ticket.status }) }),
    }
    static permissions = { close: 'public' } as const
  },
)
