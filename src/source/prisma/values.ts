import { DbNull, JsonNull } from '@prisma/client/runtime/client'
import { Unrepresentable } from '../../model/codec.ts'
import { PROTOTYPE } from '../../model/facts.ts'
import type { Element, Field } from '../../model/model.ts'
import { type ColumnCodec, checked, type Family, itself } from '../sql/codecs.ts'
import { withSingles } from '../sql/singles.ts'
import { isoText } from '../sql/times.ts'

/** Converts values that are not null between the form of a field and the client of Prisma. */
type Conversion = Pick<ColumnCodec, 'decode' | 'param'>

/** How the values of a field are read and written. */
export interface Mapping {
  readonly field: Field
  readonly codec: Conversion
  /** Whether the client returns values in the form of the field. */
  readonly isAsIs: boolean
  /** What the client takes for a value, which may be null. */
  write(value: unknown): unknown
  /** Whether the client reads a value as it was written. @default always */
  readonly fits?: (value: unknown) => boolean
}

/** @param stored the type of the column, as the Prisma schema states it, in lower case */
export const mappingOf = (
  field: Field,
  stored: { readonly family: Family; readonly type: string },
): Mapping => {
  const plain: Conversion & Pick<ColumnCodec, 'selected' | 'fits'> = {
    selected: itself,
    decode: asIs,
    param: asIs,
    ...conversionOf(field),
  }
  const codec = withSingles(plain, { field, type: stored.type }, stored.family)
  const fits = codec.fits ?? fitsOf(field, stored.family)
  const empty = field.kind !== 'json' ? null : field.nullable ? DbNull : JsonNull
  return {
    ...{ field, codec, isAsIs: codec.decode === asIs },
    ...(fits && { fits }),
    write: (value) => (value === null ? empty : codec.param(value)),
  }
}

const fitsOf = ({ kind, element }: Field, family: Family): Mapping['fits'] => {
  if (kind === 'json' || element?.kind === 'json') return isCopied
  return family === 'mysql' && kind === 'datetime' ? isReadAgain : undefined
}

/** The client copies JSON key by key, and that of the prototype is lost. */
const isCopied = (value: unknown): boolean => !JSON.stringify(value).includes(`"${PROTOTYPE}":`)

/** The adapter reads earlier years as ones of the last two centuries: 0001 as 2001. */
const FIRST_YEAR = 100

const isReadAgain = (value: unknown): boolean =>
  value === null || new Date(Number(value)).getUTCFullYear() >= FIRST_YEAR

const asIs: Conversion['param'] = (value) => value

/** The date of a time. */
const DAY = '1970-01-01'

/** @throws Unrepresentable for a time that a date of JavaScript does not hold */
const finite: Conversion['decode'] = (value) => {
  if (!Number.isFinite(Number(value))) throw new Unrepresentable('not exact')
  return value
}

/** @default as they are */
const conversionOf = (field: Field | Element): Partial<Conversion> => {
  const decode = checked(field)
  switch (field.kind) {
    case 'decimal':
      return {
        decode: (value) => decode((value as { toFixed(digits?: number): string }).toFixed(field.scale)),
      }
    case 'date':
    case 'datetime':
      // Prisma takes a date with more methods for an object.
      return { decode: finite, param: (value) => new Date(Number(value)) }
    case 'time':
      return {
        decode: (value) => decode(isoText(value).replace(`${DAY}T`, '').slice(0, -1)),
        param: (value) => new Date(`${DAY}T${value}Z`),
      }
    case 'float':
      return { decode }
    case 'bytes':
      return { param: (value) => new Uint8Array(value as Uint8Array) }
    case 'array': {
      const element = { decode: asIs, param: asIs, ...(field.element && conversionOf(field.element)) }
      return {
        decode: (value) => (value as unknown[]).map(element.decode),
        param: (value) => (value as unknown[]).map(element.param),
      }
    }
    default:
      return {}
  }
}
