import type { ModelSource } from '../source.ts'
import { engineSource } from './engine-source.ts'
import { fragmentsOf } from './fragments.ts'
import { assertSourceOptions } from './mapping.ts'
import { prepareClient } from './mysql-connections.ts'
import { openedDatabase, type SqlDatabase } from './port.ts'
import { assertActs, assertDatabase } from './port-check.ts'
import { assertStatedSafe } from './stated-safety.ts'
import { assertStated } from './stated-shape.ts'
import { type SqlTable, statedTables } from './stated-tables.ts'
import type { Table } from './table.ts'
import { spellings } from './text.ts'

/** What `sqlSource` makes a source of. */
export interface SqlSourceOptions extends Pick<ModelSource, 'advice' | 'notes' | 'queues'> {
  /** The name of your function that makes the source, which messages begin with. @default `sqlSource` */
  readonly name?: string
  readonly database: SqlDatabase
  /** The tables and views that are served, and the join tables between them. */
  readonly tables: readonly SqlTable[]
  /**
   * Whether concurrent requests share reads. Set it to `false` if what a statement returns depends on the request, for example on
   * row-level security by a variable of an `AsyncLocalStorage`. Synchronous databases never share.
   *
   * @default true
   */
  readonly sharedReads?: boolean
  /** A command that applies migrations, for the message that a table is missing. @default none */
  readonly migrate?: string
  /**
   * Makes a condition for queries of the application from what a template literal tag gets: the strings around the values, and
   * the values. Columns are named as `"orders"."id"`. Absent: `scope()` of `rest.context()` is refused.
   */
  readonly conditionOf?: (strings: readonly string[], values: readonly unknown[]) => unknown
}

/**
 * Makes a source of the tables of an SQL database: the engine of modelrest writes all statements, and `database` runs them. It has
 * relations, aggregates, bulk writes, row locks and translated errors, as the sources of the ORMs have.
 *
 * `Types` describes the models at compile time. A source without such types omits it.
 *
 * @throws StartError if a table is described wrongly
 * @example
 * ```ts
 * import { sqlSource, transactionOn } from 'modelrest/sql'
 * import Database from 'better-sqlite3'
 *
 * const db = new Database('shop.db')
 * const inside = { handle: db, run: (text: string, values: readonly unknown[]) => db.prepare(text).raw().all(...values) }
 *
 * export const models = sqlSource({
 *   database: {
 *     ...inside,
 *     dialect: 'sqlite',
 *     synchronous: true,
 *     transaction: (work) =>
 *       transactionOn({ dialect: 'sqlite', synchronous: true, execute: (text) => db.exec(text) }, () => work(inside)),
 *   },
 *   tables: [
 *     {
 *       name: 'Product',
 *       table: 'products',
 *       columns: [
 *         { name: 'id', type: 'integer', autoIncrement: true },
 *         { name: 'name', type: 'varchar(100)' },
 *         { name: 'price', type: 'decimal(10, 2)' },
 *       ],
 *       primaryKey: ['id'],
 *     },
 *   ],
 * })
 * ```
 */
export const sqlSource = <Types = unknown>(options: SqlSourceOptions): ModelSource<Types> => {
  const { name: adapter = 'sqlSource', database, tables, sharedReads = true, migrate, conditionOf } = options
  const { advice, notes, queues } = options
  assertSourceOptions(adapter, options, Object.keys(optionNames))
  assertDatabase(adapter, database)
  assertStated(adapter, tables)
  if (database.dialect === 'mysql') prepareClient(database.handle)
  const opened = openedDatabase(adapter, database, sharedReads)
  return engineSource<Types, Table>({
    ...{ adapter, migrate, database: opened, tables: statedTables(tables, database.dialect) },
    members: { ...(advice && { advice }), ...(notes && { notes }), ...(queues && { queues }) },
    assertSafe: async (checked) => {
      await assertStatedSafe(adapter, opened, checked)
      await assertActs(adapter, database)
    },
    ...(conditionOf && {
      conditionOf: (condition) => {
        const { strings, values } = fragmentsOf(condition, spellings[database.dialect])
        return conditionOf(strings, values)
      },
    }),
  })
}

const optionNames: Readonly<Record<keyof SqlSourceOptions, true>> = {
  ...{ name: true, database: true, tables: true, sharedReads: true, migrate: true, conditionOf: true },
  ...{ advice: true, notes: true, queues: true },
}
