import type { DialectRow, Statistics, TextTest } from './dialect.ts'
import { codeOf } from './errors.ts'
import type { JsonDialect, JsonValue } from './json-value.ts'
import { arrayLiteral } from './lists.ts'
import { readPgError } from './pg-errors.ts'
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

/** A numeric may be larger or smaller than any double. */
const asDouble = (value: Sql): Sql =>
  sql`least(greatest(round((${value})::numeric, 323), -1.7976931348623157e308), 1.7976931348623157e308)::float8`

const jsonValue = (value: Sql): JsonValue => {
  const type = sql`jsonb_typeof(${value})`
  const text = sql`case ${type} when 'string' then (${value}) #>> '{}' end`
  return {
    text: { searched: text, exact: sql`(${text}) collate "C"` },
    number: sql`case ${type} when 'number' then ${asDouble(value)} end`,
    boolean: sql`case ${type} when 'boolean' then (${value})::boolean end`,
  }
}

const json: JsonDialect = {
  at: (document, path) => {
    // A `json` may contain U+0000, which no `jsonb` can.
    const binary = sql`case when pg_typeof(${document}) = 'jsonb'::regtype or strpos(${document}::text, '\\u0000') = 0 then ${document}::jsonb end`
    const strict = sql`('strict ' || ${path}::text)::jsonpath`
    const value = sql`jsonb_path_query_first(${binary}, ${strict}, '{}', true)`
    const array = sql`case jsonb_typeof(${value}) when 'array' then ${value} else '[]' end`
    return {
      ...jsonValue(value),
      isNull: sql`coalesce(jsonb_typeof(${value}), 'null') = 'null'`,
      some: (holds) =>
        sql`exists (select 1 from jsonb_array_elements(${array}) as listed(element) where ${holds(jsonValue(sql`listed.element`))})`,
    }
  },
  number: (slot) => sql`${slot}::float8`,
  boolean: (value) => (value ? sql`true` : sql`false`),
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
  json,
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
