/** Databases that differ in their SQL. MariaDB has that of MySQL. */
export type Dialect = 'sqlite' | 'pg' | 'mysql'

/** How statements are written. */
export interface Spelling {
  readonly quoted: (name: string) => string
  /** @param count the number of parameters up to this one */
  readonly parameter: (count: number) => string
  /** Writes a value as part of the text. Absent: values are parameters. */
  readonly literal?: (value: unknown) => string
}

const quotedBy =
  (quote: string): Spelling['quoted'] =>
  (name) =>
    quote + name.replaceAll(quote, quote + quote) + quote

/** As the drivers of each database read them. */
export const spellings: Readonly<Record<Dialect, Spelling>> = {
  sqlite: { quoted: quotedBy('"'), parameter: () => '?' },
  pg: { quoted: quotedBy('"'), parameter: (count) => `$${count}` },
  mysql: { quoted: quotedBy('`'), parameter: () => '?' },
}

/** The text of a statement, and the values of its parameters. */
export interface Query {
  readonly text: string
  /** The number of parameters. */
  readonly count: number
  /** The value of each parameter, or the place of its slot. Absent: the parameters are the slots 0, 1, 2 and so on. */
  readonly order?: readonly ({ readonly value: unknown } | number)[]
}

/** The values of the parameters, in their order. @param values those of its slots, by their places */
export const filled = ({ count, order }: Query, values: readonly unknown[]): readonly unknown[] =>
  order?.map((part) => (typeof part === 'number' ? values[part] : part.value)) ?? values.slice(0, count)

/** SQL that the source writes itself, such as an expression of the application in the language of its ORM. */
export interface OwnSql {
  /** What it is in the language of the ORM. */
  readonly made: unknown
  /** @param before the number of values that the statement has before it */
  write(before: number): { readonly sql: string; readonly params: readonly unknown[] }
}

/** A part of a piece of SQL. A string is text as it is. */
export type SqlPart =
  | string
  | Sql
  | { readonly name: string }
  | { readonly value: unknown }
  | { readonly place: number }
  | { readonly own: OwnSql }
  | { readonly piece: Sql; readonly from: number }
  | { readonly inner: Sql; readonly made: (text: string) => string }

/** A piece of SQL: text, with names, values and other pieces in it. Made by the tag `sql`. */
export class Sql {
  readonly parts: readonly SqlPart[]

  constructor(parts: readonly SqlPart[]) {
    this.parts = parts
  }
}

/** Writes SQL as a template literal. */
export interface SqlTag {
  /** Pieces become part of the text, `undefined` nothing; a string or number becomes a parameter. */
  (texts: TemplateStringsArray, ...inner: readonly (Sql | string | number | undefined)[]): Sql
  /** Text as it is. Never made of what clients send. */
  raw(text: string): Sql
  /** A name in the quotes of the database. */
  identifier(name: string): Sql
  /** A parameter with this value. A piece stays as it is. */
  value(value: unknown): Sql
}

interface Tag extends SqlTag {
  /** A parameter whose value comes when the statement runs. */
  slot(place: number): Sql
  /** The same piece with other slots: its place 0 is `from`. */
  shifted(piece: Sql, from: number): Sql
  /** What a function of the application makes of the text of a piece, which it writes once. */
  made(inner: Sql, made: (text: string) => string): Sql
  own(own: OwnSql): Sql
  join(pieces: readonly Sql[], separator?: Sql): Sql
}

const tag = (texts: TemplateStringsArray, ...inner: readonly (Sql | string | number | undefined)[]): Sql => {
  const parts: SqlPart[] = []
  for (const [at, text] of texts.entries()) {
    if (text !== '') parts.push(text)
    if (at >= inner.length) continue
    const value = inner[at]
    if (value instanceof Sql) parts.push(value)
    else if (value !== undefined) parts.push({ value })
  }
  return new Sql(parts)
}

/** Writes SQL: `sql\`select ${column} from ${table} where ${key} = ${slot}\``. */
export const sql: Tag = Object.assign(tag, {
  raw: (text: string) => new Sql([text]),
  identifier: (name: string) => new Sql([{ name }]),
  value: (value: unknown) => (value instanceof Sql ? value : new Sql([{ value }])),
  slot: (place: number) => new Sql([{ place }]),
  shifted: (piece: Sql, from: number) => new Sql([{ piece, from }]),
  made: (inner: Sql, made: (text: string) => string) => new Sql([{ inner, made }]),
  own: (own: OwnSql) => new Sql([{ own }]),
  join: (pieces: readonly Sql[], separator?: Sql) =>
    separator === undefined
      ? new Sql(pieces)
      : new Sql(pieces.flatMap((piece, at) => (at === 0 ? [piece] : [separator, piece]))),
})

/**
 * Writes a piece of SQL: an expression with names and values in it.
 *
 * @example
 * ```ts
 * import { sql } from 'modelrest/sql'
 *
 * export const inAWeek = sql`current_date + ${7}`
 * ```
 */
export const plainSql: SqlTag = sql

/** Whether a piece is a parameter: a value, or a slot. */
export const isParameter = ({ parts: [part, ...others] }: Sql): boolean =>
  others.length === 0 && typeof part === 'object' && ('value' in part || 'place' in part)

/** `a, b` */
export const listSql = (pieces: readonly Sql[]): Sql => sql.join(pieces, comma)

const comma = new Sql([', '])

export const queryOf = (piece: Sql, { quoted, parameter, literal }: Spelling): Query => {
  let text = ''
  const parameters: ({ readonly value: unknown } | number)[] = []
  const write = (part: SqlPart, from: number): void => {
    if (typeof part === 'string') text += part
    else if (part instanceof Sql) for (const inner of part.parts) write(inner, from)
    else if ('place' in part) text += parameter(parameters.push(from + part.place))
    else if ('name' in part) text += quoted(part.name)
    else if ('value' in part) text += literal?.(part.value) ?? parameter(parameters.push(part))
    else if ('piece' in part) write(part.piece, from + part.from)
    else if ('inner' in part) {
      const before = text
      text = ''
      write(part.inner, from)
      text = before + part.made(text)
    } else {
      const { sql: own, params } = part.own.write(parameters.length)
      text += own
      for (const value of params) parameters.push({ value })
    }
  }
  write(piece, 0)
  const count = parameters.length
  return parameters.every((part, at) => part === at) ? { text, count } : { text, count, order: parameters }
}
