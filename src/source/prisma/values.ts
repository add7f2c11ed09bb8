import { DbNull, JsonNull } from '@prisma/client/runtime/client'
import type { Element, Field } from '../../model/model.ts'

/** Converts the values of a field between its form and the client of Prisma. */
export interface Mapping {
  /** Whether `read` returns what the client does. */
  readonly isAsIs: boolean
  /** `undefined`: the value has no exact form. */
  read(value: unknown): unknown
  write(value: unknown): unknown
}

export const mappingOf = (field: Field): Mapping => {
  const { read, write } = rowOf(field)
  return {
    isAsIs: read === asIs,
    read: (value) => (value === null || value === undefined ? null : read(value)),
    write: (value) => {
      if (value !== null) return write(value)
      if (field.kind !== 'json') return null
      return field.nullable ? DbNull : JsonNull
    },
  }
}

const asIs = (value: unknown): unknown => value

/** A decimal of Prisma's client. */
interface Decimal {
  isFinite(): boolean
  toFixed(digits?: number): string
  toNumber(): number
}

const ifFinite =
  (convert: (value: Decimal) => unknown): Mapping['read'] =>
  (value) =>
    (value as Decimal).isFinite() ? convert(value as Decimal) : undefined

/** The date of a time. */
const DAY = '1970-01-01'
const MILLISECOND_DIGITS = 3

const timeText = (value: unknown, digits = MILLISECOND_DIGITS): string | undefined => {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return undefined
  const text = value.toISOString()
  if (!text.startsWith(`${DAY}T`)) return undefined
  const [clock = '', fraction = ''] = text.slice(11, -1).split('.')
  const stored = fraction.slice(0, digits).replace(/0+$/, '')
  return stored === '' ? clock : `${clock}.${stored}`
}

const instant = (value: unknown): unknown =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? value : undefined

const rowOf = (field: Field | Element): Omit<Mapping, 'isAsIs'> => {
  switch (field.kind) {
    case 'decimal':
      return field.form === 'number'
        ? { read: ifFinite((value) => value.toNumber()), write: asIs }
        : { read: ifFinite((value) => value.toFixed(field.scale)), write: asIs }
    case 'date':
    case 'datetime':
      // Prisma takes a date with more methods for an object.
      return { read: instant, write: (value) => new Date(Number(value)) }
    case 'time':
      return {
        read: (value) => timeText(value, field.fractionDigits),
        write: (value) => new Date(`${DAY}T${value}Z`),
      }
    case 'float':
      return { read: (value) => (Number.isFinite(value) ? value : undefined), write: asIs }
    case 'bytes':
      return { read: asIs, write: (value) => new Uint8Array(value as Uint8Array) }
    case 'array': {
      const element = rowOf(field.element ?? { ...field, kind: 'opaque' })
      const list = (convert: (value: unknown) => unknown) => (value: unknown) => {
        const converted = (value as unknown[]).map(convert)
        return converted.includes(undefined) ? undefined : converted
      }
      return { read: list(element.read), write: list(element.write) }
    }
    default:
      return { read: asIs, write: asIs }
  }
}
