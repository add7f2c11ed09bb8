import { type Column, isTable, isView, type Table, type View } from 'drizzle-orm'
import { StartError, suggest } from '../../error/errors.ts'
import { PROTOTYPE, prototypeField } from '../../model/facts.ts'
import type { Model } from '../../model/model.ts'
import { modelNameOf } from '../../model/naming.ts'
import { isPlainObject, ownValue } from '../../model/objects.ts'
import type { Table as EngineTable } from '../sql/table.ts'
import type { Dialect } from '../sql/text.ts'
import { knownOf, partOf } from './internals.ts'

export interface DescribedTable {
  readonly model: Model
  readonly dialect: Dialect
  readonly table: Table | View
  readonly columns: Readonly<Record<string, Column>>
}

/** The same for the engine. */
export interface DrizzleTable extends EngineTable {
  readonly described: DescribedTable
}

/** App label -> exports of the app's module, or the tables of a single app, `app`. Values that are not tables are ignored. */
export type Tables = Readonly<Record<string, unknown>>

export interface GivenTable {
  readonly app: string
  readonly key: string
  /** `undefined`: modelrest does not support the dialect. */
  readonly dialect: Dialect | undefined
  readonly source: Table | View
}

/** @throws StartError */
export const givenTables = (tables: Tables): readonly GivenTable[] => {
  if (typeof tables !== 'object' || tables === null || Array.isArray(tables))
    throw new StartError(
      "drizzleModels: the second argument must be the tables. Import them with import * as shop from './schema.ts', and write drizzleModels(db, { shop }).",
    )
  return appsOf(tables).flatMap(([app, exported]) =>
    Object.entries(exported).flatMap(([key, source]) =>
      isSource(source) ? [{ app, key, source, dialect: knownOf(source, dialects) }] : [],
    ),
  )
}

/** All exports of the modules of the apps, also those that are not tables. */
export const givenExports = (tables: Tables): readonly unknown[] =>
  appsOf(tables).flatMap(([, exported]) => Object.values(exported))

const appsOf = (tables: Tables): readonly (readonly [string, object])[] => {
  if (Object.values(tables).some(isSource)) return [['app', tables]]
  return Object.entries(tables).flatMap(([app, exported]) =>
    isPlainObject(exported) ? [[app, exported]] : [],
  )
}

/** Excludes aliases, which are names for a table in a query. */
const isSource = (value: unknown): value is Table | View => {
  if (!isTable(value)) return isView(value)
  // Drizzle assigns columns to the table object, so a column with this name replaces the prototype of the table.
  const columns = partOf(value, 'Columns')
  if (Object.hasOwn(Object(columns), PROTOTYPE)) throw prototypeField(String(partOf(value, 'Name')))
  return partOf(value, 'IsAlias') !== true
}

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['SQLiteTable', 'sqlite'],
  ['SQLiteViewBase', 'sqlite'],
  ['PgTable', 'pg'],
  ['PgViewBase', 'pg'],
  ['MySqlTable', 'mysql'],
  ['MySqlViewBase', 'mysql'],
])

/** Key of a table, or `app.key` -> name of its model. */
export type ModelNames = Readonly<Record<string, string>>

export const tablePlace = ({ app, key }: GivenTable): string => `${app}.${key}`

export const assertNamedTables = (given: readonly GivenTable[], named: object, option: string): void => {
  const places = new Set(given.flatMap((table) => [table.key, tablePlace(table)]))
  const unknown = Object.keys(named).find((place) => !places.has(place))
  if (unknown !== undefined)
    throw new StartError(`${option}: unknown table ${unknown}.${suggest(unknown, places)}`)
}

/** The name of a table's model. @throws StartError */
export const tableModelName = (table: GivenTable, names: ModelNames): string => {
  const place = tablePlace(table)
  const chosen = ownValue(names, place) ?? ownValue(names, table.key)
  const name = chosen ?? modelNameOf(table.key)
  if (/^[A-Z][A-Za-z0-9]*$/.test(name)) return name
  const problem =
    chosen === undefined
      ? `Cannot derive a model name from ${place}`
      : `The model name ${JSON.stringify(chosen)} must be in PascalCase`
  throw new StartError(`drizzleModels: ${problem}. Set names: { '${place}': 'Product' }.`)
}

export const assertDistinct = (
  models: readonly { readonly name: string; readonly given: GivenTable }[],
): void => {
  const taken = new Map<string, GivenTable>()
  for (const { name, given } of models) {
    const other = taken.get(name)
    if (other !== undefined) {
      const place = tablePlace(given)
      const free = given.app === other.app ? `Other${name}` : `${modelNameOf(given.app)}${name}`
      throw new StartError(
        `drizzleModels: ${tablePlace(other)} and ${place} would both become the model ${name}. Rename one: names: { '${place}': '${free}' }.`,
      )
    }
    taken.set(name, given)
  }
}
