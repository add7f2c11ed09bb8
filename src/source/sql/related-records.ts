import type { BoundField, BoundTable } from './bound-table.ts'
import type {} from './database.ts'
import { arrayLiteral } from './lists.ts'
import { addValue, type Build, type StatementDraft } from './statement.ts'
import { type Dialect, listSql, type Sql, sql } from './text.ts'

/** For each record, the values by which it is related, in the form of the driver. */
export type RelatedKeys = readonly (readonly unknown[])[]

/** How a statement has a list of records as the table `record`, with the columns `ordinal`, `key0`, `key1`. */
type RecordsTable = (types: Columns, keys: RelatedKeys, draft: StatementDraft) => Build

/** The columns that determine the types of the keys. */
export interface Columns {
  readonly table: BoundTable
  readonly fields: readonly BoundField[]
}

const [record, place] = [sql.identifier('record'), sql.identifier('ordinal')]

/** The place of a record in the list, from 1. */
export const ordinal: Sql = sql`${record}.${place}`

const keyColumn = (at: number): Sql => sql.identifier(`key${at}`)

export const keyNamed = (at: number): Sql => sql`${record}.${keyColumn(at)}`

/** PostgreSQL determines the types by the columns: `array(…) || $1`. */
const arrays: RecordsTable = ({ table: { from }, fields }, keys, draft) => {
  const places = fields.map((_, at) => addValue(draft, arrayLiteral(keys.map((key) => key[at]))))
  return (slots) => {
    const lists = fields.map(
      ({ compared }, at) => sql`array(select ${compared} from ${from} limit 0) || ${slots(places[at] ?? 0)}`,
    )
    const names = fields.map((_, at) => sql.raw(`"key${at}"`))
    return sql`unnest(${listSql(lists)}) with ordinality as "record"(${listSql(names)}, "ordinal")`
  }
}

/** SQLite's JSON loses a digit of fractions and cannot contain blobs. */
const isExactInJson = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value)

/** Without a limit, SQLite would read the JSON again for each record that it compares with the list. */
const json: RecordsTable = (types, keys, draft) => {
  if (!keys.every((key) => key.every(isExactInJson))) return values(types, keys, draft)
  const { fields } = types
  const isSingle = fields.length === 1
  const at = addValue(draft, JSON.stringify(isSingle ? keys.flat() : keys))
  draft.key += 'json'
  const names = isSingle
    ? [sql.raw('value as "key0"')]
    : fields.map((_, part) => sql.raw(`value ->> '$[${part}]' as "key${part}"`))
  return (slots) =>
    sql`(select key + 1 as "ordinal", ${listSql(names)} from json_each(${slots(at)}) limit -1) as "record"`
}

const values: RecordsTable = ({ fields }, keys, draft) => {
  draft.key += `values${keys.length}`
  const places = keys.map((key) => key.map((value) => addValue(draft, value)))
  const names = fields.map((_field, part) => sql.raw(`column${part + 2} as "key${part}"`))
  return (slots) => {
    const rows = places.map((parts, at) => sql`(${sql.raw(String(at + 1))}, ${listSql(parts.map(slots))})`)
    return sql`(select column1 as "ordinal", ${listSql(names)} from (values ${listSql(rows)})) as "record"`
  }
}

/** MySQL would compare digits in a text with a number as inexact floats. */
const exactNumber = (field: BoundField | undefined, slot: Sql): Sql => {
  const { kind, scale = 0 } = field?.column.stored ?? {}
  return kind === 'bigint' || kind === 'decimal'
    ? sql`cast(${slot} as decimal(65, ${sql.raw(String(scale))}))`
    : slot
}

/**
 * MySQL compares the text of such a table by the collation of the connection, unless the column that it is compared with
 * determines it.
 */
const typed: RecordsTable = ({ table: { from }, fields }, keys, draft) => {
  draft.key += `typed${keys.length}`
  const places = keys.map((key) => key.map((value) => addValue(draft, value)))
  const types = fields.map(({ name }, part) => sql`${name} as ${keyColumn(part)}`)
  return (slots) => {
    const rows = places.map((parts, at) => {
      const exact = parts.map((part, column) => exactNumber(fields.at(column), slots(part)))
      return sql` union all select ${sql.raw(String(at + 1))}, ${listSql(exact)}`
    })
    return sql`(select 0 as ${place}, ${listSql(types)} from ${from} where false${sql.join(rows)}) as ${record}`
  }
}

const tables: Readonly<Record<Dialect, RecordsTable>> = { pg: arrays, sqlite: json, mysql: typed }

export const recordsTableOf = (dialect: Dialect): RecordsTable => tables[dialect]
