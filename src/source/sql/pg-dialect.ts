import type { DialectRow, Statistics, TextTest } from './dialect.ts'
import { codeOf } from './errors.ts'
import { arrayLiteral } from './lists.ts'
import { readPgError } from './pg-errors.ts'
import { pgJson } from './pg-json.ts'
import { type Sql, sql } from './text.ts'

/** Types whose text PostgreSQL reads as the same value inside an array literal. */
const plain: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean'])

/** A pattern of `like` in which every character of the value is literal. */
const literal = (value: string): string => value.replaceAll(/[\\%_]/g, '\\$&')

// The lower case of a sigma depends on the characters after it, so a string might not contain its own beginning.
const folds = {
  usual: (text: Sql): Sql => sql`lower(${text})`,
  sigma: (text: Sql): Sql => sql`translate(lower(${text}), 'ς', 'σ')`,
}

const foldOf = (value: string): keyof typeof folds => (/[Σσς]/.test(value) ? 'sigma' : 'usual')

/** From this length, folding the value for each row dominates the cost. */
const LONG = 100

const containing = (value: string): TextTest => {
  const way = foldOf(value)
  // Can use a trigram index of the column.
  if (way === 'usual' && value.length <= LONG)
    return {
      ...{ way: 'short', parameters: [`%${literal(value)}%`] },
      sql: ({ searched }, [slot]) => sql`${searched} ilike ${slot}`,
    }
  const fold = folds[way]
  return {
    ...{ way, parameters: [value] },
    // Folds the value once for all rows, while `ilike` folds it for each row.
    sql: ({ searched }, [slot = sql``]) => sql`strpos(${fold(searched)}, (select ${fold(slot)})) > 0`,
  }
}

/** Can use an index of the column whose collation is `C`, or whose operators are those of patterns or trigrams. */
const startingWith = (value: string): TextTest => ({
  ...{ way: 'any', parameters: [`${literal(value)}%`] },
  sql: ({ searched, exact }, [slot]) =>
    exact === undefined
      ? sql`${searched} like ${slot}`
      : sql`(${searched} like ${slot} and ${exact} like ${slot})`,
})

const memberOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

const statistics: Statistics = {
  // For views, partitioned tables and row-level security, only the planner has an estimate.
  rowsOf: (quoted) =>
    sql`select case when relkind in ('r', 'm') and not relhassubclass and not relrowsecurity then reltuples end from pg_class where oid = to_regclass(${quoted})`,
  plan: {
    explain: (select) => sql`explain (format json) ${select}`,
    readRows: (cell) => {
      // Only some drivers parse JSON.
      const explained: unknown = typeof cell === 'string' ? JSON.parse(cell) : cell
      const rows = memberOf(memberOf(memberOf(explained, '0'), 'Plan'), 'Plan Rows')
      return typeof rows === 'number' ? rows : undefined
    },
  },
}

export const pg: DialectRow = {
  noun: 'PostgreSQL',
  // Depends on the locale of the database, which is rarely `C`.
  unicodeCaseFolding: true,
  text: {
    contains: containing,
    'starts-with': startingWith,
    'equals-ignoring-case': (value) => {
      const way = foldOf(value)
      const fold = folds[way]
      return {
        ...{ way, parameters: [value] },
        sql: ({ searched }, [slot = sql``]) => sql`${fold(searched)} = ${fold(slot)}`,
      }
    },
  },
  json: pgJson(containing),
  // An array literal; the column determines its element type.
  anyOf: {
    toParameter: (values) =>
      values.every((value) => plain.has(typeof value)) ? arrayLiteral(values) : undefined,
    sql: (side, slot) => sql`${side} = any (${slot})`,
  },
  hasDefaultKeyword: true,
  noValues: sql`default values`,
  locked: sql` for update`,
  relatedBy: 'exists-always',
  concludesRanges: false,
  readsWhatItChanges: true,
  exists: (quoted) => sql`to_regclass(${quoted}) is not null`,
  ping: sql`select 1`,
  place: sql`select current_database()`,
  statistics,
  comparesRows: true,
  readError: readPgError,
  isMissingColumn: (error) => codeOf(error) === '42703',
}
