/** A type that every dialect and every ORM has. A number is the length of a text; `seconds` has no fractions on MySQL. */
export type ColumnType =
  | 'int'
  | 'text'
  | 'boolean'
  | 'time'
  | 'seconds'
  | 'json'
  | 'file'
  | 'image'
  | number
  | Choice

/** A text that is one of these. */
export interface Choice {
  readonly of: readonly string[]
}

/** A column, as each of them can declare it. Its name is that of the field in snake case. */
export interface Column {
  readonly type: ColumnType
  readonly key?: 'counted' | 'given'
  readonly nullable?: boolean
  /** `string`: the name of its constraint. */
  readonly unique?: boolean | string
  readonly default?: number | string | boolean | Date
  /** The key of the table whose `id` it has, or `table.column`. */
  readonly refers?: string
  /** Whether the ORM raises it with each write. @default false */
  readonly version?: boolean
  /** In SQL. */
  readonly check?: string
}

export type Columns = Readonly<Record<string, Column>>

/** Key of a table, as drizzle's schemas have it -> its columns. */
export type Declared = Readonly<Record<string, Columns>>

type Given<C extends Partial<Column>> = Omit<C, 'type'>

/** A key that the database counts. */
export const counted: Column = { type: 'int', key: 'counted' }
export const int = (more: Given<Partial<Column>> = {}): Column => ({ type: 'int', ...more })
/** @param length absent: any */
export const text = (length?: number, more: Given<Partial<Column>> = {}): Column => ({
  type: length ?? 'text',
  ...more,
})
/** A column of another type that may be null. */
export const maybe = (type: ColumnType, more: Given<Partial<Column>> = {}): Column => ({
  ...{ type, nullable: true },
  ...more,
})
/** The `id` of a record of another table. */
export const to = (refers: string, more: Given<Partial<Column>> = {}): Column => ({
  ...{ type: 'int', refers },
  ...more,
})

export const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
