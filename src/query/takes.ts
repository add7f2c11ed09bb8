import type { Asked } from './asked.ts'
import { refuse } from './refuse.ts'
import { isNull, type Written } from './value.ts'

/** @throws HttpError 400 where the field does not have the operator, or not for these values */
export const assertTakes = (asked: Asked, written: readonly Written[]): void => {
  const { operator, target } = asked
  const onlyNull = written.every(isNull)
  if (operator.isOrder ? !target.row.ordered : !(target.row.comparable || onlyNull)) throw notTaken(asked)
  if (operator.isOrder && onlyNull) throw orderOfNull(asked)
  if (!operator.isList && written.every(({ text, isQuoted }) => text === '' && !isQuoted))
    throw noValue(asked)
}

const notTaken = ({ target: { field, row }, operator, parameter }: Asked): Error => {
  const taken = row.comparable ? '=, == and !=' : '=null and !=null alone'
  return refuse(
    'invalid_operator',
    parameter,
    `${field.name}${operator.sign}: ${field.name} is ${row.noun} and takes ${taken}.`,
  )
}

const orderOfNull = ({ target: { field }, operator, parameter }: Asked): Error =>
  refuse(
    'invalid_value',
    parameter,
    `${field.name}${operator.sign}null: nothing is smaller or larger than null. Write ${field.name}=null or ${field.name}!=null.`,
  )

const noValue = ({ target: { field, row }, operator, parameter }: Asked): Error => {
  const empty = row.textual ? ` The empty text is ${field.name}==.` : ''
  return refuse(
    'invalid_value',
    parameter,
    `${field.name}${operator.sign} has no value: expected ${row.noun}, or null as ${field.name}=null.${empty}`,
  )
}
