import { type $Type, type HasDefault, type IsPrimaryKey, type NotNull, sql } from 'drizzle-orm'
import {
  index,
  integer,
  type SQLiteBooleanBuilderInitial,
  type SQLiteIntegerBuilderInitial,
  type SQLiteTextBuilderInitial,
  type SQLiteTextJsonBuilderInitial,
  type SQLiteTimestampBuilderInitial,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import type { FileKey } from '../../../model/kinds/binary.ts'
import { withColumnType } from '../column-types.ts'

type KeyColumn<TName extends string> = $Type<
  SQLiteTextBuilderInitial<TName, [string, ...string[]], undefined>,
  FileKey
>

const keyColumn = <TName extends string>(name: TName | undefined, columnType: string): KeyColumn<TName> => {
  const column: SQLiteTextBuilderInitial<TName, [string, ...string[]], undefined> = text(
    (name ?? '') as TName,
  )
  return withColumnType(column.$type<FileKey>(), columnType)
}

/**
 * A text column for an uploaded file. It stores the key of the file in the storage. Clients upload the file as a part of
 * `multipart/form-data`, and responses have its URL.
 *
 * @example
 * ```ts
 * import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
 * import { file } from 'modelrest/drizzle/sqlite'
 *
 * export const documents = sqliteTable('documents', { id: integer().primaryKey(), content: file() })
 * ```
 */
export const file = <TName extends string = ''>(name?: TName): KeyColumn<TName> =>
  keyColumn(name, 'SQLiteFile')

/**
 * A text column for an uploaded image. It stores the key of the image in the storage. Accepts only PNG, JPEG, GIF, WebP and
 * AVIF, detected by content.
 *
 * @example
 * ```ts
 * import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
 * import { image } from 'modelrest/drizzle/sqlite'
 *
 * export const products = sqliteTable('products', { id: integer().primaryKey(), photo: image() })
 * ```
 */
export const image = <TName extends string = ''>(name?: TName): KeyColumn<TName> =>
  keyColumn(name, 'SQLiteImage')

type Text<Length extends number> = SQLiteTextBuilderInitial<'', [string, ...string[]], Length>

/** The type of `usersTable`. It is explicit because `isolatedDeclarations` cannot infer it. */
export type UsersTable = ReturnType<
  typeof sqliteTable<
    'users',
    {
      id: HasDefault<IsPrimaryKey<NotNull<SQLiteIntegerBuilderInitial<''>>>>
      email: NotNull<Text<320>>
      username: Text<150>
      name: Text<200>
      password: NotNull<Text<255>>
      is_active: HasDefault<NotNull<SQLiteBooleanBuilderInitial<''>>>
      created_at: HasDefault<NotNull<SQLiteTimestampBuilderInitial<''>>>
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

/** The type of `auditTable`. It is explicit because `isolatedDeclarations` cannot infer it. */
export type AuditTable = ReturnType<
  typeof sqliteTable<
    'audit_entries',
    {
      id: HasDefault<IsPrimaryKey<NotNull<SQLiteIntegerBuilderInitial<''>>>>
      at: HasDefault<NotNull<SQLiteTimestampBuilderInitial<''>>>
      caller: Text<255>
      act: NotNull<Text<10>>
      model: NotNull<Text<100>>
      record: NotNull<Text<500>>
      changes: NotNull<SQLiteTextJsonBuilderInitial<''>>
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
 * export { auditTable as auditEntries } from 'modelrest/drizzle/sqlite'
 * ```
 */
export const auditTable: AuditTable = sqliteTable(
  'audit_entries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer({ mode: 'timestamp_ms' }).notNull().default(sql`(unixepoch() * 1000)`),
    caller: text({ length: 255 }),
    act: text({ length: 10 }).notNull(),
    model: text({ length: 100 }).notNull(),
    record: text({ length: 500 }).notNull(),
    changes: text({ mode: 'json' }).notNull(),
  },
  (table) => [index('audit_entries_of_record').on(table.model, table.record)],
)

/** The type of `apiKeysTable`. It is explicit because `isolatedDeclarations` cannot infer it. */
export type ApiKeysTable = ReturnType<
  typeof sqliteTable<
    'api_keys',
    {
      id: HasDefault<IsPrimaryKey<NotNull<SQLiteIntegerBuilderInitial<''>>>>
      user_id: NotNull<Text<255>>
      name: NotNull<Text<100>>
      hash: NotNull<Text<64>>
      access: NotNull<Text<10>>
      account: Text<22>
      created_at: HasDefault<NotNull<SQLiteTimestampBuilderInitial<''>>>
      expires_at: SQLiteTimestampBuilderInitial<''>
      last_used_at: SQLiteTimestampBuilderInitial<''>
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
 * export { apiKeysTable as apiKeys, usersTable as users } from 'modelrest/drizzle/sqlite'
 * ```
 */
export const apiKeysTable: ApiKeysTable = sqliteTable(
  'api_keys',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    user_id: text({ length: 255 }).notNull(),
    name: text({ length: 100 }).notNull(),
    hash: text({ length: 64 }).notNull().unique(),
    access: text({ length: 10 }).notNull(),
    account: text({ length: 22 }),
    created_at: integer({ mode: 'timestamp' }).notNull().default(sql`(unixepoch())`),
    expires_at: integer({ mode: 'timestamp' }),
    last_used_at: integer({ mode: 'timestamp' }),
  },
  (table) => [index('api_keys_of_user').on(table.user_id)],
)
