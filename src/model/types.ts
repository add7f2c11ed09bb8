/** What may be registered. */
interface Registrable {
  /** The type of what `drizzleModels` has given: `typeof models`. */
  readonly models?: Typed<unknown>
  /** The request that hooks get. @default that of the entry which the program imports */
  readonly request?: unknown
}

/**
 * Where an application says which models it has, once, so that their names complete in an editor and hooks know their
 * payload and record. A program that uses two hosts says as `request` which one its hooks are for.
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

/** What each host hands to hooks as their request. An entry adds its own, so that importing it is enough. */
export interface HostRequests extends Record<never, unknown> {}

/** The request that hooks get. `unknown`: neither an entry nor `Register` says it. */
export type HookRequest = Register extends { readonly request: infer Request }
  ? Request
  : OneOrAll<HostRequests>

/** A program that imports two entries has hooks for either host, whose request may be used as both. */
type OneOrAll<Requests> = keyof Requests extends never
  ? unknown
  : { [Host in keyof Requests]: (request: Requests[Host]) => void }[keyof Requests] extends (
        request: infer Request,
      ) => void
    ? Request
    : never

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

/**
 * Carries what is known of models at compile time: `{ db, models: { Product: { name, app, record, insert } } }`, or
 * `unknown`. There is no such property at run time.
 */
export interface Typed<out Types> {
  readonly '~types'?: Types
}

interface AnyModel {
  readonly name: string
  readonly app: string
  readonly record: Record<string, unknown>
  readonly insert: Record<string, unknown>
}

type ModelsIn<Types> = Types extends { readonly models: infer Models }
  ? Models
  : Readonly<Record<string, AnyModel>>

type OneOf<Models> = Models[keyof Models]

export type NameIn<Types> = keyof ModelsIn<Types> & string

export type AppIn<Types> =
  OneOf<ModelsIn<Types>> extends { readonly app: infer App extends string } ? App : never

export type NameInApp<Types, App> = unknown extends Types ? AnyName : NamesOf<OneOf<ModelsIn<Types>>, App>

/**
 * Any text. The literal beside it makes TypeScript keep the names of `new Set(['Product'])` as they are written, instead
 * of a `Set<string>`, while it does not know `Types` yet.
 */
type AnyName = '' | (string & Record<never, never>)

type NamesOf<Model, App> = Model extends { readonly app: infer Own; readonly name: infer Name extends string }
  ? App extends Own
    ? Name
    : never
  : never

/** Looked up by its name: a pattern that holds the name would be compared with every model. */
type ModelIn<Types, Name> = Name extends keyof ModelsIn<Types> ? ModelsIn<Types>[Name] : AnyModel

export type RecordIn<Types, Name extends string> =
  ModelIn<Types, Name> extends { readonly record: infer Row } ? Row : never

type InsertIn<Types, Name extends string> =
  ModelIn<Types, Name> extends { readonly insert: infer Row extends AnyRow } ? Row : never

/**
 * Any row. While TypeScript still infers `Name`, it is all that is known of what a hook returns: the literals make it
 * keep `status: 'draft'` as it is written, instead of a `string` that would then fit no column.
 */
interface AnyRow {
  readonly [column: string]: AnyValue
}

type AnyValue = '' | 0 | 0n | boolean | AnyRow | readonly AnyValue[] | NonNullable<unknown> | null | undefined

export type FieldIn<Types, Name extends string> = keyof RecordIn<Types, Name> & string

type HandleIn<Types> = Types extends { readonly db: infer Db } ? Db : unknown
