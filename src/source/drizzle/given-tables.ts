import { isTable, isView, type Table, type View } from 'drizzle-orm'
import { StartError } from '../../error/start-error.ts'
import { isPlainObject } from '../../model/plain-object.ts'
import { entityNames } from './entity.ts'
import type { Dialect } from './table.ts'

/** App label -> what the app's module exports, or the tables of a single app. What is no table is ignored. */
export type Tables = Readonly<Record<string, unknown>>

/** A table or view, and where it stood. */
export interface GivenTable {
  readonly app: string
  readonly key: string
  /** `undefined`: drizzle knows the dialect, we do not. */
  readonly dialect: Dialect | undefined
  readonly source: Table | View
}

/** The tables in the order in which they are given, each of an app's tables once. */
export const givenTables = (tables: Tables): readonly GivenTable[] =>
  appsOf(tables).flatMap(([app, exported]) =>
    Object.entries(exported).flatMap(([key, source]) =>
      isSource(source) ? [{ app, key, source, dialect: dialectOf(source) }] : [],
    ),
  )

const appsOf = (tables: Tables): readonly (readonly [string, object])[] => {
  if (Object.values(tables).some(isSource)) return [['app', tables]]
  return Object.entries(tables).flatMap(([app, exported]) =>
    isPlainObject(exported) ? [[app, exported]] : [],
  )
}

/** An alias is a second name for a table in a query, no table. */
const isSource = (value: unknown): value is Table | View => {
  if (!isTable(value)) return isView(value)
  // Drizzle puts columns into the table, where one of this name takes the place of all that makes it a table.
  const columns: unknown = Reflect.get(value, Symbol.for('drizzle:Columns'))
  if (Object.hasOwn(Object(columns), PROTOTYPE))
    throw prototypeField(String(Reflect.get(value, Symbol.for('drizzle:Name'))))
  return Reflect.get(value, Symbol.for('drizzle:IsAlias')) !== true
}

/** No object of JavaScript can hold a field of this name. */
export const PROTOTYPE = '__proto__'

export const prototypeField = (place: string): StartError =>
  new StartError(
    `${place}: a field cannot be named __proto__. Rename the key: its column keeps its name, as in proto: text('__proto__').`,
  )

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['SQLiteTable', 'sqlite'],
  ['SQLiteViewBase', 'sqlite'],
  ['PgTable', 'pg'],
  ['PgViewBase', 'pg'],
  ['MySqlTable', 'mysql'],
  ['MySqlViewBase', 'mysql'],
])

const dialectOf = (source: Table | View): Dialect | undefined =>
  entityNames(source)
    .map((name) => dialects.get(name))
    .find((dialect) => dialect !== undefined)
