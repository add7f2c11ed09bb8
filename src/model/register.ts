import type { FieldIn, HandleIn, InsertIn, NameIn, RecordIn, Typed } from './model-types.ts'

/** What may be registered. */
interface Registrable {
  /** The type of what `drizzleModels` has given: `typeof models`. */
  readonly models?: Typed<unknown>
}

/**
 * Where an application says which models it has, once, so that their names complete in an editor and hooks know their
 * payload and record.
 *
 * @example
 * ```ts
 * // models.ts
 * import { drizzleModels } from 'modelrest/drizzle'
 * import Database from 'better-sqlite3'
 * import { drizzle } from 'drizzle-orm/better-sqlite3'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
 *
 * export const models = drizzleModels(drizzle(new Database('shop.db')), { shop: { products } })
 *
 * declare module 'modelrest' {
 *   interface Register {
 *     models: typeof models
 *   }
 * }
 * ```
 */
export interface Register extends Registrable {}

/** What the registered models are at compile time. `unknown`: none are registered. */
export type Registered = Register extends { readonly models: Typed<infer Types> } ? Types : unknown

/** The name of a model: one of those registered, or any text where none are. */
export type ModelName = NameIn<Registered>

/** A record of a model, as the ORM has it. */
export type RecordOf<Name extends ModelName> = RecordIn<Registered, Name>

/** What a create stores: the columns of a model, those with a default optional. */
export type InsertOf<Name extends ModelName> = InsertIn<Registered, Name>

/** The names of a model's fields. */
export type FieldOf<Name extends ModelName> = FieldIn<Registered, Name>

/** The ORM's own handle: what a database and a transaction of it have in common. */
export type Handle = HandleIn<Registered>
