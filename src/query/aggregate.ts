import { suggest } from '../error/errors.ts'
import { aggregatedKind, dateParts } from './aggregate-kinds.ts'
import { type Aggregate, type Aggregation, both, type Condition, columnName, type Grouping } from './ast.ts'
import { timezoneNamed } from './date-parts.ts'
import { assertStored, type QueryField, queryFields } from './fields.ts'
import { readConditionsOf, readFilter } from './grammar.ts'
import { readBounded } from './list-query.ts'
import { type KnownParameters, type Parameters, refuse, shown, wholeNumber } from './parameters.ts'
import { rootPlace, unknownName } from './places.ts'
import { resultModel } from './result-model.ts'
import { readWritten, Scanner } from './scanner.ts'
import { readSearch } from './search.ts'
import type { ListRules } from './settings.ts'
import { sortTerms } from './sort.ts'
import { newTally, type QueryTally, type RelatedModel } from './tally.ts'

/** A parsed and checked query string of aggregates. It is frozen and may be cached. */
export interface AggregationRequest extends Aggregation {
  /** The models that the query string leads to, each once for each parameter and path. */
  readonly uses: readonly RelatedModel[]
}

export const aggregateParameterNames: KnownParameters = Object.freeze({
  names: ['group', 'aggregate', 'having', 'q', 'search', 'sort', 'order', 'limit', 'timezone'],
  of: 'aggregates',
})

/** The limits of an aggregation. */
export const mostIn: Readonly<Record<'group' | 'aggregate' | 'limit', number>> = Object.freeze({
  ...{ group: 8, aggregate: 16, limit: 1000 },
})

/**
 * Reads `group=status,month(created_at)&aggregate=count,sum(total)`. Takes time proportional to the length of the string.
 *
 * @param rawQuery without the question mark, still percent-encoded
 * @throws HttpError 400
 */
export const parseAggregateRequest = (rawQuery: string, rules: ListRules): AggregationRequest => {
  const parameters = readBounded(rawQuery, rules, aggregateParameterNames)
  const tally = newTally()
  const filter = both(readFilter(parameters, rules, tally), readSearch(parameters, rules, tally))
  const groups = readGroups(parameters, rules)
  const aggregates = readAggregates(parameters, rules)
  const columns = columnsOf(groups, aggregates)
  const having = readHaving(parameters, { rules, tally, groups, aggregates })
  return Object.freeze({
    ...(having && { having }),
    ...{ filter, groups, aggregates, uses: tally.uses.all() },
    order: readOrder(parameters, rules, { columns, groups: groups.map(columnName) }),
    limit: wholeNumber(parameters, 'limit', 1, mostIn.limit) ?? mostIn.limit,
    timezone: readTimezone(parameters),
  })
}

/** `month(created_at)`, or `status` without a function. */
interface Term {
  readonly name: string
  readonly argument?: string
}

const readTerms = ({ values }: Parameters, parameter: 'group' | 'aggregate'): readonly Term[] => {
  const text = values.get(parameter)?.[0]
  if (text === undefined) return []
  const scanner = new Scanner(text)
  const terms: Term[] = []
  do {
    if (terms.length === mostIn[parameter])
      throw refuse('malformed_query', parameter, `${parameter} may have at most ${mostIn[parameter]} terms.`)
    const name = readWritten(scanner, ',(', { label: parameter, parameter }).text
    const argument = scanner.skip('(')
      ? { argument: readWritten(scanner, ')', { label: parameter, parameter }).text }
      : {}
    if ('argument' in argument && !scanner.skip(')'))
      throw refuse('malformed_query', parameter, `${name}( is missing its closing parenthesis.`)
    terms.push({ name, ...argument })
  } while (scanner.skip(','))
  if (scanner.isAtEnd()) return terms
  throw refuse(
    'malformed_query',
    parameter,
    `Unexpected ${shown(scanner.rest())} in ${parameter}. Separate terms by commas.`,
  )
}

const fieldIn = (name: string, parameter: string, rules: ListRules): QueryField => {
  const { byName, names } = queryFields(rules.model)
  const field = byName.get(name)
  if (field !== undefined) return field
  assertStored(name, parameter, rules)
  throw unknownName(name, parameter, 'Unknown field', names, ` in ${parameter}`)
}

const readGroups = (parameters: Parameters, rules: ListRules): readonly Grouping[] =>
  Object.freeze(
    readTerms(parameters, 'group').map(({ name, argument }): Grouping => {
      if (argument !== undefined) return Object.freeze(groupByPart(name, argument, rules))
      const { field, row } = fieldIn(name, 'group', rules)
      if (row.comparable) return Object.freeze({ field: field.name })
      throw refuse(
        'invalid_operator',
        'group',
        `group cannot use ${name}, because records cannot be compared by it.`,
      )
    }),
  )

const groupByPart = (name: string, argument: string, rules: ListRules): Grouping => {
  const { field, row } = fieldIn(argument, 'group', rules)
  const part = dateParts.find((known) => known === name)
  if (part === undefined) throw unknownFunction(name, 'group', dateParts)
  const { parts = [] } = aggregatedKind(field)
  const allowed = row.ordered ? parts : []
  if (!allowed.includes(part)) throw unfit(`${part}(${argument})`, 'group', allowed)
  if (rules.dateParts) return { field: field.name, part }
  throw refuse(
    'invalid_operator',
    'group',
    `group cannot use ${part}(${argument}), because the source of the models groups only by fields, not by parts of dates.`,
  )
}

/** Which fields each function accepts. */
const accepts: Readonly<Record<Aggregate['fn'], (field: QueryField) => boolean>> = Object.freeze({
  count: () => true,
  count_distinct: ({ row }) => row.comparable,
  sum: ({ field, row }) => row.ordered && aggregatedKind(field).sum !== undefined,
  avg: ({ field, row }) => row.ordered && aggregatedKind(field).avg !== undefined,
  min: ({ row }) => row.ordered,
  max: ({ row }) => row.ordered,
})

/** The functions that the source of the models has. */
export const functionsIn = ({
  countsDistinct,
}: Pick<ListRules, 'countsDistinct'>): readonly Aggregate['fn'][] =>
  (Object.keys(accepts) as Aggregate['fn'][]).filter((fn) => fn !== 'count_distinct' || countsDistinct)

/** The functions that a field supports, for the documentation. */
const functionsOf = (field: QueryField, rules: ListRules): readonly Aggregate['fn'][] =>
  functionsIn(rules).filter((fn) => accepts[fn](field))

const readAggregates = (parameters: Parameters, rules: ListRules): readonly Aggregate[] => {
  if (!parameters.values.has('aggregate')) return countOnly
  return Object.freeze(
    readTerms(parameters, 'aggregate').map(({ name, argument }): Aggregate => {
      const functions = functionsIn(rules)
      const fn = functions.find((known) => known === name)
      if (fn === undefined) throw unknownFunction(name, 'aggregate', functions)
      if (argument !== undefined) return Object.freeze(aggregateOf(fn, argument, rules))
      if (fn === 'count') return Object.freeze({ fn })
      throw refuse('malformed_query', 'aggregate', `${fn} needs a field, such as ${fn}(price).`)
    }),
  )
}

const countOnly: readonly Aggregate[] = Object.freeze([Object.freeze({ fn: 'count' })])

const aggregateOf = (fn: Aggregate['fn'], argument: string, rules: ListRules): Aggregate => {
  const target = fieldIn(argument, 'aggregate', rules)
  if (accepts[fn](target)) return { fn, field: target.field.name }
  throw unfit(`${fn}(${argument})`, 'aggregate', functionsOf(target, rules))
}

const unknownFunction = (name: string, parameter: string, known: readonly string[]): Error =>
  refuse(
    'invalid_value',
    parameter,
    `Unknown function ${shown(name)} in ${parameter}.${suggest(name.slice(0, 60), known)}`,
    'not_in_enum',
  )

const unfit = (term: string, parameter: string, allowed: readonly string[]): Error =>
  refuse(
    'invalid_operator',
    parameter,
    `The field does not support ${term}. Allowed: ${allowed.join(', ') || 'none'}.`,
  )

/** @throws HttpError 400 if two columns have the same name */
const columnsOf = (groups: readonly Grouping[], aggregates: readonly Aggregate[]): readonly string[] => {
  const columns: string[] = []
  for (const column of [...groups, ...aggregates]) {
    const name = columnName(column)
    if (columns.includes(name))
      throw refuse(
        'malformed_query',
        'fn' in column ? 'aggregate' : 'group',
        `The result would have two columns with the name ${name}. Remove one.`,
      )
    columns.push(name)
  }
  return columns
}

interface HavingOf extends Pick<Aggregation, 'groups' | 'aggregates'> {
  readonly rules: ListRules
  readonly tally: QueryTally
}

const readHaving = (
  { values }: Parameters,
  { rules, tally, ...columns }: HavingOf,
): Condition | undefined => {
  const text = values.get('having')?.[0]
  if (text === undefined) return undefined
  if (!rules.having)
    throw refuse(
      'invalid_operator',
      'having',
      'having is not supported, because the source of the models has no conditions on groups.',
    )
  const ofResult = { ...rules, model: resultModel(columns, rules.model) }
  const place = rootPlace('having', ofResult, tally)
  return readConditionsOf(place, new Scanner(text), '')
}

/** Each `sort` with its `order`, then the groups that are missing. */
const readOrder = (
  parameters: Parameters,
  { maxSorts }: ListRules,
  { columns, groups }: { readonly columns: readonly string[]; readonly groups: readonly string[] },
): Aggregation['order'] => {
  const requested = sortTerms(parameters, maxSorts, (column) => {
    if (columns.includes(column)) return { column }
    throw unknownName(column, 'sort', 'Unknown column', columns, ' in sort')
  })
  const named = new Set(requested.map(({ column }) => column))
  const rest = groups.filter((column) => !named.has(column))
  return Object.freeze([
    ...requested,
    ...rest.map((column) => Object.freeze({ column, direction: 'asc' } as const)),
  ])
}

const readTimezone = ({ values }: Parameters): string => {
  const name = values.get('timezone')?.[0] ?? 'UTC'
  const known = timezoneNamed(name)
  if (known !== undefined) return known
  throw refuse(
    'invalid_value',
    'timezone',
    `timezone must be the name of an IANA time zone, such as Europe/Berlin, not ${shown(name)}.`,
    'invalid_format',
  )
}
