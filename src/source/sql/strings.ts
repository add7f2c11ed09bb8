import { Buffer } from 'node:buffer'
import { type Family, isMysql } from './codecs.ts'
import type { Dialect } from './text.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const bytes = (text: string): string => `X'${Buffer.from(text).toString('hex')}'`

/** A backslash for every mode of MariaDB: two of them, of which the first one may escape the second. */
const BACKSLASH = "left('\\\\', 1)"

/** A text with more parts is not put together of them, because a statement would have many times its size. */
const MOST_PARTS = 50

/** Characters that may stand for a backslash until the server has replaced them. */
const marks = ['/', '|', '~', '^', '#', '`']

/**
 * A string in which no mode of the server finds a backslash. The two servers also compare the constants that a statement gives for one
 * column, and refuse if their collations differ: in MySQL, a string takes that of the column unless a function returns it; in MariaDB,
 * bytes with the name of a character set do not have that of the connection, which functions keep.
 */
const mysqlText = (family: Family, text: string): string => {
  const parts = text.split('\\')
  if (parts.length === 1) return quoted(text)
  if (family === 'mysql') return `_utf8mb4 ${bytes(text)}`
  const mark = marks.find((one) => !text.includes(one))
  return parts.length > MOST_PARTS && mark !== undefined
    ? `replace(${quoted(parts.join(mark))}, '${mark}', ${BACKSLASH})`
    : `concat(${parts.map(quoted).join(`, ${BACKSLASH}, `)})`
}

/**
 * A string in SQL that means the same with every setting of the server. Neither `NO_BACKSLASH_ESCAPES` of MySQL nor
 * `standard_conforming_strings` of PostgreSQL may end it early, so it has no backslash that they read in two ways. ORMs would replace
 * `$1` inside of it, and a statement of SQLite ends at a null character, which PostgreSQL cannot store.
 */
export const stringSql = (family: Family, text: string): string => {
  if (family === 'pg' && /['\\$]/.test(text))
    return `E'${text.replaceAll(/['\\$]/g, (one) => `\\x${one.charCodeAt(0).toString(16)}`)}'`
  if (isMysql(family)) return text.includes('$') ? `_utf8mb4 ${bytes(text)}` : mysqlText(family, text)
  return /[$\0]/.test(text) ? `cast(${bytes(text)} as text)` : quoted(text)
}

/** What sqlstring, the formatter of MySQL's drivers, writes as it is, and quotes where a statement asks for a name (`??`). */
interface RawSqlString {
  toSqlString(): string
  toString(): string
}

/** A value for sqlstring, which escapes strings for one mode of the server: with `NO_BACKSLASH_ESCAPES`, they could end early. */
export const forSqlstring = (value: unknown, family: Family): unknown => {
  if (Array.isArray(value)) return value.map((one) => forSqlstring(one, family))
  if (typeof value !== 'string') return value
  const toSqlString = () => mysqlText(family, value)
  return { toSqlString, toString: () => value } satisfies RawSqlString
}

/** To the next quote that is not doubled, or to the end of the text. */
const until = (quote: string, hasEscapes = false): string => {
  const inner = hasEscapes ? String.raw`[^${quote}\\]|\\[\s\S]` : `[^${quote}]`
  return `${quote}(?:${inner}|${quote}${quote})*(?:${quote}|$)`
}

/** Strings, then what stays: names, parameters and words, then numbers. @param quotes those of names */
const literalsBy = (strings: readonly string[], quotes: readonly string[]): RegExp => {
  const kept = [...quotes.map((quote) => until(quote)), String.raw`\$\d+`, String.raw`[a-z_][\w$]*`]
  const number = String.raw`\d[\w.]*(?:(?<=e)[+-]\d+)?`
  return new RegExp(`${strings.join('|')}|(${kept.join('|')})|${number}`, 'gi')
}

const plainString = String.raw`(?:\b[xnb])?${until("'")}`

const literals: Readonly<Record<Dialect, RegExp>> = {
  sqlite: literalsBy([plainString], ['"', '`']),
  pg: literalsBy([String.raw`\be${until("'", true)}`, plainString], ['"']),
  mysql: literalsBy([String.raw`(?:_utf8mb4 )?(?:\b[xnb])?${until("'", true)}`, until('"', true)], ['`']),
}

/** A statement with a question mark in place of each value that was written into it. */
export const withoutLiterals = (dialect: Dialect, text: string): string =>
  text.replace(literals[dialect], (_, kept?: string) => kept ?? '?')
