import { boolean, int, mysqlTable, timestamp, varchar } from 'drizzle-orm/mysql-core'

// Each table becomes a model with REST endpoints: `demoItems` is the model DemoItem under /api/demo-items/.
// After a change, run: npm run migrate:generate

// The users who log in with `auth: true` in settings.ts, and their API keys with `auth: { apiKeys: true }` in its settings.
// Without these, requests cannot access them.
export { apiKeysTable as apiKeys, usersTable as users } from 'modelrest/drizzle/mysql'

export const demoItems = mysqlTable('demo_items', {
  id: int().primaryKey().autoincrement(),
  name: varchar({ length: 100 }).notNull(),
  // The hooks in controllers/demo-item.ts derive it from the name.
  slug: varchar({ length: 100 }).notNull(),
  description: varchar({ length: 1000 }),
  is_active: boolean().notNull().default(true),
  created_at: timestamp().notNull().defaultNow(),
})
