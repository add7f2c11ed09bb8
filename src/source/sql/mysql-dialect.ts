import { kinds } from '../../model/kinds/index.ts'
import type { AnyOf, DialectRow, Statistics, TextTest } from './dialect.ts'
import { numberOf, readMysqlError } from './mysql-errors.ts'
import { mysqlJson } from './mysql-json.ts'
import { type Sql, sql } from './text.ts'

const quotedName = /`((?:[^`]|``)+)`/g

/** The condition that finds a table in `information_schema`. @param quoted its quoted name, as in a statement */
const isTableNamed = (quoted: string): Sql => {
  const names = [...quoted.matchAll(quotedName)].map(([, name = '']) => name.replaceAll('``', '`'))
  const [schema, name] = names.length > 1 ? names : [undefined, names[0]]
  return sql`table_schema = ${schema ?? sql`database()`} and table_name = ${name ?? ''}`
}

const lowered = (text: Sql): Sql => sql`lower(convert(${text} using utf8mb4) collate utf8mb4_unicode_520_ci)`

const folds = { short: lowered, sigma: (text: Sql): Sql => sql`replace(${lowered(text)}, 'ς', 'σ')` }

const binary = (text: Sql): Sql => sql`cast(${text} as binary)`

/** Compares the bytes of folded texts: the usual collations ignore accents. */
const folded =
  (compare: (stored: Sql, value: Sql) => Sql) =>
  (value: string): TextTest => {
    const way = /[Σσς]/.test(value) ? 'sigma' : 'short'
    const fold = folds[way]
    return {
      ...{ way, parameters: [value] },
      sql: ({ searched }, [slot = sql``]) => compare(binary(fold(searched)), binary(fold(slot))),
    }
  }

const containing = folded((stored, value) => sql`instr(${stored}, ${value}) > 0`)

/** A pattern that means the same in every SQL mode. */
const literal = (value: string): string => value.replaceAll(/[|%_]/g, '|$&')

/** The pattern can use an index of the column, and may find more. */
const startingWith = (value: string): TextTest => ({
  ...{ way: 'any', parameters: [`${literal(value)}%`, value] },
  sql: ({ searched, exact = binary(searched) }, [pattern, slot = sql``]) =>
    sql`(${searched} like ${pattern} escape '|' and instr(${exact}, ${binary(slot)}) = 1)`,
})

/** Compares text only byte for byte: columns with different collations cannot be compared otherwise. */
const anyOf: AnyOf = {
  toParameter: (values, { kind }) => {
    const isExact = kinds[kind].textual
      ? (value: unknown) => typeof value === 'string'
      : (value: unknown) => kind === 'integer' && Number.isSafeInteger(value)
    return values.every(isExact) ? JSON.stringify(values) : undefined
  },
  sql: (side, slot) =>
    sql`${side} in (select value from json_table(${slot}, '$[*]' columns (value bigint path '$')) as listed)`,
  exactSql: (exact, slot) =>
    sql`${exact} in (select cast(value as binary) from json_table(${slot}, '$[*]' columns (value longtext path '$')) as listed)`,
}

const statistics: Statistics = {
  // Null for a view.
  rowsOf: (quoted) => sql`select table_rows from information_schema.tables where ${isTableNamed(quoted)}`,
  plan: {
    explain: (select) => sql`explain format=json ${select}`,
    readRows: (cell) =>
      joinedRows(memberOf(typeof cell === 'string' ? JSON.parse(cell) : cell, 'query_block')),
  },
}

/** MySQL reports the rows after each table; MariaDB the rows that it reads, and the percentage that remains. */
const joinedRows = (block: unknown): number | undefined => {
  const loop = memberOf(block, 'nested_loop')
  const tables = (Array.isArray(loop) ? loop : [block]).map((step: unknown) => memberOf(step, 'table'))
  const produced = memberOf(tables.at(-1), 'rows_produced_per_join')
  if (typeof produced === 'number') return produced
  return tables.reduce<number | undefined>((rows, table) => {
    const [read, percent] = [memberOf(table, 'rows'), memberOf(table, 'filtered')]
    if (rows === undefined || typeof read !== 'number' || typeof percent !== 'number') return undefined
    return Math.round((rows * read * percent) / 100)
  }, 1)
}

const memberOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

export const mysql: DialectRow = {
  noun: 'MySQL',
  unicodeCaseFolding: true,
  text: {
    contains: containing,
    'starts-with': startingWith,
    'equals-ignoring-case': folded((stored, value) => sql`${stored} = ${value}`),
  },
  json: mysqlJson(containing),
  anyOf,
  // MySQL sorts nulls as the smallest value.
  nullsLargest: (name, side, direction) =>
    direction === 'asc' ? sql`${name} is null asc, ${side} asc` : sql`${name} is null desc, ${side} desc`,
  hasDefaultKeyword: true,
  noValues: sql`() values ()`,
  locked: sql` for update`,
  relatedBy: 'in-always',
  concludesRanges: true,
  readsWhatItChanges: false,
  exists: (quoted) => sql`exists (select 1 from information_schema.tables where ${isTableNamed(quoted)})`,
  // A Galera node without a quorum refuses it.
  ping: sql`select 1`,
  place: sql`select database()`,
  statistics,
  comparesRows: false,
  readError: readMysqlError,
  isMissingColumn: (error) => numberOf(error) === 1054,
}
