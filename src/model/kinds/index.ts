import {
  accepted,
  comparison,
  type JsonSchema,
  type KindField,
  type KindRow,
  nullable,
  type Reading,
  refused,
} from '../codec.ts'
import { type Element, type Field, type FieldKind, fieldOf, type Model } from '../model.ts'
import { onceFor, ownValue, type Values } from '../objects.ts'
import { bytesKind, fileKind, imageKind } from './binary.ts'
import { decimalKind } from './decimal.ts'
import { jsonKind, opaqueKind, readJsonText, refusedText } from './json.ts'
import { bigintKind, floatKind, integerKind } from './number.ts'
import { booleanKind, choiceKind, textKind, tokenKind, uuidKind } from './text.ts'
import { dateKind, datetimeKind, localdatetimeKind, timeKind } from './time.ts'

const anything: Element = Object.freeze({ kind: 'opaque', form: 'json', nullable: true })

const elementOf = ({ element = anything }: KindField): Element => element

const ofSize = ({ size }: KindField): string =>
  size === undefined ? 'an array' : `an array of ${size} elements`

const readElement = (value: unknown, element: Element): Reading => {
  const row = kinds[element.kind]
  if (value !== null) return row.read(value, element)
  return element.nullable ? accepted(null) : refused('not_nullable', row.noun)
}

const readArray = (value: unknown, field: KindField): Reading => {
  if (!Array.isArray(value)) return refused('wrong_type', ofSize(field))
  if (field.size !== undefined && value.length !== field.size)
    return refused(value.length > field.size ? 'too_long' : 'too_short', ofSize(field))
  const read: unknown[] = []
  for (const [index, inner] of value.entries()) {
    const reading = readElement(inner, elementOf(field))
    // Only the first error is reported, because a body may have half a million elements.
    if (!reading.ok) return { ...reading, path: [index, ...(reading.path ?? [])] }
    read.push(reading.value)
  }
  return accepted(read)
}

const arraySchema = (field: KindField, which: 'schema' | 'sentSchema'): JsonSchema => {
  const element = elementOf(field)
  const row = kinds[element.kind]
  const schema = row[which]?.(element) ?? row.schema(element)
  return {
    type: 'array',
    items: element.nullable ? nullable(schema) : schema,
    ...(field.size !== undefined && { minItems: field.size, maxItems: field.size }),
  }
}

/** Delegates to the row of the element kind. */
const arrayKind: KindRow = Object.freeze<KindRow>({
  ...comparison.none,
  noun: 'an array',
  schema: (field) => arraySchema(field, 'schema'),
  sentSchema: (field) => arraySchema(field, 'sentSchema'),
  read: readArray,
  textIsJson: true,
  readText: (text, field) => {
    const reading = readJsonText(text)
    return reading.ok ? readArray(reading.value, field) : refusedText(reading, `${ofSize(field)} in JSON`)
  },
  write: (value, field) => {
    const element = elementOf(field)
    const row = kinds[element.kind]
    if (!Array.isArray(value) || row.writesAsIs?.(element)) return value
    return value.map((inner) => (inner === null ? null : row.write(inner, element)))
  },
  otherJson: (value, field) => {
    const element = elementOf(field)
    const { otherJson } = kinds[element.kind]
    if (!Array.isArray(value) || otherJson === undefined) return undefined
    return value.map((inner) => otherJson(inner, element) ?? inner)
  },
  writesAsIs: (field) => kinds[elementOf(field).kind].writesAsIs?.(elementOf(field)) === true,
})

/** The behavior of every kind of field. No other place branches on a kind. */
export const kinds: Readonly<Record<FieldKind, KindRow>> = Object.freeze({
  text: textKind,
  enum: choiceKind,
  uuid: uuidKind,
  boolean: booleanKind,
  integer: integerKind,
  bigint: bigintKind,
  float: floatKind,
  decimal: decimalKind,
  date: dateKind,
  time: timeKind,
  datetime: datetimeKind,
  localdatetime: localdatetimeKind,
  bytes: bytesKind,
  json: jsonKind,
  array: arrayKind,
  file: fileKind,
  image: imageKind,
  token: tokenKind,
  opaque: opaqueKind,
})

/** The row of a field: that of its kind, without the conditions that its column does not support. */
export const rowOf = ({ kind, conditions }: Pick<Field, 'kind' | 'conditions'>): KindRow =>
  conditions === undefined ? kinds[kind] : narrowed[conditions][kind]

const narrowedTo = (less: Partial<KindRow>): Readonly<Record<FieldKind, KindRow>> =>
  Object.fromEntries(Object.entries(kinds).map(([kind, row]) => [kind, { ...row, ...less }])) as Record<
    FieldKind,
    KindRow
  >

const narrowed = Object.freeze({
  equality: narrowedTo({ ordered: false, textual: false }),
  null: narrowedTo(comparison.none),
  inexact: narrowedTo({ comparable: false }),
})

/** The constant default of a field, in the form of the field. `undefined`: the field does not have one. */
export const constantDefault = (field: Field): unknown => {
  if (field.default === undefined || field.default === null) return field.default
  const reading = kinds[field.kind].read(field.default, field)
  return reading.ok ? reading.value : undefined
}

/** Whether a source without `exactText` may take another value of the field as equal. */
export const isConfusable = (field: Pick<Field, 'kind' | 'values'>): boolean =>
  kinds[field.kind].confusable?.(field) === true

export const isFileField = ({ kind }: Pick<Field, 'kind'>): boolean => kinds[kind].upload !== undefined

export const fileFieldsOf: (model: Model) => readonly Field[] = onceFor((model: Model) =>
  Object.freeze(model.fields.filter(isFileField)),
)

/**
 * A time in the form of a field for timestamps, without the digits that it does not store.
 *
 * @param time in milliseconds
 */
export const timeIn = (field: Field, time: number): unknown => {
  const digits = Math.min(field.fractionDigits ?? 3, 3)
  const [second, fraction = ''] = new Date(time).toISOString().slice(0, -1).split('.')
  const exact = digits === 0 ? second : `${second}.${fraction.slice(0, digits)}`
  const reading = kinds[field.kind].readText(field.kind === 'datetime' ? `${exact}Z` : `${exact}`, field)
  if (!reading.ok) throw new Error(`${field.name} cannot hold the time ${exact}.`)
  return reading.value
}

/** The reverse of {@link timeIn}: milliseconds since 1970. */
export const timeOf = (field: Field, value: unknown): number => {
  const text = String(kinds[field.kind].write(value, field))
  return Date.parse(field.kind === 'datetime' ? text : `${text}Z`)
}

/** The key of a record as in its URL: `7`, for a composite key `7,2`. */
export const writeKey = (model: Model, row: Values): string => {
  const [only = '', another] = model.primaryKey
  if (another === undefined) return writePart(model, row, only)
  return model.primaryKey.map((name) => writePart(model, row, name)).join(',')
}

const writePart = (model: Model, row: Values, name: string): string => {
  const field = fieldOf(model, name)
  const value = kinds[field.kind].write(ownValue(row, name), field)
  return Number.isSafeInteger(value) ? String(value) : encodeURIComponent(String(value))
}
