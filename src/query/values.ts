import type { Comparison, Condition } from './ast.ts'
import type { QueryField } from './fields.ts'
import { refuse, shown } from './parameters.ts'

/** What stands between a field and its value. */
interface Operator {
  readonly sign: string
  /** It is about smaller and larger. */
  readonly isOrder: boolean
  /** It takes several values, with commas between them, and the empty one. */
  readonly isList: boolean
  /** `values` are those that were written, at least one; null where null was. */
  readonly meaning: (target: QueryField, values: readonly unknown[]) => Condition
}

const compare = (op: Comparison, { field }: QueryField, value: unknown): Condition =>
  Object.freeze({ op, field: field.name, value })

const nullCondition = ({ field }: QueryField): Condition =>
  Object.freeze({ op: 'is-null', field: field.name })

const oneOf = (target: QueryField, values: readonly unknown[]): Condition =>
  values.length === 1
    ? compare('eq', target, values[0])
    : Object.freeze({ op: 'in', field: target.field.name, values: Object.freeze(values) })

const equals: Operator['meaning'] = (target, values) => {
  if (!values.includes(null)) return oneOf(target, values)
  const others = values.filter((value) => value !== null)
  if (others.length === 0) return nullCondition(target)
  return Object.freeze({
    op: 'or',
    conditions: Object.freeze([oneOf(target, others), nullCondition(target)]),
  })
}

const differs: Operator['meaning'] = (target, values) => {
  const condition = equals(target, values)
  if (condition.op === 'eq') return compare('ne', target, values[0])
  return Object.freeze(
    condition.op === 'is-null' ? { op: 'is-not-null', field: condition.field } : { op: 'not', condition },
  )
}

const matches: Operator['meaning'] = (target, values) =>
  target.contains && values[0] !== null ? compare('contains', target, values[0]) : equals(target, values)

const order = (sign: string, op: Comparison): Operator => ({
  sign,
  isOrder: true,
  isList: false,
  meaning: (target, values) => compare(op, target, values[0]),
})

/** Longer signs first, so that `>=` is not read as `>`. */
export const operators: readonly Operator[] = Object.freeze([
  { sign: '==', isOrder: false, isList: true, meaning: equals },
  { sign: '!=', isOrder: false, isList: true, meaning: differs },
  order('>=', 'ge'),
  order('<=', 'le'),
  { sign: '=', isOrder: false, isList: false, meaning: matches },
  order('>', 'gt'),
  order('<', 'lt'),
])

/** @throws HttpError 400 where the field does not have the operator, or not for these values */
export const assertTakes = (asked: FieldOperator, written: readonly Written[]): void => {
  const { operator, target } = asked
  const onlyNull = written.every(isNull)
  if (operator.isOrder ? !target.row.ordered : !(target.row.comparable || onlyNull)) throw notTaken(asked)
  if (operator.isOrder && onlyNull) throw orderOfNull(asked)
  if (!operator.isList && written.every(({ text, isQuoted }) => text === '' && !isQuoted))
    throw noValue(asked)
}

const notTaken = ({ target: { field, row }, operator, parameter }: FieldOperator): Error => {
  const taken = row.comparable ? '=, == and !=' : '=null and !=null alone'
  return refuse(
    'invalid_operator',
    parameter,
    `${field.name}${operator.sign}: ${field.name} is ${row.noun} and takes ${taken}.`,
  )
}

const orderOfNull = ({ target: { field }, operator, parameter }: FieldOperator): Error =>
  refuse(
    'invalid_value',
    parameter,
    `${field.name}${operator.sign}null: nothing is smaller or larger than null. Write ${field.name}=null or ${field.name}!=null.`,
  )

const noValue = ({ target: { field, row }, operator, parameter }: FieldOperator): Error => {
  const empty = row.textual ? ` The empty text is ${field.name}==.` : ''
  return refuse(
    'invalid_value',
    parameter,
    `${field.name}${operator.sign} has no value: expected ${row.noun}, or null as ${field.name}=null.${empty}`,
  )
}

/** A value as it was written, white space and all. */
interface Written {
  readonly text: string
  readonly isQuoted: boolean
}

/** In quotes it is the text. */
const isNull = ({ text, isQuoted }: Written): boolean => text === 'null' && !isQuoted

/** The values of a condition, one unless the operator takes a list. @throws HttpError 400 for a broken quote */
export const readWritten = (scanner: Scanner, ends: Ends, asked: FieldOperator): readonly Written[] => {
  if (!asked.operator.isList) return [readOne(scanner, ends.value, asked)]
  const written: Written[] = []
  do written.push(readOne(scanner, ends.element, asked))
  while (scanner.skip(','))
  return written
}

const readOne = (scanner: Scanner, ends: string, asked: FieldOperator): Written => {
  if (!scanner.skip('"')) return { text: scanner.until(ends), isQuoted: false }
  const text = readQuoted(scanner, asked)
  const after = scanner.until(ends)
  if (after === '') return { text, isQuoted: true }
  throw brokenQuote(asked, `goes on behind its closing quote with ${shown(after)}. A quote inside is \\"`)
}

/** What stands behind an opening quote, up to the closing one. */
const readQuoted = (scanner: Scanner, asked: FieldOperator): string => {
  let text = scanner.until('"\\')
  while (!scanner.skip('"')) {
    if (scanner.skip('\\"')) text += '"'
    else if (scanner.skip('\\\\')) text += '\\'
    else if (scanner.isAtEnd() || scanner.rest() === '\\')
      throw brokenQuote(
        asked,
        'has no closing quote. A & typed as it is ends the parameter: percent-encode it as %26',
      )
    else throw brokenQuote(asked, 'has a single backslash in its quotes. Write \\\\ for it')
    text += scanner.until('"\\')
  }
  return text
}

const brokenQuote = ({ target, operator, parameter }: FieldOperator, what: string): Error =>
  refuse('malformed_query', parameter, `The value of ${target.field.name}${operator.sign} ${what}.`)

/** What was written, in the form of the field; null for null. @throws HttpError 400 that says what is expected */
export const readValue = (written: Written, { target, operator, parameter }: FieldOperator): unknown => {
  if (isNull(written)) return null
  const { field, row } = target
  const reading = row.readText(written.text, field)
  if (reading.ok) return reading.value
  throw refuse(
    'invalid_value',
    parameter,
    `${field.name}${operator.sign} expects ${reading.expected}, not ${shown(written.text)}.`,
    reading.code,
  )
}

/** A field and an operator on it. */
interface FieldOperator {
  readonly target: QueryField
  readonly operator: Operator
  /** What an error names. */
  readonly parameter: string
}

/** Reads a text from left to right, and never goes back. */
export class Scanner {
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

  /** Goes over the expected text, where it stands here. */
  skip(expected: string): boolean {
    if (!this.isAt(expected)) return false
    this.#at += expected.length
    return true
  }

  /** Everything up to one of these characters, or to the end. */
  until(ends: string): string {
    const from = this.#at
    const text = this.#text
    let at = ends === '' ? text.length : from
    while (at < text.length && !ends.includes(text.charAt(at))) at += 1
    this.#at = at
    return text.slice(from, at)
  }

  /** What is left, for an error. */
  rest(): string {
    return this.#text.slice(this.#at)
  }
}

/** The characters that end what is read, by the place where it stands. */
export interface Ends {
  readonly value: string
  /** Of an element of a list. */
  readonly element: string
  readonly name: string
}

const endsOf = (value: string): Ends => Object.freeze({ value, element: `${value},`, name: `${value}=!<>` })

/** A segment of its own is one condition: nothing ends its value. */
export const inSegment: Ends = endsOf('')
/** Inside `q`. */
export const inQ: Ends = endsOf('&')
/** Inside a group, wherever that stands. */
export const inGroup: Ends = endsOf('&|)')
