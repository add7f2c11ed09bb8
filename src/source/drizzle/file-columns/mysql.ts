import { MySqlTextBuilder, type MySqlTextBuilderInitial } from 'drizzle-orm/mysql-core'

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
