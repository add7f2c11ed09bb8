// PostgreSQL with login: users register, and each reaches only their own notes.
// Run it with `DATABASE_URL=postgres://… SECRET_KEY=… node examples/postgres-login.ts`.
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import Fastify from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { usersTable as users } from 'modelrest/drizzle/pg'
import { controllerFor, defineSettings, ModelRest } from 'modelrest/fastify'
import pg from 'pg'

const notes = pgTable('notes', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  user_id: integer()
    .notNull()
    .references(() => users.id),
  text: text().notNull(),
})

const client = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
await client.query(`
  create table if not exists users (
    id integer primary key generated always as identity, email varchar(320) not null unique,
    username varchar(150) unique, name varchar(200), password varchar(255) not null,
    is_active boolean not null default true, created_at timestamptz not null default now());
  create table if not exists notes (
    id integer primary key generated always as identity,
    user_id integer not null references users on delete cascade, text text not null)`)

const NoteController = controllerFor('Note', {
  scope: (_request, { caller }) => ({ user_id: Number(caller?.id) }),
})

const app = Fastify()
await new ModelRest(app, {
  models: drizzleModels(drizzle({ client }), { users, notes }),
  auth: true,
  controllers: [NoteController],
  settings: defineSettings({ secretKey: process.env['SECRET_KEY'] }),
}).init()
console.log(await app.listen({ port: Number(process.env['PORT'] ?? 3000) }))
