import { type Condition, everything, isTextComparison, joined } from './ast.ts'
import { assertStored, queryFields } from './fields.ts'
import { jsonCondition, jsonUnits } from './json-conditions.ts'
import {
  assertOneCondition,
  assertTakes,
  type FieldOperator,
  isWrittenNull,
  type Operator,
  operators,
  readValue,
} from './operators.ts'
import { type Parameters, refuse, shown } from './parameters.ts'
import {
  deeper,
  endsWithField,
  follow,
  hopsOf,
  isNamedAt,
  namesAt,
  type QueryPlace,
  relatedBy,
  rootPlace,
  type Target,
  unknownName,
} from './places.ts'
import { type Labelled, readWritten, Scanner, type WrittenValue } from './scanner.ts'
import type { ListRules } from './settings.ts'
import { sharingSubqueries, toManyIn } from './shared-subqueries.ts'
import { countCondition, countContains, countToMany, type QueryTally, textUnits } from './tally.ts'

interface FilterReader {
  readonly scanner: Scanner
  readonly place: QueryPlace
  /** Of a segment of the query string, whose name could also be a parameter. Empty in `q`. */
  readonly parameterNames: readonly string[]
}

/** The characters that end a value in `q` and in a group. In a separate segment, only the end of the segment does. */
const Q_ENDS = '&'
const GROUP_ENDS = '&|)'

export const readFilter = (
  { filters, names }: Parameters,
  rules: ListRules,
  tally: QueryTally,
): Condition => {
  if (filters.length === 0) return everything
  const conditions: Condition[] = []
  const parameters: string[] = []
  for (const { parameter, text, isQ } of filters) {
    const scanner = new Scanner(text)
    const reader: FilterReader = {
      scanner,
      place: rootPlace(parameter, rules, tally),
      parameterNames: isQ ? [] : names,
    }
    if (isQ) readConditions(reader, conditions, '')
    else conditions.push(readItem(reader, ''))
    if (!scanner.isAtEnd()) throw goesOn(reader)
    while (parameters.length < conditions.length) parameters.push(parameter)
  }
  const filter = sharingSubqueries(allOf(conditions), rules)
  countToMany(tally, toManyIn(filter, rules), rules, () => {
    const hopsUpTo = (at: number): number =>
      toManyIn(sharingSubqueries(allOf(conditions.slice(0, at + 1)), rules), rules)
    return parameters.find((_, at) => hopsUpTo(at) > rules.maxToMany) ?? 'q'
  })
  return filter
}

/** The conditions up to one of the characters `ends`, or to the end. They are about the records of a place. */
export const readConditionsOf = (place: QueryPlace, scanner: Scanner, ends: string): Condition => {
  const conditions: Condition[] = []
  const reader = { scanner, place, parameterNames: [] }
  readConditions(reader, conditions, ends)
  if (!scanner.isAtEnd() && !scanner.isAtOneOf(ends)) throw goesOn(reader)
  const about = { model: place.model, modelOf: place.rules.modelOf }
  const filter = sharingSubqueries(allOf(conditions), about)
  countToMany(place.tally, toManyIn(filter, about), place.rules, () => place.parameter)
  return filter
}

const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? everything : joined('and', conditions)

/** Any number of conditions, joined by `&`. */
const readConditions = (reader: FilterReader, conditions: Condition[], ends: string): void => {
  const { scanner } = reader
  while (!scanner.isAtEnd() && !scanner.isAtOneOf(ends)) {
    if (scanner.skip('&')) continue
    conditions.push(readItem(reader, Q_ENDS + ends))
    if (!scanner.isAt('&')) return
  }
}

/** Values extend to the end: unread text can only follow a group. */
const goesOn = ({ scanner, place }: FilterReader): Error => {
  const remedy = scanner.isAt('|')
    ? 'Put alternatives inside one group: (a=1|b=2).'
    : 'Use & to join a group to other conditions of q.'
  return refuse(
    'malformed_query',
    place.parameter,
    `Unexpected ${shown(scanner.rest())} after a group. ${remedy}`,
  )
}

/**
 * A condition, a group, or the negation of a group: `(a=1|b>2)`, `!(a=1&b=2)`. A parenthesis inside a value is literal:
 * `title=foo (bar)`.
 */
const readItem = (reader: FilterReader, ends: string): Condition => {
  const { scanner, place } = reader
  if (scanner.skip('(')) return readGroup(reader, deeper(place))
  if (!scanner.skip('!')) return readCondition(reader, ends)
  if (scanner.skip('(')) return not(readGroup(reader, deeper(place)))
  throw refuse(
    'malformed_query',
    place.parameter,
    `!${shown(scanner.rest())} is not a condition. Use ! before a group, such as !(a=1), or in the operator !=.`,
  )
}

const not = (condition: Condition): Condition => Object.freeze({ op: 'not', condition })

/** `&` binds tighter than `|`. Recursion is at most `maxDepth` deep. @param place about whose records the group is */
const readGroup = ({ scanner }: FilterReader, place: QueryPlace): Condition => {
  const reader: FilterReader = { scanner, place, parameterNames: [] }
  const alternatives: Condition[] = []
  do {
    const conditions: Condition[] = []
    do conditions.push(readItem(reader, GROUP_ENDS))
    while (scanner.skip('&'))
    alternatives.push(joined('and', conditions))
  } while (scanner.skip('|'))
  if (scanner.skip(')')) return joined('or', alternatives)
  throw refuse(
    'malformed_query',
    place.parameter,
    scanner.isAtEnd()
      ? 'A group is missing its closing parenthesis. Inside a group, write & as %26.'
      : `Unexpected ${shown(scanner.rest())} after a nested group. Use one of & | ).`,
  )
}

/** A name may have a quoted key after a dot: `attributes."a=b"`. */
const readName = (scanner: Scanner, ends: string): string => {
  let name = scanner.until(`${ends}"`)
  while (scanner.skip('"')) {
    name += '"'
    if (name.endsWith('."')) name += scanner.until('"') + (scanner.skip('"') ? '"' : '')
    name += scanner.until(`${ends}"`)
  }
  return name
}

/** A comparison, or a group about a related record: `items(price>10&quantity=2)`. */
const readCondition = (reader: FilterReader, ends: string): Condition => {
  const { scanner, place } = reader
  let name = readName(scanner, `${ends}=!<>(`)
  if (scanner.isAt('(')) {
    const { relations, place: there, unknown } = follow(name, place, 'relation')
    if (unknown === undefined && scanner.skip('('))
      return relatedBy(hopsOf(relations), readGroup(reader, there))
    // A parenthesis in the name of a field.
    name += readName(scanner, `${ends}=!<>`)
  }
  return readComparison(reader, ends, name)
}

/** A name may end with the first character of an operator, unless a field does: then `=` is the operator. */
const splitOperator = (
  text: string,
  { scanner, place }: FilterReader,
): { readonly name: string; readonly operator: Operator | undefined } => {
  const name = text.slice(0, -1)
  const signed = operators.find(({ sign }) => sign === `${text.slice(-1)}=`)
  const isSigned = signed?.text !== undefined && scanner.isAt('=') && !endsWithField(text, place)
  if (isSigned && scanner.skip('=')) return { name, operator: signed }
  return { name: text, operator: operators.find(({ sign }) => scanner.skip(sign)) }
}

const readComparison = (reader: FilterReader, ends: string, text: string): Condition => {
  const { scanner, place } = reader
  const { rules, tally, parameter } = place
  countCondition(tally, rules, parameter)
  const { name, operator } = splitOperator(text, reader)
  if (operator === undefined) throw noOperator(name, reader)
  const target = follow(name, place, 'inside')
  const { relations, field, path, unknown } = target
  if (unknown !== undefined) {
    assertStored(name, parameter, { ...rules, model: target.place.model }, unknown)
    throw unknownField(name, reader, target)
  }
  const written = readAllWritten(scanner, ends, operator, { label: name + operator.sign, parameter })
  if (field === undefined) return existence(target, written, { name, operator, parameter })
  const about = { name, operator, parameter }
  if (!ends.includes('|')) assertOneCondition(written, about, (other) => isNamedAt(other, place))
  if (path !== undefined) {
    const condition = jsonCondition({ ...about, field: field.field.name, path }, written)
    countContains(tally, jsonUnits(condition), rules, parameter)
    return relatedBy(hopsOf(relations), condition)
  }
  const asked: FieldOperator = { ...about, target: field }
  assertTakes(asked, written)
  const condition = operator.meaning(
    field,
    written.map((each) => readValue(each, asked)),
  )
  if ('value' in condition && isTextComparison(condition.op))
    countContains(tally, textUnits(condition.op, String(condition.value)), rules, parameter)
  return relatedBy(hopsOf(relations), condition)
}

/** `items=null`: there are none. */
const existence = (
  { relations, place }: Target,
  written: readonly WrittenValue[],
  { name, operator, parameter }: Omit<FieldOperator, 'target'>,
): Condition => {
  if (operator.isOrder || !written.every(isWrittenNull)) {
    const [first = ''] = queryFields(place.model).names
    throw refuse(
      'invalid_operator',
      parameter,
      `${name}${operator.sign} is not supported, because ${name} is a relation. Use ${name}=null, ${name}!=null or a field of the related record, such as ${name}.${first}.`,
    )
  }
  const hops = hopsOf(relations)
  const exists = relatedBy(hops.slice(-1), everything)
  return relatedBy(hops.slice(0, -1), operator.sign === '!=' ? exists : not(exists))
}

const noOperator = (name: string, { scanner, place }: FilterReader): Error => {
  const isMissing = name === '' && !scanner.isAt('!')
  const what = isMissing ? 'A condition is missing' : `${shown(name)} is not a condition`
  const signs = operators.map(({ sign }) => sign).join(' ')
  return refuse('malformed_query', place.parameter, `${what}. Use a field, one of ${signs}, and a value.`)
}

const unknownField = (name: string, { parameterNames, place }: FilterReader, target: Target): Error => {
  const { model, parameter } = target.place
  const [before = '', group] = name.split('(', 2)
  if (group !== undefined) return unknownName(before, parameter, 'Unknown relation', namesAt(target, []))
  const isParameter = parameterNames.length > 0 && target.place === place
  const names = namesAt(target, queryFields(model).names)
  return unknownName(
    name,
    parameter,
    isParameter ? 'Unknown field or parameter' : 'Unknown field',
    isParameter ? new Set([...names, ...parameterNames]) : names,
  )
}

const readAllWritten = (
  scanner: Scanner,
  ends: string,
  { isList }: Operator,
  about: Labelled,
): readonly WrittenValue[] => {
  if (!isList) return [readWritten(scanner, ends, about)]
  const written: WrittenValue[] = []
  do written.push(readWritten(scanner, `${ends},`, about))
  while (scanner.skip(','))
  return written
}
