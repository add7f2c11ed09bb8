import { suggest } from '../error/errors.ts'
import { type Condition, everything } from './ast.ts'
import { type QueryFields, queryFields } from './fields.ts'
import { type Parameters, parameterNames, refuse, shown } from './parameters.ts'
import type { ListRules } from './settings.ts'
import {
  assertTakes,
  type Ends,
  inGroup,
  inQ,
  inSegment,
  operators,
  readValue,
  readWritten,
  Scanner,
} from './values.ts'

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
  if (context.isSegment) conditions.push(readItem(scanner, inSegment, context, 0))
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

/** One condition, without a level, where there is but one. */
const joined = (op: 'and' | 'or', conditions: readonly Condition[]): Condition => {
  const [first] = conditions
  return first !== undefined && conditions.length === 1
    ? first
    : Object.freeze({ op, conditions: Object.freeze(conditions) })
}

/**
 * A condition, a group, or the negation of a group: `(a=1|b>2)`, `!(a=1&b=2)`.
 *
 * A group begins only where a condition could, so that a parenthesis inside of a value is literal: `title=foo (bar)`.
 *
 * @param depth How many groups stand around this.
 */
const readItem = (scanner: Scanner, ends: Ends, context: FilterContext, depth: number): Condition => {
  if (scanner.skip('(')) return readGroup(scanner, context, depth + 1)
  if (!scanner.skip('!')) return readCondition(scanner, ends, context)
  if (scanner.skip('(')) {
    return Object.freeze({ op: 'not', condition: readGroup(scanner, context, depth + 1) })
  }
  throw refuse(
    'malformed_query',
    context.parameter,
    `!${shown(scanner.rest())}: ! stands before a group, as !(a=1), or in the operator !=.`,
  )
}

/**
 * What stands behind an opening parenthesis. `&` binds tighter than `|`. Both, and `)`, end a value that is not quoted.
 *
 * It calls itself at most `maxDepth` times.
 */
const readGroup = (scanner: Scanner, context: FilterContext, depth: number): Condition => {
  const { parameter, rules } = context
  if (depth > rules.maxDepth) {
    throw refuse('malformed_query', parameter, `Groups may be nested at most ${rules.maxDepth} deep.`)
  }
  const alternatives: Condition[] = []
  do {
    const conditions: Condition[] = []
    do conditions.push(readItem(scanner, inGroup, context, depth))
    while (scanner.skip('&'))
    alternatives.push(joined('and', conditions))
  } while (scanner.skip('|'))
  if (scanner.skip(')')) return joined('or', alternatives)
  throw scanner.isAtEnd() ? unclosed(parameter) : behindGroup(scanner, parameter)
}

const unclosed = (parameter: string): Error =>
  refuse(
    'malformed_query',
    parameter,
    'A group has no closing parenthesis. A & typed as it is ends the parameter: inside of a group, write %26.',
  )

const behindGroup = (scanner: Scanner, parameter: string): Error =>
  refuse(
    'malformed_query',
    parameter,
    `${shown(scanner.rest())} follows a group inside of another. Expected one of & | ).`,
  )

/** Reads `field`, operator and value. @throws HttpError 400 that names the field */
const readCondition = (scanner: Scanner, ends: Ends, context: FilterContext): Condition => {
  countCondition(context)
  const name = scanner.until(ends.name)
  const operator = operators.find(({ sign }) => scanner.skip(sign))
  if (operator === undefined) throw noOperator(name, scanner, context)
  const target = context.fields.byName.get(name)
  if (target === undefined) throw unknownField(name, context)
  const asked = { target, operator, parameter: context.parameter }
  const written = readWritten(scanner, ends, asked)
  assertTakes(asked, written)
  const condition = operator.meaning(
    target,
    written.map((each) => readValue(each, asked)),
  )
  if (condition.op === 'contains')
    countContains(context.tally, containsUnits(String(condition.value)), context.rules, context.parameter)
  return condition
}

const noOperator = (name: string, scanner: Scanner, { parameter }: FilterContext): Error => {
  const isMissing = name === '' && !scanner.isAt('!')
  const what = isMissing ? 'A condition is missing' : `${shown(name)} is no condition`
  const signs = operators.map(({ sign }) => sign).join(' ')
  return refuse('malformed_query', parameter, `${what}: write a field, one of ${signs}, and a value.`)
}

const unknownField = (name: string, { parameter, isSegment, fields, rules }: FilterContext): Error => {
  const what = isSegment
    ? `${shown(name)} is neither a field nor a parameter`
    : `There is no field ${shown(name)}`
  const allowed = isSegment ? [...fields.names, ...parameterNames[rules.paging]] : fields.names
  return refuse('unknown_field', parameter, `${what}.${suggest(name.slice(0, 60), allowed)}`)
}

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

/** What the reading of one filter keeps in mind. */
interface FilterContext {
  /** What an error names: `q`, or the name that the segment starts with. */
  readonly parameter: string
  /** The filter is a segment of its own, where names of parameters were allowed too. */
  readonly isSegment: boolean
  readonly rules: ListRules
  readonly fields: QueryFields
  readonly tally: Tally
}

/** What the whole query string has asked for so far. */
interface Tally {
  conditions: number
  /** In units of the setting QUERY_MAX_CONTAINS. */
  contains: number
}

/** @throws HttpError 400 beyond the allowed number of conditions */
const countCondition = ({ tally, rules, parameter }: FilterContext): void => {
  tally.conditions += 1
  if (tally.conditions <= rules.maxConditions) return
  throw refuse('malformed_query', parameter, `At most ${rules.maxConditions} conditions are allowed.`)
}

/** Databases begin a longer text again at each character of a record's, so that its length counts too. */
const CHARACTERS_AT_ONCE = 50

/** What looking for a text in a field counts for. */
const containsUnits = (text: string): number => Math.ceil(text.length / CHARACTERS_AT_ONCE)

/** @throws HttpError 400 beyond what the setting allows */
const countContains = (tally: Tally, units: number, { maxContains }: ListRules, parameter: string): void => {
  tally.contains += units
  if (tally.contains <= maxContains) return
  throw refuse(
    'malformed_query',
    parameter,
    `At most ${maxContains} conditions may look for a part of a text; search counts once for each of its fields, and a text once for every ${CHARACTERS_AT_ONCE} characters. Compare whole texts with ==, or look for fewer or shorter ones.`,
  )
}
