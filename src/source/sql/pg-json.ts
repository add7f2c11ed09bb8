import type { JsonComparison, JsonScalar } from '../../query/json-path.ts'
import type { JsonDialect, TextTest } from './dialect.ts'
import { roundedTo } from './double.ts'
import { pathText } from './json-value.ts'
import { type Sql, sql } from './text.ts'

/** A `json` may contain U+0000, which no `jsonb` can. */
const binary = (document: Sql): Sql =>
  sql`case when pg_typeof(${document}) = 'jsonb'::regtype or strpos(${document}::text, '\\u0000') = 0 then ${document}::jsonb end`

const signs: Readonly<Record<JsonComparison, string>> = {
  ...{ eq: '==', matches: '==', lt: '<', le: '<=', gt: '>', ge: '>=' },
}

/** What a value must meet, in the language of paths, with its variables. Values of different types are not compared. */
const predicateOf = (
  op: JsonComparison,
  value: JsonScalar,
): { readonly text: string; readonly variables: string } => {
  if (typeof value !== 'number')
    return { text: `@ ${signs[op]} $value`, variables: JSON.stringify({ value }) }
  // The numbers of PostgreSQL have more digits.
  const { low, high, isWithin } = roundedTo(value)
  const variables = `{"low": ${low}, "high": ${high}}`
  const [from, to] = isWithin ? ['@ >= $low', '@ <= $high'] : ['@ > $low', '@ < $high']
  const beyond = isWithin ? '@ > $high' : '@ >= $high'
  const below = isWithin ? '@ < $low' : '@ <= $low'
  const texts: Readonly<Record<JsonComparison, string>> = {
    ...{ eq: `${from} && ${to}`, matches: `${from} && ${to}` },
    ...{ lt: below, le: to, gt: beyond, ge: from },
  }
  return { text: texts[op], variables }
}

const exists = (document: Sql, path: Sql = sql``, variables: Sql = sql`'{}'`): Sql =>
  sql`jsonb_path_exists(${binary(document)}, ${path}::text::jsonpath, ${variables}::text::jsonb, true)`

export const pgJson = (contains: (value: string) => TextTest): JsonDialect => ({
  isNull: (path) => ({
    ...{ way: '', parameters: [`strict ${pathText(path)} ? (@ != null)`] },
    sql: (document, [found]) => sql`${exists(document, found)} is not true`,
  }),
  test: (path, op, value) => {
    const at = `strict ${pathText(path)}`
    const { text, variables } = predicateOf(op, value)
    if (op !== 'matches')
      return {
        ...{ way: 'compare', parameters: [`${at} ? (${text})`, variables] },
        sql: (document, [found, given]) => exists(document, found, given),
      }
    const containing = typeof value === 'string' ? contains(value) : undefined
    const own = containing === undefined ? `${at} ? (${text})` : `${at} ? (@.type() == "string")`
    return {
      way: `matches${containing?.way ?? ''}`,
      parameters: [`${at}[*] ? (${text})`, variables, own, ...(containing?.parameters ?? [])],
      sql: (document, [elements, given, found = sql``, ...rest]) => {
        const string = sql`(jsonb_path_query_first(${binary(document)}, ${found}::text::jsonpath, '{}', true) #>> '{}')`
        const alone =
          containing?.sql({ searched: string, exact: string }, rest) ?? exists(document, found, given)
        return sql`(${alone} or ${exists(document, elements, given)})`
      },
    }
  },
})
