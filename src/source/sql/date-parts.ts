import type { DatePart } from '../../query/ast.ts'
import { SourceError } from '../source.ts'
import type { BoundField } from './bound-table.ts'
import type { Database } from './database.ts'
import { type Dialect, type Sql, sql } from './text.ts'
import { type Offsets, offsetsOf } from './zone-offsets.ts'

/** How a database computes with dates and times. */
interface Clock {
  /** The number of seconds since 1970, of an instant or of a local time as if in UTC. */
  seconds(bound: BoundField): Sql
  /** The start of the part as text. @param offset seconds between the column and the local time. Absent: none */
  start(bound: BoundField, part: DatePart, offset?: Sql): Sql
}

const DAY = '%Y-%m-%d'

const secondsInSqlite = ({ name, column }: BoundField): Sql =>
  column.seconds?.(name) ?? sql`unixepoch(${name})`

const sqliteFormats: Readonly<Record<DatePart, (seconds: Sql) => Sql>> = {
  year: (at) => sql`strftime('%Y-01-01', ${at}, 'unixepoch')`,
  quarter: (at) =>
    sql`strftime('%Y-', ${at}, 'unixepoch') || printf('%02d-01', (strftime('%m', ${at}, 'unixepoch') - 1) / 3 * 3 + 1)`,
  month: (at) => sql`strftime('%Y-%m-01', ${at}, 'unixepoch')`,
  week: (at) => sql`date(${at}, 'unixepoch', '-6 days', 'weekday 1')`,
  day: (at) => sql`date(${at}, 'unixepoch')`,
  hour: (at) => sql`strftime('%Y-%m-%dT%H:00:00', ${at}, 'unixepoch')`,
}

const sqlite: Clock = {
  seconds: secondsInSqlite,
  start: (bound, part, offset) => {
    const seconds = secondsInSqlite(bound)
    return sqliteFormats[part](offset === undefined ? seconds : sql`${seconds} + ${offset}`)
  },
}

const pg: Clock = {
  seconds: ({ name }) => sql`extract(epoch from ${name})`,
  start: ({ name, field }, part, offset) => {
    const local = field.kind === 'datetime' ? sql`timezone('UTC', ${name})` : sql`${name}::timestamp`
    const shifted = offset === undefined ? local : sql`${local} + (${offset}) * interval '1 second'`
    const format = part === 'hour' ? `YYYY-MM-DD"T"HH24:MI:SS` : 'YYYY-MM-DD'
    return sql`to_char(date_trunc('${sql.raw(part)}', ${shifted}), '${sql.raw(format)}')`
  },
}

/** Not `from_unixtime`, whose result depends on the time zone of the session. */
const localInMysql = ({ name, field }: BoundField, offset: Sql = sql`0`): Sql =>
  field.kind === 'datetime'
    ? sql`date_add('1970-01-01 00:00:00', interval floor(unix_timestamp(${name})) + ${offset} second)`
    : sql`${name}`

const mysqlFormats: Readonly<Record<DatePart, (local: Sql) => Sql>> = {
  year: (local) => sql`date_format(${local}, '%Y-01-01')`,
  quarter: (local) =>
    sql`concat(date_format(${local}, '%Y-'), lpad(quarter(${local}) * 3 - 2, 2, '0'), '-01')`,
  month: (local) => sql`date_format(${local}, '%Y-%m-01')`,
  week: (local) => sql`date_format(date_sub(${local}, interval weekday(${local}) day), '${sql.raw(DAY)}')`,
  day: (local) => sql`date_format(${local}, '${sql.raw(DAY)}')`,
  hour: (local) => sql`date_format(${local}, '%Y-%m-%dT%H:00:00')`,
}

const mysql: Clock = {
  seconds: ({ name }) => sql`unix_timestamp(${name})`,
  start: (bound, part, offset) => mysqlFormats[part](localInMysql(bound, offset)),
}

const clocks: Readonly<Record<Dialect, Clock>> = { sqlite, pg, mysql }

/**
 * The start of the part of a date or time, as text: `2026-03-01`, with `hour` `2026-03-01T13:00:00`.
 *
 * @throws SourceError `type` for a column in which the database does not see a date or time
 */
export const partSql = (
  database: Database,
  bound: BoundField,
  { part, timezone }: { readonly part: DatePart; readonly timezone: string },
): Sql => {
  const { stored, isMapped } = bound.column
  const isText = database.dialect === 'sqlite' && stored.kind === 'text'
  if (isMapped === true || !(isText || stored.kind === bound.field.kind))
    throw new SourceError('type', { fields: [bound.field.name] })
  const { seconds, start } = clocks[database.dialect]
  if (bound.field.kind !== 'datetime' || timezone === 'UTC') return start(bound, part)
  return start(bound, part, offsetSql(seconds(bound), offsetsOf(database, timezone)))
}

/** Finds the offset in nine comparisons where there are 400. */
const offsetSql = (seconds: Sql, { first, changes }: Offsets): Sql => {
  const between = (from: number, to: number): Sql => {
    if (from === to) return sql.raw(String(from === 0 ? first : (changes[from - 1]?.offset ?? first)))
    const middle = Math.ceil((from + to) / 2)
    const change = sql.raw(String(changes[middle - 1]?.from))
    return sql`case when ${seconds} < ${change} then ${between(from, middle - 1)} else ${between(middle, to)} end`
  }
  return between(0, changes.length)
}
