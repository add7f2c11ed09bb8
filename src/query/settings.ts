import { StartError, suggest } from '../error/errors.ts'
import type { SettingRow } from '../error/setting.ts'
import type { Model } from '../model/model.ts'

/** Settings of lists. */
export interface QuerySettings {
  /** Records of a page where the request does not say. @default 100 */
  readonly NINJA_PAGINATION_PER_PAGE?: number
  /** The most that `limit` may ask for. @default 1000 */
  readonly NINJA_PAGINATION_MAX_LIMIT?: number
  /**
   * `limit-offset`, `page-number` or `cursor`, or the name or dotted path of a class that ends in `LimitOffsetPagination` or
   * `PageNumberPagination`. @default limit-offset
   */
  readonly NINJA_PAGINATION_CLASS?: string
  /** The most bytes of a query string, up to 32000. @default 8192 */
  readonly QUERY_MAX_BYTES?: number
  /** The most conditions in a query, up to 500. @default 50 */
  readonly QUERY_MAX_CONDITIONS?: number
  /**
   * The most conditions that look for a part of a text, up to 1000. `search` counts once for each of its fields, and a text
   * once for every 50 characters. @default 10
   */
  readonly QUERY_MAX_CONTAINS?: number
  /** The most `sort` parameters, up to 100. @default 8 */
  readonly QUERY_MAX_SORTS?: number
  /** How deep groups may be nested, up to 30. @default 10 */
  readonly QUERY_MAX_DEPTH?: number
  /** How far `count=estimated` counts exactly. @default 10000 */
  readonly QUERY_COUNT_BOUND?: number
}

export const querySettings: { readonly [Name in keyof Required<QuerySettings>]: SettingRow } = {
  NINJA_PAGINATION_PER_PAGE: {
    type: 'integer',
    default: 100,
    meaning: 'Records of a page where the request does not say.',
  },
  NINJA_PAGINATION_MAX_LIMIT: {
    type: 'integer',
    default: 1000,
    meaning: 'The most that `limit` may ask for.',
  },
  NINJA_PAGINATION_CLASS: {
    type: 'string',
    default: 'limit-offset',
    meaning:
      'How lists are paged where `paginationType` does not say: `limit-offset`, `page-number`, `cursor`, or a class name or dotted path ending in `LimitOffsetPagination` or `PageNumberPagination`.',
  },
  // Beyond these, there are databases that take no such statement: SQLite has 32,766 values and a depth of 1000.
  QUERY_MAX_BYTES: {
    type: 'integer',
    default: 8192,
    most: 32_000,
    meaning: 'The most bytes of a query string, up to 32000.',
  },
  QUERY_MAX_CONDITIONS: {
    type: 'integer',
    default: 50,
    most: 500,
    meaning: 'The most conditions in a query, up to 500.',
  },
  QUERY_MAX_CONTAINS: {
    type: 'integer',
    default: 10,
    most: 1000,
    meaning:
      'The most conditions that look for a part of a text, up to 1000. `search` counts once for each of its fields, and a text once for every 50 characters.',
  },
  QUERY_MAX_SORTS: {
    type: 'integer',
    default: 8,
    most: 100,
    meaning: 'The most `sort` parameters, up to 100.',
  },
  QUERY_MAX_DEPTH: {
    type: 'integer',
    default: 10,
    most: 30,
    meaning: 'How deep groups may be nested, up to 30.',
  },
  QUERY_COUNT_BOUND: {
    type: 'integer',
    default: 10_000,
    meaning: 'How far `count=estimated` counts exactly.',
  },
}

/** A paging strategy of list routes. */
export type PaginationType = 'limit-offset' | 'page-number' | 'cursor'

const paginationTypes: readonly PaginationType[] = ['limit-offset', 'page-number', 'cursor']
const classEndings: readonly (readonly [string, PaginationType])[] = [
  ['LimitOffsetPagination', 'limit-offset'],
  ['PageNumberPagination', 'page-number'],
]

/**
 * The strategy that `paginationType` or the setting `NINJA_PAGINATION_CLASS` names.
 *
 * @throws StartError naming what is allowed.
 */
export const paginationOf = (option: string | undefined, setting: string): PaginationType =>
  option === undefined
    ? named('The setting NINJA_PAGINATION_CLASS', setting, classEndings)
    : named('The option paginationType', option, [])

const named = (what: string, name: string, endings: typeof classEndings): PaginationType => {
  const found =
    paginationTypes.find((type) => type === name) ?? endings.find(([ending]) => name.endsWith(ending))?.[1]
  if (found !== undefined) return found
  const orEnding =
    endings.length > 0 ? ' A class name may end in LimitOffsetPagination or PageNumberPagination.' : ''
  throw new StartError(
    `${what} cannot be ${JSON.stringify(name)}.${suggest(name, paginationTypes)}${orEnding}`,
  )
}

/** What a list may be asked, and within which bounds. */
export interface ListRules {
  readonly model: Model
  readonly paging: PaginationType
  /** Records of a page where the request does not say. */
  readonly perPage: number
  readonly maxLimit: number
  /** Signs the cursors of cursor pages. */
  readonly secret: string
  readonly maxQueryBytes: number
  readonly maxConditions: number
  /** How many conditions may look for a part of a text; a long text counts for several. */
  readonly maxContains: number
  readonly maxSorts: number
  /** How deep groups may be nested. */
  readonly maxDepth: number
  /** How far `count=estimated` counts exactly. */
  readonly countBound: number
}
