import { sql } from 'drizzle-orm'
import {
  integer,
  type SQLiteColumn,
  type SQLiteTableWithColumns,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import type { Instant, Text, UsersColumn, UsersKey, Whole, YesOrNo } from './column-types.ts'

type TextColumn<Name extends string, Length extends number, NotNull extends boolean> = SQLiteColumn<
  UsersColumn<Name, Text<'SQLiteText'>, NotNull>,
  object,
  { length: Length }
>

/** What drizzle knows of `usersTable` at compile time. */
export type UsersTable = SQLiteTableWithColumns<{
  name: 'users'
  schema: undefined
  columns: {
    id: SQLiteColumn<
      UsersKey<Whole<'SQLiteInteger', number>, { isAutoincrement: false; identity: undefined }>
    >
    email: TextColumn<'email', 320, true>
    username: TextColumn<'username', 150, false>
    name: TextColumn<'name', 200, false>
    password: TextColumn<'password', 255, true>
    is_active: SQLiteColumn<UsersColumn<'is_active', YesOrNo<'SQLiteBoolean', number>, true, true>>
    created_at: SQLiteColumn<UsersColumn<'created_at', Instant<'SQLiteTimestamp', number>, true, true>>
  }
  dialect: 'sqlite'
}>

/**
 * A table of users for `auth: true`: `email` and `username` to log in with, `password` for its hash, and whether they may
 * come in. Export it as `users` from your models, or copy it and add columns.
 *
 * @example
 * ```ts
 * // models.ts
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 * import { usersTable } from 'modelrest/drizzle/sqlite'
 *
 * export { usersTable as users }
 *
 * export const orders = sqliteTable('orders', {
 *   id: integer().primaryKey(),
 *   customerId: integer().notNull().references(() => usersTable.id),
 *   note: text(),
 * })
 * ```
 */
export const usersTable: UsersTable = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text({ length: 320 }).notNull().unique(),
  username: text({ length: 150 }).unique(),
  name: text({ length: 200 }),
  password: text({ length: 255 }).notNull(),
  is_active: integer({ mode: 'boolean' }).notNull().default(true),
  created_at: integer({ mode: 'timestamp' }).notNull().default(sql`(unixepoch())`),
})
