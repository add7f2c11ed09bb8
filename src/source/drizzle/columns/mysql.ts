import {
  type $Type,
  type HasDefault,
  type IsAutoincrement,
  type IsPrimaryKey,
  type NotNull,
  sql,
} from 'drizzle-orm'
import {
  bigint,
  boolean,
  datetime,
  index,
  int,
  json,
  type MySqlBigInt53BuilderInitial,
  type MySqlBooleanBuilderInitial,
  type MySqlDateTimeBuilderInitial,
  type MySqlIntBuilderInitial,
  type MySqlJsonBuilderInitial,
  type MySqlTextBuilderInitial,
  type MySqlTimestampBuilderInitial,
  type MySqlVarCharBuilderInitial,
  mysqlTable,
  text,
  timestamp,
  varchar,
} from 'drizzle-orm/mysql-core'
import type { FileKey } from '../../../model/kinds/binary.ts'
import { withColumnType } from '../column-types.ts'

type KeyColumn<TName extends string> = $Type<MySqlTextBuilderInitial<TName, [string, ...string[]]>, FileKey>

/**
 * A text column for an uploaded file. It stores the key of the file in the storage. Clients upload the file as a part of
 * `multipart/form-data`, and responses have its URL.
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
  withColumnType(text((name ?? '') as TName).$type<FileKey>(), 'MySqlFile')

/**
 * A text column for an uploaded image. It stores the key of the image in the storage. Accepts only PNG, JPEG, GIF, WebP and
 * AVIF, detected by content.
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
  withColumnType(text((name ?? '') as TName).$type<FileKey>(), 'MySqlImage')

type Text<Length extends number> = MySqlVarCharBuilderInitial<'', [string, ...string[]], Length>

/** The type of `usersTable`. It is explicit because `isolatedDeclarations` cannot infer it. */
export type UsersTable = ReturnType<
  typeof mysqlTable<
    'users',
    {
      id: IsAutoincrement<HasDefault<IsPrimaryKey<NotNull<MySqlIntBuilderInitial<''>>>>>
      email: NotNull<Text<320>>
      username: Text<150>
      name: Text<200>
      password: NotNull<Text<255>>
      is_active: HasDefault<NotNull<MySqlBooleanBuilderInitial<''>>>
      created_at: HasDefault<NotNull<MySqlTimestampBuilderInitial<''>>>
    }
  >
>

/**
 * A table of users for `auth: true`: `email` and `username` for the login, `password` for the password hash, and `is_active`.
 * Export it as `users` from your models, or copy it and add columns.
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

/** The type of `auditTable`. It is explicit because `isolatedDeclarations` cannot infer it. */
export type AuditTable = ReturnType<
  typeof mysqlTable<
    'audit_entries',
    {
      id: IsAutoincrement<HasDefault<IsPrimaryKey<NotNull<MySqlBigInt53BuilderInitial<''>>>>>
      at: HasDefault<NotNull<MySqlTimestampBuilderInitial<''>>>
      caller: Text<255>
      act: NotNull<Text<10>>
      model: NotNull<Text<100>>
      record: NotNull<Text<500>>
      changes: NotNull<MySqlJsonBuilderInitial<''>>
    }
  >
>

/**
 * A table for the entries of the option `audit`: when, which caller, which act on which record, and the changed fields before and
 * after. Export it as `auditEntries` from your models, or copy it and add columns that may be null or have a default.
 *
 * @example
 * ```ts
 * // models.ts
 * export { auditTable as auditEntries } from 'modelrest/drizzle/mysql'
 * ```
 */
export const auditTable: AuditTable = mysqlTable(
  'audit_entries',
  {
    id: bigint({ mode: 'number' }).primaryKey().autoincrement(),
    at: timestamp({ fsp: 3 }).notNull().default(sql`(now(3))`),
    caller: varchar({ length: 255 }),
    act: varchar({ length: 10 }).notNull(),
    model: varchar({ length: 100 }).notNull(),
    record: varchar({ length: 500 }).notNull(),
    changes: json().notNull(),
  },
  (table) => [index('audit_entries_of_record').on(table.model, table.record)],
)

/** The type of `apiKeysTable`. It is explicit because `isolatedDeclarations` cannot infer it. */
export type ApiKeysTable = ReturnType<
  typeof mysqlTable<
    'api_keys',
    {
      id: IsAutoincrement<HasDefault<IsPrimaryKey<NotNull<MySqlIntBuilderInitial<''>>>>>
      user_id: NotNull<Text<255>>
      name: NotNull<Text<100>>
      hash: NotNull<Text<64>>
      access: NotNull<Text<10>>
      account: Text<22>
      created_at: HasDefault<NotNull<MySqlTimestampBuilderInitial<''>>>
      expires_at: MySqlDateTimeBuilderInitial<''>
      last_used_at: MySqlTimestampBuilderInitial<''>
    }
  >
>

/**
 * A table of API keys for `auth: { apiKeys: true }`. It has the hash of each key, and `user_id` is the key of its user as text. Export
 * it as `apiKeys` from your models, or copy it, for example with a reference to your users, whose type `user_id` may have too.
 *
 * @example
 * ```ts
 * // models.ts
 * export { apiKeysTable as apiKeys, usersTable as users } from 'modelrest/drizzle/mysql'
 * ```
 */
export const apiKeysTable: ApiKeysTable = mysqlTable(
  'api_keys',
  {
    id: int().primaryKey().autoincrement(),
    user_id: varchar({ length: 255 }).notNull(),
    name: varchar({ length: 100 }).notNull(),
    hash: varchar({ length: 64 }).notNull().unique(),
    access: varchar({ length: 10 }).notNull(),
    account: varchar({ length: 22 }),
    created_at: timestamp().notNull().defaultNow(),
    // A timestamp ends in 2038.
    expires_at: datetime(),
    last_used_at: timestamp(),
  },
  (table) => [index('api_keys_of_user').on(table.user_id)],
)
