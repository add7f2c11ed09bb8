import {
  boolean,
  int,
  type MySqlColumn,
  type MySqlTableWithColumns,
  MySqlTextBuilder,
  type MySqlTextBuilderInitial,
  mysqlTable,
  timestamp,
  varchar,
} from 'drizzle-orm/mysql-core'
import type { Instant, Text, UsersColumn, UsersKey, Whole, YesOrNo } from './shared.ts'

type KeyColumn<TName extends string> = MySqlTextBuilderInitial<TName, [string, ...string[]]>
type KeyConfig<TName extends string> =
  KeyColumn<TName> extends MySqlTextBuilder<infer Config> ? Config : never

/** Drizzle's own text, under a column type by which `describe` knows it. */
class KeyBuilder<TName extends string> extends MySqlTextBuilder<KeyConfig<TName>> {
  constructor(name: TName, columnType: 'MySqlFile' | 'MySqlImage') {
    super(name, 'text', {})
    Object.assign(this.config, { columnType })
  }
}

/**
 * A column for an uploaded file: text that holds the key by which the storage knows it. Clients see where the file is, and
 * send it as a part of `multipart/form-data`.
 *
 * @example
 * ```ts
 * import { serial, mysqlTable } from 'drizzle-orm/mysql-core'
 * import { file } from 'modelrest/drizzle/mysql'
 *
 * export const documents = mysqlTable('documents', { id: serial().primaryKey(), content: file() })
 * ```
 */
export const file = <TName extends string = ''>(name?: TName): KeyColumn<TName> =>
  new KeyBuilder((name ?? '') as TName, 'MySqlFile')

/**
 * A column for an uploaded image: text that holds the key by which the storage knows it. Nothing but images is taken: PNG,
 * JPEG, GIF, WebP and AVIF, told by their content.
 *
 * @example
 * ```ts
 * import { serial, mysqlTable } from 'drizzle-orm/mysql-core'
 * import { image } from 'modelrest/drizzle/mysql'
 *
 * export const products = mysqlTable('products', { id: serial().primaryKey(), photo: image() })
 * ```
 */
export const image = <TName extends string = ''>(name?: TName): KeyColumn<TName> =>
  new KeyBuilder((name ?? '') as TName, 'MySqlImage')

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
