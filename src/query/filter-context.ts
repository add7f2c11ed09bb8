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
  readonly tally: Tally
}

/** What the whole query string has asked for so far. */
export interface Tally {
  conditions: number
  /** In units of the setting QUERY_MAX_CONTAINS. */
  contains: number
}

/** @throws HttpError 400 beyond the allowed number of conditions */
export const countCondition = ({ tally, rules, parameter }: FilterContext): void => {
  tally.conditions += 1
  if (tally.conditions <= rules.maxConditions) return
  throw refuse('malformed_query', parameter, `At most ${rules.maxConditions} conditions are allowed.`)
}

/** Databases begin a longer text again at each character of a record's, so that its length counts too. */
const CHARACTERS_AT_ONCE = 50

/** What looking for a text in a field counts for. */
export const containsUnits = (text: string): number => Math.ceil(text.length / CHARACTERS_AT_ONCE)

/** @throws HttpError 400 beyond what the setting allows */
export const countContains = (
  tally: Tally,
  units: number,
  { maxContains }: ListRules,
  parameter: string,
): void => {
  tally.contains += units
  if (tally.contains <= maxContains) return
  throw refuse(
    'malformed_query',
    parameter,
    `At most ${maxContains} conditions may look for a part of a text; search counts once for each of its fields, and a text once for every ${CHARACTERS_AT_ONCE} characters. Compare whole texts with ==, or look for fewer or shorter ones.`,
  )
}
