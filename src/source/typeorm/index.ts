import { Brackets, type DataSource, type EntityManager, type EntitySchema } from 'typeorm'
import type { ModelSource } from '../source.ts'
import { capabilitiesOf } from '../sql/capabilities.ts'
import { conditionIn } from '../sql/condition.ts'
import { assertSourceOptions } from '../sql/mapping.ts'
import type { KindOf, OrmModel } from '../sql/model-types.ts'
import { ormChecks } from '../sql/orm-checks.ts'
import { ormSource } from '../sql/orm-source.ts'
import { assertZone, databaseOf } from './database.ts'
import { describeEntities, type MappedEntity } from './describe.ts'
import { isOfStatement, loggable, readErrorOf } from './errors.ts'
import { bound } from './execution.ts'
import { hasListeners, listenedAct } from './hooks.ts'
import { observedPlace } from './observed.ts'
import { statementsOf } from './records.ts'
import { engineOf } from './running.ts'

/** Entity classes and schemas by the names of their models. Other exports of a module are left out. */
export type Entities = Readonly<Record<string, unknown>>

/** Options of `typeormModels`. */
export interface TypeormModelsOptions {
  /**
   * Whether concurrent requests share reads: reads of records by id in the same scope become one statement, and so do the records
   * that they include along a to-one relation; equal lists run once. No request gets what was read before it arrived. Set it to
   * `false` if what a statement returns depends on the request, for example on row-level security by a variable of an
   * `AsyncLocalStorage`.
   *
   * @default true
   */
  readonly sharedReads?: boolean
}

/**
 * Creates a model for each entity of a TypeORM data source, and reads and writes its records through the data source. Subscribers,
 * entity listeners, transformers, soft deletes, version and date columns work as with TypeORM's own repositories.
 *
 * @param dataSource an initialized data source of PostgreSQL, MySQL, MariaDB or better-sqlite3
 * @param entities name of a model -> its entity, such as `{ Order, Customer }` or `import * as entities`. Editors then complete
 *   the names of models and fields. @default all entities of the data source, by their names
 * @throws StartError if the data source is not initialized or has another database, an entity does not belong to it, or two
 *   entities have the same name
 * @example
 * ```ts
 * import { typeormModels } from 'modelrest/typeorm'
 * import { DataSource, EntitySchema } from 'typeorm'
 *
 * const Product = new EntitySchema<{ id: number; name: string }>({
 *   name: 'Product',
 *   columns: { id: { type: 'int', primary: true, generated: 'increment' }, name: { type: 'varchar' } },
 * })
 * const dataSource = new DataSource({ type: 'better-sqlite3', database: 'shop.db', entities: [Product] })
 * await dataSource.initialize()
 *
 * export const models = typeormModels(dataSource, { Product })
 * ```
 */
export const typeormModels = <Given extends Entities = Entities>(
  dataSource: DataSource,
  entities?: Given,
  options: TypeormModelsOptions = {},
): ModelSource<TypeormTypes<Given>> => {
  assertSourceOptions('typeormModels', options)
  const database = databaseOf(dataSource)
  const { family } = database
  const capabilities = capabilitiesOf(family, options)
  const described = describeEntities(database, entities, capabilities)
  assertZone(database, described.models)
  const engine = engineOf(database, described, options.sharedReads !== false)
  return ormSource<TypeormTypes<Given>, EntityManager, MappedEntity>({
    ...described,
    capabilities,
    queues: database.queues,
    handle: dataSource.manager,
    handleOf: (manager) => manager,
    advice: {
      declare: () => 'Add it as an entity to the option entities of the DataSource',
      columnName: "@Column({ name: '…' })",
      keyDefault: "@PrimaryGeneratedColumn('uuid')",
    },
    hooks: {
      handle: 'event.manager',
      hear: ({ metadata }, event) => hasListeners(dataSource, metadata, listenedAct(metadata, event)),
    },
    statementsOf: (manager, entity) => statementsOf({ database, engine, manager }, entity),
    observedStatementsOf: (manager, entity, watch) =>
      statementsOf(observedPlace({ database, engine, manager }, entity, watch), entity),
    transaction: (work) => dataSource.transaction(work),
    // TypeORM has one connection to SQLite.
    isGated: family === 'sqlite',
    isOwnError: isOfStatement,
    ...{ loggable, readError: readErrorOf(family) },
    ...ormChecks(engine, { adapter: 'typeormModels', migrate: 'npx typeorm migration:run' }),
    conditionOf: (entity, condition) =>
      new Brackets((query) => {
        const alias: unknown = Reflect.get(query, 'alias')
        const { text, parameters } = bound(database)
        query.where(text(conditionIn(engine.tableOf(entity), String(alias), condition)), parameters)
      }),
  })
}

/** The compile-time types of the models of `typeormModels(dataSource, entities)`. */
export interface TypeormTypes<Given> {
  readonly db: EntityManager
  /** The result of `scope()` of `rest.context()`, for `where` of a query builder. */
  readonly condition: Brackets
  readonly models: string extends keyof Given
    ? Readonly<Record<string, EntityModel<string, Record<string, unknown>, never>>>
    : {
        readonly [Name in keyof Given & string as EntityOf<Given[Name]> extends never
          ? never
          : Name]: EntityModel<Name, EntityOf<Given[Name]>, EntityIn<Given>>
      }
}

/** The type of the model of one entity. */
export interface EntityModel<Name extends string, Entity, Others>
  extends OrmModel<Name, FieldsOf<Entity, Others>, Partial<FieldsOf<Entity, Others>>> {}

type EntityOf<Given> =
  Given extends EntitySchema<infer Entity>
    ? Entity
    : Given extends abstract new (
          ...args: never
        ) => infer Entity
      ? Entity
      : never

type EntityIn<Given> = { [Name in keyof Given]: EntityOf<Given[Name]> }[keyof Given]

/** The properties with values, and the keys of to-one relations to an `id` under their usual names. */
type FieldsOf<Entity, Others> = {
  [Name in keyof Entity as KindOf<NonNullable<Entity[Name]>, Others> extends 'field'
    ? Name
    : never]: Entity[Name]
} & {
  [Name in keyof Entity & string as KindOf<NonNullable<Entity[Name]>, Others> extends 'relation'
    ? IdName<Name, Entity>
    : never]: IdOf<Entity[Name]> | Extract<Entity[Name], null>
}

type IdName<Name extends keyof Entity & string, Entity> =
  IdOf<Entity[Name]> extends never ? never : Exclude<`${Name}Id`, keyof Entity>

type IdOf<Value> = NonNullable<Value> extends { readonly id: infer Id } ? Id : never
