import { PROTOTYPE } from '../../model/facts.ts'
import { modelNameOf, pathOf, wordsOf } from '../../model/naming.ts'
import { reservedPaths } from '../../model/setup/served.ts'
import type { CatalogTable } from './facts.ts'

/** A name, and whether it differs from that of the database by more than its style. */
export interface NewName {
  readonly name: string
  readonly isChanged: boolean
}

/**
 * The names of the models of tables, in their order. No two have the same path, and none has one that the service itself needs. The
 * first of several keeps its name, and others get that of their schema, or a number.
 */
export const modelNames = (tables: readonly Pick<CatalogTable, 'schema' | 'name'>[]): readonly NewName[] => {
  const taken = new Set(reservedPaths([]).concat('media', 'admin', 'mcp'))
  return tables.map(({ schema, name: table }) => {
    const plain = wordOf(table, 'Table')
    const name = firstFree(plain, [`${wordOf(schema ?? '', '')}${plain}`, `${plain}Table`], (one) =>
      isFree(one, taken),
    )
    for (const path of pathsOf(name)) taken.add(path)
    return { name, isChanged: name !== plain || !/^[\w-]+$/.test(table) }
  })
}

/** Names that differ only by case are the same to some clients. */
const pathsOf = (name: string): readonly string[] => [pathOf(name), name.toLowerCase()]

const isFree = (name: string, taken: ReadonlySet<string>): boolean =>
  name !== '' && !pathsOf(name).some((path) => taken.has(path))

/** `order items` -> `OrderItem`; without letters, `otherwise` before the rest. */
const wordOf = (given: string, otherwise: string): string => {
  const plain = asciiOf(given)
  if (plain === '') return otherwise
  const name = modelNameOf(plain).replaceAll(/[^A-Za-z0-9]/g, '')
  if (/^[A-Za-z]/.test(name)) return name.slice(0, 1).toUpperCase() + name.slice(1)
  return `${otherwise === '' ? 'Schema' : otherwise}${name}`
}

/** Letters with accents lose them, and all else becomes `_`. */
const asciiOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')

/** @param candidates further names, before those with numbers */
const firstFree = (
  name: string,
  candidates: readonly string[],
  isFreeName: (name: string) => boolean,
): string => {
  const found = [name, ...candidates].find(isFreeName)
  if (found !== undefined) return found
  let number = 2
  while (!isFreeName(`${name}${number}`)) number++
  return `${name}${number}`
}

/** The names of the fields of columns, in their order. Generated clients cannot have two that differ only in style. */
export const fieldNames = (
  columns: readonly string[],
  fieldName: (column: string) => string,
): readonly NewName[] => {
  const taken = new Set<string>()
  return columns.map((column) => {
    const wanted = fieldName(column)
    const plain = /^[A-Za-z_]\w*$/.test(wanted) && wanted !== PROTOTYPE ? wanted : identifierOf(wanted)
    const name = firstFree(plain, [], (one) => !taken.has(styleless(one)))
    taken.add(styleless(name))
    return { name, isChanged: name !== wanted }
  })
}

const styleless = (name: string): string => wordsOf(name).join(' ') || name

const identifierOf = (column: string): string => {
  const plain = asciiOf(column)
  if (plain === '') return 'column'
  return /^\d/.test(plain) ? `column_${plain}` : plain
}
