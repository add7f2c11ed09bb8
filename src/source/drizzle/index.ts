import { sql } from 'drizzle-orm'
import { assertKnown, StartError } from '../../error/errors.ts'
import type { ModelNameOf } from '../../model/naming.ts'
import { after } from '../../model/objects.ts'
import { type Awaitable, type ModelSource, SourceError } from '../source.ts'
import { readRefusal, refusalOfHook } from '../sql/errors.ts'
import { loggable } from '../sql/loggable.ts'
import {
  type Database,
  type DrizzleDatabase,
  executionOf,
  openDatabase,
  pingIn,
  whereTrue,
} from './database.ts'
import { describeTables } from './describe.ts'
import { dialectOf, dialectRows } from './dialects.ts'
import { observedDatabase } from './observed.ts'
import { type ReplicaOptions, replicasOf } from './replicas.ts'
import type { ColumnKind, ColumnKinds } from './stated-columns.ts'
import { storesOf } from './stores.ts'
import type { DescribedTable, ModelNames, Tables } from './tables.ts'
import { transactionsOf } from './transaction.ts'

export type { DrizzleDatabase } from './database.ts'
export type { ReplicaOptions } from './replicas.ts'
export type { ColumnKind, ColumnKindName, ColumnKinds } from './stated-columns.ts'
export type { ModelNames, Tables } from './tables.ts'

/** How `drizzleModels` names the models, and where it reads. */
export interface DrizzleModelsOptions<Names extends ModelNames = ModelNames, Columns = ColumnKinds> {
  /** Key of a table, or `app.key` -> the model's name. @default the singular of the key, in PascalCase */
  readonly names?: Names
  /**
   * Key of a table, or `app.key` -> column -> what it holds: for columns of `customType` whose mappers change what their
   * SQL type holds, and for types that modelrest does not know. Values still go through the column's own mappers.
   *
   * @default the built-in columns are read by their type, those of `customType` by their SQL type
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
   * Reads lists and counts from the replicas of a database that `withReplicas()` of drizzle gives, where the caller may be
   * behind: not within a few seconds after a write of this process. All else, as reads by id, logins and what a write
   * depends on, comes from the primary.
   * @default only the primary is read
   */
  readonly replicas?: ReplicaOptions
}

/**
 * Makes models of drizzle's tables and views, and reads and writes their records through `db`.
 *
 * `db` is any drizzle database of SQLite, PostgreSQL, MySQL or MariaDB; its connection, logger and casing stay in use. With a synchronous
 * driver (better-sqlite3) the models can be served with `isAsync: false`. Of `withReplicas()` the primary is used, unless
 * `replicas` says more.
 *
 * @param tables app label -> what the app's module exports; or a map of tables, which is one app, `app`
 * @throws StartError if `db` is not such a database, its driver is too old, a table is of another dialect than `db`, an
 *   option does not fit the tables, or the tables cannot be described.
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
  const opened = openDatabase(db)
  const replicas = replicasOf(db, opened, options.replicas)
  const database = replicas?.primary ?? opened
  const { tables: described, notes } = describeTables(tables, options.names, options.columns as ColumnKinds)
  for (const table of described) assertDialect(database, table)
  // The served models are configured copies of those that were described: the name is what they share.
  const byName = new Map(described.map((table) => [table.model.name, table]))
  const tableOf = (name: string): DescribedTable => {
    const table = byName.get(name)
    if (table === undefined) throw new Error(`drizzleModels: ${name} is none of these models.`)
    return table
  }

  /** Where acts run. What is asked at start, and to see whether the database answers, is not watched. */
  const acts = (watched: (database: Database) => Database) => {
    const storesIn = (where: Database) => storesOf(watched(where), described, tableOf)
    const { outside, inside } = storesIn(database)
    return {
      store: outside,
      ...(replicas && { lagging: replicas.stores(outside, storesIn) }),
      transaction: transactionsOf(watched(database), inside),
    }
  }
  const source = Object.freeze<ModelSource<DrizzleTypes<Db, Given, Names>>>({
    ...acts((itself) => itself),
    models: Object.freeze(described.map(({ model }) => model)),
    notes,
    capabilities: Object.freeze({
      synchronous: database.synchronous,
      unicodeCaseFolding: dialectOf(database).unicodeCaseFolding,
      transactions: database.hasTransactions,
    }),
    // A hook may decide by what it reads: replicas would tell it of yesterday.
    db: database.handle,
    refusalOf: (error) => refusalOfHook(error, dialectOf(database).readError),
    loggable,
    missingTables: (models): Awaitable<readonly string[]> => {
      const tables = models.map(({ name }) => tableOf(name))
      return missingTables(database, tables)
    },
    ping: pingIn(database),
    observed: (watch): ModelSource<DrizzleTypes<Db, Given, Names>> =>
      Object.freeze({ ...source, ...acts((inner) => observedDatabase(inner, watch)) }),
  })
  return source
}

const assertOptions = (options: object): void => {
  const known = ['columns', 'names', 'replicas']
  for (const name of Object.keys(options)) assertKnown('drizzleModels: there is no option', name, known)
}

const assertDialect = ({ dialect }: Database, { model, dialect: own }: DescribedTable): void => {
  if (own === dialect) return
  throw new StartError(
    `drizzleModels: the table of ${model.name} (app ${model.app}) is made for ${dialectRows[own].noun}, but db is a ${dialectRows[dialect].noun} database. Give drizzleModels the tables of one database.`,
  )
}

/** Asked for in one statement. @throws StartError where writes would be lost in the sessions of the database */
const missingTables = (
  database: Database,
  tables: readonly DescribedTable[],
): Awaitable<readonly string[]> => {
  const { exists, readError, assertSafe } = dialectOf(database)
  const missing = ({ table }: DescribedTable) => sql`not (${exists(database.toQuery(sql`${table}`).sql)})`
  const ask = () =>
    after(whereTrue(database, tables, missing), (found) => found.map(({ model }) => model.name))
  const askSafely = () => after(assertSafe?.(database, tables), ask)
  return executionOf(database).recovering(askSafely, (error) => {
    const kind = readRefusal(error, readError)?.kind
    throw kind === 'unavailable' || kind === 'lost' ? new SourceError('unavailable', { cause: error }) : error
  })()
}

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

/** What is said of columns, with the names of the tables and columns that are given. */
type ColumnKindsOf<Given> = string extends keyof AppsOf<Given>
  ? ColumnKinds
  : {
      readonly [Place in PlaceIn<AppsOf<Given>> as Place['place']]?: {
        readonly [Column in keyof Place['table']['$inferSelect'] & string]?: ColumnKind
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
