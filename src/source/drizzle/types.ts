import type { ModelNameOf } from '../../model/naming.ts'

/** What is known at compile time of the models that `drizzleModels(db, tables, { names })` makes. */
export interface DrizzleTypes<Db, Given, Names> {
  readonly db: HandleOf<Db>
  readonly models: {
    readonly [Model in ModelOf<AppsOf<Given>, Names> as Model['name']]: Model
  }
}

/** What is known of the model of one table or view. Its members are made when they are asked for. */
export interface TableModel<App extends string, Name extends string, Table> {
  readonly app: App
  readonly name: Name
  readonly record: Table extends { readonly $inferSelect: infer Row } ? Row : Record<string, unknown>
  readonly insert: Table extends { readonly $inferInsert: infer Row }
    ? Row
    : Table extends { readonly $inferSelect: unknown }
      ? never
      : Record<string, unknown>
}

/**
 * What a database and a transaction of it have in common: without its client and replicas, which stand beside the class
 * in its type.
 */
type HandleOf<Db> = Db extends { readonly $primary: infer Primary }
  ? HandleOf<Primary>
  : Db extends { readonly $client: infer Client }
    ? Db extends infer Plain & { $client: Client }
      ? Plain
      : Db
    : Db

/** A table or view: asked for one property, so that no table is compared with another. */
interface Source {
  readonly $inferSelect: unknown
}

/** Something to be said of columns: key of a table, or `app.key` -> column -> what is said of it. */
export type ColumnsOf<Given, Said> = string extends keyof AppsOf<Given>
  ? Readonly<Record<string, Readonly<Record<string, Said | undefined>> | undefined>>
  : {
      readonly [Place in PlaceIn<AppsOf<Given>> as Place['place']]?: {
        readonly [Column in keyof Place['table']['$inferSelect'] & string]?: Said
      }
    }

/** The tables, each with its key and with that of its app in front. */
type PlaceIn<Apps> = {
  [App in keyof Apps & string]: {
    [Key in keyof Apps[App] & string]: Apps[App][Key] extends Source
      ? { readonly place: Key | `${App}.${Key}`; readonly table: Apps[App][Key] }
      : never
  }[keyof Apps[App] & string]
}[keyof Apps & string]

/** A map of tables is one app, as at run time. */
type AppsOf<Given> = string extends keyof Given
  ? Given
  : Given[keyof Given] extends infer Value
    ? true extends (Value extends Source ? true : false)
      ? { readonly app: Given }
      : Given
    : never

type ModelOf<Apps, Names> = {
  [App in keyof Apps & string]: ModelOfApp<App, Apps[App], Names>
}[keyof Apps & string]

/** Tables of which no keys are known make models of which no names are. */
type ModelOfApp<App extends string, Exported, Names> = unknown extends Exported
  ? TableModel<App, string, unknown>
  : string extends keyof Exported
    ? TableModel<App, string, unknown>
    : {
        [Key in keyof Exported & string]: Exported[Key] extends Source
          ? TableModel<App, NameOf<App, Key, Names>, Exported[Key]>
          : never
      }[keyof Exported & string]

type NameOf<App extends string, Key extends string, Names> = Names extends {
  readonly [Place in `${App}.${Key}`]: infer Name extends string
}
  ? Name
  : Names extends { readonly [Place in Key]: infer Name extends string }
    ? Name
    : ModelNameOf<Key>
