import type { Element, Field } from '../../model/model.ts'

/** What drizzle's columns say of themselves, as far as a kind depends on it. Most of it is there in some types alone. */
export interface ColumnFacts {
  readonly columnType: string
  getSQLType(): string
  readonly enumValues?: readonly string[] | undefined
  readonly length?: number | undefined
  readonly precision?: number | undefined
  readonly scale?: number | undefined
  /** MySQL: digits of a second's fraction. */
  readonly fsp?: number | undefined
  readonly withTimezone?: boolean | undefined
  readonly mode?: string | undefined
  readonly textType?: string | undefined
  readonly dimensions?: number | undefined
  readonly size?: number | undefined
  /** Of arrays: what an element is. */
  readonly baseColumn?: ColumnFacts | undefined
  readonly unsigned?: boolean | undefined
  /** It has a collation of its own, which may take different texts as equal. */
  readonly collated?: boolean | undefined
  /**
   * Of custom types that are read by their SQL type: they map nothing, their own mappers keep what the SQL type holds, or
   * change it.
   */
  readonly mapping?: 'none' | 'kept' | 'changed' | undefined
}

/** What a column's type says of its field. */
export type TypedField = Omit<Element, 'nullable'> & {
  /** The type itself forbids null. */
  readonly nullable?: false
}

/** The field of a column type. `typeOf` answers for the element of an array. */
export type TypeRow = (column: ColumnFacts, typeOf: (column: ColumnFacts) => TypedField) => TypedField

/** The rows of a dialect, by `column.columnType`. */
export type TypeTable = Readonly<Record<string, TypeRow>>

/** The column type of a dialect as which an SQL type is read, by its name in lower case. */
export type SqlTypes = Readonly<Record<string, string>>

/** A row for a type that is always the same. */
export const always =
  (field: TypedField): TypeRow =>
  () =>
    field

type Sized = Pick<Partial<Field>, 'maxLength' | 'precision' | 'scale' | 'minimum' | 'maximum' | 'size'>

/** Without what is not known. */
export const known = (facts: { readonly [Key in keyof Sized]: Sized[Key] | undefined }): Sized =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))

export const isUnsigned = (column: ColumnFacts): boolean =>
  column.unsigned ?? / unsigned$/.test(column.getSQLType())

/** Of a column as drizzle types it, which knows nothing of these. */
export const mappingOf = (column: Pick<ColumnFacts, 'columnType' | 'mapping'>): ColumnFacts['mapping'] =>
  column.mapping

export const isCollated = ({ collated }: Pick<ColumnFacts, 'columnType' | 'collated'>): boolean =>
  collated === true

/** Its own mappers stand between the driver and us: the driver gets and gives what it does for drizzle. */
export const hasOwnMappers = (column: Pick<ColumnFacts, 'columnType' | 'mapping'>): boolean =>
  column.mapping === 'kept' || column.mapping === 'changed'
