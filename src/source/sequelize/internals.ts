/**
 * What Sequelize does not type, or what depends on how it runs statements. Checked with sequelize 6.37.
 * `test/source/sequelize/internals.test.ts` fails if a new version changes it.
 */
import type { Model as Instance, ModelStatic, Options, Sequelize } from 'sequelize'
import type { Defined } from './values.ts'

interface QueryGenerator {
  quoteTable(table: unknown): string
  getWhereConditions(where: unknown, prefix: unknown, model: ModelStatic<Instance>): string
}

/** Writes parts of statements. */
export const generatorOf = (sequelize: Sequelize): QueryGenerator =>
  sequelize.getQueryInterface().queryGenerator as QueryGenerator

/** The options that it keeps. */
export const optionsOf = (sequelize: Sequelize): Options => Reflect.get(sequelize, 'options')

/** A statement whose rows Sequelize returns. On SQLite, it takes none from what begins with `insert into`. */
export const withRows = (statement: string): string => statement.replace(/^insert into/, 'insert\tinto')

/** Runs the hooks of a model. */
export type RunHooks = (name: string, ...args: unknown[]) => Promise<unknown>

/** A model that runs its hooks in another way. */
export const withHooks = (unscoped: Defined, wrap: (run: RunHooks) => RunHooks): Defined =>
  Object.defineProperties(class extends unscoped {}, {
    name: { value: unscoped.name },
    runHooks: {
      value: wrap(async (...about) => Reflect.apply(Reflect.get(unscoped, 'runHooks'), unscoped, about)),
    },
  })
