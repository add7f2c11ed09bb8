import {
  boolean,
  int,
  type MySqlColumn,
  type MySqlTableWithColumns,
  mysqlTable,
  timestamp,
  varchar,
} from 'drizzle-orm/mysql-core'
import type { Instant, Text, UsersColumn, UsersKey, Whole, YesOrNo } from './column-types.ts'

type TextColumn<Name extends string, NotNull extends boolean> = MySqlColumn<
  UsersColumn<Name, Text<'MySqlVarChar', string | number>, NotNull>
>

/** What drizzle knows of `usersTable` at compile time. */
export type UsersTable = MySqlTableWithColumns<{
  name: 'users'
  schema: undefined
  columns: {
    id: MySqlColumn<
      UsersKey<Whole<'MySqlInt', string | number>, { isAutoincrement: true; identity: undefined }>
    >
    email: TextColumn<'email', true>
    username: TextColumn<'username', false>
    name: TextColumn<'name', false>
    password: TextColumn<'password', true>
    is_active: MySqlColumn<UsersColumn<'is_active', YesOrNo<'MySqlBoolean', number | boolean>, true, true>>
    created_at: MySqlColumn<UsersColumn<'created_at', Instant<'MySqlTimestamp', string | number>, true, true>>
  }
  dialect: 'mysql'
}>

/**
 * A table of users for `auth: true`: `email` and `username` to log in with, `password` for its hash, and whether they may
 * come in. Export it as `users` from your models, or copy it and add columns.
 *
 * @example
 * ```ts
 * // models.ts
 * import { int, mysqlTable, text } from 'drizzle-orm/mysql-core'
 * import { usersTable } from 'modelrest/drizzle/mysql'
 *
 * export { usersTable as users }
 *
 * export const orders = mysqlTable('orders', {
 *   id: int().primaryKey().autoincrement(),
 *   customerId: int().notNull().references(() => usersTable.id),
 *   note: text(),
 * })
 * ```
 */
export const usersTable: UsersTable = mysqlTable('users', {
  id: int().primaryKey().autoincrement(),
  email: varchar({ length: 320 }).notNull().unique(),
  username: varchar({ length: 150 }).unique(),
  name: varchar({ length: 200 }),
  password: varchar({ length: 255 }).notNull(),
  is_active: boolean().notNull().default(true),
  created_at: timestamp().notNull().defaultNow(),
})
