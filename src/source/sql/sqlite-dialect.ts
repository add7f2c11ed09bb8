import { afterPrefix } from '../../model/text-comparisons.ts'
import type { DialectRow, TextTest } from './dialect.ts'
import { readSqliteError } from './sqlite-errors.ts'
import { sqliteJson } from './sqlite-json.ts'
import { sql } from './text.ts'

const unquoted = (quoted: string): string => quoted.slice(1, -1).replaceAll('""', '"')

/** SQLite's JSON loses a digit of fractions and cannot contain blobs. */
const isExactInJson = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value)

// Not `like`, which compares character by character and starts again at each character of the text: 50 searches for
// 31 `a` and a `z` in a string of 100,000 `a` would block the process for seconds. `instr` on the lower-case string
// compares blocks of memory. It takes two to three times as long for other strings.
const containing = (value: string): TextTest => ({
  way: 'any',
  parameters: [value],
  sql: ({ searched }, [slot]) => sql`instr(lower(${searched}), lower(${slot})) > 0`,
})

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

export const sqlite: DialectRow = {
  noun: 'SQLite',
  unicodeCaseFolding: false,
  text: {
    contains: containing,
    'starts-with': startingWith,
    'equals-ignoring-case': (value) => ({
      way: 'any',
      parameters: [value],
      sql: ({ searched }, [slot]) => sql`lower(${searched}) = lower(${slot})`,
    }),
  },
  json: sqliteJson(containing),
  anyOf: {
    toParameter: (values) => (values.every(isExactInJson) ? JSON.stringify(values) : undefined),
    sql: (side, slot) => sql`${side} in (select value from json_each(${slot}))`,
  },
  hasDefaultKeyword: false,
  noValues: sql`default values`,
  // Transactions begin with the write lock.
  locked: sql``,
  relatedBy: 'exists-by-index',
  concludesRanges: true,
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
