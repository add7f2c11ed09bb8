import { problem } from '../error/http-error.ts'
import type { CountMode } from '../model/model.ts'
import type { Selection } from './ast.ts'
import { readCount } from './count.ts'
import { readFilter } from './filter.ts'
import { pageReaders } from './page.ts'
import { readParameters } from './parameters.ts'
import type { ListRules } from './rules.ts'
import { readSort } from './sort.ts'

/** A query string that has been read and checked. It is frozen, so that it may be kept and used again. */
export interface ListQuery {
  readonly selection: Selection
  readonly count: CountMode
}

/**
 * Reads the query string of a list (specification, 4.2; contract, 4). Its time grows with the length of the string.
 *
 * @param rawQuery without its question mark, still percent-encoded
 * @throws HttpError 400 that names the parameter or field and says what is allowed
 */
export const readListQuery = (rawQuery: string, rules: ListRules): ListQuery => {
  if (Buffer.byteLength(rawQuery) > rules.maxQueryBytes) {
    throw problem('query_too_long', `The query string may have at most ${rules.maxQueryBytes} bytes.`)
  }
  const parameters = readParameters(rawQuery, rules.paging)
  const { limit, offset } = pageReaders[rules.paging](parameters, rules)
  return Object.freeze({
    selection: Object.freeze({
      filter: readFilter(parameters, rules),
      order: readSort(parameters, rules),
      limit,
      offset,
    }),
    count: readCount(parameters, rules.model),
  })
}
