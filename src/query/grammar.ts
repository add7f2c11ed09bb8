import { suggest } from '../error/errors.ts'
import { type Condition, everything } from './ast.ts'
import { type QueryFields, queryFields } from './fields.ts'
import {
  assertLiteral,
  assertTakes,
  type FieldOperator,
  operators,
  readValue,
  type Written,
} from './operators.ts'
import { type Parameters, parameterNames, refuse, shown } from './parameters.ts'
import type { ListRules } from './settings.ts'

/** Counts what the query string has used of its limits so far. */
interface Tally {
  conditions: number
  /** In units of the setting QUERY_MAX_CONTAINS. */
  contains: number
}

interface FilterReader {
  readonly scanner: Scanner
  /** The parameter that an error names: `q`, or the name at the start of the segment. */
  readonly parameter: string
  /** The filter is a segment of the query string, not part of `q`, so its name could also be a parameter. */
  readonly isSegment: boolean
  readonly rules: ListRules
  readonly fields: QueryFields
  readonly tally: Tally
}

/** The characters that end a value in `q` and in a group. In a separate segment, only the end of the segment does. */
const Q_ENDS = '&'
const GROUP_ENDS = '&|)'

export const readFilter = ({ filters }: Parameters, rules: ListRules, tally: Tally): Condition => {
  if (filters.length === 0) return everything
  const fields = queryFields(rules.model)
  const conditions: Condition[] = []
  for (const { parameter, text, isQ } of filters) {
    const scanner = new Scanner(text)
    const reader: FilterReader = { scanner, parameter, isSegment: !isQ, rules, fields, tally }
    if (isQ) readQ(reader, conditions)
    else conditions.push(readItem(reader, '', 0))
    if (!scanner.isAtEnd()) throw goesOn(reader)
  }
  return conditions.length === 0 ? everything : joined('and', conditions)
}

/** Any number of conditions, joined by `&`. */
const readQ = (reader: FilterReader, conditions: Condition[]): void => {
  const { scanner } = reader
  while (!scanner.isAtEnd()) {
    if (scanner.skip('&')) continue
    conditions.push(readItem(reader, Q_ENDS, 0))
    if (!scanner.isAt('&')) return
  }
}

/** Values extend to the end: unread text can only follow a group. */
const goesOn = ({ scanner, parameter }: FilterReader): Error => {
  const remedy = scanner.isAt('|')
    ? 'Put alternatives inside one group: (a=1|b=2).'
    : 'Use & to join a group to other conditions of q.'
  return refuse('malformed_query', parameter, `Unexpected ${shown(scanner.rest())} after a group. ${remedy}`)
}

const joined = (op: 'and' | 'or', conditions: readonly Condition[]): Condition => {
  const [first] = conditions
  return first !== undefined && conditions.length === 1
    ? first
    : Object.freeze({ op, conditions: Object.freeze(conditions) })
}

/**
 * A condition, a group, or the negation of a group: `(a=1|b>2)`, `!(a=1&b=2)`. A parenthesis inside a value is literal:
 * `title=foo (bar)`.
 */
const readItem = (reader: FilterReader, ends: string, depth: number): Condition => {
  const { scanner, parameter } = reader
  if (scanner.skip('(')) return readGroup(reader, depth + 1)
  if (!scanner.skip('!')) return readCondition(reader, ends)
  if (scanner.skip('(')) return Object.freeze({ op: 'not', condition: readGroup(reader, depth + 1) })
  throw refuse(
    'malformed_query',
    parameter,
    `!${shown(scanner.rest())} is not a condition. Use ! before a group, such as !(a=1), or in the operator !=.`,
  )
}

/** `&` binds tighter than `|`. Recursion is at most `maxDepth` deep. */
const readGroup = (reader: FilterReader, depth: number): Condition => {
  const { scanner, parameter, rules } = reader
  if (depth > rules.maxDepth)
    throw refuse('malformed_query', parameter, `Groups may be nested up to ${rules.maxDepth} levels deep.`)
  const alternatives: Condition[] = []
  do {
    const conditions: Condition[] = []
    do conditions.push(readItem(reader, GROUP_ENDS, depth))
    while (scanner.skip('&'))
    alternatives.push(joined('and', conditions))
  } while (scanner.skip('|'))
  if (scanner.skip(')')) return joined('or', alternatives)
  throw refuse(
    'malformed_query',
    parameter,
    scanner.isAtEnd()
      ? 'A group is missing its closing parenthesis. Inside a group, write & as %26.'
      : `Unexpected ${shown(scanner.rest())} after a nested group. Use one of & | ).`,
  )
}

const readCondition = (reader: FilterReader, ends: string): Condition => {
  const { scanner, parameter, rules, fields, tally } = reader
  tally.conditions += 1
  if (tally.conditions > rules.maxConditions)
    throw refuse('malformed_query', parameter, `A query may have at most ${rules.maxConditions} conditions.`)
  const name = scanner.until(`${ends}=!<>`)
  const operator = operators.find(({ sign }) => scanner.skip(sign))
  if (operator === undefined) throw noOperator(name, reader)
  const target = fields.byName.get(name)
  if (target === undefined) throw unknownField(name, reader)
  const about = { target, operator, parameter }
  const written = readWritten(scanner, ends, about)
  assertTakes(about, written)
  const condition = operator.meaning(
    target,
    written.map((each) => readValue(each, about)),
  )
  if (condition.op === 'contains')
    countContains(tally, containsUnits(String(condition.value)), rules, parameter)
  return condition
}

const noOperator = (name: string, { scanner, parameter }: FilterReader): Error => {
  const isMissing = name === '' && !scanner.isAt('!')
  const what = isMissing ? 'A condition is missing' : `${shown(name)} is not a condition`
  const signs = operators.map(({ sign }) => sign).join(' ')
  return refuse('malformed_query', parameter, `${what}. Use a field, one of ${signs}, and a value.`)
}

const unknownField = (name: string, { parameter, isSegment, fields, rules }: FilterReader): Error => {
  const what = isSegment ? 'Unknown field or parameter' : 'Unknown field'
  const allowed = isSegment ? [...fields.names, ...parameterNames[rules.paging]] : fields.names
  return refuse('unknown_field', parameter, `${what} ${shown(name)}.${suggest(name.slice(0, 60), allowed)}`)
}

const readWritten = (scanner: Scanner, ends: string, about: FieldOperator): readonly Written[] => {
  if (!about.operator.isList) return [readOne(scanner, ends, about)]
  const written: Written[] = []
  do written.push(readOne(scanner, `${ends},`, about))
  while (scanner.skip(','))
  return written
}

const readOne = (scanner: Scanner, ends: string, about: FieldOperator): Written => {
  if (!scanner.skip('"')) return { text: scanner.until(ends), isQuoted: false }
  const text = readQuoted(scanner, about)
  const after = scanner.until(ends)
  if (after === '') return { text, isQuoted: true }
  throw brokenQuote(
    about,
    `continues after its closing quote with ${shown(after)}. Write a quote inside the value as \\"`,
  )
}

const readQuoted = (scanner: Scanner, about: FieldOperator): string => {
  let text = scanner.until('"\\')
  while (!scanner.skip('"')) {
    if (scanner.skip('\\"')) text += '"'
    else if (scanner.skip('\\\\')) text += '\\'
    else if (scanner.isAtEnd() || scanner.rest() === '\\')
      throw brokenQuote(about, 'is missing its closing quote. Write & as %26')
    else throw brokenQuote(about, 'contains a single backslash inside its quotes. Write it as \\\\')
    text += scanner.until('"\\')
  }
  return text
}

const brokenQuote = ({ target, operator, parameter }: FieldOperator, what: string): Error =>
  refuse('malformed_query', parameter, `The value of ${target.field.name}${operator.sign} ${what}.`)

/**
 * A short search without other "contains" conditions is always allowed, regardless of the number of fields.
 *
 * @throws HttpError 400
 */
export const readSearch = ({ values }: Parameters, rules: ListRules, tally: Tally): Condition => {
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
  const more = containsUnits(text) - 1
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

/** A database compares the searched string at each character of the stored one, so a longer string costs more. */
const CHARACTERS_AT_ONCE = 50

const containsUnits = (text: string): number => Math.ceil(text.length / CHARACTERS_AT_ONCE)

const countContains = (tally: Tally, units: number, { maxContains }: ListRules, parameter: string): void => {
  tally.contains += units
  if (tally.contains <= maxContains) return
  throw refuse(
    'malformed_query',
    parameter,
    `A query may have at most ${maxContains} substring conditions; search counts once per field, and each string once per ${CHARACTERS_AT_ONCE} characters. Compare whole values with ==, or use fewer or shorter strings.`,
  )
}

/** Reads forward only, so the time is linear. */
class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  isAt(expected: string): boolean {
    return this.#text.startsWith(expected, this.#at)
  }

  skip(expected: string): boolean {
    if (!this.isAt(expected)) return false
    this.#at += expected.length
    return true
  }

  /** The text up to one of these characters, or to the end. */
  until(ends: string): string {
    const from = this.#at
    const text = this.#text
    let at = ends === '' ? text.length : from
    while (at < text.length && !ends.includes(text.charAt(at))) at += 1
    this.#at = at
    return text.slice(from, at)
  }

  rest(): string {
    return this.#text.slice(this.#at)
  }
}
