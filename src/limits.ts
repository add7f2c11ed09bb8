import { bodyBoundsOf } from './operation/settings.ts'
import { type ModelRestOptions, resolveSettings } from './options.ts'
import { paginationOf } from './query/pagination.ts'
import type { Limits } from './resource/resource.ts'
import type { SigningKey } from './signing-key.ts'

/** What options and settings say about lists and bodies. @throws StartError */
export const limitsOf = (
  { paginationType, settings: given }: ModelRestOptions<unknown>,
  signingKey: SigningKey,
): Limits => {
  const settings = resolveSettings(given)
  const paging = paginationOf(paginationType, settings.NINJA_PAGINATION_CLASS)
  return {
    paging,
    perPage: settings.NINJA_PAGINATION_PER_PAGE,
    maxLimit: settings.NINJA_PAGINATION_MAX_LIMIT,
    maxQueryBytes: settings.QUERY_MAX_BYTES,
    maxConditions: settings.QUERY_MAX_CONDITIONS,
    maxContains: settings.QUERY_MAX_CONTAINS,
    maxSorts: settings.QUERY_MAX_SORTS,
    maxDepth: settings.QUERY_MAX_DEPTH,
    countBound: settings.QUERY_COUNT_BOUND,
    // Other pages sign nothing.
    secret: paging === 'cursor' ? signingKey('cursors') : '',
    bodyBounds: bodyBoundsOf(settings),
    pageBytes: settings.RESPONSE_MAX_BYTES,
    transactionTimeout: settings.TRANSACTION_TIMEOUT,
    databaseRetries: settings.DATABASE_RETRIES,
  }
}
