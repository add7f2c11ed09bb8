import { problem } from '../error/http-error.ts'
import type { CountMode } from '../model/model.ts'
import { type Condition, everything, type Selection } from './ast.ts'
import { readCount } from './count.ts'
import { conditionReader } from './filter.ts'
import { pageReaders } from './page.ts'
import { readParameters } from './parameters.ts'
import type { ListRules } from './rules.ts'
import { readSort } from './sort.ts'

/** A query string that has been read and checked. It may be kept and used again: nothing of it is ever changed. */
export interface ListQuery {
  readonly selection: Selection
  readonly count: CountMode
}

/**
 * Reads the query string of a list (specification, 4.2; contract, 4).
 *
 * @param rawQuery without its question mark, still percent-encoded
 * @throws HttpError 400 that names the parameter or field and says what is allowed
 */
export const readListQuery = (rawQuery: string, rules: ListRules): ListQuery => {
  if (Buffer.byteLength(rawQuery) > rules.maxQueryBytes) {
    throw problem('query_too_long', `The query string is longer than ${rules.maxQueryBytes} bytes.`)
  }
  const parameters = readParameters(rawQuery, rules.paging)
  const read = conditionReader(rules)
  const conditions = parameters.conditions.map(({ parameter, text, isList }) => read(parameter, text, isList))
  return {
    selection: {
      filter: allOf(conditions),
      order: readSort(parameters, rules),
      ...pageReaders[rules.paging](parameters, rules),
    },
    count: readCount(parameters, rules.model),
  }
}

const allOf = (conditions: readonly Condition[]): Condition => {
  const [first] = conditions
  if (first === undefined) return everything
  return conditions.length === 1 ? first : { op: 'and', conditions }
}
