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
import type { Element, FieldKind } from '../model.ts'
import { readJsonText, refusedText } from './json.ts'

const anything: Element = Object.freeze({ kind: 'opaque', form: 'json', nullable: true })

const elementOf = ({ element = anything }: KindField): Element => element

const ofSize = ({ size }: KindField): string =>
  size === undefined ? 'an array' : `an array of ${size} elements`

/** The row of arrays, which asks the row of its element for everything. */
export const arrayRow = (rowOf: (kind: FieldKind) => KindRow): KindRow => {
  const readElement = (value: unknown, element: Element): Reading => {
    if (value !== null) return rowOf(element.kind).read(value, element)
    return element.nullable ? accepted(null) : refused('not_nullable', rowOf(element.kind).noun)
  }
  const readAll = (values: readonly unknown[], field: KindField): Reading => {
    const read: unknown[] = []
    for (const [index, value] of values.entries()) {
      const reading = readElement(value, elementOf(field))
      // One says enough: a body may have half a million of them.
      if (!reading.ok) return { ...reading, path: [index, ...(reading.path ?? [])] }
      read.push(reading.value)
    }
    return accepted(read)
  }
  const read = (value: unknown, field: KindField): Reading => {
    if (!Array.isArray(value)) return refused('wrong_type', ofSize(field))
    if (field.size !== undefined && value.length !== field.size)
      return refused(value.length > field.size ? 'too_long' : 'too_short', ofSize(field))
    return readAll(value, field)
  }
  type Which = 'schema' | 'sentSchema'
  const itemsOf = (element: Element, which: Which): JsonSchema => {
    const row = rowOf(element.kind)
    const schema = row[which]?.(element) ?? row.schema(element)
    return element.nullable ? nullable(schema) : schema
  }
  const schemaOf = (field: KindField, which: Which): JsonSchema => ({
    type: 'array',
    items: itemsOf(elementOf(field), which),
    ...(field.size !== undefined && { minItems: field.size, maxItems: field.size }),
  })
  return Object.freeze<KindRow>({
    ...comparison.none,
    noun: 'an array',
    schema: (field) => schemaOf(field, 'schema'),
    sentSchema: (field) => schemaOf(field, 'sentSchema'),
    read,
    textIsJson: true,
    readText: (text, field) => {
      const reading = readJsonText(text)
      return reading.ok ? read(reading.value, field) : refusedText(reading, `${ofSize(field)} in JSON`)
    },
    write: (value, field) => {
      const element = elementOf(field)
      const row = rowOf(element.kind)
      if (!Array.isArray(value) || row.writesAsIs(element)) return value
      return value.map((inner) => (inner === null ? null : row.write(inner, element)))
    },
    otherJson: (value, field) => {
      const element = elementOf(field)
      const { otherJson } = rowOf(element.kind)
      if (!Array.isArray(value) || otherJson === undefined) return undefined
      return value.map((inner) => otherJson(inner, element) ?? inner)
    },
    writesAsIs: (field) => rowOf(elementOf(field).kind).writesAsIs(elementOf(field)),
  })
}
