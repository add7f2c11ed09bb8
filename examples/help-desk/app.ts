import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import Fastify from 'fastify'
import { diskStorage } from 'modelrest'
import { drizzleModels } from 'modelrest/drizzle'
import { defineSettings, ModelRest } from 'modelrest/fastify'
import { scope } from './member.ts'
import * as tables from './tables.ts'

export const deskModels = (db: BetterSQLite3Database) => drizzleModels(db, { desk: tables })

type SendMail = (address: string, text: string) => void | Promise<void>

/**
 * @param folder of the database and of the attachments
 * @param secret signs the tokens, at least 32 bytes
 */
export const buildDesk = async (folder: string, secret: string, sendMail: SendMail) => {
  const client = new Database(join(folder, 'desk.db'))
  client.pragma('foreign_keys = ON')
  const db = drizzle({ client })
  migrate(db, { migrationsFolder: join(import.meta.dirname, 'migrations') })

  const app = Fastify()
  app.addHook('onClose', () => void client.close())
  await new ModelRest(app, {
    models: deskModels(db),
    auth: true,
    audit: true,
    scope,
    // Clients use the relation `tags` of a ticket instead of its records.
    exclude: { desk: ['TicketTag'] },
    storage: diskStorage({ directory: join(folder, 'media') }),
    settings: defineSettings({
      baseDir: import.meta.dirname,
      secretKey: secret,
      auth: {
        stateful: true,
        passwordChange: true,
        passwordReset: true,
        apiKeys: true,
        onPasswordReset: (user, token) =>
          sendMail(String(user['email']), `Choose a new password with this token: ${token}`),
      },
    }),
    openapi: {
      title: 'Help desk',
      codes: {
        wrong_reason: { status: 422, title: 'A closed ticket needs a reason, and an open one has none' },
        ticket_closed: { status: 409, title: 'The ticket is already closed' },
        comment_locked: { status: 423, title: 'The comment is older than ten minutes' },
        already_member: { status: 409, title: 'The caller already belongs to an organisation' },
        unknown_join_code: { status: 404, title: 'No organisation has this join code' },
        not_your_change: { status: 403, title: 'Only another user may change this' },
      },
    },
  }).init()
  return app
}
