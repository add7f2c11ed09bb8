import type { JsonDialect, TextTest } from './dialect.ts'
import { type JsonAt, type JsonValue, jsonByValues, pathText } from './json-value.ts'
import { type Sql, sql } from './text.ts'

/** @param value as JSON */
const jsonValue = (value: Sql): JsonValue => {
  const type = sql`json_type(${value})`
  const plain = sql`convert(json_unquote(${value}) using utf8mb4)`
  const text = sql`case ${type} when 'STRING' then ${plain} end`
  return {
    text: { searched: text, exact: sql`cast(${text} as binary)` },
    number: sql`case when ${type} in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then ${plain} + 0e0 end`,
    boolean: sql`case ${type} when 'BOOLEAN' then ${plain} end`,
  }
}

const valueAt = (document: Sql, [path, ...arrays]: readonly Sql[]): JsonAt => {
  const areArrays = arrays.map((array) => sql` and json_type(json_extract(${document}, ${array})) = 'ARRAY'`)
  const valid = sql`case when json_valid(${document})${sql.join(areArrays, sql``)} then ${document} end`
  const value = sql`json_extract(${valid}, ${path})`
  const type = sql`coalesce(json_type(${value}), 'NULL')`
  const array = sql`case ${type} when 'ARRAY' then ${value} else json_array() end`
  return {
    ...jsonValue(value),
    isNull: sql`${type} = 'NULL'`,
    some: (holds) =>
      sql`exists (select 1 from json_table(${array}, '$[*]' columns (element json path '$')) as listed where ${holds(jsonValue(sql`listed.element`))})`,
  }
}

export const mysqlJson = (contains: (value: string) => TextTest): JsonDialect =>
  jsonByValues({
    // The first place also leads to a value that is not an array.
    pathsOf: (path) => [
      pathText(path),
      ...path.flatMap((step, at) => (step === 0 ? [pathText(path.slice(0, at))] : [])),
    ],
    at: valueAt,
    number: (slot) => sql`${slot} + 0e0`,
    contains,
  })
