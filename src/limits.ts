import { randomBytes } from 'node:crypto'
import { StartError } from './error/start-error.ts'
import type { Log } from './observe/log.ts'
import { bodyBoundsOf } from './operation/settings.ts'
import { type ModelRestOptions, type ResolvedSettings, resolveSettings } from './options.ts'
import { type PaginationType, paginationOf } from './query/pagination.ts'
import type { Limits } from './resource/resource.ts'

/** What options and settings say about lists and bodies. @throws StartError */
export const limitsOf = (
  { paginationType, settings: given }: ModelRestOptions<unknown>,
  log: Log,
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
    secret: secretOf(settings, paging, log),
    bodyBounds: bodyBoundsOf(settings),
    pageBytes: settings.RESPONSE_MAX_BYTES,
    transactionTimeout: settings.TRANSACTION_TIMEOUT,
    databaseRetries: settings.DATABASE_RETRIES,
  }
}

/** Only cursor pages sign anything. Without a key, cursors of this process are worth nothing to another. */
const secretOf = ({ SECRET_KEY }: ResolvedSettings, paging: PaginationType, log: Log): string => {
  if (SECRET_KEY !== undefined && SECRET_KEY !== '') return SECRET_KEY
  const remedy = 'Give it one: settings: defineSettings({ SECRET_KEY: process.env.SECRET_KEY }).'
  if (paging === 'cursor' && process.env['NODE_ENV'] === 'production') {
    throw new StartError(`Cursor pages need the setting SECRET_KEY in production. ${remedy}`)
  }
  if (paging === 'cursor') log.warn(`There is no SECRET_KEY: cursors end with this process. ${remedy}`)
  return randomBytes(32).toString('base64url')
}
