import { DbNull, JsonNull } from '@prisma/client/runtime/client'
import type { Element, Field } from '../../model/model.ts'

type Convert = (value: unknown) => unknown

/** Converts the values of a field between its form and the client of Prisma. */
export interface Mapping {
  /** Whether `read` returns what the client does. */
  readonly isAsIs: boolean
  /** `undefined`: the value has no exact form. */
  readonly read: Convert
  readonly write: Convert
}

export const mappingOf = (field: Field): Mapping => {
  const { read = asIs, write = asIs } = conversionOf(field)
  const empty = field.kind !== 'json' ? null : field.nullable ? DbNull : JsonNull
  return {
    isAsIs: read === asIs,
    read: (value) => (value === null || value === undefined ? null : read(value)),
    write: (value) => (value === null ? empty : write(value)),
  }
}

const asIs: Convert = (value) => value

/** A decimal of Prisma's client. */
interface Decimal {
  isFinite(): boolean
  toFixed(digits?: number): string
  toNumber(): number
}

const isValid = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/** The date of a time. */
const DAY = '1970-01-01'

const timeText: Convert = (value) => {
  const [day, clock = ''] = isValid(value) ? value.toISOString().split(/[TZ]/) : []
  return day === DAY ? clock.replace(/\.?0+$/, '') : undefined
}

/** The conversions of values that are not null. @default as they are */
const conversionOf = (field: Field | Element): Partial<Pick<Mapping, 'read' | 'write'>> => {
  switch (field.kind) {
    case 'decimal': {
      const shown = (value: Decimal) =>
        field.form === 'number' ? value.toNumber() : value.toFixed(field.scale)
      return { read: (value) => ((value as Decimal).isFinite() ? shown(value as Decimal) : undefined) }
    }
    case 'date':
    case 'datetime':
      // Prisma takes a date with more methods for an object.
      return {
        read: (value) => (isValid(value) ? value : undefined),
        write: (value) => new Date(Number(value)),
      }
    case 'time':
      return { read: timeText, write: (value) => new Date(`${DAY}T${value}Z`) }
    case 'float':
      return { read: (value) => (Number.isFinite(value) ? value : undefined) }
    case 'bytes':
      return { write: (value) => new Uint8Array(value as Uint8Array) }
    case 'array': {
      const { read = asIs, write = asIs } = field.element ? conversionOf(field.element) : {}
      return {
        read: (value) => {
          const converted = (value as unknown[]).map(read)
          return converted.includes(undefined) ? undefined : converted
        },
        write: (value) => (value as unknown[]).map(write),
      }
    }
    default:
      return {}
  }
}
