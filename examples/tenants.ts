// Several tenants in one database: an API key identifies the tenant, and a scope keeps tenants apart.
// Run it with `node examples/tenants.ts`, and send `x-api-key: acme-key` or `x-api-key: globex-key`.
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify, { type FastifyRequest } from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { controllerFor, ModelRest } from 'modelrest/fastify'

const tickets = sqliteTable('tickets', {
  id: integer().primaryKey(),
  tenant: text().notNull(),
  subject: text({ length: 200 }).notNull(),
})

const client = new Database(process.env['DATABASE'] ?? ':memory:')
client.exec(`create table if not exists tickets
  (id integer primary key, tenant text not null, subject text not null)`)

const tenants = new Map([
  ['acme-key', 'acme'],
  ['globex-key', 'globex'],
])

const authenticate = ({ headers }: FastifyRequest) => {
  const id = tenants.get(String(headers['x-api-key']))
  return id === undefined ? null : { id, claims: {} }
}

const TicketController = controllerFor('Ticket', {
  scope: (_request, { caller }) => ({ tenant: String(caller?.id) }),
})

const app = Fastify()
await new ModelRest(app, {
  models: drizzleModels(drizzle({ client }), { tickets }),
  auth: { authenticate },
  controllers: [TicketController],
  modelConfig: { Ticket: { hidden: ['tenant'] } },
}).init()
console.log(await app.listen({ port: Number(process.env['PORT'] ?? 3000) }))
