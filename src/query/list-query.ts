import { problem } from '../error/errors.ts'
import type { CountMode, Model } from '../model/model.ts'
import type { Values } from '../model/objects.ts'
import { both, type Condition, everything, type Selection } from './ast.ts'
import { type CursorScope, readCursor, writeCursor } from './cursor.ts'
import { readFields } from './fields.ts'
import { readFilter, readSearch } from './grammar.ts'
import { rangesAfter } from './keyset.ts'
import { type Parameters, readParameters, refuse, shown } from './parameters.ts'
import type { ListRules, PaginationType } from './settings.ts'
import { readSort } from './sort.ts'

/** A parsed and checked query string. It is frozen and may be cached. */
export interface ListQuery {
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

/** A parsed query string, before the keyset of its cursor is added to the filter. Frozen too. */
export interface ListRequest extends Selection {
  readonly count: CountMode
  readonly cursor?: string
}

/**
 * Takes time proportional to the length of the string.
 *
 * @param rawQuery without the question mark, still percent-encoded
 * @throws HttpError 400
 */
export const parseListRequest = (rawQuery: string, rules: ListRules): ListRequest => {
  if (Buffer.byteLength(rawQuery) > rules.maxQueryBytes) {
    throw problem('query_too_long', `The query string may have at most ${rules.maxQueryBytes} bytes.`)
  }
  const parameters = readParameters(rawQuery, rules.paging)
  const { limit, offset } = pageReaders[rules.paging](parameters, rules)
  const tally = { conditions: 0, contains: 0 }
  const filter = both(readFilter(parameters, rules, tally), readSearch(parameters, rules, tally))
  const order = readSort(parameters, rules)
  const count = readCount(parameters, rules)
  const fields = readFields(parameters, rules)
  const cursor = parameters.values.get('cursor')?.[0]
  return Object.freeze({
    ...{ filter, order, limit, offset, count },
    ...(fields !== undefined && { fields }),
    ...(cursor !== undefined && { cursor }),
  })
}

/** @throws HttpError 400 for a cursor that this list did not issue */
export const listQueryOf = (request: ListRequest, rules: ListRules): ListQuery => {
  const { filter: matching, order, limit, offset, count, fields, cursor } = request
  const shown = fields !== undefined && { fields }
  if (rules.paging !== 'cursor') {
    return Object.freeze({
      selection: Object.freeze({ filter: matching, order, limit, offset, ...shown }),
      matching,
      count,
      ...shown,
    })
  }
  const scope: CursorScope = { model: rules.model, filter: matching, order, secret: rules.secret }
  const [first = everything, ...continued] =
    cursor === undefined ? [] : rangesAfter(rules.model, order, readCursor(scope, cursor))
  const filter = both(matching, first)
  const read = fields !== undefined && {
    // The cursor needs all sort values, even those that the response does not show.
    fields: Object.freeze([...new Set([...fields, ...order.map(({ field }) => field)])]),
  }
  return Object.freeze({
    selection: Object.freeze({ filter, order, limit, offset, ...read }),
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

const wholeNumber = (
  { values }: Parameters,
  name: string,
  least: number,
  most: number,
): number | undefined => {
  const text = values.get(name)?.[0]
  if (text === undefined) return undefined
  const isNumber = /^-?\d+$/.test(text)
  const value = isNumber ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw refuse(
    'invalid_value',
    name,
    `${name} must be an integer from ${least} to ${most}, not ${shown(text)}.`,
    isNumber ? 'out_of_range' : 'invalid_format',
  )
}

const readCount = ({ values }: Parameters, { model, paging }: ListRules): CountMode => {
  const { count } = model
  const requested = values.get('count')?.[0]
  if (requested === undefined) return defaultCount(model, paging)
  const mode = count.allowed.find((allowed) => allowed === requested)
  if (mode !== undefined) return mode
  throw refuse(
    'invalid_value',
    'count',
    `count must be one of ${count.allowed.join(', ')}, not ${shown(requested)}.`,
    'not_in_enum',
  )
}

export const defaultCount = ({ count }: Model, paging: PaginationType): CountMode => {
  const usual = paging === 'cursor' ? 'none' : 'exact'
  return count.default ?? (count.allowed.includes(usual) ? usual : (count.allowed[0] ?? 'none'))
}
