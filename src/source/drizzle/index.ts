import type { One, Relations, SQL } from 'drizzle-orm'
import { assertKnown, StartError } from '../../error/errors.ts'
import { assertNode } from '../../error/node-version.ts'
import type { WithFiles, WithUploads } from '../../model/kinds/binary.ts'
import type { ModelNameOf } from '../../model/naming.ts'
import type { Advice } from '../advice.ts'
import type { ModelSource } from '../source.ts'
import { dialectRows } from '../sql/dialects.ts'
import { engineSource } from '../sql/engine-source.ts'
import type { Dialect } from '../sql/text.ts'
import { type DrizzleConnection, type DrizzleDatabase, drizzleSql, openDatabase } from './database.ts'
import { describeTables } from './describe.ts'
import { drizzleTable } from './engine-table.ts'
import { fullSchemaOf } from './internals.ts'
import { type ReplicaOptions, replicasOf } from './replicas.ts'
import { assertSafe } from './safety.ts'
import type { ColumnKind, ColumnKinds } from './stated-columns.ts'
import type { DescribedTable, DrizzleTable, ModelNames, Tables } from './tables.ts'

export type { DrizzleDatabase } from './database.ts'
export type { ReplicaOptions } from './replicas.ts'
export type { ColumnKind, ColumnKindName, ColumnKinds } from './stated-columns.ts'
export type { ModelNames, Tables } from './tables.ts'

/** Options of `drizzleModels`. */
export interface DrizzleModelsOptions<Names extends ModelNames = ModelNames, Columns = ColumnKinds> {
  /** Key of a table, or `app.key` -> name of its model. @default the singular of the key, in PascalCase */
  readonly names?: Names
  /**
   * Key of a table, or `app.key` -> column -> its kind. For `customType` columns whose mappers change the values of the SQL
   * type, and for types that modelrest does not know. Values still pass through the column's own mappers.
   *
   * @default the kind follows from the type of a built-in column, and from the SQL type of a `customType` column
   * @example
   * ```ts
   * import { drizzleModels } from 'modelrest/drizzle'
   * import Database from 'better-sqlite3'
   * import { drizzle } from 'drizzle-orm/better-sqlite3'
   * import { customType, integer, sqliteTable } from 'drizzle-orm/sqlite-core'
   *
   * const money = customType<{ data: string; driverData: number }>({
   *   dataType: () => 'integer',
   *   fromDriver: (cents) => (cents / 100).toFixed(2),
   *   toDriver: (amount) => Math.round(Number(amount) * 100),
   * })
   * const products = sqliteTable('products', { id: integer().primaryKey(), price: money().notNull() })
   *
   * export const models = drizzleModels(
   *   drizzle(new Database('shop.db')),
   *   { products },
   *   { columns: { products: { price: { kind: 'decimal', precision: 10, scale: 2 } } } },
   * )
   * ```
   */
  readonly columns?: Columns
  /**
   * Reads lists and counts from the replicas of drizzle's `withReplicas()`, except within `freshFor` seconds after a write of
   * this process. All other reads, such as reads by id, logins and reads of a write, use the primary.
   *
   * @default all reads use the primary
   */
  readonly replicas?: ReplicaOptions
  /**
   * Whether concurrent requests share reads: reads of records by id in the same scope become one statement, and so do the records
   * that they include along a to-one relation; equal lists run once. No request gets what was read before it arrived. Set it to
   * `false` if what a statement returns depends on the request, for example on row-level security by a variable of an
   * `AsyncLocalStorage`. With better-sqlite3, requests never share.
   *
   * @default true
   */
  readonly sharedReads?: boolean
  /**
   * Whether node-postgres and postgres.js run frequent statements as prepared statements, which PostgreSQL parses and plans
   * once per connection: reads and writes by primary key, inserts, and first pages and counts without conditions. At most
   * 200 per connection. `false`: for a connection pooler that does not keep prepared statements.
   *
   * @default true
   */
  readonly prepare?: boolean
}

/**
 * Creates a model for each drizzle table and view, and reads and writes their records through `db`.
 *
 * `db` is a drizzle database of SQLite, PostgreSQL, MySQL or MariaDB; its connection, logger and casing stay in use. A
 * synchronous driver (better-sqlite3) supports `isAsync: false`. With `withReplicas()`, only the primary is used unless you
 * set the option `replicas`. See docs/databases.md.
 *
 * @param tables app label -> exports of the app's module, or the tables of a single app, which is named `app`
 * @throws StartError if `db` is not such a database, its driver is too old, a table belongs to another dialect, an option
 *   does not match the tables, or two tables have the same model name
 * @example
 * ```ts
 * import { drizzleModels } from 'modelrest/drizzle'
 * import Database from 'better-sqlite3'
 * import { drizzle } from 'drizzle-orm/better-sqlite3'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 *
 * const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
 *
 * export const models = drizzleModels(drizzle(new Database('shop.db')), { shop: { products } })
 * ```
 */
export const drizzleModels = <
  Db extends DrizzleDatabase,
  Given extends Tables,
  const Names extends ModelNames = Record<never, string>,
>(
  db: Db,
  tables: Given,
  options: DrizzleModelsOptions<Names, ColumnKindsOf<NoInfer<Given>>> = {},
): ModelSource<DrizzleTypes<Db, Given, Names>> => {
  assertOptions(options)
  const opened = openDatabase(db, options)
  const replicas = replicasOf(db, opened, options)
  const database = replicas?.primary ?? opened
  const { tables: described, notes } = describeTables(
    tables,
    options.names,
    options.columns as ColumnKinds,
    fullSchemaOf(db),
  )
  for (const table of described) assertDialect(database, table)
  const engineTables = described.map((table) => drizzleTable(database, table))
  return engineSource<DrizzleTypes<Db, Given, Names>, DrizzleTable>({
    ...{ adapter: 'drizzleModels', database, tables: engineTables, migrate },
    members: {
      notes,
      advice: adviceFor(database.dialect),
      queues: Object.freeze(
        [database.queue, ...(replicas?.queues ?? [])].filter((queue) => queue !== undefined),
      ),
    },
    assertSafe: (checked) =>
      assertSafe(
        database,
        checked.map((table) => table.described),
      ),
    conditionOf: drizzleSql,
    storeOfPages: replicas?.storesOfPages,
  })
}

const migrate =
  'npx drizzle-kit push (in a project from modelrest init: start the server, which applies them; after a change of src/models.ts, run npm run migrate:generate first)'

/** The tables that modelrest has for each dialect. */
const readyMade = new Map([
  ['User', 'usersTable as users'],
  ['AuditEntry', 'auditTable as auditEntries'],
  ['ApiKey', 'apiKeysTable as apiKeys'],
])

const adviceFor = (dialect: Dialect): Advice => ({
  declare: (model) =>
    `Add export { ${readyMade.get(model)} } from 'modelrest/drizzle/${dialect}' to your models`,
  columnName: "the argument of the column, such as text('…')",
  keyDefault: '$defaultFn(randomUUID)',
  isolation: 'Use a connection pool instead of a single connection, or another driver',
})

const assertOptions = (options: { readonly prepare?: unknown; readonly sharedReads?: unknown }): void => {
  assertNode()
  const known = ['columns', 'names', 'prepare', 'replicas', 'sharedReads']
  for (const name of Object.keys(options)) assertKnown('drizzleModels: unknown option', name, known)
  const { prepare, sharedReads } = options
  for (const [name, value] of Object.entries({ prepare, sharedReads }))
    if (!['boolean', 'undefined'].includes(typeof value))
      throw new StartError(`drizzleModels: ${name} must be true or false.`)
}

const assertDialect = ({ dialect }: DrizzleConnection, { model, dialect: own }: DescribedTable): void => {
  if (own === dialect) return
  throw new StartError(
    `drizzleModels: the table of ${model.name} (app ${model.app}) is for ${dialectRows[own].noun}, but db is a ${dialectRows[dialect].noun} database. Pass the tables of one database.`,
  )
}

/** The compile-time types of the models of `drizzleModels(db, tables, { names })`. */
export interface DrizzleTypes<Db, Given, Names> {
  readonly db: HandleOf<Db>
  /** The result of `scope()` of `rest.context()`. */
  readonly condition: SQL
  readonly models: {
    readonly [Model in ModelOf<AppsOf<Given>, Names> as Model['name']]: Model
  }
}

/** The type of the model of one table or view. TypeScript evaluates its members lazily. */
export interface TableModel<App extends string, Name extends string, Table, Declared = unknown> {
  readonly app: App
  readonly name: Name
  readonly record: Table extends { readonly $inferSelect: infer Row } ? Row : Record<string, unknown>
  readonly insert: Table extends { readonly $inferInsert: infer Row }
    ? Row
    : Table extends { readonly $inferSelect: unknown }
      ? never
      : Record<string, unknown>
  /** The payload of a hook. */
  readonly payload: WithUploads<this['insert']>
  /** The result of a hook. */
  readonly stored: WithFiles<this['insert']>
  /** The name of the table in the database. */
  readonly table: Table extends { readonly _: { readonly name: infer Sql extends string } } ? Sql : never
  /** The relations that `relations()` in the given modules declare. */
  readonly relations: Table extends { readonly _: { readonly name: keyof Declared } }
    ? Declared[Table['_']['name']]
    : Record<never, never>
}

/** The relations that an application declares, by the name of their table in the database. */
type DeclaredIn<Apps> = {
  readonly [All in DeclarationIn<Apps> as All['table']['_']['name']]: KindsOf<ReturnType<All['config']>>
}

/** Matches one property, because comparing whole tables with it is slow. */
type DeclarationIn<Apps> = {
  [App in keyof Apps]: {
    [Key in keyof Apps[App]]: Apps[App][Key] extends Pick<Relations, '$brand'>
      ? Extract<Apps[App][Key], Relations>
      : never
  }[keyof Apps[App]]
}[keyof Apps]

type KindsOf<Declared> = {
  readonly [Name in keyof Declared & string]: {
    readonly kind: Declared[Name] extends One ? 'to-one' : 'to-many'
    readonly table: Declared[Name] extends { readonly referencedTableName: infer Sql } ? Sql : never
  }
}

/**
 * The common type of a database and its transactions: without the client and the replicas, which drizzle intersects with
 * the class.
 */
type HandleOf<Db> = Db extends { readonly $primary: infer Primary }
  ? HandleOf<Primary>
  : Db extends { readonly $client: infer Client }
    ? Db extends infer Plain & { $client: Client }
      ? Plain
      : Db
    : Db

/** A table or view. Matches one property, because comparing whole table types is slow. */
interface Source {
  readonly $inferSelect: unknown
}

/** The option `columns`, with the names of the given tables and columns. */
type ColumnKindsOf<Given> = string extends keyof AppsOf<Given>
  ? ColumnKinds
  : {
      readonly [Place in PlaceIn<AppsOf<Given>> as Place['place']]?: {
        readonly [Column in keyof Place['table']['$inferSelect'] & string]?: ColumnKind
      }
    }

/** The tables, each by its key and by `app.key`. */
type PlaceIn<Apps> = {
  [App in keyof Apps & string]: {
    [Key in keyof Apps[App] & string]: Apps[App][Key] extends Source
      ? { readonly place: Key | `${App}.${Key}`; readonly table: Apps[App][Key] }
      : never
  }[keyof Apps[App] & string]
}[keyof Apps & string]

/** A map of tables is a single app, as at run time. */
type AppsOf<Given> = string extends keyof Given
  ? Given
  : Given[keyof Given] extends infer Value
    ? true extends (Value extends Source ? true : false)
      ? { readonly app: Given }
      : Given
    : never

type ModelOf<Apps, Names> = {
  [App in keyof Apps & string]: ModelOfApp<App, Apps[App], Names, DeclaredIn<Apps>>
}[keyof Apps & string]

/** If the keys of the tables are not known, the names of the models are not either. */
type ModelOfApp<App extends string, Exported, Names, Declared> = unknown extends Exported
  ? TableModel<App, string, unknown>
  : string extends keyof Exported
    ? TableModel<App, string, unknown>
    : {
        [Key in keyof Exported & string]: Exported[Key] extends Source
          ? TableModel<App, NameOf<App, Key, Names>, Exported[Key], Declared>
          : never
      }[keyof Exported & string]

type NameOf<App extends string, Key extends string, Names> = Names extends {
  readonly [Place in `${App}.${Key}`]: infer Name extends string
}
  ? Name
  : Names extends { readonly [Place in Key]: infer Name extends string }
    ? Name
    : ModelNameOf<Key>
