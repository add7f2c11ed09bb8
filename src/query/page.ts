import type { Selection } from './ast.ts'
import type { PaginationType } from './pagination.ts'
import type { Parameters } from './parameters.ts'
import { refuse, shown } from './refuse.ts'
import type { ListRules } from './rules.ts'

type Window = Pick<Selection, 'limit' | 'offset'>

/** The records of a page where `limit` does not say. */
export const defaultLimit = ({ perPage, maxLimit }: ListRules): number => Math.min(perPage, maxLimit)

/** How each paging strategy reads its parameters (specification, 4.2), the cursor itself aside. */
export const pageReaders: Readonly<
  Record<PaginationType, (parameters: Parameters, rules: ListRules) => Window>
> = {
  'limit-offset': (parameters, rules) => ({
    limit: wholeNumber(parameters, 'limit', 0, rules.maxLimit) ?? defaultLimit(rules),
    offset: wholeNumber(parameters, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0,
  }),
  'page-number': (parameters, { perPage }) => {
    const page = wholeNumber(parameters, 'page', 1, Math.floor(Number.MAX_SAFE_INTEGER / perPage)) ?? 1
    return { limit: perPage, offset: (page - 1) * perPage }
  },
  cursor: (parameters, rules) => ({
    limit: wholeNumber(parameters, 'limit', 1, rules.maxLimit) ?? defaultLimit(rules),
    offset: 0,
  }),
}

const wholeNumber = (
  { values }: Parameters,
  name: string,
  least: number,
  most: number,
): number | undefined => {
  const text = values.get(name)?.[0]
  if (text === undefined) return undefined
  const isNumber = /^-?\d+$/.test(text)
  const value = isNumber ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw refuse(
    'invalid_value',
    name,
    `${name} must be a whole number from ${least} to ${most}, not ${shown(text)}.`,
    isNumber ? 'out_of_range' : 'invalid_format',
  )
}
