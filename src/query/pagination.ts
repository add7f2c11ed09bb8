import { StartError, suggest } from '../error/start-error.ts'

/** A paging strategy of list routes (specification, 1.1; `cursor`: contract, 4). */
export type PaginationType = 'limit-offset' | 'page-number' | 'cursor'

const paginationTypes: readonly PaginationType[] = ['limit-offset', 'page-number', 'cursor']
const classEndings: readonly (readonly [string, PaginationType])[] = [
  ['LimitOffsetPagination', 'limit-offset'],
  ['PageNumberPagination', 'page-number'],
]

/**
 * The strategy that `paginationType` or the setting `NINJA_PAGINATION_CLASS` names.
 *
 * @throws StartError naming what is allowed.
 */
export const paginationOf = (option: string | undefined, setting: string): PaginationType =>
  option === undefined
    ? named('The setting NINJA_PAGINATION_CLASS', setting, classEndings)
    : named('The option paginationType', option, [])

const named = (what: string, name: string, endings: typeof classEndings): PaginationType => {
  const found =
    paginationTypes.find((type) => type === name) ?? endings.find(([ending]) => name.endsWith(ending))?.[1]
  if (found !== undefined) return found
  const orEnding =
    endings.length > 0 ? ' A class name may end in LimitOffsetPagination or PageNumberPagination.' : ''
  throw new StartError(
    `${what} cannot be ${JSON.stringify(name)}.${suggest(name, paginationTypes)}${orEnding}`,
  )
}
