import type { ModelNameOf } from '../../model/naming.ts'
import type { PrismaRelation } from './metadata.ts'

/** The compile-time types of the models of `prismaModels(prisma, metadata, { names })`. */
export interface PrismaTypes<Client, Metadata, Names = unknown> {
  readonly db: TransactionOf<Client>
  /** The result of `scope()` of `rest.context()`: fits `where` of any model, because the type does not tell which. */
  readonly condition: Readonly<Record<string, never>>
  readonly models: {
    readonly [Key in keyof ModelsOf<Metadata> & string as NameOf<Key, Names>]: PrismaTypedModel<
      NameOf<Key, Names>,
      DelegateTypes<Client, Key>,
      ModelsOf<Metadata>[Key],
      Metadata
    >
  }
}

/** The type of one model. TypeScript evaluates its members lazily. */
export interface PrismaTypedModel<Name extends string, Delegate, Model, Metadata> {
  readonly app: 'app'
  readonly name: Name
  readonly record: RecordFrom<ScalarsOf<Delegate>, FieldsOf<Model>, ProviderOf<Metadata>>
  readonly insert: InsertFrom<InputOf<Delegate>, this['record']>
  /** The name of the table in the database. */
  readonly table: TableOf<Model>
  readonly relations: RelationsFrom<Model, ModelsOf<Metadata>>
}

/** Names in PascalCase stay. Others are changed like names of tables: `order_items` becomes `OrderItem`. */
type NameOf<Key extends string, Names> = string extends Key
  ? string
  : Names extends { readonly [Given in Key]: infer Name extends string }
    ? Name
    : Key extends `${string}_${string}`
      ? ModelNameOf<Key>
      : Key extends Capitalize<Key>
        ? Key
        : ModelNameOf<Key>

type ProviderOf<Metadata> = Metadata extends { readonly provider: infer Provider } ? Provider : never
type ModelsOf<Metadata> = Metadata extends { readonly models: infer Models } ? Models : Record<never, never>
type FieldsOf<Model> = Model extends { readonly fields: infer Fields } ? Fields : Record<never, never>
type TableOf<Model> = Model extends { readonly table: infer Table } ? Table : never

/** The members that a client and its transactions share. An extended client has those of its extensions too. */
export type TransactionOf<Client> = Omit<Client, '$connect' | '$disconnect' | '$on' | '$use' | '$extends'>

/** The types that each model's property of a client carries: `prisma.orderItem` for `OrderItem`. */
type DelegateTypes<Client, Key extends string> = Client extends {
  readonly [Property in Uncapitalize<Key>]: { readonly [key: symbol]: { readonly types: infer Types } }
}
  ? Types
  : unknown

type ScalarsOf<Types> = Types extends { readonly payload: { readonly scalars: infer Scalars } }
  ? Scalars
  : Record<string, unknown>

/** The values of `createMany`: fields only, and foreign keys instead of relations. A view has none. */
type InputOf<Types> = unknown extends Types
  ? Record<string, unknown>
  : Types extends {
        readonly operations: { readonly createMany: { readonly args: { data: infer Data } } }
      }
    ? Exclude<Data, readonly unknown[]>
    : never

/** Fields that an extension of the client computes have no column, so no record has them. */
type RecordFrom<Scalars, Fields, Provider> = string extends keyof Fields
  ? Record<string, unknown>
  : {
      [Key in keyof Scalars as Extract<Key, keyof Fields>]: ValueOf<
        Scalars[Key],
        Fields[Key & keyof Fields],
        Provider
      >
    }

/** The values that a hook gets and returns: decimals and times are strings, and decimals of SQLite are numbers. */
type ValueOf<Value, Field, Provider> = Field extends { readonly type: 'Decimal' }
  ? Replaced<Value, Provider extends 'sqlite' ? number : string>
  : Field extends { readonly type: 'DateTime'; readonly native: readonly ['Time', ...string[]] }
    ? Replaced<Value, string>
    : Value

type Replaced<Value, By> = Value extends null ? null : Value extends readonly unknown[] ? By[] : By

/** A field that Prisma does not require is optional. */
type InsertFrom<Input, Row> = [Input] extends [never]
  ? never
  : string extends keyof Row
    ? Record<string, unknown>
    : { [Key in keyof Input as Extract<Key, keyof Row>]: Row[Key & keyof Row] }

type RelationsOf<Model> = Model extends {
  readonly relations: infer Relations extends Readonly<Record<string, PrismaRelation>>
}
  ? Relations
  : Record<never, never>

type RelationsFrom<Model, Models, Relations = RelationsOf<Model>> = {
  readonly [Key in keyof Relations as IsServed<Relations[Key], Models> extends true ? Key : never]: {
    readonly kind: Relations[Key] extends { readonly isList: true } ? 'to-many' : 'to-one'
    readonly table: TableOf<TargetOf<Relations[Key], Models>>
  }
}

type TargetOf<Relation, Models> = Relation extends { readonly model: infer Model extends keyof Models }
  ? Models[Model]
  : never

/** An implicit many-to-many relation has a foreign key on neither side. */
type IsServed<Relation, Models> = Relation extends { readonly fields: readonly unknown[] }
  ? true
  : [Extract<OppositesOf<Relation, Models>, { readonly fields: readonly unknown[] }>] extends [never]
    ? false
    : true

type OppositesOf<Relation, Models, Others = RelationsOf<TargetOf<Relation, Models>>> = Extract<
  Others[keyof Others],
  Pick<Relation, 'name' & keyof Relation>
>
