import { StartError, suggest } from '../error/errors.ts'
import type { Model } from '../model/model.ts'

/** Settings of lists. Their names are the specification's, to the letter. */
export const querySettings = {
  /** Records on a page if the request does not say. @default 100 */
  NINJA_PAGINATION_PER_PAGE: { type: 'integer', default: 100 },
  /** The most that `limit` may ask for. @default 1000 */
  NINJA_PAGINATION_MAX_LIMIT: { type: 'integer', default: 1000 },
  /**
   * How lists are paged if the option `paginationType` does not say: `limit-offset`, `page-number`, `cursor`, or a class name
   * or dotted path ending in `LimitOffsetPagination` or `PageNumberPagination`. @default limit-offset
   */
  NINJA_PAGINATION_CLASS: { type: 'string', default: 'limit-offset' },
  // Beyond these limits some databases refuse the statement: SQLite takes 32,766 values and a depth of 1000.
  /** The most bytes of a query string, up to 32000. @default 8192 */
  QUERY_MAX_BYTES: { type: 'integer', default: 8192, most: 32_000 },
  /** The most conditions in a query, up to 500. @default 50 */
  QUERY_MAX_CONDITIONS: { type: 'integer', default: 50, most: 500 },
  /**
   * The most conditions that look for a part of a text, up to 1000. `search` counts once for each of its fields, and a text
   * once for every 50 characters. @default 10
   */
  QUERY_MAX_CONTAINS: { type: 'integer', default: 10, most: 1000 },
  /** The most `sort` parameters, up to 100. @default 8 */
  QUERY_MAX_SORTS: { type: 'integer', default: 8, most: 100 },
  /** How deep groups may be nested, up to 30. @default 10 */
  QUERY_MAX_DEPTH: { type: 'integer', default: 10, most: 30 },
  /** How far `count=estimated` counts exactly. @default 10000 */
  QUERY_COUNT_BOUND: { type: 'integer', default: 10_000 },
} as const

/** A paging strategy of list routes (specification, 1.1; `cursor`: contract, 4). */
export type PaginationType = 'limit-offset' | 'page-number' | 'cursor'

const paginationTypes: readonly PaginationType[] = ['limit-offset', 'page-number', 'cursor']

/** @throws StartError naming what is allowed */
export const paginationOf = (option: string | undefined, setting: string): PaginationType => {
  const name = option ?? setting
  const type = paginationTypes.find((known) => known === name)
  if (type !== undefined) return type
  const refused = `cannot be ${JSON.stringify(name)}.${suggest(name, paginationTypes)}`
  if (option !== undefined) throw new StartError(`The option paginationType ${refused}`)
  if (name.endsWith('LimitOffsetPagination')) return 'limit-offset'
  if (name.endsWith('PageNumberPagination')) return 'page-number'
  const remedy = 'A class name may end in LimitOffsetPagination or PageNumberPagination.'
  throw new StartError(`The setting NINJA_PAGINATION_CLASS ${refused} ${remedy}`)
}

/** What a list may be asked, and within which bounds: see the settings. */
export interface ListRules {
  readonly model: Model
  readonly paging: PaginationType
  readonly perPage: number
  readonly maxLimit: number
  /** Signs the cursors of cursor pages. */
  readonly secret: string
  readonly maxQueryBytes: number
  readonly maxConditions: number
  readonly maxContains: number
  readonly maxSorts: number
  readonly maxDepth: number
  readonly countBound: number
}
