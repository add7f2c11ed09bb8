import { isStorable } from '../model/kinds/text.ts'
import { ownValue } from '../model/objects.ts'
import { type Condition, joined } from './ast.ts'
import type { JsonComparison, JsonScalar, JsonStep } from './json-path.ts'
import { type FieldOperator, isMissing, isWrittenNull } from './operators.ts'
import { refuse, shown } from './parameters.ts'
import { Scanner, type WrittenValue } from './scanner.ts'
import { textUnits } from './tally.ts'

/** Larger places have no array, and some databases refuse them. */
export const MOST_PLACE: number = 2 ** 31 - 1

/** Not every database can quote them in a path. */
const unquotable = /["\\\p{Cc}]/u

/** Whether every database can have it in a path. */
export const isKey = (key: string): boolean => key !== '' && !unquotable.test(key) && isStorable(key)

/**
 * Reads the steps after the name of a JSON field: `color`, `0` or `"a.b".c`.
 *
 * @returns `undefined` if the text is not a path
 */
export const readSteps = (text: string): readonly JsonStep[] | undefined => {
  const scanner = new Scanner(text)
  const steps: JsonStep[] = []
  do {
    const isQuoted = scanner.skip('"')
    const key = scanner.until(isQuoted ? '"' : '.')
    const isPlace = !isQuoted && /^\d+$/.test(key)
    if ((isQuoted && !scanner.skip('"')) || !isKey(key)) return undefined
    if (isPlace && Number(key) > MOST_PLACE) return undefined
    steps.push(isPlace ? Number(key) : key)
  } while (scanner.skip('.'))
  return scanner.isAtEnd() ? Object.freeze(steps) : undefined
}

const comparisons: Readonly<Record<string, JsonComparison>> = {
  ...{ '=': 'matches', '==': 'eq', '!=': 'eq', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' },
}

/** @throws HttpError 400 if values inside JSON do not have the operator, or not with these values */
export const jsonCondition = (
  about: Omit<FieldOperator, 'target'> & { readonly field: string; readonly path: readonly JsonStep[] },
  written: readonly WrittenValue[],
): Condition => {
  const { name, operator, parameter, field, path } = about
  const { sign, isOrder } = operator
  const is = ownValue(comparisons, sign)
  if (is === undefined)
    throw refuse(
      'invalid_operator',
      parameter,
      `${name}${sign} is not supported inside JSON. Allowed: ${Object.keys(comparisons).join(', ')}.`,
    )
  if (isMissing(written, operator))
    throw refuse(
      'invalid_value',
      parameter,
      `The value of ${name}${sign} is missing. Send a JSON number, true, false or text, ${name}== for the empty string, or ${name}=null for null.`,
    )
  const conditions = written.map((each): Condition => {
    const value = isWrittenNull(each) ? null : readScalar(each, about)
    if (isOrder && (value === null || typeof value === 'boolean'))
      throw refuse(
        'invalid_value',
        parameter,
        `${name}${sign}${each.text} is invalid, because ${each.text} has no order. Quote the value if it is text.`,
      )
    return value === null
      ? Object.freeze({ op: 'json-null', field, path })
      : Object.freeze({ op: 'json', field, path, is, value })
  })
  const some = joined('or', conditions)
  return sign === '!=' ? Object.freeze({ op: 'not', condition: some }) : some
}

/** What a condition inside JSON costs, in units of the setting QUERY_MAX_CONTAINS. */
export const jsonUnits = (condition: Condition): number =>
  condition.op === 'json' && condition.is === 'matches' && typeof condition.value === 'string'
    ? Math.max(1, textUnits('contains', condition.value))
    : 1

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

const readScalar = (
  { text, isQuoted }: WrittenValue,
  { name, operator: { sign }, parameter }: Omit<FieldOperator, 'target'>,
): JsonScalar => {
  if (!isQuoted && (text === 'true' || text === 'false')) return text === 'true'
  if (!isQuoted && jsonNumber.test(text)) {
    const value = Number(text)
    if (Number.isFinite(value)) return value + 0
    throw refuse(
      'invalid_value',
      parameter,
      `The value of ${name}${sign} must be a number of double precision, not ${shown(text)}. Quote it if it is text.`,
      'out_of_range',
    )
  }
  if (isStorable(text)) return text
  throw refuse(
    'invalid_value',
    parameter,
    `The value of ${name}${sign} must be text in well-formed Unicode, without U+0000.`,
    'invalid_format',
  )
}
