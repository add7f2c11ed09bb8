import { afterPrefix } from '../../model/text-comparisons.ts'
import type { DialectRow, TextTest } from './dialect.ts'
import type { JsonDialect, JsonValue } from './json-value.ts'
import { readSqliteError } from './sqlite-errors.ts'
import { type Sql, sql } from './text.ts'

const unquoted = (quoted: string): string => quoted.slice(1, -1).replaceAll('""', '"')

/** SQLite's JSON loses a digit of fractions and cannot contain blobs. */
const isExactInJson = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value)

/** A range of the bytes, which an index of the column has. */
const startingWith = (value: string): TextTest => {
  const end = afterPrefix(value)
  const parameters = end === undefined ? [value] : [value, end]
  return {
    ...{ way: end === undefined ? 'from' : 'range', parameters },
    sql: ({ searched, exact = searched }, [from, to]) =>
      to === undefined ? sql`${exact} >= ${from}` : sql`(${exact} >= ${from} and ${exact} < ${to})`,
  }
}

/** @param type its type as SQLite names it @param value as SQL */
const jsonValue = (type: Sql, value: Sql): JsonValue => {
  const text = sql`case ${type} when 'text' then ${value} end`
  return {
    text: { searched: text, exact: text },
    number: sql`case when ${type} in ('integer', 'real') then cast(${value} as real) end`,
    boolean: sql`case when ${type} in ('true', 'false') then ${type} end`,
  }
}

const json: JsonDialect = {
  at: (document, path) => {
    // Drizzle stores some as blobs, which SQLite would take for its own format.
    const text = sql`cast(${document} as text)`
    const valid = sql`case when json_valid(${text}) then ${text} end`
    const type = sql`json_type(${valid}, ${path})`
    const element = jsonValue(sql`element.type`, sql`element.value`)
    return {
      ...jsonValue(type, sql`json_extract(${valid}, ${path})`),
      isNull: sql`coalesce(${type}, 'null') = 'null'`,
      some: (holds) =>
        sql`(${type} = 'array' and exists (select 1 from json_each(${valid}, ${path}) as element where ${holds(element)}))`,
    }
  },
  number: (slot) => sql`cast(${slot} as real)`,
  boolean: (value) => sql.raw(`'${value}'`),
}

export const sqlite: DialectRow = {
  noun: 'SQLite',
  unicodeCaseFolding: false,
  // Not `like`, which compares character by character and starts again at each character of the text: 50 searches for
  // 31 `a` and a `z` in a string of 100,000 `a` would block the process for seconds. `instr` on the lower-case string
  // compares blocks of memory. It takes two to three times as long for other strings.
  text: {
    contains: (value) => ({
      way: 'any',
      parameters: [value],
      sql: ({ searched }, [slot]) => sql`instr(lower(${searched}), lower(${slot})) > 0`,
    }),
    'starts-with': startingWith,
    'equals-ignoring-case': (value) => ({
      way: 'any',
      parameters: [value],
      sql: ({ searched }, [slot]) => sql`lower(${searched}) = lower(${slot})`,
    }),
  },
  json,
  anyOf: {
    toParameter: (values) => (values.every(isExactInJson) ? JSON.stringify(values) : undefined),
    sql: (side, slot) => sql`${side} in (select value from json_each(${slot}))`,
  },
  hasDefaultKeyword: false,
  noValues: sql`default values`,
  // Transactions begin with the write lock.
  locked: sql``,
  relatedBy: 'exists-by-index',
  readsWhatItChanges: true,
  exists: (quoted) =>
    sql`exists (select 1 from sqlite_master where type in ('table', 'view') and name = ${unquoted(quoted)} collate nocase)`,
  // SQLite would run `select 1` without reading its file.
  ping: sql`select 1 from sqlite_master limit 1`,
  place: sql`select file from pragma_database_list where name = 'main'`,
  // `sqlite_stat1` exists once ANALYZE has run. Its strings begin with the number of rows: `1000 10 1`.
  statistics: {
    rowsOf: (quoted) =>
      sql`select max(cast(stat as integer)) from sqlite_stat1 where tbl = ${unquoted(quoted)} collate nocase`,
  },
  comparesRows: false,
  readError: readSqliteError,
  isMissingColumn: ({ message }) => /no such column/.test(message),
}
