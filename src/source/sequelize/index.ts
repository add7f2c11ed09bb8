import type {
  CreationAttributes,
  InferAttributes,
  Model as Instance,
  ModelStatic,
  Sequelize,
  Transaction,
} from 'sequelize'
import type { ModelSource } from '../source.ts'
import { capabilitiesOf } from '../sql/capabilities.ts'
import { conditionIn } from '../sql/condition.ts'
import { assertSourceOptions } from '../sql/mapping.ts'
import type { OrmModel } from '../sql/model-types.ts'
import { ormChecks } from '../sql/orm-checks.ts'
import { ormSource } from '../sql/orm-source.ts'
import { databaseOf, isShared } from './database.ts'
import { describeTables, type MappedDefined } from './describe.ts'
import { isOfSequelize, loggable, readErrorOf } from './errors.ts'
import { type Execution, sqlText, transactionIn } from './execution.ts'
import { isRewritten, runsHooks } from './hooks.ts'
import { observesCalls } from './observed.ts'
import { isOneStatement, statementsOf } from './records.ts'
import { outsideOf } from './running.ts'

/** Models of Sequelize by their names. Other exports of a module are left out. */
export type SequelizeModelsGiven = Readonly<Record<string, unknown>>

/** Options of `sequelizeModels`. */
export interface SequelizeModelsOptions {
  /**
   * Whether concurrent requests share reads: reads of records by id in the same scope become one statement, and so do the records
   * that they include along a to-one relation; equal lists run once. No request gets what was read before it arrived. Set it to
   * `false` if what a statement returns depends on the request, for example on a `beforeFind` hook that reads an
   * `AsyncLocalStorage`.
   *
   * @default true
   */
  readonly sharedReads?: boolean
}

/**
 * Creates a model for each model of Sequelize, and reads and writes its records through it. Hooks, validators, setters, default
 * scopes, paranoid deletes, versions and timestamps work as in the application's own calls.
 *
 * @param sequelize an instance with all models and associations, of PostgreSQL, MySQL, MariaDB or SQLite
 * @param models name of a model -> its model of Sequelize, such as `{ Order, Customer }` or `import * as models`. Editors then
 *   complete the names of models and fields. @default all models of the instance, by their names
 * @throws StartError if the instance has another database, a model does not belong to it, two models have the same name, or a
 *   default scope limits its records by anything but a condition on their own columns
 * @example
 * ```ts
 * import { sequelizeModels } from 'modelrest/sequelize'
 * import { DataTypes, Sequelize } from 'sequelize'
 *
 * const sequelize = new Sequelize('sqlite:shop.db')
 * sequelize.define('Product', { name: { type: DataTypes.STRING(100), allowNull: false } })
 *
 * export const models = sequelizeModels(sequelize)
 * ```
 */
export const sequelizeModels = <Given extends SequelizeModelsGiven = SequelizeModelsGiven>(
  sequelize: Sequelize,
  models?: Given,
  options: SequelizeModelsOptions = {},
): ModelSource<SequelizeTypes<Given>> => {
  assertSourceOptions('sequelizeModels', options)
  const database = databaseOf(sequelize)
  const { family } = database
  const capabilities = capabilitiesOf(family, options)
  const described = describeTables(database, models, capabilities)
  const outside = outsideOf(database, described, options.sharedReads !== false)
  return ormSource<SequelizeTypes<Given>, Execution, MappedDefined>({
    ...described,
    capabilities,
    queues: database.queues,
    handle: outside,
    advice: {
      declare: () => 'Define it with sequelize.define()',
      columnName: "field: '…', or, if associations add both, give those associations the same foreignKey",
      keyDefault: 'defaultValue: DataTypes.UUIDV4',
    },
    hooks: {
      handle: 'options.transaction',
      hear: ({ defined }, event) => runsHooks(sequelize, defined, event),
    },
    fills: ({ defined }) => isRewritten(defined),
    handleOf: ({ transaction }) => transaction ?? sequelize,
    statementsOf,
    observedStatementsOf: (place, mapped, watch) => {
      observesCalls(sequelize)
      const { engine, observeOf } = place.engine.observed(watch)
      return statementsOf({ ...place, engine, observe: observeOf(mapped) }, mapped)
    },
    transaction: (work) => transactionIn(database, (transaction) => work({ ...outside, transaction })),
    isGated: isShared(database),
    hasOneWriter: family === 'sqlite',
    isOneStatement: (mapped, act) => isOneStatement(database, mapped, act),
    isOwnError: isOfSequelize,
    ...{ loggable, readError: readErrorOf(family) },
    ...ormChecks(outside.engine, { adapter: 'sequelizeModels', migrate: 'npx sequelize-cli db:migrate' }),
    conditionOf: (mapped, condition) => {
      const piece = conditionIn(outside.engine.tableOf(mapped), mapped.defined.name, condition)
      return database.sequelizeLiteral(`(${sqlText(database, piece)})`)
    },
  })
}

/** The compile-time types of the models of `sequelizeModels(sequelize, models)`. */
export interface SequelizeTypes<Given> {
  /** Pass it to calls of Sequelize: `{ transaction: db }`. */
  readonly db: Transaction
  /** The result of `scope()` of `rest.context()`, for `where` of a find. */
  readonly condition: ReturnType<typeof Sequelize.literal>
  readonly models: string extends keyof Given
    ? Readonly<Record<string, SequelizeModel<string, Instance<Record<string, unknown>>>>>
    : {
        readonly [Name in keyof Given & string as Given[Name] extends ModelStatic<Instance>
          ? Name
          : never]: SequelizeModel<Name, InstanceOf<Given[Name]>>
      }
}

/** The type of one model. */
export interface SequelizeModel<Name extends string, Record extends Instance>
  extends OrmModel<Name, InferAttributes<Record>, CreationAttributes<Record>> {}

type InstanceOf<Given> = Given extends ModelStatic<infer Of> ? Of : never
