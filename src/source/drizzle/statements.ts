import { is, isTable, type Query, SQL, type SQLChunk, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { type Execution, executionOf, onceFor } from '../../model/objects.ts'
import { sharing, sharingKey } from '../sharing.ts'
import type { Awaitable, Row } from '../source.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import type { Database, Purpose, Statement } from './database.ts'
import { type NamedField, rowReader } from './decode.ts'
import type { RawRow } from './internals.ts'

/** A statement under construction. Two statements of the same purpose are equal if their keys are. */
export interface StatementDraft {
  readonly table: BoundTable
  /** The structure of the statement, without values. */
  key: string
  /** Values for the driver. SQL expressions become part of the statement. */
  readonly values: unknown[]
  /** Whether the same plan is the best for all values. Follows from the structure. */
  hasOnePlan: boolean
  /** How many of the matching records it reads. */
  extent: 'one' | 'page' | 'all'
}

export const draftOf = (table: BoundTable, key = ''): StatementDraft => ({
  table,
  key,
  values: [],
  hasOnePlan: false,
  extent: 'all',
})

export const addValue = ({ values }: StatementDraft, value: unknown): number => values.push(value) - 1

export type Slots = (place: number) => SQLChunk

/** Builds the SQL of a draft, or a part of it. Called only if the statement is not cached. */
export type Build = (slots: Slots) => SQL

type Run<T> = (draft: StatementDraft, build: Build, inside?: Database) => Awaitable<T | undefined>

export interface Reading {
  /** For statement keys; empty for all fields. */
  readonly shape: string
  readonly columns: SQL
  readonly readRows: (rows: readonly RawRow[]) => readonly Row[]
}

export interface TableAccess extends Execution, Reading {
  readonly database: Database
  readonly table: BoundTable
  readonly readingOf: (names: readonly string[]) => Reading
  readonly readFirst: (rows: readonly RawRow[]) => Row | undefined
  reads<T>(purpose: Purpose<T>): Run<T>
  writes<T>(purpose: Purpose<T>): Run<T>
  /** For statements that are unlikely to come again: their values are the parameters of the query. */
  readsOnce<T>(purpose: Purpose<T>): (query: Query) => Awaitable<T | undefined>
  writesOnce<T>(purpose: Purpose<T>): (query: Query) => Awaitable<T | undefined>
}

export const accessTo = (database: Database, table: BoundTable): TableAccess => {
  const changes = isTable(table.table) ? { changes: table.table } : {}
  const readRow = rowReader(table.model, table.fields)
  return {
    ...executionOf(database),
    ...reading('', table.fields, readRow),
    database,
    table,
    // A cached query string has the same array for the same fields.
    readingOf: onceFor((names: readonly string[]) => readingIn(table, names)),
    readFirst: (rows) => rows[0] && readRow(rows[0]),
    reads: (purpose) => keptStatements(database, { ...purpose, of: table }),
    writes: (purpose) => keptStatements(database, { ...purpose, of: table, ...changes }),
    readsOnce: (purpose) => (query) => database.prepare(query, { ...purpose, of: table })([]),
    writesOnce: (purpose) => (query) => database.prepare(query, { ...purpose, of: table, ...changes })([]),
  }
}

/** Reads these fields of a table, or all, and values of other tables. */
export const readingIn = (
  table: BoundTable,
  names: readonly string[] | undefined,
  others: readonly NamedField[] = [],
): Reading => {
  const fields = names?.map(table.fieldOf).sort((a, b) => a.place - b.place)
  const shape = fields === undefined ? '' : fields.map(({ place }) => place).join()
  const read = fields ?? table.fields
  const columns = [...read, ...others.map(({ bound }) => bound)]
  return reading(shape, columns, rowReader(table.model, read, others))
}

const reading = (shape: string, fields: readonly BoundField[], readRow: (raw: RawRow) => Row): Reading => ({
  shape,
  columns: listSql(fields.map(({ selected }) => selected)),
  readRows: (rows) => rows.map(readRow),
})

/** `a, b` */
export const listSql = (parts: readonly SQLChunk[]): SQL => sql.join([...parts], sql`, `)

/**
 * Total length of the cached prepared statements of a database, because clients determine the number of different ones. On
 * SQLite, each character takes about 15 bytes.
 */
const KEPT_CHARACTERS = 2_000_000

/** Statements with more values are not cached: a list of many values is unlikely to have the same length again. */
const KEPT_VALUES = 200

const keptIn = onceFor((_database: Database) => ({
  purposes: 0,
  statements: new LRUCache<string, Statement<unknown>>({ maxSize: KEPT_CHARACTERS }),
}))

/** Does not cache statements with SQL expressions as values, or with very many values. */
const keptStatements = <T>(database: Database, purpose: Purpose<T>): Run<T> => {
  const kept = keptIn(database)
  const own = kept.purposes++
  let lastKey: string | undefined
  let last: Statement<T | undefined> | undefined
  const queryOf = ({ values }: StatementDraft, build: Build): Query => {
    const slots: Slots = (place) => {
      const value = values[place]
      return isSql(value) ? value : sql.placeholder(String(place))
    }
    return database.toQuery(build(slots))
  }
  const find = (draft: StatementDraft, build: Build): Statement<T | undefined> => {
    const key = `${own} ${draft.key}`
    let statement = kept.statements.get(key) as Statement<T | undefined> | undefined
    if (statement === undefined) {
      const query = queryOf(draft, build)
      statement = database.prepare(query, { ...purpose, hasOnePlan: draft.hasOnePlan })
      kept.statements.set(key, statement, { size: query.sql.length })
    }
    lastKey = draft.key
    last = statement
    return statement
  }
  return (draft, build, inside) => {
    const { key, values } = draft
    if (values.length > KEPT_VALUES || values.some(isSql))
      return database.prepare(queryOf(draft, build), purpose)(values, inside)
    const statement = last !== undefined && lastKey === key ? last : find(draft, build)
    return statement(values, inside)
  }
}

export const isSql = (value: unknown): value is SQL =>
  typeof value === 'object' && value !== null && is(value, SQL)

/** Concurrent requests for the same result share a statement. */
export const shareConcurrent = <T>({ sharesReads }: Database, run: Run<T>): Run<T> => {
  if (!sharesReads) return run
  const share = sharing<T | undefined>()
  return (draft, build) => {
    const key = sharingKey(draft.key, draft.values)
    return key === undefined ? run(draft, build) : share(key, () => run(draft, build))
  }
}
