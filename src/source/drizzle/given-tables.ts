import { isTable, isView, type Table, type View } from 'drizzle-orm'
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
const isSource = (value: unknown): value is Table | View =>
  isTable(value) ? Reflect.get(value, Symbol.for('drizzle:IsAlias')) !== true : isView(value)

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
