import type { KindField, KindRow } from '../model/codec.ts'
import { kinds } from '../model/kinds/index.ts'
import type { Field } from '../model/model.ts'
import type { OptionalTextComparison } from '../model/text-comparisons.ts'
import type { Comparison, Condition } from './ast.ts'
import { type QueryField, takesText } from './fields.ts'
import { refuse, shown } from './parameters.ts'
import type { WrittenValue } from './scanner.ts'

export interface Operator {
  readonly sign: string
  /** Compares by order. */
  readonly isOrder: boolean
  /** Accepts several values, separated by commas, and the empty value. */
  readonly isList: boolean
  /** Only for text, and not for every source: what it asks for. Takes neither null nor the empty text. */
  readonly text?: { readonly op: OptionalTextComparison; readonly meaning: string }
  readonly meaning: (target: QueryField, values: readonly unknown[]) => Condition
}

export interface FieldOperator {
  /** The name of the field as the client wrote it. */
  readonly name: string
  readonly target: QueryField
  readonly operator: Operator
  /** The parameter that an error names. */
  readonly parameter: string
}

const compare = (op: Comparison, { field }: QueryField, value: unknown): Condition =>
  Object.freeze({ op, field: field.name, value })

const oneOf = (target: QueryField, values: readonly unknown[]): Condition =>
  values.length === 1
    ? compare('eq', target, values[0])
    : Object.freeze({ op: 'in', field: target.field.name, values: Object.freeze(values) })

const equals: Operator['meaning'] = (target, values) => {
  if (!values.includes(null)) return oneOf(target, values)
  const isNull: Condition = Object.freeze({ op: 'is-null', field: target.field.name })
  const others = values.filter((value) => value !== null)
  if (others.length === 0) return isNull
  return Object.freeze({ op: 'or', conditions: Object.freeze([oneOf(target, others), isNull]) })
}

const differs: Operator['meaning'] = (target, values) => {
  const condition = equals(target, values)
  if (condition.op === 'eq') return compare('ne', target, values[0])
  return Object.freeze(
    condition.op === 'is-null' ? { op: 'is-not-null', field: condition.field } : { op: 'not', condition },
  )
}

const matches: Operator['meaning'] = (target, values) => {
  const { field, contains } = target
  const [value] = values
  if (value === null) return equals(target, values)
  if (field.comparesElements === true) return Object.freeze({ op: 'has-element', field: field.name, value })
  return contains ? compare('contains', target, value) : equals(target, values)
}

const order = (sign: string, op: Comparison): Operator => ({
  sign,
  isOrder: true,
  isList: false,
  meaning: (target, values) => compare(op, target, values[0]),
})

const ofText = (sign: `${string}=`, op: OptionalTextComparison, meaning: string): Operator => ({
  ...{ sign, text: { op, meaning }, isOrder: false, isList: false },
  meaning: (target, values) => compare(op, target, values[0]),
})

/** Longer signs come first, otherwise `>=` would be read as `>`. */
export const operators: readonly Operator[] = Object.freeze([
  ofText('^=', 'starts-with', 'starts with'),
  ofText('~=', 'equals-ignoring-case', 'equals, ignoring case'),
  { sign: '==', isOrder: false, isList: true, meaning: equals },
  { sign: '!=', isOrder: false, isList: true, meaning: differs },
  order('>=', 'ge'),
  order('<=', 'le'),
  { sign: '=', isOrder: false, isList: false, meaning: matches },
  order('>', 'gt'),
  order('<', 'lt'),
])

/** @throws HttpError 400 if the field does not support the operator, or does not support it with these values */
export const assertTakes = (
  { name, target, operator, parameter }: FieldOperator,
  written: readonly WrittenValue[],
): void => {
  const { field, row, contains } = target
  const { sign, isOrder, text } = operator
  if (text !== undefined) {
    assertTextTaken({ name, target, operator, parameter }, text.op, written)
    return
  }
  const onlyNull = written.every(isWrittenNull)
  const isMatch = operator.meaning === matches
  const isContains = contains && isMatch
  const isElement = field.comparesElements === true && isMatch
  if (isOrder ? !row.ordered : !(row.comparable || onlyNull || isContains || isElement))
    throw refuse('invalid_operator', parameter, unsupported(name, target, sign))
  if (isContains && !onlyNull) assertLiteral(field, written[0]?.text ?? '', parameter)
  if (isOrder && onlyNull)
    throw refuse(
      'invalid_value',
      parameter,
      `${name}${sign}null is invalid, because null has no order. Use ${name}=null or ${name}!=null.`,
    )
  if (isMissing(written, operator)) {
    const empty = row.textual ? `, ${name}== for the empty string,` : ''
    throw refuse(
      'invalid_value',
      parameter,
      `The value of ${name}${sign} is missing. Send ${readerOf(target).row.noun}${empty} or ${name}=null for null.`,
    )
  }
}

const assertTextTaken = (
  { name, target, operator: { sign }, parameter }: FieldOperator,
  op: OptionalTextComparison,
  [written]: readonly WrittenValue[],
): void => {
  if (!takesText(target, op)) throw refuse('invalid_operator', parameter, unsupported(name, target, sign))
  if (written !== undefined && written.text !== '' && !isWrittenNull(written)) return
  throw refuse(
    'invalid_value',
    parameter,
    `${name}${sign} needs a text, such as ${name}${sign}a. Write ${name}== for the empty string, ${name}=null for null, and ${name}${sign}"null" for the text null.`,
  )
}

const unsupported = (name: string, target: QueryField, sign: string): string => {
  const { field, row, contains } = target
  const ordered = row.ordered ? '>, >=, <, <=, ' : ''
  if (field.conditions !== 'inexact') {
    if (field.comparesElements === true)
      return `${name}${sign} is not supported, because ${name} is an array. Allowed: ${name}= with an element, =null, !=null.`
    const allowed = row.comparable ? `=, ==, !=${ordered && `, ${ordered.slice(0, -2)}`}` : '=null, !=null'
    const why = row.textual ? 'the database does not support it' : `${name} must be ${row.noun}`
    return `${name}${sign} is not supported, because ${why}. Allowed: ${allowed}.`
  }
  const allowed = contains ? `=, ${ordered}==null, !=null` : `${ordered}=null, !=null`
  return `${name}${sign} is not supported, because the database does not compare strings exactly. Allowed: ${allowed}.`
}

/** @throws HttpError 400 for a text with wildcards, if the source would not take them literally */
export const assertLiteral = ({ name, literalOnly }: Field, text: string, parameter: string): void => {
  if (literalOnly !== true || !/[%_\\]/.test(text)) return
  throw refuse(
    'invalid_value',
    parameter,
    `${name} cannot be searched for %, _ or \\, because the database reads them as wildcards. Search for a text without them.`,
  )
}

/** What reads a value that a field is compared with: that of its elements, if it has some. */
const readerOf = ({ field, row }: QueryField): { readonly field: KindField; readonly row: KindRow } => {
  const { element, comparesElements } = field
  return comparesElements === true && element !== undefined
    ? { field: element, row: kinds[element.kind] }
    : { field, row }
}

/** Whether a value is missing that the operator needs. */
export const isMissing = (written: readonly WrittenValue[], { isList }: Operator): boolean =>
  !isList && written.every(({ text, isQuoted }) => text === '' && !isQuoted)

export const isWrittenNull = ({ text, isQuoted }: WrittenValue): boolean => text === 'null' && !isQuoted

export const readValue = (
  written: WrittenValue,
  { name, target, operator, parameter }: FieldOperator,
): unknown => {
  if (isWrittenNull(written)) return null
  const { field, row } = readerOf(target)
  const reading = row.readText(written.text, field)
  if (reading.ok) return reading.value
  throw refuse(
    'invalid_value',
    parameter,
    `The value of ${name}${operator.sign} must be ${reading.expected}, not ${shown(written.text)}.${hintFor(operator, written)}`,
    reading.code,
  )
}

const startOfCondition = /^[\s!(]*([^\s=!<>(]+?)[~^]?\s*[=!<>]/

/**
 * Refuses a value outside of a group that goes on with `|` and another condition, such as `name=a|name=b`. As a text, it would find
 * nothing, without a word.
 *
 * @param isNamed whether a name is a field or a relation
 * @throws HttpError 400
 */
export const assertOneCondition = (
  values: readonly WrittenValue[],
  { name, operator, parameter }: Omit<FieldOperator, 'target'>,
  isNamed: (name: string) => boolean,
): void => {
  const goesOn = ({ text, isQuoted }: WrittenValue): boolean =>
    !isQuoted &&
    text.includes('|') &&
    text
      .split('|')
      .slice(1)
      .some((part) => isNamed(startOfCondition.exec(part)?.[1] ?? ''))
  if (!values.some(goesOn)) return
  const list = values.map(({ text, isQuoted }) => (isQuoted ? JSON.stringify(text) : text)).join(',')
  const written = name + operator.sign + list
  const alternatives = written.split('|').map((part) => part.trim())
  const remedy = `(${alternatives.filter((part) => part !== '').join('|')})`
  throw refuse(
    'malformed_query',
    parameter,
    `${shown(written)} is one condition, because | means "or" only inside parentheses. Write ${shown(remedy)}, or quote the value if it contains the |.`,
  )
}

const hintFor = ({ sign }: Operator, { text }: WrittenValue): string => {
  if (text.includes('|')) return ' For alternatives, write parentheses: (a=1|b=2).'
  return sign === '=' && text.includes(',') ? ' For a list of values, write == in place of =.' : ''
}
