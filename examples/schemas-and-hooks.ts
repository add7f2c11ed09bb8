// Rules that a table cannot express: a Zod schema validates bodies, and hooks run before and after writes.
// Run it with `node examples/schemas-and-hooks.ts`.
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { controllerFor, ModelRest, ValueError } from 'modelrest/fastify'
import { z } from 'zod'

const articles = sqliteTable('articles', {
  id: integer().primaryKey(),
  title: text({ length: 100 }).notNull(),
  slug: text({ length: 100 }).notNull().unique(),
})

const client = new Database(process.env['DATABASE'] ?? ':memory:')
client.exec(`create table if not exists articles
  (id integer primary key, title text not null, slug text not null unique)`)

const ArticleController = controllerFor('Article', {
  beforeCreate: (_request, payload) => ({ ...payload, slug: slugOf(String(payload['title'])) }),
  beforeDelete(_request, article) {
    if (article['title'] === 'Imprint') throw new ValueError('The imprint cannot be deleted.')
  },
})

const slugOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

const app = Fastify()
await new ModelRest(app, {
  models: drizzleModels(drizzle({ client }), { articles }),
  controllers: [ArticleController],
  customSchemas: { Article: { create: z.object({ title: z.string().trim().min(3).max(100) }) } },
}).init()
console.log(await app.listen({ port: Number(process.env['PORT'] ?? 3000) }))
