import { StartError, suggest } from '../error/errors.ts'
import type { Model, Relation } from '../model/model.ts'
import {
  type PaginationType,
  type PaginationTypes,
  paginationTypes,
  readPaginationTypes,
} from '../model/pagination.ts'
import type { ModelOf } from './order.ts'

/** Settings of lists. */
export const querySettings = {
  /** The page size of requests that do not set one. @default 100 */
  NINJA_PAGINATION_PER_PAGE: { type: 'integer', default: 100, camel: 'pageSize' },
  /** The largest page size that a request may set. @default 1000 */
  NINJA_PAGINATION_MAX_LIMIT: { type: 'integer', default: 1000, camel: 'maxPageSize' },
  /**
   * The pagination type of lists if the option `paginationType` is not set: `limit-offset`, `page-number`, `cursor`, or a
   * class name or dotted path that ends in `LimitOffsetPagination` or `PageNumberPagination`. @default limit-offset
   */
  NINJA_PAGINATION_CLASS: { type: 'string', default: 'limit-offset', camel: 'paginationClass' },
  // With higher limits, some databases would refuse the statement: SQLite allows 32,766 values and a depth of 1000.
  /** The maximum length of a query string in bytes, up to 32000. @default 8192 */
  QUERY_MAX_BYTES: { type: 'integer', default: 8192, most: 32_000 },
  /**
   * The maximum number of conditions in a query, up to 500. Each relation in the name of a field counts as one more.
   * @default 50
   */
  QUERY_MAX_CONDITIONS: { type: 'integer', default: 50, most: 500 },
  /**
   * The maximum number of conditions that search for a substring, up to 1000. `search` counts once for each of its
   * fields, and each string once per 50 characters. @default 10
   */
  QUERY_MAX_CONTAINS: { type: 'integer', default: 10, most: 1000 },
  /**
   * The maximum number of conditions through to-many relations, up to 500. Each such relation in the name of a field counts
   * once, and so do all conditions that share a subquery: alternatives on the same relation. @default 4
   */
  QUERY_MAX_TO_MANY: { type: 'integer', default: 4, most: 500 },
  /** The maximum number of `sort` parameters, up to 100. @default 8 */
  QUERY_MAX_SORTS: { type: 'integer', default: 8, most: 100 },
  /** The maximum nesting depth of groups and relations, and of paths inside JSON, up to 30. @default 10 */
  QUERY_MAX_DEPTH: { type: 'integer', default: 10, most: 30 },
  /** `count=estimated` counts exactly up to this number of records. @default 10000 */
  QUERY_COUNT_BOUND: { type: 'integer', default: 10_000 },
  /** How many records of an included to-many relation each record has, unless the request sets a `limit`. @default 20 */
  INCLUDE_PER_RECORD: { type: 'integer', default: 20 },
  /** The largest `limit` of an included relation that a request may set, up to 1000. @default 100 */
  INCLUDE_MAX_PER_RECORD: { type: 'integer', default: 100, most: 1000 },
  /** The maximum length of a path in `include`, up to 10: `items.product` has a length of 2. @default 3 */
  INCLUDE_MAX_DEPTH: { type: 'integer', default: 3, most: 10 },
  /** The maximum number of relations in `include`, up to 50. Each runs one statement, or two if it counts. @default 10 */
  INCLUDE_MAX_RELATIONS: { type: 'integer', default: 10, most: 50 },
  /** The maximum number of included records in a response, up to 100000. @default 10000 */
  INCLUDE_MAX_RECORDS: { type: 'integer', default: 10_000, most: 100_000 },
} as const

/** @throws StartError that names the allowed values */
export const paginationOf = (option: unknown, setting: string): PaginationTypes => {
  if (option !== undefined) return readPaginationTypes('paginationType', option)
  const type = paginationTypes.find((known) => known === setting)
  if (type !== undefined) return [type]
  if (setting.endsWith('LimitOffsetPagination')) return ['limit-offset']
  if (setting.endsWith('PageNumberPagination')) return ['page-number']
  const remedy = 'A class name must end in LimitOffsetPagination or PageNumberPagination.'
  throw new StartError(
    `Unknown NINJA_PAGINATION_CLASS ${JSON.stringify(setting)}.${suggest(setting, paginationTypes)} ${remedy}`,
  )
}

export const showsCount = ({ counted }: Pick<ListRules, 'counted'>, type: PaginationType): boolean =>
  counted?.lists.includes(type) ?? true

/** A relation that clients can use, with the model at its other end. */
export interface UsableRelation {
  readonly relation: Relation
  readonly target: Model
}

/** The limits of a list query. The settings describe them. */
export interface ListRules {
  readonly model: Model
  readonly paging: PaginationTypes
  readonly perPage: number
  readonly maxLimit: number
  /** Signs the cursors of cursor pages. */
  readonly secret: string
  readonly maxQueryBytes: number
  readonly maxConditions: number
  readonly maxContains: number
  readonly maxToMany: number
  readonly maxSorts: number
  readonly maxDepth: number
  readonly countBound: number
  readonly includePerRecord: number
  readonly includeMaxPerRecord: number
  readonly includeMaxDepth: number
  readonly includeMaxRelations: number
  readonly includeMaxRecords: number
  readonly modelOf: ModelOf
  /**
   * The types of pages that show how many records match, so that requests may choose how to count, and whether included relations
   * do. @default all
   */
  readonly counted?: { readonly lists: readonly PaginationType[]; readonly related: boolean }
  /** The relations of a model that clients can use, by their names. */
  readonly relationsOf: (model: Model) => ReadonlyMap<string, UsableRelation>
  /** Lists can be sorted through to-one relations. */
  readonly relatedSort: boolean
  /** Groups can be by parts of dates. */
  readonly dateParts: boolean
  /** Groups can have `count_distinct`. */
  readonly countsDistinct: boolean
  /** Conditions can be about groups: `having`. */
  readonly having: boolean
  /** The names of the computed fields of a model. They can be chosen with `fields`. @default none */
  readonly computedOf?: (model: Model) => readonly string[]
}
