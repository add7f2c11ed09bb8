import { SQLiteTextBuilder, type SQLiteTextBuilderInitial } from 'drizzle-orm/sqlite-core'

type KeyColumn<TName extends string> = SQLiteTextBuilderInitial<TName, [string, ...string[]], undefined>
type KeyConfig<TName extends string> =
  KeyColumn<TName> extends SQLiteTextBuilder<infer Config> ? Config : never

/** Drizzle's own text, under a column type by which `describe` knows it. */
class KeyBuilder<TName extends string> extends SQLiteTextBuilder<KeyConfig<TName>> {
  constructor(name: TName, columnType: 'SQLiteFile' | 'SQLiteImage') {
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
 * import { integer, sqliteTable } from 'drizzle-orm/sqlite-core'
 * import { file } from 'modelrest/drizzle/sqlite'
 *
 * export const documents = sqliteTable('documents', { id: integer().primaryKey(), content: file() })
 * ```
 */
export const file = <TName extends string = ''>(name?: TName): KeyColumn<TName> =>
  new KeyBuilder((name ?? '') as TName, 'SQLiteFile')

/**
 * A column for an uploaded image: text that holds the key by which the storage knows it. Nothing but images is taken: PNG,
 * JPEG, GIF, WebP and AVIF, told by their content.
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
  new KeyBuilder((name ?? '') as TName, 'SQLiteImage')
