import type { Containing, DialectRow, Statistics } from './dialect.ts'
import { codeOf } from './errors.ts'
import { arrayLiteral } from './lists.ts'
import { readPgError } from './pg-errors.ts'
import { type Sql, sql } from './text.ts'

/** Types whose text PostgreSQL reads as the same value inside an array literal. */
const plain: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean'])

/** The pattern of `ilike` for a string that contains the value literally. */
const likePattern = (value: string): string => `%${value.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Folds the value once for all rows, while `ilike` folds it for each row. */
const folded =
  (fold: (text: Sql) => Sql): Containing['sql'] =>
  (name, slot) =>
    sql`strpos(${fold(name)}, (select ${fold(slot)})) > 0`

const containsWays = {
  // Can use a trigram index of the column.
  short: (name, slot) => sql`${name} ilike ${slot}`,
  long: folded((text) => sql`lower(${text})`),
  // The lower case of a sigma depends on the characters after it, so a string might not contain its own beginning.
  sigma: folded((text) => sql`translate(lower(${text}), 'ς', 'σ')`),
} satisfies Record<string, Containing['sql']>

/** From this length, folding the value for each row dominates the cost. */
const LONG = 100

const containsWay = (value: string): keyof typeof containsWays => {
  if (/[Σσς]/.test(value)) return 'sigma'
  return value.length > LONG ? 'long' : 'short'
}

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
  contains: (value) => {
    const way = containsWay(value)
    return { way, parameter: way === 'short' ? likePattern(value) : value, sql: containsWays[way] }
  },
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
  readsWhatItChanges: true,
  exists: (quoted) => sql`to_regclass(${quoted}) is not null`,
  ping: sql`select 1`,
  place: sql`select current_database()`,
  statistics,
  comparesRows: true,
  readError: readPgError,
  isMissingColumn: (error) => codeOf(error) === '42703',
}
