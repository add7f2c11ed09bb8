import { is, SQL, sql } from 'drizzle-orm'
import { ownValue } from '../../model/own-value.ts'
import { causesOf } from '../../observe/causes.ts'
import { DEFAULT, type Row } from '../source.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import type { Database } from './database.ts'
import { codeOf, readRefusal, textOf } from './errors.ts'
import { readPgError } from './pg-errors.ts'

/**
 * What types say of a text that they cannot read, with the states of faults of our own as well: no such relation, type,
 * function or schema (`regclass`, `regtype`, `regproc`), a syntax (`tsquery`), more than an index or a `tsvector` holds.
 */
const doubtful: ReadonlySet<string> = new Set(
  '0A000 3F000 42601 42602 42704 42725 42883 42P01 54000 54001'.split(' '),
)

/** Whether an error that is not a refusal of its own may be about a value of the client's. */
export const mayBeAboutValue = (error: unknown): boolean =>
  [...causesOf(error)].some((inner) => doubtful.has(codeOf(inner)))

/** A column of the table as the database has it, which may be narrower than drizzle's: a domain, a shorter text. */
interface StoredColumn {
  readonly name: string
  readonly type: string
  /** The constraint or index that refused is on it. */
  readonly isNamed: boolean
  readonly isIndexed: boolean
}

/**
 * The fields whose values PostgreSQL refuses, asked for after it refused a write, as its errors hardly ever name a column:
 * those of the constraint or index that the error names, else the first value that its column's type does not take.
 */
export const refusedByPg = async (
  database: Database,
  table: BoundTable,
  values: Row,
  error: unknown,
): Promise<readonly string[]> => {
  const written = table.fields.filter(({ field }) => isGiven(ownValue(values, field.name)))
  const columns = await columnsOf(database, table, constraintIn(error))
  const named = written.filter(({ columnName }) =>
    columns.some(({ name, isNamed }) => isNamed && name === columnName),
  )
  if (named.length > 0) return named.map(({ field }) => field.name)
  for (const bound of written) {
    const type = columns.find(({ name }) => name === bound.columnName)?.type
    const value = ownValue(values, bound.field.name)
    if (type !== undefined && (isCut(value, type) || !(await takes(database, bound, type, value))))
      return [bound.field.name]
  }
  if (![...causesOf(error)].some((inner) => codeOf(inner) === LIMIT_EXCEEDED)) return []
  return written
    .filter(({ columnName }) => columns.some(({ name, isIndexed }) => isIndexed && name === columnName))
    .map(({ field }) => field.name)
    .filter((name) => isLong(ownValue(values, name)))
}

/** What an index on a text says without a word of which index it is. */
const LIMIT_EXCEEDED = '54000'
/** An index row holds 2,704 bytes, or what becomes as few by compression. */
const LONG_IN_INDEX = 2_000

const isLong = (value: unknown): boolean =>
  typeof value === 'string' && Buffer.byteLength(value) > LONG_IN_INDEX

/** The database makes the other values: the client did not send them. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== DEFAULT && !is(value, SQL)

const constraintIn = (error: unknown): string | undefined =>
  [...causesOf(error)]
    .map((inner) => textOf(inner, 'constraint') ?? textOf(inner, 'constraint_name'))
    .find((name) => name !== undefined)

const columnsOf = async (
  database: Database,
  { table }: BoundTable,
  constraint = '',
): Promise<readonly StoredColumn[]> => {
  const place = sql`to_regclass(${database.toQuery(sql`${table}`).sql})`
  const query = sql`select attname, format_type(atttypid, atttypmod), exists (
    select 1 from pg_constraint where conrelid = attrelid and conname = ${constraint} and attnum = any (conkey) and contype = 'c'
  ) or exists (
    select 1 from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = attrelid and relname = ${constraint} and attnum = any (indkey)
  ), exists (select 1 from pg_index where indrelid = attrelid and attnum = any (indkey)) from pg_attribute where attrelid = ${place} and attnum > 0 and not attisdropped`
  const ask = database.prepare(database.toQuery(query), {
    fetch: 'all',
    read: (rows) =>
      rows.map(
        (row): StoredColumn => ({
          name: String(row[0]),
          type: String(row[1]),
          isNamed: row[2] === true,
          isIndexed: row[3] === true,
        }),
      ),
  })
  return (await ask([])) ?? []
}

/** A cast cuts what an assignment refuses, but for spaces at the end. */
const isCut = (value: unknown, type: string): boolean => {
  const most = /^character(?: varying)?\((\d+)\)$/.exec(type)?.[1]
  return (
    most !== undefined && typeof value === 'string' && [...value.replace(/ +$/, '')].length > Number(most)
  )
}

/** @param type as the catalogue writes it */
const takes = async (
  database: Database,
  bound: BoundField,
  type: string,
  value: unknown,
): Promise<boolean> => {
  const cast = sql`select cast(${bound.written(sql.param(bound.encode(value)))} as ${sql.raw(type)})`
  try {
    await database.prepare(database.toQuery(cast), { fetch: 'all', read: () => undefined })([])
    return true
  } catch (error) {
    const kind = readRefusal(error, readPgError)?.kind
    if (kind === 'value' || kind === 'check' || kind === 'not-null' || mayBeAboutValue(error)) return false
    throw error
  }
}
