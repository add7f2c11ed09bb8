import { problem } from '../error/errors.ts'
import { both, type Condition, everything } from './ast.ts'
import { readFilter } from './grammar.ts'
import { readBounded } from './list-query.ts'
import { type KnownParameters, oneOf } from './parameters.ts'
import { readSearch } from './search.ts'
import type { ListRules } from './settings.ts'
import { newTally, type RelatedModel } from './tally.ts'

/** A parsed and checked query string of a write to all records that match. */
export interface BulkRequest {
  readonly filter: Condition
  /** Only counts the records. */
  readonly isDryRun: boolean
  /** The models that the query string leads to, each once for each parameter and path. */
  readonly uses: readonly RelatedModel[]
}

const known: KnownParameters = Object.freeze({
  names: ['q', 'search', 'dry_run'],
  of: 'writes to all records that match',
})

/**
 * @param rawQuery without the question mark, still percent-encoded
 * @throws HttpError 400, also without a condition
 */
export const parseBulkRequest = (rawQuery: string, rules: ListRules): BulkRequest => {
  const parameters = readBounded(rawQuery, rules, known)
  const tally = newTally()
  const filter = both(readFilter(parameters, rules, tally), readSearch(parameters, rules, tally))
  if (filter === everything) throw filterRequired()
  const isDryRun = oneOf(parameters, 'dry_run', ['true', 'false']) === 'true'
  return Object.freeze({ filter, isDryRun, uses: tally.uses.all() })
}

export const filterRequired = (): Error =>
  problem('filter_required', 'The query string must have a condition, such as `q=id=1`.')
