import { relations } from 'drizzle-orm'
import { integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'
import { decimal, file, image } from 'modelrest/drizzle/sqlite'

export const customers = sqliteTable('customers', {
  id: integer().primaryKey(),
  tenantId: integer().notNull(),
  name: text().notNull(),
})
export const products = sqliteTable('products', {
  id: integer().primaryKey(),
  name: text().notNull(),
  price: decimal({ precision: 10, scale: 2 }).notNull(),
  inStock: integer({ mode: 'boolean' }).notNull().default(true),
  size: text({ enum: ['S', 'L'] }),
  addedAt: integer({ mode: 'timestamp' }),
  tags: text({ mode: 'json' }).$type<readonly string[]>(),
})
export const photos = sqliteTable('product_photos', {
  id: integer().primaryKey(),
  productId: integer().notNull(),
  sheet: file().notNull(),
  photo: image(),
})
export const orderItemsTable = sqliteTable('order_items', {
  id: integer().primaryKey(),
  productId: integer()
    .notNull()
    .references(() => products.id),
  customer_id: integer().references(() => customers.id),
})
export const cheapProducts = sqliteView('cheap_products').as((query) => query.select().from(products))

// What is no table is no model.
export const productRelations = relations(products, ({ many }) => ({ items: many(orderItemsTable) }))
export const itemRelations = relations(orderItemsTable, ({ one }) => ({
  buyer: one(customers, { fields: [orderItemsTable.customer_id], references: [customers.id] }),
}))
export const sizes = ['S', 'L'] as const
export const version = '1'
export const total = (): number => sizes.length
