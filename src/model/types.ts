import type { Pascal } from './naming.ts'

/** The properties that an application may register. */
interface Registrable {
  /** The type of the result of `drizzleModels`: `typeof models`. */
  readonly models?: Typed<unknown>
  /** The request type of hooks. @default the request type of the entry that the program imports */
  readonly request?: unknown
}

/**
 * Declares the models of an application. Extend this interface once: editors then complete model and field names, and
 * hooks have typed payloads and records. A program that imports two hosts also declares `request`.
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

/** The request types of hosts. A program that imports an entry, such as `modelrest/fastify`, adds the type of its host. */
export interface HostRequests extends Record<never, unknown> {}

/** The request type of hooks. `unknown` if neither an entry nor `Register` declares it. */
export type HookRequest = Register extends { readonly request: infer Request }
  ? Request
  : OneOrAll<HostRequests>

/** In a program that imports two entries, the request type is the intersection of both. */
type OneOrAll<Requests> = keyof Requests extends never
  ? unknown
  : { [Host in keyof Requests]: (request: Requests[Host]) => void }[keyof Requests] extends (
        request: infer Request,
      ) => void
    ? Request
    : never

/** The types of the registered models. `unknown` if none are registered. */
export type Registered = Register extends { readonly models: Typed<infer Types> } ? Types : unknown

/** The name of a registered model, or any string if none are registered. */
export type ModelName = NameIn<Registered>

/** A record of a model, as the ORM returns it. */
export type RecordOf<Name extends ModelName> = RecordIn<Registered, Name>

/** The values of a new record. Columns with a default are optional. */
export type InsertOf<Name extends ModelName> = InsertIn<Registered, Name>

/**
 * The payload of a hook: the values of a new record, with an `UploadedFile` for each file column made with `file()` or
 * `image()`.
 */
export type PayloadOf<Name extends ModelName> = PayloadIn<Registered, Name>

/** The result of `beforeCreate`: a payload, which may contain keys of files. */
export type StoredOf<Name extends ModelName> = StoredIn<Registered, Name>

/** The type of the key of a caller: that of the field `id` of the model `User`. */
export type CallerKey = KeyOf<RecordIn<Registered, 'User'>>

/** The key of a caller, or its form in JSON. */
export type GivenCallerKey = CallerKey | (CallerKey extends bigint ? string : never)

type KeyOf<User> = User extends { readonly id: infer Id extends string | number | bigint }
  ? Id
  : string | number | bigint

/** The field names of a model. */
export type FieldOf<Name extends ModelName> = FieldIn<Registered, Name>

/** The database handle of the ORM: the members that a database and its transactions share. */
export type Handle = HandleIn<Registered>

/**
 * Carries the types of models: `{ db, models: { Product: { name, app, record, insert } } }`, or `unknown`. The property
 * does not exist at run time.
 */
export interface Typed<out Types> {
  readonly '~types'?: Types
}

/**
 * The types of models of which `modelConfig` renames fields, for `Register`: hooks and permission functions then have records with
 * the new names. `Names` is what the options `fields` have.
 *
 * @example
 * ```ts
 * import type { Renamed } from 'modelrest'
 * import { drizzleModels } from 'modelrest/drizzle'
 * import Database from 'better-sqlite3'
 * import { drizzle } from 'drizzle-orm/better-sqlite3'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const products = sqliteTable('products', { id: integer().primaryKey(), product_name: text().notNull() })
 *
 * export const models = drizzleModels(drizzle(new Database('shop.db')), { shop: { products } })
 *
 * // interface Register { models: Models }
 * export type Models = Renamed<typeof models, { Product: { product_name: 'name' } }>
 * ```
 */
export type Renamed<Source extends Typed<unknown>, Names extends NewNames<Source, Names>> =
  Source extends Typed<infer Types> ? Typed<RenamedTypes<Types, Names>> : never

/** New names of fields that exist. */
type NewNames<Source, Names> =
  Source extends Typed<infer Types>
    ? {
        readonly [Model in keyof Names]: Model extends NameIn<Types>
          ? { readonly [Field in keyof Names[Model]]: Field extends FieldIn<Types, Model> ? string : never }
          : never
      }
    : never

type RenamedTypes<Types, Names> = Omit<Types, 'models'> & {
  readonly models: {
    readonly [Name in keyof ModelsIn<Types>]: Name extends keyof Names
      ? RenamedModel<ModelsIn<Types>[Name], Names[Name]>
      : ModelsIn<Types>[Name]
  }
}

type RenamedModel<Model, Names> = {
  readonly [Part in keyof Model]: Part extends 'record' | 'insert' | 'payload' | 'stored'
    ? RenamedRow<Model[Part], Names>
    : Model[Part]
} & { readonly inSource: InSource<Model> }

type RenamedRow<Row, Names> = {
  [Field in keyof Row as Field extends keyof Names ? Names[Field] & string : Field]: Row[Field]
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

export type NameInApp<Types, App> = unknown extends Types ? OtherName : NamesOf<OneOf<ModelsIn<Types>>, App>

/**
 * Any string. The literal next to it makes TypeScript infer the literal names of `new Set(['Product'])` instead of
 * `Set<string>` while `Types` is not known yet.
 */
type OtherName = '' | (string & Record<never, never>)

type NamesOf<Model, App> = Model extends { readonly app: infer Own; readonly name: infer Name extends string }
  ? App extends Own
    ? Name
    : never
  : never

/** Looked up by name, because a conditional type would be compared with every model. */
type ModelIn<Types, Name> = Name extends keyof ModelsIn<Types> ? ModelsIn<Types>[Name] : AnyModel

export type RecordIn<Types, Name extends string> =
  ModelIn<Types, Name> extends { readonly record: infer Row } ? Row : never

type InsertIn<Types, Name extends string> =
  ModelIn<Types, Name> extends { readonly insert: infer Row extends AnyRow } ? Row : never

type PayloadIn<Types, Name extends string> =
  ModelIn<Types, Name> extends { readonly payload: infer Row extends AnyRow } ? Row : InsertIn<Types, Name>

type StoredIn<Types, Name extends string> =
  ModelIn<Types, Name> extends { readonly stored: infer Row extends AnyRow } ? Row : InsertIn<Types, Name>

/**
 * Any row. While TypeScript infers `Name`, this is the only known type of a hook's result. The literals keep
 * `status: 'draft'` from being widened to a `string` that no column accepts.
 */
export interface AnyRow {
  readonly [column: string]: AnyValue
}

type AnyValue = '' | 0 | 0n | boolean | AnyRow | readonly AnyValue[] | NonNullable<unknown> | null | undefined

export type FieldIn<Types, Name extends string> = keyof RecordIn<Types, Name> & string

/** The known names of relations. Names of to-many relations are known only if the application declares them. */
export type RelationIn<Types, Name extends string> =
  | ToOneIn<Types, Name>
  | (DeclaredIn<Types, Name> extends infer All ? (All extends unknown ? keyof All & string : never) : never)

/** The names of to-one relations: those that the application declares, and those that follow from the names of the fields. */
export type ToOneIn<Types, Name extends string> =
  | ToOneOf<DeclaredIn<Types, Name>>
  | Stem<InSource<ModelIn<Types, Name>>>

/** The model that a to-one relation refers to. `never`: the types do not tell. */
export type TargetIn<Types, Name extends string, Relation> =
  TableOf<DeclaredIn<Types, Name>, Relation> extends infer Table
    ? [Table] extends [never]
      ? Extract<Pascal<Relation & string>, NameIn<Types>>
      : NameOfTable<Types, Table>
    : never

/** The table that a declared relation refers to. */
type TableOf<Declared, Relation> = Declared extends {
  readonly [Key in Relation & string]: { readonly table: infer Table }
}
  ? Table
  : never

type DeclaredIn<Types, Name extends string> =
  ModelIn<Types, Name> extends { readonly relations: infer Declared } ? Declared : never

type ToOneOf<Declared> = Declared extends unknown
  ? {
      [Name in keyof Declared & string]: Declared[Name] extends { readonly kind: 'to-one' } ? Name : never
    }[keyof Declared & string]
  : never

type NameOfTable<Types, Table> = {
  [Name in NameIn<Types>]: ModelIn<Types, Name> extends { readonly table: Table } ? Name : never
}[NameIn<Types>]

/** New names of fields leave those of relations as they are. */
type InSource<Model> = Model extends { readonly inSource: infer Names extends string }
  ? Names
  : Model extends { readonly record: infer Row }
    ? keyof Row & string
    : never

type Stem<Field> = Field extends `${infer Text extends string}${'_id' | '_ID' | 'Id' | 'ID'}` ? Text : never

/** A condition in the language of the ORM, as queries of the application take it. */
export type ConditionIn<Types> = Types extends { readonly condition: infer Condition } ? Condition : unknown

type HandleIn<Types> = Types extends { readonly db: infer Db } ? Db : unknown
