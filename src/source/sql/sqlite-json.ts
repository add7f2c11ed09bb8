import type { JsonDialect, TextTest } from './dialect.ts'
import { type JsonAt, type JsonValue, jsonByValues, pathText } from './json-value.ts'
import { type Sql, sql } from './text.ts'

/** @param type its type as SQLite names it @param value as SQL */
const jsonValue = (type: Sql, value: Sql): JsonValue => {
  const text = sql`case ${type} when 'text' then ${value} end`
  return {
    text: { searched: text, exact: text },
    number: sql`case when ${type} in ('integer', 'real') then cast(${value} as real) end`,
    boolean: sql`case when ${type} in ('true', 'false') then ${type} end`,
  }
}

const valueAt = (document: Sql, [path]: readonly Sql[]): JsonAt => {
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
}

export const sqliteJson = (contains: (value: string) => TextTest): JsonDialect =>
  jsonByValues({
    pathsOf: (path) => [pathText(path)],
    at: valueAt,
    number: (slot) => sql`cast(${slot} as real)`,
    contains,
  })
