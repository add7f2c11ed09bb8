import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

// Each table becomes a model with REST endpoints: `demoItems` is the model DemoItem under /api/demo-items/.
// After a change, run: npm run migrate:generate

// The users who log in with `auth: true` in settings.ts, and their API keys with `auth: { apiKeys: true }` in its settings.
// Without these, requests cannot access them.
export { apiKeysTable as apiKeys, usersTable as users } from 'modelrest/drizzle/sqlite'

export const demoItems = sqliteTable('demo_items', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 100 }).notNull(),
  // The hooks in controllers/demo-item.ts derive it from the name.
  slug: text({ length: 100 }).notNull(),
  description: text({ length: 1000 }),
  is_active: integer({ mode: 'boolean' }).notNull().default(true),
  created_at: integer({ mode: 'timestamp' }).notNull().default(sql`(unixepoch())`),
})
