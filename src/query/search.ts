import { type Condition, everything } from './ast.ts'
import { queryFields } from './fields.ts'
import { containsUnits, countContains, type Tally } from './filter-context.ts'
import type { Parameters } from './parameters.ts'
import { refuse } from './refuse.ts'
import type { ListRules } from './rules.ts'

/**
 * `search=word`: text that any of the model's searched fields holds, in any case.
 *
 * A search by itself is always allowed, however many fields the application lets it look in: each of them is looked at once.
 *
 * @throws HttpError 400
 */
export const readSearch = ({ values }: Parameters, rules: ListRules, tally: Tally): Condition => {
  const { model } = rules
  const text = values.get('search')?.[0]
  if (text === undefined) return everything
  if (text === '')
    throw refuse('invalid_value', 'search', 'search has no value. Write search=word, or leave it out.')
  const { searched } = queryFields(model)
  if (searched.length === 0) {
    throw refuse(
      'unknown_parameter',
      'search',
      `${model.name} has no text that can be searched. Leave search out.`,
    )
  }
  const more = containsUnits(text) - 1
  if (tally.contains + more > 0) countContains(tally, searched.length + more, rules, 'search')
  const conditions = searched.map(({ field, row }): Condition => {
    const reading = row.readText(text, field)
    if (!reading.ok)
      throw refuse('invalid_value', 'search', `search: expected ${reading.expected}.`, reading.code)
    return Object.freeze({ op: 'contains', field: field.name, value: reading.value })
  })
  return Object.freeze({ op: 'or', conditions: Object.freeze(conditions) })
}
