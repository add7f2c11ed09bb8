import { HttpError } from '../../src/error/errors.ts'
import type { Condition } from '../../src/query/ast.ts'
import { type ListQuery, listQueryOf, parseListRequest } from '../../src/query/list-query.ts'
import type { ListRules } from '../../src/query/settings.ts'
import { rules } from './sample.ts'

export const readListQuery = (query: string, rules: ListRules): ListQuery =>
  listQueryOf(parseListRequest(query, rules), rules)

export const read = (query: string, more: Partial<ListRules> = {}): ListQuery =>
  readListQuery(query, { ...rules, ...more })

export const filterOf = (query: string): Condition => read(query).selection.filter

/** Conditions as a client writes them into a URL. */
export const encoded = (q: string): string => `q=${encodeURIComponent(q)}`

/** The error of a query that must not be accepted. */
export const refusal = (query: string, more: Partial<ListRules> = {}): HttpError => {
  try {
    read(query, more)
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
  throw new Error(`${query} was accepted.`)
}
