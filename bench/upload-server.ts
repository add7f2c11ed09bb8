import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { drizzleModels } from '../src/entry/drizzle.ts'
import { file } from '../src/entry/drizzle-sqlite.ts'
import { type FastifyApp, ModelRest } from '../src/entry/fastify.ts'

// Serves documents with large files. Its address is a line.
const [folder = ''] = process.argv.slice(2)
const documents = sqliteTable('documents', {
  id: integer().primaryKey(),
  title: text().notNull(),
  content: file().notNull(),
})
const client = new Database(join(folder, 'documents.db'))
client.exec(
  'create table if not exists documents (id integer primary key, title text not null, content text not null)',
)

const app = Fastify()
const rest = new ModelRest<unknown>(app as unknown as FastifyApp, {
  models: drizzleModels(drizzle({ client }), { documents }),
  controllers: [],
  settings: { BASE_DIR: folder, UPLOAD_FILE_LIMIT: 2 ** 31, UPLOAD_BODY_LIMIT: 2 ** 31 },
})
await rest.registerAllModels()
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${address}\n`)
