import { type Condition, everything } from './ast.ts'
import { queryFields } from './fields.ts'
import { assertLiteral } from './operators.ts'
import { type Parameters, refuse } from './parameters.ts'
import type { ListRules } from './settings.ts'
import { countContains, type QueryTally, textUnits } from './tally.ts'

/**
 * A short search without other "contains" conditions is always allowed, regardless of the number of fields.
 *
 * @throws HttpError 400
 */
export const readSearch = ({ values }: Parameters, rules: ListRules, tally: QueryTally): Condition => {
  const text = values.get('search')?.[0]
  if (text === undefined) return everything
  if (text === '')
    throw refuse(
      'invalid_value',
      'search',
      'The value of search is missing. Use search=word, or omit search.',
    )
  const { searched } = queryFields(rules.model)
  if (searched.length === 0)
    throw refuse(
      'unknown_parameter',
      'search',
      `${rules.model.name} does not have text fields to search. Remove search.`,
    )
  const more = textUnits('contains', text) - 1
  if (tally.contains + more > 0) countContains(tally, searched.length + more, rules, 'search')
  const conditions = searched.map(({ field, row }): Condition => {
    const reading = row.readText(text, field)
    assertLiteral(field, text, 'search')
    if (!reading.ok)
      throw refuse('invalid_value', 'search', `search must be ${reading.expected}.`, reading.code)
    return Object.freeze({ op: 'contains', field: field.name, value: reading.value })
  })
  return Object.freeze({ op: 'or', conditions: Object.freeze(conditions) })
}
