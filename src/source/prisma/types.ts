import type { ModelNameOf } from '../../model/naming.ts'
import type { PrismaField, PrismaMetadata, PrismaModel, PrismaRelation } from './metadata.ts'

/** The compile-time types of the models of `prismaModels(prisma, metadata, { names })`. */
export interface PrismaTypes<Client, Metadata extends PrismaMetadata, Names = unknown> {
  readonly db: TransactionOf<Client>
  /** The result of `scope()` of `rest.context()`: fits `where` of any model, because the type does not tell which. */
  readonly condition: Readonly<Record<string, never>>
  readonly models: {
    readonly [Key in keyof Metadata['models'] & string as NameOf<Key, Names>]: PrismaTypedModel<
      NameOf<Key, Names>,
      DelegateTypes<Client, Key>,
      Metadata['models'][Key],
      Metadata
    >
  }
}

/** The type of one model. TypeScript evaluates its members lazily. */
export interface PrismaTypedModel<
  Name extends string,
  Delegate,
  Model extends PrismaModel,
  Metadata extends PrismaMetadata,
> {
  readonly app: 'app'
  readonly name: Name
  readonly record: RecordFrom<ScalarsOf<Delegate>, Model['fields'], Metadata['provider']>
  readonly insert: InsertFrom<InputOf<Delegate>, this['record']>
  /** The name of the table in the database. */
  readonly table: Model['table']
  readonly relations: RelationsFrom<Model['relations'], Metadata['models']>
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

/** The members that a client and its transactions share. An extended client has those of its extensions too. */
type TransactionOf<Client> = Omit<Client, '$connect' | '$disconnect' | '$on' | '$use' | '$extends'>

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

type Fields = Readonly<Record<string, PrismaField>>
type Relations = Readonly<Record<string, PrismaRelation>>

/** Fields that an extension of the client computes have no column, so no record has them. */
type RecordFrom<Scalars, Own extends Fields, Provider> = string extends keyof Own
  ? Record<string, unknown>
  : {
      [Key in keyof Scalars as Extract<Key, keyof Own>]: ValueOf<Scalars[Key], Own[Key & keyof Own], Provider>
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

type RelationsFrom<Own extends Relations, Models extends PrismaMetadata['models']> = {
  readonly [Key in keyof Own as IsServed<Own[Key], Models> extends true ? Key : never]: {
    readonly kind: Own[Key] extends { readonly isList: true } ? 'to-many' : 'to-one'
    readonly table: Models[Own[Key]['model']]['table']
  }
}

/** An implicit many-to-many relation has a foreign key on neither side. */
type IsServed<Relation extends PrismaRelation, Models extends PrismaMetadata['models']> = Relation extends {
  readonly isList: true
}
  ? HasKey<Models[Relation['model']]['relations'], Relation['name']>
  : true

type HasKey<Of extends Relations, Name extends string> = [
  Extract<Of[keyof Of], { readonly name: Name; readonly fields: readonly string[] }>,
] extends [never]
  ? false
  : true
