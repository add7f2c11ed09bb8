import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { decimal } from 'modelrest/drizzle/sqlite'

// Each table becomes a model, and each model REST endpoints: `orderItems` is the model OrderItem below /api/order-items/.
// After a change: npm run migrate:generate

/** Who may log in, once `auth` in settings.ts is true. Nobody reaches them over HTTP before. */
export { usersTable as users } from 'modelrest/drizzle/sqlite'

export const categories = sqliteTable('categories', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 60 }).notNull().unique(),
})

export const products = sqliteTable(
  'products',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text({ length: 100 }).notNull(),
    // controllers/product.ts makes it of the name.
    slug: text({ length: 100 }).notNull(),
    price: decimal({ precision: 10, scale: 2 }).notNull(),
    in_stock: integer({ mode: 'boolean' }).notNull().default(true),
    category_id: integer().references(() => categories.id),
    created_at: integer({ mode: 'timestamp' }).notNull().default(sql`(unixepoch())`),
  },
  (table) => [index('products_category').on(table.category_id)],
)
