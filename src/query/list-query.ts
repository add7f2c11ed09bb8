import { problem } from '../error/errors.ts'
import type { CountMode, Deletion } from '../model/model.ts'
import type { Values } from '../model/objects.ts'
import type { PaginationType } from '../model/pagination.ts'
import { both, type Condition, everything, type Selection } from './ast.ts'
import { type CursorScope, readCursor, writeCursor } from './cursor.ts'
import { readFields } from './fields.ts'
import { readFilter } from './grammar.ts'
import { type IncludeRequest, readInclude, withFieldsOf } from './include.ts'
import { rangesAfter } from './keyset.ts'
import {
  detailParameterNames,
  type KnownParameters,
  listParameterNames,
  oneOf,
  type Parameters,
  readDeleted,
  readPagination,
  readQueryParameters,
  refuse,
  shown,
  wholeNumber,
} from './parameters.ts'
import { rootPlace } from './places.ts'
import { readSearch } from './search.ts'
import { type ListRules, showsCount } from './settings.ts'
import { readSort } from './sort.ts'
import { newTally } from './tally.ts'

/** A parsed and checked query string. It is frozen and may be cached. */
export interface ListQuery extends IncludeRequest {
  readonly paging: PaginationType
  readonly selection: Selection
  /** With cursor pages: the filters of the ranges after `selection`, in order. */
  readonly continued?: readonly Condition[]
  /** The filter of the records of all pages, for the count. */
  readonly matching: Condition
  readonly count: CountMode
  /** The fields of an item in the response, in the order of the model. @default all readable fields */
  readonly fields?: readonly string[]
  /** With cursor pages: the cursor of the page after a record. Adjacent records show whether it has ties. */
  readonly cursorAfter?: (row: Values, beside?: readonly Values[]) => string
}

/** A parsed query string of a single record. */
export interface DetailRequest extends IncludeRequest {
  /** Those in the response, in the order of the model. @default all readable fields */
  readonly fields?: readonly string[]
  /** @default deleted records do not exist */
  readonly deleted?: Deletion
}

/** A parsed query string, before the keyset of its cursor is added to the filter. Frozen too. */
export interface ListRequest extends Selection, DetailRequest {
  readonly paging: PaginationType
  readonly count: CountMode
  /** With cursor pages. Absent: the first page. */
  readonly cursor?: string
}

/**
 * Takes time proportional to the length of the string.
 *
 * @param rawQuery without the question mark, still percent-encoded
 * @throws HttpError 400
 */
export const parseListRequest = (rawQuery: string, rules: ListRules): ListRequest => {
  const parameters = readBounded(rawQuery, rules, listParameterNames(rules))
  const paging = readPagination(parameters, rules)
  const { limit, offset } = pageReaders[paging](parameters, rules)
  const tally = newTally()
  const filter = both(readFilter(parameters, rules, tally), readSearch(parameters, rules, tally))
  const order = readSort(parameters, rootPlace('sort', rules, tally))
  const count = readCount(parameters, rules, paging)
  const fields = readFields(parameters, rules)
  const included = readInclude(parameters, rules, tally)
  const cursor = parameters.values.get('cursor')?.[0] ?? ''
  return Object.freeze({
    ...{ paging, filter, order, limit, offset, count, ...included },
    ...(fields !== undefined && { fields }),
    ...(cursor !== '' && { cursor }),
    ...readDeleted(parameters),
  })
}

/** Reads the query string of a single record. @throws HttpError 400 for any parameter of lists */
export const parseDetailRequest = (rawQuery: string, rules: ListRules): DetailRequest => {
  const names = detailParameterNames(rules.model)
  const parameters = readBounded(rawQuery, rules, { names, of: 'a single record' })
  const [other] = parameters.filters
  if (other !== undefined)
    throw refuse(
      'unknown_parameter',
      other.parameter,
      `Unknown parameter ${shown(other.parameter)}. A single record accepts only ${names.join(', ')}.`,
    )
  const fields = readFields(parameters, rules)
  return Object.freeze({
    ...readInclude(parameters, rules, newTally()),
    ...(fields !== undefined && { fields }),
    ...readDeleted(parameters),
  })
}

/** @throws HttpError 400 */
export const readBounded = (
  rawQuery: string,
  { maxQueryBytes }: ListRules,
  known: KnownParameters,
): Parameters => {
  if (Buffer.byteLength(rawQuery) > maxQueryBytes)
    throw problem('query_too_long', `The query string may have at most ${maxQueryBytes} bytes.`)
  return readQueryParameters(rawQuery, known)
}

/** @throws HttpError 400 for a cursor that this list did not issue */
export const listQueryOf = (request: ListRequest, rules: ListRules): ListQuery => {
  const { paging, filter: matching, order, limit, offset, count, fields, include, uses, cursor } = request
  const { model, modelOf } = rules
  const shown = { paging, include, uses, ...(fields !== undefined && { fields }) }
  const read = fields && withFieldsOf(include, model, fields)
  if (paging !== 'cursor') {
    const selection = { filter: matching, order, limit, offset, ...(read && { fields: read }) }
    return Object.freeze({ selection: Object.freeze(selection), matching, count, ...shown })
  }
  const scope: CursorScope = { model, modelOf, filter: matching, order, secret: rules.secret }
  const [first = everything, ...continued] =
    cursor === undefined ? [] : rangesAfter(model, order, readCursor(scope, cursor))
  const filter = both(matching, first)
  // The cursor needs all sort values, even those that the response does not show.
  const own = order.filter(({ via = [] }) => via.length === 0).map(({ field }) => field)
  const all = read && { fields: Object.freeze([...new Set([...read, ...own])]) }
  return Object.freeze({
    selection: Object.freeze({ filter, order, limit, offset, ...all }),
    matching,
    count,
    ...shown,
    continued: Object.freeze(fewOf(continued).map((range) => both(matching, range))),
    cursorAfter: (row: Values, beside?: readonly Values[]) => writeCursor(scope, row, beside),
  })
}

/** The maximum number of ranges after the first one. */
const MOST_CONTINUED = 4

/**
 * Every range evaluates the filter again, and a sort by many nullable fields has two ranges for each, so the last ones are
 * combined. The ranges of usual sorts stay separate, which lets the database use an index.
 */
const fewOf = (ranges: readonly Condition[]): readonly Condition[] => {
  if (ranges.length <= MOST_CONTINUED) return ranges
  const last = ranges.slice(MOST_CONTINUED - 1)
  return [...ranges.slice(0, MOST_CONTINUED - 1), { op: 'or', conditions: last }]
}

export const defaultLimit = ({ perPage, maxLimit }: ListRules): number => Math.min(perPage, maxLimit)

type PageReader = (parameters: Parameters, rules: ListRules) => Pick<Selection, 'limit' | 'offset'>

/** Reads the parameters of each pagination type, except `cursor`. */
const pageReaders: Readonly<Record<PaginationType, PageReader>> = {
  'limit-offset': (parameters, rules) => ({
    limit: wholeNumber(parameters, 'limit', 0, rules.maxLimit) ?? defaultLimit(rules),
    offset: wholeNumber(parameters, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0,
  }),
  'page-number': (parameters, { perPage }) => {
    const page = wholeNumber(parameters, 'page', 1, Math.floor(Number.MAX_SAFE_INTEGER / perPage)) ?? 1
    return { limit: perPage, offset: (page - 1) * perPage }
  },
  cursor: (parameters, rules) => ({
    limit: wholeNumber(parameters, 'limit', 1, rules.maxLimit) ?? defaultLimit(rules),
    offset: 0,
  }),
}

type Counting = Pick<ListRules, 'model' | 'counted'>

const readCount = (parameters: Parameters, rules: Counting, paging: PaginationType): CountMode =>
  oneOf(parameters, 'count', rules.model.count.allowed) ?? defaultCount(rules, paging)

export const defaultCount = (rules: Counting, paging: PaginationType): CountMode => {
  const { count } = rules.model
  if (!showsCount(rules, paging)) return 'none'
  const usual = paging === 'cursor' ? 'none' : 'exact'
  return count.default ?? (count.allowed.includes(usual) ? usual : (count.allowed[0] ?? 'none'))
}
