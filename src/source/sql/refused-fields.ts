import { errorHandlingOf, ownValue } from '../../model/objects.ts'
import { causesOf } from '../../observe/log.ts'
import { DEFAULT, type Row } from '../source.ts'
import type { BoundField, BoundTable } from './bound-table.ts'
import { equalSql } from './condition.ts'
import { type Database, runOnce, whereTrue } from './database.ts'
import { readErrorOf } from './dialects.ts'
import { codeOf, type DriverRefusal, readRefusal, textProperty } from './errors.ts'
import { type BrokenKey, type BrokenKeys, mayBeMissing, mayHold, type RefusingTable } from './refusals.ts'
import type { ForeignKey } from './table.ts'
import { listSql, Sql, sql } from './text.ts'

interface Suspect extends BrokenKey {
  readonly query: Sql
}

/** What refusals of the tables of a database are about. */
export const refusingTables = (
  database: Database,
  tables: () => readonly BoundTable[],
): ((table: BoundTable) => RefusingTable) => {
  const brokenKeys = brokenKeysOf(database, tables)
  const errorHandling = errorHandlingOf(database)
  return (table) => ({
    errorHandling,
    readError: readErrorOf(database),
    fieldsOf: (refusal) => fieldsOf(table, refusal),
    brokenKeys: brokenKeys(table),
    refusedFields: (values, error, isOfValue) =>
      database.dialect === 'pg' && (isOfValue || mayBeAboutValue(error))
        ? () => refusedByPg(database, table, values, error)
        : undefined,
  })
}

const fieldsOf = (
  { table }: BoundTable,
  { columns = [], check, index }: DriverRefusal,
): readonly string[] => [
  ...(index === undefined ? [] : (table.indexes.find(({ names }) => names.includes(index))?.fields ?? [])),
  ...table.columns.filter(({ name }) => columns.includes(name)).map(({ field }) => field.name),
  ...table.checks.filter(({ name }) => name === check).flatMap(({ fields }) => fields),
]

const brokenKeysOf = (
  database: Database,
  tables: () => readonly BoundTable[],
): ((table: BoundTable) => BrokenKeys) => {
  const broken = (suspects: readonly Suspect[]) => whereTrue(database, suspects, ({ query }) => query)
  return (table) => ({
    missing: (values, key) => {
      const suspects = mayBeMissing(table.table.foreignKeys, values, key).map((foreignKey): Suspect => {
        const parts = foreignKey.fields.map((name) => partOf(table, name, values, key))
        return { model: table.model.name, fields: foreignKey.fields, query: missingSql(foreignKey, parts) }
      })
      return broken(suspects)
    },

    holding: (key, changed) => {
      const suspects = tables().flatMap((owner) =>
        mayHold(owner.table.foreignKeys, changed)
          .filter((foreignKey) => foreignKey.table === table.table.sql)
          .map((foreignKey): Suspect => {
            const query = holdingSql(owner, table, foreignKey, key)
            return { model: owner.model.name, fields: foreignKey.fields, query }
          }),
      )
      return broken(suspects)
    },
  })
}

/** A part of a key after the write. `isStored`: read from the record, where null means no reference. */
const partOf = (table: BoundTable, name: string, values: Row, key: readonly unknown[] = []) => {
  const { name: column, encode } = table.fieldOf(name)
  return ownValue(values, name) === undefined
    ? { isStored: true, value: sql`(select ${column} from ${table.own} where ${isRecord(table, key)})` }
    : { isStored: false, value: sql.value(encode(ownValue(values, name))) }
}

const isRecord = (table: BoundTable, key: readonly unknown[]): Sql =>
  sql.join(
    table.key.map((bound, place) => equalSql(bound, sql.value(bound.encodeCompared(key[place])))),
    sql` and `,
  )

const missingSql = ({ table, columns }: ForeignKey, parts: readonly ReturnType<typeof partOf>[]): Sql => {
  const referred = sql.raw(table)
  const equal = parts.map(
    ({ value }, place) => sql`${referred}.${sql.identifier(columns[place] ?? '')} = ${value}`,
  )
  const stored = parts.filter(({ isStored }) => isStored).map(({ value }) => sql`${value} is not null and `)
  return sql`(${sql.join(stored)}not exists (select 1 from ${referred} where ${sql.join(equal, sql` and `)}))`
}

/** Reads the referenced record in a subquery, so that a table may refer to itself. */
const holdingSql = (
  owner: BoundTable,
  held: BoundTable,
  { fields, references }: ForeignKey,
  key: readonly unknown[],
): Sql => {
  const list = listSql(fields.map((name) => owner.qualified().fieldOf(name).name))
  const own = fields.length === 1 ? list : sql`(${list})`
  const referred = listSql(references.map((name) => held.fieldOf(name).name))
  return sql`exists (select 1 from ${owner.own} where ${own} = (select ${referred} from ${held.own} where ${isRecord(held, key)}))`
}

/**
 * States of strings that a type cannot read, which may also be bugs of modelrest: unknown relation, type, function or
 * schema (`regclass`, `regtype`, `regproc`), syntax errors (`tsquery`), and strings too large for an index or a
 * `tsvector`.
 */
const doubtful: ReadonlySet<string> = new Set(
  '0A000 3F000 42601 42602 42704 42725 42883 42P01 54000 54001'.split(' '),
)

const mayBeAboutValue = (error: unknown): boolean =>
  [...causesOf(error)].some((inner) => doubtful.has(codeOf(inner)))

/** The column in the database, which may be narrower than what is declared: a domain, a shorter text. */
interface DatabaseColumn {
  readonly name: string
  readonly type: string
  /** The violated constraint or index includes it. */
  readonly isNamed: boolean
  readonly isIndexed: boolean
}

/**
 * Queries the database for the fields whose values PostgreSQL refused, because its errors rarely name a column: the
 * fields of the constraint or index in the error, else the first value that does not fit the type of its column.
 */
const refusedByPg = async (
  database: Database,
  table: BoundTable,
  values: Row,
  error: unknown,
): Promise<readonly string[]> => {
  const written = table.fields.filter((bound) => isSent(bound, ownValue(values, bound.field.name)))
  const columns = await columnsOf(database, table, constraintIn(error))
  const named = written.filter(({ column }) =>
    columns.some(({ name, isNamed }) => isNamed && name === column.name),
  )
  if (named.length > 0) return named.map(({ field }) => field.name)
  for (const bound of written) {
    const type = columns.find(({ name }) => name === bound.column.name)?.type
    const value = ownValue(values, bound.field.name)
    if (type !== undefined && (isCut(value, type) || !(await takes(database, bound, type, value))))
      return [bound.field.name]
  }
  if (![...causesOf(error)].some((inner) => codeOf(inner) === LIMIT_EXCEEDED)) return []
  return written
    .filter(({ column }) => columns.some(({ name, isIndexed }) => isIndexed && name === column.name))
    .map(({ field }) => field.name)
    .filter((name) => isLong(ownValue(values, name)))
}

/** An index on a text column throws this without naming the index. */
const LIMIT_EXCEEDED = '54000'
/** An index row may have 2,704 bytes after compression. */
const LONG_IN_INDEX = 2_000

const isLong = (value: unknown): boolean =>
  typeof value === 'string' && Buffer.byteLength(value) > LONG_IN_INDEX

/** The database computes other values, so the client did not send them. */
const isSent = ({ encode }: BoundField, value: unknown): boolean =>
  value !== undefined && value !== DEFAULT && !(encode(value) instanceof Sql)

const constraintIn = (error: unknown): string | undefined =>
  [...causesOf(error)]
    .map((inner) => textProperty(inner, 'constraint') ?? textProperty(inner, 'constraint_name'))
    .find((name) => name !== undefined)

const columnsOf = async (
  database: Database,
  { table }: BoundTable,
  constraint = '',
): Promise<readonly DatabaseColumn[]> => {
  const place = sql`to_regclass(${table.sql})`
  const query = sql`select attname, format_type(atttypid, atttypmod), exists (
    select 1 from pg_constraint where conrelid = attrelid and conname = ${constraint} and attnum = any (conkey) and contype = 'c'
  ) or exists (
    select 1 from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = attrelid and relname = ${constraint} and attnum = any (indkey)
  ), exists (select 1 from pg_index where indrelid = attrelid and attnum = any (indkey)) from pg_attribute where attrelid = ${place} and attnum > 0 and not attisdropped`
  const columns = await runOnce(database, query, (rows) =>
    rows.map((row): DatabaseColumn => {
      const [isNamed, isIndexed] = [row[2] === true, row[3] === true]
      return { name: String(row[0]), type: String(row[1]), isNamed, isIndexed }
    }),
  )
  return columns ?? []
}

/** Whether an assignment would refuse this string, because a cast truncates more than trailing spaces. */
const isCut = (value: unknown, type: string): boolean => {
  const most = /^character(?: varying)?\((\d+)\)$/.exec(type)?.[1]
  return (
    most !== undefined && typeof value === 'string' && [...value.replace(/ +$/, '')].length > Number(most)
  )
}

const takes = async (
  database: Database,
  bound: BoundField,
  type: string,
  value: unknown,
): Promise<boolean> => {
  const cast = sql`select cast(${bound.written(sql.value(bound.encode(value)))} as ${sql.raw(type)})`
  try {
    await runOnce(database, cast, () => undefined)
    return true
  } catch (error) {
    const kind = readRefusal(error, readErrorOf(database))?.kind
    if (kind === 'value' || kind === 'check' || kind === 'not-null' || mayBeAboutValue(error)) return false
    throw error
  }
}
