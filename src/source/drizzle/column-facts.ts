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
  /** Of custom types: the way from and to the driver. */
  readonly mapFrom?: unknown
  readonly mapTo?: unknown
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

/** A row for a type that is always the same. */
export const always =
  (field: TypedField): TypeRow =>
  () =>
    field

type Sized = Pick<Partial<Field>, 'maxLength' | 'precision' | 'scale' | 'minimum' | 'maximum' | 'size'>

/** Without what is not known. */
export const known = (facts: { readonly [Key in keyof Sized]: Sized[Key] | undefined }): Sized =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))

export const isUnsigned = (column: ColumnFacts): boolean => / unsigned$/.test(column.getSQLType())
