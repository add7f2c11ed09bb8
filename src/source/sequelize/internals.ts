/**
 * What Sequelize does not type, or what depends on how it runs statements. Checked with sequelize 6.37.
 * `test/source/sequelize/internals.test.ts` fails if a new version changes it.
 */
import type { Model as Instance, ModelStatic, Options, Sequelize } from 'sequelize'
import { onceFor } from '../../model/objects.ts'
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

/** A model whose `afterFind` hooks do not run: they expect records, not values. Those that add conditions do. */
export const withoutRecords: (unscoped: Defined) => Defined = onceFor((unscoped: Defined): Defined => {
  const runHooks = (name: string, ...args: unknown[]): unknown =>
    name === 'afterFind'
      ? undefined
      : Reflect.apply(Reflect.get(unscoped, 'runHooks'), unscoped, [name, ...args])
  return Object.defineProperties(class extends unscoped {}, {
    name: { value: unscoped.name },
    runHooks: { value: runHooks },
  })
})
