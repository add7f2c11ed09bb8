import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import { readPgError } from '../../sql/pg-errors.ts'
import { arrayText } from '../custom-column.ts'
import type { Containing, DialectRow, Statistics } from './port.ts'

/** Its own text types compare byte for byte; `char` and `citext` do not. */
const exactTypes: ReadonlySet<string> = new Set(['PgText', 'PgVarchar'])

/** The drivers parse JSON and drizzle parses it again, so that the string `"1"` becomes the number 1: read as text, it is parsed once. */
const jsonTypes: ReadonlySet<string> = new Set(['PgJson', 'PgJsonb'])

/** What has a text in an array that PostgreSQL reads as the same value. */
const plain: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean'])

/** A number beyond single precision is infinity, which drivers take as text. */
const singlePrecision = (value: unknown): unknown => {
  const single = Math.fround(Number(value))
  return Number.isFinite(single) ? single : String(single)
}

/** For `ilike`: any text around the value, in which `%`, `_` and the backslash are literal. */
const likePattern = (value: string): string => `%${value.replaceAll(/[\\%_]/g, '\\$&')}%`

/** The value is folded beforehand, once for all rows, while `ilike` folds it again for each. */
const folded =
  (fold: (text: SQLChunk) => SQL): Containing['sql'] =>
  (name, slot) =>
    sql`strpos(${fold(name)}, (select ${fold(slot)})) > 0`

const containsWays = {
  // An index on the trigrams of the column serves it.
  short: (name, slot) => sql`${name} ilike ${slot}`,
  long: folded((text) => sql`lower(${text})`),
  // What a sigma folds to is decided by the letters behind it, so that a text need not hold what it begins with.
  sigma: folded((text) => sql`translate(lower(${text}), 'ς', 'σ')`),
} satisfies Record<string, Containing['sql']>

/** From here on, folding the value for each row costs more than all else. */
const LONG = 100

const containsWay = (value: string): keyof typeof containsWays => {
  if (/[Σσς]/.test(value)) return 'sigma'
  return value.length > LONG ? 'long' : 'short'
}

const memberOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

const statistics: Statistics = {
  // Of views, of tables in parts, and where policies hide rows, only the planner knows.
  rowsOf: (quoted) =>
    sql`select case when relkind in ('r', 'm') and not relhassubclass and not relrowsecurity then reltuples end from pg_class where oid = to_regclass(${quoted})`,
  plan: {
    explain: (select) => sql`explain (format json) ${select}`,
    readRows: (cell) => {
      // Some drivers parse JSON, others do not.
      const explained: unknown = typeof cell === 'string' ? JSON.parse(cell) : cell
      const rows = memberOf(memberOf(memberOf(explained, '0'), 'Plan'), 'Plan Rows')
      return typeof rows === 'number' ? rows : undefined
    },
  },
}

export const pg: DialectRow = {
  noun: 'PostgreSQL',
  // By the locale of the database, which is hardly ever plain C.
  unicodeCaseFolding: true,
  hasBooleans: true,
  selected: (column, name) =>
    jsonTypes.has(column.columnType) && column.mapping !== 'changed' ? sql`${name}::text` : name,
  // A collation that takes different texts as equal cannot be searched in.
  searched: (column, name) => (column.collated === true ? sql`${name} collate "default"` : name),
  contains: (value) => {
    const way = containsWay(value)
    return { way, parameter: way === 'short' ? likePattern(value) : value, sql: containsWays[way] }
  },
  // An array as PostgreSQL writes one; what it is an array of follows from the column.
  anyOf: {
    toParameter: (values) =>
      values.every((value) => plain.has(typeof value)) ? arrayText(values) : undefined,
    sql: (side, slot) => sql`${side} = any (${slot})`,
  },
  // A value that its type cannot read or hold is not an error: there is just no record that has it.
  compared: (column, name, { kind }) => {
    if (kind === 'token') return { name: sql`nullif(concat(${name}), '')` }
    return column.columnType === 'PgReal' ? { toColumn: singlePrecision } : {}
  },
  // `concat` keeps the spaces at the end of a `char`, which a cast to text does not.
  exactText: (column, name) => {
    if (column.collated === true) return sql`${name} collate "C"`
    return exactTypes.has(column.columnType) ? undefined : sql`concat(${name})`
  },
  defaults: { insert: () => undefined, update: () => sql`default` },
  noValues: sql`default values`,
  locked: sql` for update`,
  readsWhatItChanges: true,
  exists: (quoted) => sql`to_regclass(${quoted}) is not null`,
  statistics,
  comparesRows: true,
  readError: readPgError,
}
