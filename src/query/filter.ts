import { type Condition, everything } from './ast.ts'
import { alone, inQ } from './ends.ts'
import { queryFields } from './fields.ts'
import type { FilterContext, Tally } from './filter-context.ts'
import { joined, readItem } from './group.ts'
import type { Parameters } from './parameters.ts'
import { refuse, shown } from './refuse.ts'
import type { ListRules } from './rules.ts'
import { Scanner } from './scanner.ts'

/** All conditions of a query string, which all apply. @param tally counts them @throws HttpError 400 */
export const readFilter = ({ filters }: Parameters, rules: ListRules, tally: Tally): Condition => {
  if (filters.length === 0) return everything
  const shared = { rules, fields: queryFields(rules.model), tally }
  const conditions: Condition[] = []
  for (const { parameter, text, isQ } of filters) {
    readAll(new Scanner(text), { ...shared, parameter, isSegment: !isQ }, conditions)
  }
  return conditions.length === 0 ? everything : joined('and', conditions)
}

/** A segment is one condition; `q` holds any number of them, joined by `&`. */
const readAll = (scanner: Scanner, context: FilterContext, conditions: Condition[]): void => {
  if (context.isSegment) conditions.push(readItem(scanner, alone, context, 0))
  while (!context.isSegment && !scanner.isAtEnd()) {
    if (scanner.skip('&')) continue
    conditions.push(readItem(scanner, inQ, context, 0))
    if (!scanner.isAt('&')) break
  }
  if (!scanner.isAtEnd()) throw goesOn(scanner, context)
}

/** Values reach up to where they may end, so that only a group can be followed by something else. */
const goesOn = (scanner: Scanner, { parameter }: FilterContext): Error => {
  const remedy = scanner.isAt('|')
    ? 'Alternatives stand inside one group: (a=1|b=2).'
    : 'A group stands alone, or is joined with & to other conditions of q.'
  return refuse('malformed_query', parameter, `${shown(scanner.rest())} follows a group. ${remedy}`)
}
