import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const staffRecords = sqliteTable('staff', {
  id: text().primaryKey(),
  email: text().notNull(),
  password: text().notNull(),
})
export const posts = sqliteTable('posts', {
  id: integer().primaryKey(),
  authorId: text().notNull(),
  parentId: integer(),
  title: text().notNull(),
})
export const tags = sqliteTable('tags', { id: integer().primaryKey(), label: text() })
