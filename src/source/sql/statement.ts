import { LRUCache } from 'lru-cache'
import { type ErrorHandling, errorHandlingOf, onceFor } from '../../model/objects.ts'
import { sharing, sharingKey } from '../sharing.ts'
import type { Awaitable, Row } from '../source.ts'
import { type BoundField, type BoundTable, type NamedField, rowReader } from './bound-table.ts'
import {
  columnsSql,
  type Database,
  type Naming,
  type RawRow,
  type StatementPurpose,
  spellingOf,
} from './database.ts'
import { filled, listSql, type Query, queryOf, Sql, sql } from './text.ts'

/** A statement under construction. Two statements of the same purpose are equal if their keys are. */
export interface StatementDraft {
  readonly table: BoundTable
  /** The structure of the statement, without values. */
  key: string
  /** Values for the driver. SQL expressions become part of the statement. */
  readonly values: unknown[]
  /** Whether the same plan is the best for all values. Follows from the structure. */
  hasOnePlan: boolean
  /** How many of the matching records it reads. `candidates`: a page, of few records. */
  extent: 'one' | 'candidates' | 'page' | 'all'
}

export const draftOf = (table: BoundTable, key = ''): StatementDraft => ({
  table,
  key,
  values: [],
  hasOnePlan: false,
  extent: 'all',
})

export const addValue = ({ values }: StatementDraft, value: unknown): number => values.push(value) - 1

export type Slots = (place: number) => Sql

/** Builds the SQL of a draft, or a part of it. Called only if the statement is not cached. */
export type Build = (slots: Slots) => Sql

type Run<T> = (draft: StatementDraft, build: Build, inside?: Database) => Awaitable<T | undefined>

interface RowReading {
  /** For statement keys; empty for all fields. */
  readonly shape: string
  readonly columns: Sql
  readonly readRows: (rows: readonly RawRow[]) => readonly Row[]
}

/** The parts of a select. */
export interface SelectParts {
  readonly columns: Sql
  readonly from: Sql
  readonly joins?: Sql
  /** Absent: of all records. */
  readonly where?: Sql | undefined
  readonly groupBy?: readonly Sql[]
  readonly having?: Sql | undefined
  readonly orderBy?: readonly Sql[]
  /** ` limit …`, with the numbers that it has. */
  readonly page?: Sql
  readonly limit?: number
  readonly offset?: number
  readonly lock?: Sql | undefined
}

/** @default no part that is missing */
export const selectSql = ({
  columns,
  from,
  joins,
  where,
  groupBy = [],
  having,
  orderBy = [],
  page,
  lock,
}: SelectParts): Sql =>
  sql`select ${columns} from ${from}${joins}${where && sql` where ${where}`}${groupBy.length > 0 ? sql` group by ${listSql(groupBy)}` : undefined}${having && sql` having ${having}`}${orderBy.length > 0 ? sql` order by ${listSql(orderBy)}` : undefined}${page}${lock}`

/** How an ORM reads a table itself, because code of the application adds conditions to its reads. */
export interface Finds {
  find(select: SelectParts): Promise<readonly RawRow[]>
  count(where: Sql | undefined): Promise<number>
}

/** Builds a select of a draft. Called only if the statement is not cached. */
type BuildSelect = (slots: Slots) => SelectParts

export interface TableAccess extends ErrorHandling, RowReading {
  readonly database: Database
  readonly table: BoundTable
  readonly finds: Finds | undefined
  readonly readingOf: (names: readonly string[]) => RowReading
  readonly readFirst: (rows: readonly RawRow[]) => Row | undefined
  reads<T>(purpose: StatementPurpose<T>): Run<T>
  writes<T>(purpose: StatementPurpose<T>): Run<T>
  /** Reads by a select, or by the finds of the ORM. */
  selects<T>(
    purpose: StatementPurpose<T>,
  ): (draft: StatementDraft, build: BuildSelect) => Awaitable<T | undefined>
}

/** @param finds how the ORM reads the table itself, whose alias is that of its finds. Absent: the engine does */
export const accessTo = (database: Database, table: BoundTable, finds?: Finds): TableAccess => {
  const changes = table.table.isView ? {} : { changes: table.table }
  const readRow = rowReader(table.model, table.fields)
  const reads: TableAccess['reads'] = (purpose) => keptStatements(database, { ...purpose, of: table.table })
  return {
    ...errorHandlingOf(database),
    ...reading(database, '', table.fields, readRow),
    database,
    table,
    finds,
    readingOf: (names) => readingIn(database, table, names),
    readFirst: (rows) => rows[0] && readRow(rows[0]),
    reads,
    writes: (purpose) => keptStatements(database, { ...purpose, of: table.table, ...changes }),
    selects: (purpose) => {
      if (finds !== undefined)
        return async (draft, build) => purpose.read(await finds.find(build(draftValues(draft))))
      const run = reads(purpose)
      return (draft, build) => run(draft, (slots) => selectSql(build(slots)))
    },
  }
}

/** Puts the values of a draft into the statement. */
export const draftValues =
  ({ values }: StatementDraft): Slots =>
  (place) =>
    sql.value(values[place])

/** Without values of other tables: kept, since a cached query string has the same array for the same fields. */
const plainReadings = onceFor((naming: Naming) =>
  onceFor((table: BoundTable) => {
    const all = newReading(naming, table, undefined, [])
    const some = onceFor((names: readonly string[]) => newReading(naming, table, names, []))
    return (names: readonly string[] | undefined) => (names === undefined ? all : some(names))
  }),
)

/** Reads these fields of a table, or all, and values of other tables. */
export const readingIn = (
  naming: Naming,
  table: BoundTable,
  names: readonly string[] | undefined,
  others: readonly NamedField[] = [],
): RowReading =>
  others.length === 0 ? plainReadings(naming)(table)(names) : newReading(naming, table, names, others)

const newReading = (
  naming: Naming,
  table: BoundTable,
  names: readonly string[] | undefined,
  others: readonly NamedField[],
): RowReading => {
  const fields = names?.map(table.fieldOf).sort((a, b) => a.place - b.place)
  const shape = fields === undefined ? '' : fields.map(({ place }) => place).join()
  const read = fields ?? table.fields
  const columns = [...read, ...others.map(({ bound }) => bound)]
  return reading(naming, shape, columns, rowReader(table.model, read, others))
}

const reading = (
  naming: Naming,
  shape: string,
  fields: readonly BoundField[],
  readRow: (raw: RawRow) => Row,
): RowReading => ({
  shape,
  columns: columnsSql(
    naming,
    fields.map(({ selected }) => selected),
  ),
  readRows: (rows) => rows.map(readRow),
})

/**
 * Total length of the cached prepared statements of a database, because clients determine the number of different ones. On
 * SQLite, each character takes about 15 bytes.
 */
const KEPT_CHARACTERS = 2_000_000

/** Statements with more values are not cached: a list of many values is unlikely to have the same length again. */
const KEPT_VALUES = 200

/** A prepared statement. It runs where it was prepared, or in the transaction `inside`. */
type Kept<T> = (values: readonly unknown[], inside?: Database) => Awaitable<T | undefined>

const keptIn = onceFor((_database: Database) => ({
  purposes: 0,
  statements: new LRUCache<string, Kept<unknown>>({ maxSize: KEPT_CHARACTERS }),
}))

/** Does not cache statements with SQL expressions as values, or with very many values. */
const keptStatements = <T>(database: Database, purpose: StatementPurpose<T>): Run<T> => {
  const kept = keptIn(database)
  const own = kept.purposes++
  let lastKey: string | undefined
  let last: Kept<T> | undefined
  const spelling = spellingOf(database)
  const hasLiterals = spelling.literal !== undefined
  const written = ({ values }: StatementDraft, build: Build): Query =>
    queryOf(
      build((place) => {
        const value = values[place]
        return hasLiterals || value instanceof Sql ? sql.value(value) : sql.slot(place)
      }),
      spelling,
    )
  const find = (draft: StatementDraft, build: Build): Kept<T> => {
    const key = `${own} ${draft.key}`
    let statement = kept.statements.get(key) as Kept<T> | undefined
    if (statement === undefined) {
      const query = written(draft, build)
      const { text, count, order } = query
      const prepared = database.prepare(text, count, { ...purpose, hasOnePlan: draft.hasOnePlan })
      statement = (values, inside) => {
        const given = order === undefined && values.length === count ? values : filled(query, values)
        return inside === undefined ? prepared(given) : inside.run(text, given, purpose)
      }
      kept.statements.set(key, statement, { size: text.length })
    }
    lastKey = draft.key
    last = statement
    return statement
  }
  return (draft, build, inside) => {
    const { key, values } = draft
    if (hasLiterals || values.length > KEPT_VALUES || values.some((value) => value instanceof Sql)) {
      const query = written(draft, build)
      return (inside ?? database).run(query.text, filled(query, values), purpose)
    }
    const statement = last !== undefined && lastKey === key ? last : find(draft, build)
    return statement(values, inside)
  }
}

/** Concurrent requests for the same result share a statement. */
export const shareConcurrent = <T, Built>(
  { sharesReads }: Database,
  run: (draft: StatementDraft, build: Built) => Awaitable<T | undefined>,
): typeof run => {
  if (!sharesReads) return run
  const share = sharing<T | undefined>()
  return (draft, build) => {
    const key = sharingKey(draft.key, draft.values)
    return key === undefined ? run(draft, build) : share(key, () => run(draft, build))
  }
}

/**
 * ` limit …`, with an offset if there is one. If they are the only values besides primary keys, they become part of the text,
 * so that PostgreSQL can keep the plan: it plans poorly for a limit that it does not know.
 */
export const compilePage = (
  limit: number,
  offset: number | undefined,
  draft: StatementDraft,
  { keepsPlans }: Database,
  keys = 0,
): Build => {
  if (keepsPlans && draft.values.length === keys && !offset && Number.isSafeInteger(limit)) {
    draft.hasOnePlan = true
    draft.key += ` limit${limit}`
    return () => sql.raw(` limit ${limit}`)
  }
  const limitAt = addValue(draft, limit)
  if (offset === undefined) return (slots) => sql` limit ${slots(limitAt)}`
  const offsetAt = addValue(draft, offset)
  return (slots) => sql` limit ${slots(limitAt)} offset ${slots(offsetAt)}`
}
