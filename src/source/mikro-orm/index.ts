import type { InferEntity, MikroORM, Primary, PrimaryProperty, Ref, Reference } from '@mikro-orm/core'
import type { ModelSource } from '../source.ts'
import { capabilitiesOf } from '../sql/capabilities.ts'
import { assertSourceOptions } from '../sql/mapping.ts'
import type { KindOf, OrmModel } from '../sql/model-types.ts'
import { ormChecks } from '../sql/orm-checks.ts'
import { ormSource } from '../sql/orm-source.ts'
import { databaseOf, forkOf, type SqlManager } from './database.ts'
import { describeEntities, type MappedEntity } from './describe.ts'
import { isOwnError, loggable, readErrorOf } from './errors.ts'
import type { Execution } from './execution.ts'
import { hasListeners, isInitialised, listenedAct } from './hooks.ts'
import { observesCalls } from './observed.ts'
import { statementsOf } from './records.ts'
import { engineOf } from './running.ts'

/** Entity classes and schemas by the names of their models. Other exports of a module are left out. */
export type Entities = Readonly<Record<string, unknown>>

/** Options of `mikroOrmModels`. */
export interface MikroOrmModelsOptions {
  /**
   * Whether concurrent requests share reads: reads of records by id in the same scope become one statement, and so do the records
   * that they include along a to-one relation; equal lists run once. No request gets what was read before it arrived. Set it to
   * `true` only if what a statement returns does not depend on the request, as it does with filters of a `RequestContext` and
   * with row-level security by a variable of a session.
   *
   * @default false
   */
  readonly sharedReads?: boolean
}

/**
 * Creates a model for each entity of MikroORM, and reads and writes its records through forks of its entity manager. Filters,
 * subscribers, hooks of entities, custom types, `onCreate`, `onUpdate` and version properties work as with MikroORM's own
 * repositories.
 *
 * @param orm an ORM with a driver of PostgreSQL, MySQL, MariaDB or SQLite
 * @param entities name of a model -> its entity, such as `{ Order, Customer }` or `import * as entities`. Editors then complete
 *   the names of models and fields. @default all entities of the ORM, by their names
 * @throws StartError if the ORM has another database or stores times in a zone that changes, an entity does not belong to it, or
 *   two entities have the same name
 * @example
 * ```ts
 * import { defineEntity, p } from '@mikro-orm/core'
 * import { MikroORM } from '@mikro-orm/sqlite'
 * import { mikroOrmModels } from 'modelrest/mikro-orm'
 *
 * const Product = defineEntity({
 *   name: 'Product',
 *   properties: { id: p.integer().primary(), name: p.string().length(100) },
 * })
 * const orm = await MikroORM.init({ entities: [Product], dbName: 'shop.db' })
 *
 * export const models = mikroOrmModels(orm, { Product })
 * ```
 */
export const mikroOrmModels = <Orm extends MikroORM, Given extends Entities = Entities>(
  orm: Orm,
  entities?: Given,
  options: MikroOrmModelsOptions = {},
): ModelSource<MikroOrmTypes<Given, Orm['em']>> => {
  assertSourceOptions('mikroOrmModels', options)
  const database = databaseOf(orm)
  const { family } = database
  const { sharedReads = false } = options
  const capabilities = capabilitiesOf(family, { sharedReads })
  const described = describeEntities(database, entities, capabilities)
  const outside = orm.em as unknown as SqlManager
  const { engine, conditionOf } = engineOf(database, outside, described, sharedReads)
  const placeOf = (manager: SqlManager): Execution => ({ database, engine, manager })
  return ormSource<MikroOrmTypes<Given, Orm['em']>, SqlManager, MappedEntity>({
    ...described,
    capabilities,
    queues: database.queues,
    handle: outside,
    handleOf: (manager) => (manager === outside ? manager : callable(manager)),
    statementsOf: (manager, entity) => statementsOf(placeOf(manager), entity),
    observedStatementsOf: (manager, entity, watch) => {
      observesCalls(manager)
      const { engine: own, observeOf } = engine.observed(watch)
      const place = { ...placeOf(manager), engine: own, observe: observeOf(entity) }
      return statementsOf(place, entity)
    },
    advice: {
      declare: () => 'Add it as an entity to the option entities of MikroORM',
      columnName: "fieldName: '…'",
      keyDefault: 'onCreate: () => randomUUID()',
    },
    hooks: { handle: 'args.em', hear: (entity, event) => hasListeners(database, entity, listenedAct[event]) },
    fills: isInitialised,
    transaction: (work) => database.transaction(forkOf(outside, false), work),
    // MikroORM has one connection to SQLite.
    isGated: family === 'sqlite',
    isOwnError,
    ...{ conditionOf, loggable, readError: readErrorOf(family) },
    ...ormChecks(engine, { adapter: 'mikroOrmModels', migrate: 'npx mikro-orm migration:up' }),
  })
}

/** A hook gets its manager through a proxy, but methods of MikroORM use private members of the object itself. */
const callable = (manager: SqlManager): SqlManager =>
  new Proxy(manager, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' && property !== 'constructor' ? value.bind(target) : value
    },
  })

/** The compile-time types of the models of `mikroOrmModels(orm, entities)`. */
export interface MikroOrmTypes<Given, Manager = SqlManager> {
  readonly db: Manager
  /** The result of `scope()` of `rest.context()`, for `$and` of a query. */
  readonly condition: { readonly [fragment: symbol]: readonly never[] }
  readonly models: string extends keyof Given
    ? Readonly<Record<string, EntityModel<string, Record<string, unknown>>>>
    : {
        readonly [Name in keyof Given & string as EntityOf<Given[Name]> extends never
          ? never
          : Name]: EntityModel<Name, FieldsOf<EntityOf<Given[Name]>, EntityIn<Given>>>
      }
}

/** The type of the model of one entity. */
export interface EntityModel<Name extends string, Fields> extends OrmModel<Name, Fields, Partial<Fields>> {}

type EntityOf<Given> = Given extends { readonly '~entity': unknown }
  ? InferEntity<Given>
  : Given extends abstract new (
        ...args: never
      ) => infer Entity
    ? Entity
    : never

type EntityIn<Given> = { [Name in keyof Given]: EntityOf<Given[Name]> }[keyof Given]

/** The properties with values, and the keys of to-one relations under their usual names. */
type FieldsOf<Entity, Others> = {
  [Name in keyof Entity & string as KindOf<NonNullable<Entity[Name]>, Others, Ref<Others>> extends 'field'
    ? Name
    : never]: Entity[Name]
} & {
  [Name in keyof Entity & string as KindOf<NonNullable<Entity[Name]>, Others, Ref<Others>> extends 'relation'
    ? KeyName<Name, ReferenceTarget<NonNullable<Entity[Name]>>>
    : never]: Primary<ReferenceTarget<NonNullable<Entity[Name]>>> | Extract<Entity[Name], null>
}

type KeyName<Name extends string, Entity> =
  PrimaryProperty<Entity> extends infer Key extends string ? `${Name}${Capitalize<Key>}` : never

type ReferenceTarget<Value> = Value extends Reference<infer Entity> ? Entity : Value
