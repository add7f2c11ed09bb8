import type { QueryFields } from './fields.ts'
import { refuse } from './refuse.ts'
import type { ListRules } from './rules.ts'

/** What the reading of one filter keeps in mind. */
export interface FilterContext {
  /** What an error names: `q`, or the name that the segment starts with. */
  readonly parameter: string
  /** The filter is a segment of its own, where names of parameters were allowed too. */
  readonly isSegment: boolean
  readonly rules: ListRules
  readonly fields: QueryFields
  /** Conditions of the whole query string so far. */
  readonly tally: { conditions: number }
}

/** @throws HttpError 400 beyond the allowed number of conditions */
export const countCondition = ({ tally, rules, parameter }: FilterContext): void => {
  tally.conditions += 1
  if (tally.conditions <= rules.maxConditions) return
  throw refuse('malformed_query', parameter, `At most ${rules.maxConditions} conditions are allowed.`)
}
