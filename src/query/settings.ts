import type { SettingRow } from '../error/setting.ts'

/** Settings of lists. Their names are the specification's, to the letter. */
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
  /** The most bytes of a query string. @default 8192 */
  readonly QUERY_MAX_BYTES?: number
  /** The most conditions in a query. @default 50 */
  readonly QUERY_MAX_CONDITIONS?: number
  /** The most `sort` parameters. @default 8 */
  readonly QUERY_MAX_SORTS?: number
  /** How deep groups may be nested. @default 10 */
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
  QUERY_MAX_BYTES: { type: 'integer', default: 8192, meaning: 'The most bytes of a query string.' },
  QUERY_MAX_CONDITIONS: { type: 'integer', default: 50, meaning: 'The most conditions in a query.' },
  QUERY_MAX_SORTS: { type: 'integer', default: 8, meaning: 'The most `sort` parameters.' },
  QUERY_MAX_DEPTH: { type: 'integer', default: 10, meaning: 'How deep groups may be nested.' },
  QUERY_COUNT_BOUND: {
    type: 'integer',
    default: 10_000,
    meaning: 'How far `count=estimated` counts exactly.',
  },
}
