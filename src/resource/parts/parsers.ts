import { LRUCache } from 'lru-cache'
import { StartError } from '../../error/errors.ts'
import {
  type DetailRequest,
  type ListQuery,
  type ListRequest,
  parseDetailRequest,
  parseListRequest,
} from '../../query/list-query.ts'
import type { ListRules } from '../../query/settings.ts'
import type { RelatedModel } from '../../query/tally.ts'

/** @throws HttpError 400 for an invalid query string */
export type ParseList = (raw: string) => ParsedList

/** @throws HttpError 400 for an invalid query string of a single record */
export type ParseDetail = (raw: string) => DetailRequest

/** A parsed query string of a list, cached for repeated requests. */
export interface ParsedList {
  readonly request: ListRequest
  /** The query to run, once the cursor has been verified. */
  query?: ListQuery
  /** The models that the query leads to. */
  related?: readonly RelatedModel[]
  /** The previous page did not reveal the total, so the next request counts in parallel. */
  countsAhead: boolean
  /** Identifies the query string among those of its model. Absent: a hook made the request. */
  readonly id?: string
}

/** @param narrowing that of the callers. Models of one name differ in it */
export type ListParsers = (rules: ListRules, narrowing?: number) => ParseList

/** The maximum number of cached query strings of all models. */
const MOST_PARSED = 1000

/**
 * The maximum total length of cached query strings in characters. Parsed queries take many times the space of their text.
 */
const MOST_CHARACTERS = 500_000

export const listParsers = (): ListParsers => {
  const parsed = new LRUCache<string, ParsedList>({
    max: MOST_PARSED,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_list, key) => key.length,
  })
  let ids = 0
  return (rules, narrowing) => (raw) => {
    const key = `${narrowing ?? ''} ${rules.model.name}?${raw}`
    const known = parsed.get(key)
    if (known !== undefined) return known
    const list: ParsedList = { request: parseListRequest(raw, rules), countsAhead: false, id: String(ids++) }
    parsed.set(key, list)
    return list
  }
}

/** @throws StartError for a default `include` beyond the limits of requests */
const startRequest = (rules: ListRules): DetailRequest => {
  try {
    return parseDetailRequest('', rules)
  } catch (error) {
    const detail = error instanceof Error ? error.message : ''
    throw new StartError(`modelConfig.${rules.model.name}.include: ${detail}`, { cause: error })
  }
}

/** Most requests for a single record have no query string. */
export const detailParser = (rules: ListRules): ParseDetail => {
  const plain = startRequest(rules)
  return (raw) => (raw === '' ? plain : parseDetailRequest(raw, rules))
}
