// Two tables, a database and a server in one file.
// Run it with `node examples/one-file.ts`, then open http://localhost:3000/docs.
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { ModelRest } from 'modelrest/fastify'

const projects = sqliteTable('projects', {
  id: integer().primaryKey(),
  name: text({ length: 100 }).notNull(),
})
const tasks = sqliteTable('tasks', {
  id: integer().primaryKey(),
  title: text({ length: 100 }).notNull(),
  done: integer({ mode: 'boolean' }).notNull().default(false),
  project_id: integer().references(() => projects.id),
})

const client = new Database(process.env['DATABASE'] ?? ':memory:')
client.exec(`create table if not exists projects (id integer primary key, name text not null);
create table if not exists tasks (id integer primary key, title text not null, done integer not null default 0,
  project_id integer references projects (id))`)
const db = drizzle({ client })

const app = Fastify()
await new ModelRest(app, { models: drizzleModels(db, { projects, tasks }) }).init()
console.log(await app.listen({ port: Number(process.env['PORT'] ?? 3000) }))
