import { StartError, suggest } from '../error/errors.ts'

/** How lists are paged. See docs/queries.md. */
export type PaginationType = 'limit-offset' | 'page-number' | 'cursor'

/** The types of pages that a list has. The first is that of requests which do not choose one. */
export type PaginationTypes = readonly [PaginationType, ...PaginationType[]]

export const paginationTypes: readonly PaginationType[] = ['limit-offset', 'page-number', 'cursor']

/** Reads `paginationType`: one type, or several. @param place names the option @throws StartError that names the allowed values */
export const readPaginationTypes = (place: string, given: unknown): PaginationTypes => {
  const names: readonly unknown[] = Array.isArray(given) ? given : [given]
  const [first, ...others] = names.map((name) => typeIn(place, name))
  if (first === undefined)
    throw new StartError(`${place} is an empty list. Allowed: ${paginationTypes.join(', ')}.`)
  const types: PaginationTypes = [first, ...others]
  const twice = types.find((type, at) => types.indexOf(type) < at)
  if (twice !== undefined) throw new StartError(`${place} has ${twice} twice. Remove one.`)
  return Object.freeze(types)
}

/** A cursor names the key of a record, which a model without one does not have. */
export const pagingOf = (
  {
    pagination,
    primaryKey,
  }: { readonly pagination?: PaginationTypes; readonly primaryKey: readonly string[] },
  usual: PaginationTypes,
): PaginationTypes => {
  const types = pagination ?? usual
  if (primaryKey.length > 0) return types
  const [first = 'limit-offset', ...others] = types.filter((type) => type !== 'cursor')
  return Object.freeze([first, ...others] as const)
}

const typeIn = (place: string, name: unknown): PaginationType => {
  const type = paginationTypes.find((known) => known === name)
  if (type !== undefined) return type
  const shown = typeof name === 'string' ? JSON.stringify(name) : String(name)
  throw new StartError(`Unknown ${place} ${shown}.${suggest(String(name), paginationTypes)}`)
}
