import type { ValueForm } from '../../model/model.ts'
import { always, type ColumnFacts, isUnsigned, known, type TypedField, type TypeRow } from './column-facts.ts'

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
