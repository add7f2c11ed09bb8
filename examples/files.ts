// File uploads: a form stores an image and a document on disk, and responses have their URLs.
// Run it with `node examples/files.ts`, then
// `curl -F title=Manual -F content=@manual.pdf localhost:3000/documents/`.
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { file, image } from 'modelrest/drizzle/sqlite'
import { diskStorage, ModelRest } from 'modelrest/fastify'

const documents = sqliteTable('documents', {
  id: integer().primaryKey(),
  title: text({ length: 100 }).notNull(),
  content: file().notNull(),
  cover: image(),
})

const client = new Database(process.env['DATABASE'] ?? ':memory:')
client.exec(`create table if not exists documents
  (id integer primary key, title text not null, content text not null, cover text)`)

const app = Fastify()
await new ModelRest(app, {
  models: drizzleModels(drizzle({ client }), { documents }),
  storage: diskStorage({ directory: process.env['MEDIA'] ?? 'media' }),
}).init()
console.log(await app.listen({ port: Number(process.env['PORT'] ?? 3000) }))
