import type { Element, Field, ValueForm } from '../../model/model.ts'

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

const isUnsigned = (column: ColumnFacts): boolean => column.unsigned ?? / unsigned$/.test(column.getSQLType())

/** Of a column as drizzle types it, which knows nothing of these. */
export const mappingOf = (column: Pick<ColumnFacts, 'columnType' | 'mapping'>): ColumnFacts['mapping'] =>
  column.mapping

export const isCollated = ({ collated }: Pick<ColumnFacts, 'columnType' | 'collated'>): boolean =>
  collated === true

/** Its own mappers stand between the driver and us: the driver gets and gives what it does for drizzle. */
export const hasOwnMappers = (column: Pick<ColumnFacts, 'columnType' | 'mapping'>): boolean =>
  column.mapping === 'kept' || column.mapping === 'changed'

/** Rows that the dialects share. */

export const json: TypeRow = always({ kind: 'json', form: 'json' })
export const token: TypeRow = always({ kind: 'token', form: 'string' })
export const uuid: TypeRow = always({ kind: 'uuid', form: 'string' })
export const boolean: TypeRow = always({ kind: 'boolean', form: 'boolean' })
/** Text of ours that holds the key of a file. */
export const file: TypeRow = always({ kind: 'file', form: 'string' })
export const image: TypeRow = always({ kind: 'image', form: 'string' })
export const bytes: TypeRow = always({ kind: 'bytes', form: 'bytes' })

/** Text, or an enum where the column names its values. */
export const textOr =
  (length: (column: ColumnFacts) => number | undefined): TypeRow =>
  (column) => {
    const values = column.enumValues ?? []
    if (values.length > 0) return { kind: 'enum', form: 'string', values: Object.freeze([...values]) }
    return { kind: 'text', form: 'string', ...known({ maxLength: length(column) }) }
  }

export const text: TypeRow = textOr(({ length }) => length)

/** An SQL `char` without a length has one character. */
export const char: TypeRow = textOr(({ length = 1 }) => length)

export const integer =
  (bits: number): TypeRow =>
  (column) => ({ kind: 'integer', form: 'number', ...integerBounds(bits, isUnsigned(column)) })

const integerBounds = (bits: number, unsigned: boolean): { minimum: number; maximum: number } =>
  unsigned
    ? { minimum: 0, maximum: 2 ** bits - 1 }
    : { minimum: -(2 ** (bits - 1)), maximum: 2 ** (bits - 1) - 1 }

/** 64 bits, of which the column hands out what a number holds exactly. */
export const safeInteger: TypeRow = (column) => ({
  kind: 'integer',
  form: 'number',
  minimum: isUnsigned(column) ? 0 : Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})

export const bigint: TypeRow = (column) => ({
  kind: 'bigint',
  form: 'bigint',
  ...(isUnsigned(column)
    ? { minimum: 0n, maximum: 2n ** 64n - 1n }
    : { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n }),
})

export const float: TypeRow = (column) => ({ kind: 'float', form: 'number', ...unsignedMinimum(column) })

/** A precision without a scale has none after the point. */
export const decimal =
  (form: ValueForm, precisionByDefault?: number): TypeRow =>
  (column) => {
    const precision = column.precision ?? precisionByDefault
    const scale = column.scale ?? (precision === undefined ? undefined : 0)
    return { kind: 'decimal', form, ...known({ precision, scale }), ...unsignedMinimum(column) }
  }

const unsignedMinimum = (column: ColumnFacts): { minimum?: number } =>
  isUnsigned(column) ? { minimum: 0 } : {}

/** The row of a serial: the type forbids null. */
export const neverNull =
  (row: TypeRow): TypeRow =>
  (column, typeOf) => ({ ...row(column, typeOf), nullable: false })

/** A type that modelrest does not know: text, numbers and booleans are passed through. */
export const unknownType: TypedField = Object.freeze({ kind: 'opaque', form: 'json' })

export const unknown: TypeRow = always(unknownType)
