import { kinds } from '../model/kinds.ts'
import type { Field } from '../model/model.ts'
import type { Comparison, Condition } from './ast.ts'
import type { FilterContext } from './filter-context.ts'
import { refuse } from './refuse.ts'
import type { Scanner } from './scanner.ts'

/** A value as it was written: quoted, it is never null. */
interface Written {
  readonly text: string
  readonly isQuoted: boolean
}

/** Longer ones first, so that `>=` is not read as `>`. */
const operators = ['==', '!=', '>=', '<=', '=', '>', '<'] as const
type Operator = (typeof operators)[number]

/** Reads one condition; its value ends at one of `ends`, or with the text. */
export const readCondition = (scanner: Scanner, ends: string, context: FilterContext): Condition => {
  const name = scanner.until(`=!<>${ends}`)
  const operator = operators.find((candidate) => scanner.skip(candidate))
  if (operator === undefined) {
    throw refuse(
      'malformed_query',
      context.parameter,
      `${JSON.stringify(name)} is no condition. Write field=value, with one of ${operators.join(' ')}.`,
    )
  }
  const field = context.fieldNamed(name)
  const values = readValues(scanner, ends, { field, operator, context })
  return meanings[operator]({ field, operator, context }, values)
}

interface Asked {
  readonly field: Field
  readonly operator: Operator
  readonly context: FilterContext
}

const readValues = (scanner: Scanner, ends: string, asked: Asked): readonly Written[] => {
  const isList = asked.operator === '==' || asked.operator === '!='
  const values: Written[] = []
  do values.push(readValue(scanner, isList ? `${ends},` : ends, asked))
  while (isList && scanner.skip(','))
  return values
}

const readValue = (scanner: Scanner, ends: string, { field, context }: Asked): Written => {
  if (!scanner.isAt('"')) return { text: scanner.until(ends), isQuoted: false }
  const text = scanner.quoted()
  const after = scanner.until(ends)
  if (text !== undefined && after === '') return { text, isQuoted: true }
  throw refuse(
    'malformed_query',
    context.parameter,
    text === undefined
      ? `The value of ${field.name} has no closing quote. An & inside quotes must be percent-encoded as %26.`
      : `The value of ${field.name} goes on behind its closing quote. Write \\" for a quote inside quotes.`,
  )
}

const isNull = ({ text, isQuoted }: Written): boolean => text === 'null' && !isQuoted

type Meaning = (asked: Asked, values: readonly Written[]) => Condition

const equals: Meaning = (asked, values) => {
  const { field } = asked
  const read = values.filter((value) => !isNull(value)).map((value) => readAs(asked, value))
  const nulls: Condition[] = values.some(isNull) ? [{ op: 'is-null', field: field.name }] : []
  const equal: Condition[] =
    read.length === 1
      ? [{ op: 'eq', field: field.name, value: read[0] }]
      : read.length > 1
        ? [{ op: 'in', field: field.name, values: read }]
        : []
  const [only, ...more] = [...equal, ...nulls]
  return only !== undefined && more.length === 0 ? only : { op: 'or', conditions: [...equal, ...nulls] }
}

const differs: Meaning = (asked, values) => {
  const same = equals(asked, values)
  if (same.op === 'is-null') return { op: 'is-not-null', field: same.field }
  return same.op === 'eq' ? { ...same, op: 'ne' } : { op: 'not', condition: same }
}

const matches: Meaning = (asked, values) => {
  const { field, context } = asked
  const [value] = values
  if (value === undefined || (value.text === '' && !value.isQuoted)) {
    throw refuse(
      'invalid_value',
      context.parameter,
      `${field.name}= has no value. Write ${field.name}== for the empty string.`,
    )
  }
  if (isNull(value) || !kinds[field.kind].textual || context.isKey(field)) return equals(asked, values)
  return { op: 'contains', field: field.name, value: readAs(asked, value) }
}

const compares =
  (op: Comparison): Meaning =>
  (asked, values) => {
    const { field, operator, context } = asked
    const [value = { text: '', isQuoted: false }] = values
    if (!kinds[field.kind].ordered) {
      throw refuse(
        'invalid_operator',
        context.parameter,
        `${field.name} has no order: ${operator} does not work on it. Use =, == or !=.`,
      )
    }
    if (isNull(value)) {
      throw refuse(
        'invalid_value',
        context.parameter,
        `Nothing is ${operator} null. Use ${field.name}=null or ${field.name}!=null.`,
      )
    }
    return { op, field: field.name, value: readAs(asked, value) }
  }

const meanings: Readonly<Record<Operator, Meaning>> = {
  '=': matches,
  '==': equals,
  '!=': differs,
  '>': compares('gt'),
  '>=': compares('ge'),
  '<': compares('lt'),
  '<=': compares('le'),
}

const readAs = ({ field, operator, context }: Asked, { text }: Written): unknown => {
  const row = kinds[field.kind]
  if (!row.comparable) {
    throw refuse(
      'invalid_operator',
      context.parameter,
      `${field.name} can only be compared with null: ${field.name}=null or ${field.name}!=null.`,
    )
  }
  const reading = row.readText(text, field)
  if (reading.ok) return reading.value
  throw refuse('invalid_value', context.parameter, `${field.name}${operator} expects ${reading.expected}.`)
}
