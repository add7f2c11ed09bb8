import { type Column, getTableColumns, type SQL, type Table } from 'drizzle-orm'
import { entityNames } from './entity.ts'

/** Of a column in a key or index drizzle keeps a copy, so that its name is all there is to go by. */
export interface Named {
  readonly name?: string
}

/** What the second argument of `pgTable` and its like gives: one of several builders. */
export interface Extra {
  readonly columns?: readonly Named[]
  readonly config?: {
    readonly name?: string
    readonly columns: readonly Named[]
    readonly unique?: boolean
    readonly where?: unknown
  }
  readonly reference?: () => Reference
  /** Of foreign keys: what happens when the record that is referred to is deleted. In a builder it is a method. */
  readonly onDelete?: unknown
  readonly _onDelete?: unknown
  /** Of checks and unique keys. */
  readonly name?: string
  readonly value?: SQL
}

interface Reference {
  readonly columns: readonly Named[]
  readonly foreignTable: Table
  readonly foreignColumns: readonly Named[]
}

/** What was given to a table beside its columns, by the end of the builder's name. */
export type Extras = (builder: string) => readonly Extra[]

export const extrasOf = (table: Table): Extras => {
  const build: unknown = Reflect.get(table, Symbol.for('drizzle:ExtraConfigBuilder'))
  if (typeof build !== 'function') return () => []
  const columns: unknown =
    Reflect.get(table, Symbol.for('drizzle:ExtraConfigColumns')) ?? getTableColumns(table)
  const built: unknown = build(columns)
  const extras: readonly object[] = Object.values(Object(Array.isArray(built) ? built.flat(1) : built))
  return (builder) => extras.filter((extra) => entityNames(extra).some((name) => name.endsWith(builder)))
}

/** The names of the fields of these columns, as far as the table has them. */
export const fieldsOf = (table: Table, named: readonly Named[]): readonly string[] => {
  const columns: readonly (readonly [string, Column])[] = Object.entries(getTableColumns(table))
  return named.flatMap(({ name }) => {
    const found = columns.find(([, column]) => column.name === name)
    return found === undefined ? [] : [found[0]]
  })
}

/** Empty where there is none. */
export const primaryKeyOf = (table: Table, extras: Extras): readonly string[] => {
  const [composite] = extras('PrimaryKeyBuilder')
  if (composite?.columns !== undefined) return fieldsOf(table, composite.columns)
  return Object.entries(getTableColumns(table))
    .filter(([, column]) => column.primary)
    .map(([name]) => name)
}
