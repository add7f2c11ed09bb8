/** What is known of a model at compile time. */
export interface ModelType {
  readonly name: string
  readonly app: string
  /** A record, as the ORM gives it. */
  readonly record: object
  /** What a create stores. `never`: nothing can be created. */
  readonly insert: object
}

/**
 * Carries what is known of models at compile time: `{ db, models: { Product: ModelType } }`, or `unknown` where nothing
 * is. There is no such property at run time.
 */
export interface Typed<out Types> {
  readonly '~types'?: Types
}

/** What is known of models of which nothing is known. */
interface AnyModel extends ModelType {
  readonly record: Record<string, unknown>
  readonly insert: Record<string, unknown>
}

type ModelsIn<Types> = Types extends { readonly models: infer Models }
  ? Models
  : Readonly<Record<string, AnyModel>>

type OneOf<Models> = Models[keyof Models]

/** The names of the models. */
export type NameIn<Types> = keyof ModelsIn<Types> & string

/** The labels of the apps. */
export type AppIn<Types> =
  OneOf<ModelsIn<Types>> extends { readonly app: infer App extends string } ? App : never

/** The names of the models of an app. */
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

/**
 * What is known of one model. It is looked up by its name: a pattern that holds the name would be compared with every
 * model.
 */
type ModelIn<Types, Name> = Name extends keyof ModelsIn<Types> ? ModelsIn<Types>[Name] : AnyModel

/** A record of a model, as the ORM has it. */
export type RecordIn<Types, Name extends string> =
  ModelIn<Types, Name> extends { readonly record: infer Row } ? Row : never

/** What a create stores of a model. */
export type InsertIn<Types, Name extends string> =
  ModelIn<Types, Name> extends { readonly insert: infer Row extends AnyRow } ? Row : never

/**
 * Any row. While TypeScript still infers `Name`, it is all that is known of what a hook returns: the literals make it
 * keep `status: 'draft'` as it is written, instead of a `string` that would then fit no column.
 */
interface AnyRow {
  readonly [column: string]: AnyValue
}

type AnyValue = '' | 0 | 0n | boolean | AnyRow | readonly AnyValue[] | NonNullable<unknown> | null | undefined

/** The names of a model's fields. */
export type FieldIn<Types, Name extends string> = keyof RecordIn<Types, Name> & string

/** The ORM's own handle. */
export type HandleIn<Types> = Types extends { readonly db: infer Db } ? Db : unknown
