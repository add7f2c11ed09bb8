import type { IssueCode } from '../error/codes.ts'
import type { Field } from './model.ts'

/** A JSON Schema (2020-12). */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** `expected` completes "expected …". `path` leads to the element of an array that is wrong. */
export type Reading =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly code: IssueCode
      readonly expected: string
      readonly path?: readonly number[]
    }

/** What a field kind is: one row of the table `kinds`. None of its functions gets null. */
export interface KindRow {
  /** `==`, `!=`, any-of and sort make sense. */
  readonly comparable: boolean
  /** `>`, `>=`, `<`, `<=` make sense. */
  readonly ordered: boolean
  /** `field=value` is a case-insensitive contains. */
  readonly textual: boolean
  /** For humans, in errors: `a decimal number`. */
  readonly noun: string
  /** Of a value that is not null, as it is sent and received. */
  schema(field: KindField): JsonSchema
  /** The same of a value in a body, where that is narrower than what a reply may hold. @default `schema` */
  sentSchema?(field: KindField): JsonSchema
  /** Reads JSON, or what the source hands out itself (a `Date`, a `bigint`). */
  read(value: unknown, field: KindField): Reading
  /** Reads a value that the application's own code gives, where it may give more than a client may send. @default `read` */
  readOwn?(value: unknown, field: KindField): Reading
  /** Reads a value of a path or query. Lengths are not checked: a text that is too long just matches nothing. */
  readText(text: string, field: KindField): Reading
  readonly textIsJson?: true
  /** A value of the source as JSON. @throws Unrepresentable where its form cannot hold what is stored. */
  write(value: unknown, field: KindField): unknown
  /** A decimal as a number if it was a string, and the other way round, if that holds it exactly. */
  otherJson?(value: unknown, field: KindField): unknown
  /** What a reply shows, as an example, where a JSON body cannot send it: the path of a file. */
  readonly shown?: string
  /** A part of `multipart/form-data` brings it, as a file of any kind or as an image; the column keeps its key. */
  readonly upload?: 'file' | 'image'
  /** `write` gives the value back unchanged, so that the serialiser need not call it. @default false */
  writesAsIs?(field: KindField): boolean
}

/** What a row may look at: what an array's element has too. */
export type KindField = Pick<Field, 'kind' | 'form' | 'nullable'> & Partial<Field>

/** A stored value that its form cannot hold exactly (a 64-bit integer in a number). */
export class Unrepresentable extends Error {
  override readonly name: string = 'Unrepresentable'
}

export const accepted = (value: unknown): Reading => ({ ok: true, value })
export const refused = (code: IssueCode, expected: string): Reading => ({ ok: false, code, expected })

/** `text of at most 100 characters` */
export const atMost = (noun: string, most: number | undefined, unit: string): string =>
  most === undefined ? noun : `${noun} of at most ${most} ${most === 1 ? unit.replace(/s$/, '') : unit}`

/** The conditions of kinds that are not text. */
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

/** Exactly `digits` digits after the point, more if those beyond are not all zeros. */
export const atScale = (fraction: string, digits: number): string => {
  let end = fraction.length
  while (end > digits && fraction[end - 1] === '0') end--
  return fraction.slice(0, end).padEnd(digits, '0')
}

/** The JSON of an object that knows its own: a decimal or a date of a library. */
export const unwrapped = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array)
    return value
  const toJson: unknown = Reflect.get(value, 'toJSON')
  return typeof toJson === 'function' ? Reflect.apply(toJson, value, []) : value
}

/** An enum stays whole beside null, so that generated clients keep it as a type. A schema without a type takes null already. */
export const nullable = (schema: JsonSchema): JsonSchema => {
  if ('enum' in schema || '$ref' in schema) return { anyOf: [schema, { type: 'null' }] }
  return typeof schema['type'] === 'string' ? { ...schema, type: [schema['type'], 'null'] } : schema
}
