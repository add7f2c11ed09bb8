import { Buffer } from 'node:buffer'
import type { IssueCode } from '../error/codes.ts'
import type { Field } from './model.ts'

/** A JSON Schema (2020-12). */
export type JsonSchema = { readonly [keyword: string]: unknown }

/**
 * The result of reading a value. `expected` completes "must be …". `path` leads to the invalid element of an array.
 */
export type Reading =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly code: IssueCode
      readonly expected: string
      readonly path?: readonly number[]
    }

/** The behavior of a field kind: one row of the table `kinds`. Null never reaches its functions. */
export interface KindRow {
  /**
   * Below zero, zero or above. Spellings of the same value are equal, such as times with other offsets. Absent: databases do
   * not compare values of the kind.
   *
   * @throws Unrepresentable for a value that is not of the kind
   */
  compare?(left: unknown, right: unknown): number
  /** Supports `==`, `!=`, any-of and sort. */
  readonly comparable: boolean
  /** Supports `>`, `>=`, `<`, `<=`. */
  readonly ordered: boolean
  /** `field=value` means a case-insensitive contains. */
  readonly textual: boolean
  /** A source without `exactText` may take another value as equal. @default false */
  confusable?(field: Pick<Field, 'values'>): boolean
  /** The noun for errors: `a decimal number`. */
  readonly noun: string
  /** The schema of a value in JSON, without null. */
  schema(field: KindField): JsonSchema
  /** The schema of a value in a request body, if it is narrower than in a response. @default `schema` */
  sentSchema?(field: KindField): JsonSchema
  /** Reads JSON, or a value of the source (a `Date`, a `bigint`). */
  read(value: unknown, field: KindField): Reading
  /** Reads a value from application code, if that may be more than a client may send. @default `read` */
  readOwn?(value: unknown, field: KindField): Reading
  /**
   * Reads a value in a path or query. Lengths are not checked, because a string that is too long does not match
   * anything.
   */
  readText(text: string, field: KindField): Reading
  readonly textIsJson?: true
  /** Converts a value of the source to JSON. @throws Unrepresentable if its form cannot hold the stored value */
  write(value: unknown, field: KindField): unknown
  /** Converts a decimal from string to number or from number to string, if the result is exact. */
  otherJson?(value: unknown, field: KindField): unknown
  /** An example for responses, if a JSON body cannot send the value: the path of a file. */
  shown?(field: KindField): string
  /** It is uploaded as a part of `multipart/form-data`: any file, or an image. The column stores its key. */
  readonly upload?: 'file' | 'image'
  /** `write` returns the value unchanged, so the serialiser can skip it. @default false */
  writesAsIs?(field: KindField): boolean
}

/** The properties that a row may use: those that array elements have too. */
export type KindField = Pick<Field, 'kind' | 'form' | 'nullable'> & Partial<Field>

/** A stored value that its form cannot hold exactly, such as a 64-bit integer in a number. */
export class Unrepresentable extends Error {
  override readonly name: string = 'Unrepresentable'
}

export const accepted = (value: unknown): Reading => ({ ok: true, value })
export const refused = (code: IssueCode, expected: string): Reading => ({ ok: false, code, expected })

/** `text of at most 100 characters` */
export const atMost = (noun: string, most: number | undefined, unit: string): string =>
  most === undefined ? noun : `${noun} of at most ${most} ${most === 1 ? unit.replace(/s$/, '') : unit}`

/** @param canonical a form that is the same for equal values. As a string, it has only ASCII characters */
export const comparedBy =
  (canonical: (value: unknown) => unknown): NonNullable<KindRow['compare']> =>
  (left, right) => {
    const [a, b] = [canonical(left), canonical(right)] as [string, string]
    return Number(a > b) - Number(a < b)
  }

const bytesOf = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : Buffer.from(String(value))

export const byBytes = (left: unknown, right: unknown): number =>
  Buffer.compare(bytesOf(left), bytesOf(right))

/** With this field, `write` returns values with no more digits than they need. No row reads the kind of its field. */
export const shortest: KindField = Object.freeze({
  ...{ kind: 'text', form: 'string', nullable: false },
  ...{ fractionDigits: 0, scale: 0 },
})

/** The conditions that kinds other than text support. */
export const comparison = {
  none: { comparable: false, ordered: false, textual: false },
  equality: { comparable: true, ordered: false, textual: false },
  order: { comparable: true, ordered: true, textual: false },
} as const

/** Values that are the same in JSON and in the source. */
export const writtenAsIs: Pick<KindRow, 'write' | 'writesAsIs'> = {
  write: (value) => value,
  writesAsIs: () => true,
}

export const stringReader =
  (read: (text: string, field: KindField) => Reading, expected: (field: KindField) => string) =>
  (given: unknown, field: KindField): Reading => {
    const value = unwrapped(given)
    return typeof value === 'string' ? read(value, field) : refused('wrong_type', expected(field))
  }

export const acceptedIf = (holds: boolean, value: unknown, expected: string): Reading =>
  holds ? accepted(value) : refused('invalid_format', expected)

/** Pads or trims to `digits` digits after the point, but keeps digits beyond them that are not zero. */
export const atScale = (fraction: string, digits: number): string => {
  let end = fraction.length
  while (end > digits && fraction[end - 1] === '0') end--
  return fraction.slice(0, end).padEnd(digits, '0')
}

/** The JSON of an object with `toJSON`, such as a decimal or date of a library. */
export const unwrapped = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array)
    return value
  const toJson: unknown = Reflect.get(value, 'toJSON')
  return typeof toJson === 'function' ? Reflect.apply(toJson, value, []) : value
}

/**
 * Enums are combined with null by `anyOf`, because client generators then keep the enum type. A schema without a type
 * accepts null already.
 */
export const nullable = (schema: JsonSchema): JsonSchema => {
  if ('enum' in schema || '$ref' in schema) return { anyOf: [schema, { type: 'null' }] }
  return typeof schema['type'] === 'string' ? { ...schema, type: [schema['type'], 'null'] } : schema
}
