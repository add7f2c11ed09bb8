// An API in an application of Next.js, beside its own routes.
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzleModels } from 'modelrest/drizzle'
import { fetchApp, lazyApp, ModelRest } from 'modelrest/fetch'

const tasks = sqliteTable('tasks', {
  id: integer().primaryKey(),
  title: text({ length: 100 }).notNull(),
})

const openDatabase = (): Database.Database =>
  new Database('tasks.db').exec(
    'create table if not exists tasks (id integer primary key, title text not null)',
  )

// `next dev` loads this module again when it changes. The connection stays.
const kept = globalThis as typeof globalThis & { database?: Database.Database }

// `next build` loads this module, too. Only a request starts the API and opens the database.
export const api = lazyApp(async () => {
  kept.database ??= openDatabase()
  const app = fetchApp({ base: '/api' })
  const models = drizzleModels(drizzle(kept.database), { tasks })
  const rest = new ModelRest(app, { models, controllers: [] })
  await rest.init()
  return { fetch: app.fetch, rest }
})
