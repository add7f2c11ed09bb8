import { PgTextBuilder, type PgTextBuilderInitial } from 'drizzle-orm/pg-core'

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
