import { type Column, is, SQL } from 'drizzle-orm'
import { kinds } from '../../model/kinds.ts'
import type { Element, Field } from '../../model/model.ts'
import type { TypedField } from './column-facts.ts'
import type { ReadColumn } from './read-columns.ts'

/** What a column's table knows of it. */
export interface ColumnPlace {
  readonly inPrimaryKey: boolean
  /** It is a part of a foreign key. */
  readonly foreign: boolean
  /** The database counts the key up by itself (SQLite's rowid). */
  readonly countsUp: boolean
}

/** The field of a table's column. */
export const describeField = (
  name: string,
  { column, type: read }: ReadColumn,
  place: ColumnPlace,
): Field => {
  const { nullable = true, ...type } = read
  const generated = column.generated !== undefined || column.generatedIdentity?.type === 'always'
  const element: Element = { ...type, nullable: nullable && !column.notNull && !place.inPrimaryKey }
  return Object.freeze<Field>({
    name,
    ...element,
    hasDefault: column.hasDefault || generated || place.countsUp,
    ...(generated ? {} : constantDefault(column, element)),
    ...(place.countsUp && !isAutoIncrement(column) && { comesAgain: true }),
    ...(place.foreign && { foreign: true }),
    generated,
    access: 'read-write',
    optional: false,
  })
}

/** SQLite gives the largest number and one, and with AUTOINCREMENT none that there ever was. */
const isAutoIncrement = (column: Column & { readonly autoIncrement?: boolean }): boolean =>
  column.autoIncrement === true

/** The field of a view's column, which nobody writes. */
export const describeViewField = (name: string, read: TypedField, nullable: boolean): Field => {
  const { nullable: _never, ...type } = read
  return Object.freeze<Field>({
    name,
    ...type,
    nullable,
    hasDefault: false,
    generated: false,
    access: 'read-write',
    optional: false,
  })
}

const constantDefault = (column: Column, field: Element): { readonly default?: unknown } => {
  const value = defaultOf(column)
  if (value === undefined) return {}
  if (value === null) return { default: null }
  try {
    return { default: frozen(kinds[field.kind].write(value, field)) }
  } catch {
    // A default that the kind cannot show is still one: it is just not known to the documentation.
    return {}
  }
}

const defaultOf = (column: Column & { readonly defaultText?: string | undefined }): unknown =>
  is(column.default, SQL) ? column.defaultText : column.default

const frozen = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const copy: object = structuredClone(value)
  return freeze(copy)
}

const freeze = (value: object): object => {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) freeze(inner)
  return Object.freeze(value)
}
