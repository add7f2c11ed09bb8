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

type Unknown = Record<string, unknown>

type ModelsIn<Types> = Types extends { readonly models: infer Models } ? Models : never

/** The names of the models, or of those of one app. */
export type NameIn<Types, App extends string = string> = [ModelsIn<Types>] extends [never]
  ? string
  : string extends App
    ? keyof ModelsIn<Types> & string
    : NameInApp<ModelsIn<Types>, App>

type NameInApp<Models, App> = Models[keyof Models] extends infer Model
  ? Model extends { readonly app: App; readonly name: infer Name extends string }
    ? Name
    : never
  : never

/** The labels of the apps. */
export type AppIn<Types> = [ModelsIn<Types>] extends [never]
  ? string
  : ModelsIn<Types>[keyof ModelsIn<Types>] extends { readonly app: infer App extends string }
    ? App
    : string

/** A record of a model, as the ORM has it. */
export type RecordIn<Types, Name extends string> =
  ModelsIn<Types> extends Readonly<Record<Name, { readonly record: infer Row }>> ? Row : Unknown

/** What a create stores of a model. */
export type InsertIn<Types, Name extends string> =
  ModelsIn<Types> extends Readonly<Record<Name, { readonly insert: infer Row }>> ? Row : Unknown

/** The names of a model's fields. */
export type FieldIn<Types, Name extends string> = keyof RecordIn<Types, Name> & string

/** The ORM's own handle. */
export type HandleIn<Types> = Types extends { readonly db: infer Db } ? Db : unknown
