import type { $Type, HasDefault, IsIdentity, IsPrimaryKey, NotNull } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  type PgBigInt53BuilderInitial,
  type PgBooleanBuilderInitial,
  type PgIntegerBuilderInitial,
  type PgJsonbBuilderInitial,
  type PgTextBuilderInitial,
  type PgTimestampBuilderInitial,
  type PgVarcharBuilderInitial,
  pgTable,
  text,
  timestamp,
  varchar,
} from 'drizzle-orm/pg-core'
import type { FileKey } from '../../../model/kinds/binary.ts'
import { withColumnType } from '../column-types.ts'

type KeyColumn<TName extends string> = $Type<PgTextBuilderInitial<TName, [string, ...string[]]>, FileKey>

/**
 * A text column for an uploaded file. It stores the key of the file in the storage. Clients upload the file as a part of
 * `multipart/form-data`, and responses have its URL.
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
  withColumnType(text((name ?? '') as TName).$type<FileKey>(), 'PgFile')

/**
 * A text column for an uploaded image. It stores the key of the image in the storage. Accepts only PNG, JPEG, GIF, WebP and
 * AVIF, detected by content.
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
  withColumnType(text((name ?? '') as TName).$type<FileKey>(), 'PgImage')

type Text<Length extends number> = PgVarcharBuilderInitial<'', [string, ...string[]], Length>

/** The type of `usersTable`. It is explicit because `isolatedDeclarations` cannot infer it. */
export type UsersTable = ReturnType<
  typeof pgTable<
    'users',
    {
      id: IsIdentity<IsPrimaryKey<NotNull<PgIntegerBuilderInitial<''>>>, 'always'>
      email: NotNull<Text<320>>
      username: Text<150>
      name: Text<200>
      password: NotNull<Text<255>>
      is_active: HasDefault<NotNull<PgBooleanBuilderInitial<''>>>
      created_at: HasDefault<NotNull<PgTimestampBuilderInitial<''>>>
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

/** The type of `auditTable`. It is explicit because `isolatedDeclarations` cannot infer it. */
export type AuditTable = ReturnType<
  typeof pgTable<
    'audit_entries',
    {
      id: IsIdentity<IsPrimaryKey<NotNull<PgBigInt53BuilderInitial<''>>>, 'always'>
      at: HasDefault<NotNull<PgTimestampBuilderInitial<''>>>
      caller: Text<255>
      act: NotNull<Text<10>>
      model: NotNull<Text<100>>
      record: NotNull<Text<500>>
      changes: NotNull<PgJsonbBuilderInitial<''>>
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
 * export { auditTable as auditEntries } from 'modelrest/drizzle/pg'
 * ```
 */
export const auditTable: AuditTable = pgTable(
  'audit_entries',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    caller: varchar({ length: 255 }),
    act: varchar({ length: 10 }).notNull(),
    model: varchar({ length: 100 }).notNull(),
    record: varchar({ length: 500 }).notNull(),
    changes: jsonb().notNull(),
  },
  (table) => [index('audit_entries_of_record').on(table.model, table.record)],
)

/** The type of `apiKeysTable`. It is explicit because `isolatedDeclarations` cannot infer it. */
export type ApiKeysTable = ReturnType<
  typeof pgTable<
    'api_keys',
    {
      id: IsIdentity<IsPrimaryKey<NotNull<PgIntegerBuilderInitial<''>>>, 'always'>
      user_id: NotNull<Text<255>>
      name: NotNull<Text<100>>
      hash: NotNull<Text<64>>
      access: NotNull<Text<10>>
      account: Text<22>
      created_at: HasDefault<NotNull<PgTimestampBuilderInitial<''>>>
      expires_at: PgTimestampBuilderInitial<''>
      last_used_at: PgTimestampBuilderInitial<''>
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
 * export { apiKeysTable as apiKeys, usersTable as users } from 'modelrest/drizzle/pg'
 * ```
 */
export const apiKeysTable: ApiKeysTable = pgTable(
  'api_keys',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    user_id: varchar({ length: 255 }).notNull(),
    name: varchar({ length: 100 }).notNull(),
    hash: varchar({ length: 64 }).notNull().unique(),
    access: varchar({ length: 10 }).notNull(),
    account: varchar({ length: 22 }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    expires_at: timestamp({ withTimezone: true }),
    last_used_at: timestamp({ withTimezone: true }),
  },
  (table) => [index('api_keys_of_user').on(table.user_id)],
)
