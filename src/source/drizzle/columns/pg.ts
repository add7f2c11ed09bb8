import {
  boolean,
  integer,
  type PgColumn,
  type PgTableWithColumns,
  PgTextBuilder,
  type PgTextBuilderInitial,
  pgTable,
  timestamp,
  varchar,
} from 'drizzle-orm/pg-core'
import type { Instant, Text, UsersColumn, UsersKey, Whole, YesOrNo } from './shared.ts'

type KeyColumn<TName extends string> = PgTextBuilderInitial<TName, [string, ...string[]]>
type KeyConfig<TName extends string> = KeyColumn<TName> extends PgTextBuilder<infer Config> ? Config : never

/** Drizzle's own text, under a column type by which `describe` knows it. */
class KeyBuilder<TName extends string> extends PgTextBuilder<KeyConfig<TName>> {
  constructor(name: TName, columnType: 'PgFile' | 'PgImage') {
    super(name, {})
    Object.assign(this.config, { columnType })
  }
}

/**
 * A column for an uploaded file: text that holds the key by which the storage knows it. Clients see where the file is, and
 * send it as a part of `multipart/form-data`.
 *
 * @example
 * ```ts
 * import { serial, pgTable } from 'drizzle-orm/pg-core'
 * import { file } from 'modelrest/drizzle/pg'
 *
 * export const documents = pgTable('documents', { id: serial().primaryKey(), content: file() })
 * ```
 */
export const file = <TName extends string = ''>(name?: TName): KeyColumn<TName> =>
  new KeyBuilder((name ?? '') as TName, 'PgFile')

/**
 * A column for an uploaded image: text that holds the key by which the storage knows it. Nothing but images is taken: PNG,
 * JPEG, GIF, WebP and AVIF, told by their content.
 *
 * @example
 * ```ts
 * import { serial, pgTable } from 'drizzle-orm/pg-core'
 * import { image } from 'modelrest/drizzle/pg'
 *
 * export const products = pgTable('products', { id: serial().primaryKey(), photo: image() })
 * ```
 */
export const image = <TName extends string = ''>(name?: TName): KeyColumn<TName> =>
  new KeyBuilder((name ?? '') as TName, 'PgImage')

type TextColumn<Name extends string, Length extends number, NotNull extends boolean> = PgColumn<
  UsersColumn<Name, Text<'PgVarchar'>, NotNull>,
  object,
  { length: Length }
>

/** What drizzle knows of `usersTable` at compile time. */
export type UsersTable = PgTableWithColumns<{
  name: 'users'
  schema: undefined
  columns: {
    id: PgColumn<
      UsersKey<Whole<'PgInteger', string | number>, { isAutoincrement: false; identity: 'always' }>
    >
    email: TextColumn<'email', 320, true>
    username: TextColumn<'username', 150, false>
    name: TextColumn<'name', 200, false>
    password: TextColumn<'password', 255, true>
    is_active: PgColumn<UsersColumn<'is_active', YesOrNo<'PgBoolean', boolean>, true, true>>
    created_at: PgColumn<UsersColumn<'created_at', Instant<'PgTimestamp', string>, true, true>>
  }
  dialect: 'pg'
}>

/**
 * A table of users for `auth: true`: `email` and `username` to log in with, `password` for its hash, and whether they may
 * come in. Export it as `users` from your models, or copy it and add columns.
 *
 * @example
 * ```ts
 * // models.ts
 * import { integer, pgTable, text } from 'drizzle-orm/pg-core'
 * import { usersTable } from 'modelrest/drizzle/pg'
 *
 * export { usersTable as users }
 *
 * export const orders = pgTable('orders', {
 *   id: integer().primaryKey().generatedAlwaysAsIdentity(),
 *   customerId: integer().notNull().references(() => usersTable.id),
 *   note: text(),
 * })
 * ```
 */
export const usersTable: UsersTable = pgTable('users', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  email: varchar({ length: 320 }).notNull().unique(),
  username: varchar({ length: 150 }).unique(),
  name: varchar({ length: 200 }),
  password: varchar({ length: 255 }).notNull(),
  is_active: boolean().notNull().default(true),
  created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
})
