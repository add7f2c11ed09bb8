import type { KindField, Reading } from '../../model/codec.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { FieldKind } from '../../model/model.ts'
import { type TypedField, unknownType } from './column-types.ts'
import type { Dialect } from './internals.ts'
import { inPlainForm, type StatedType } from './stated-columns.ts'

export const fieldOf = (type: TypedField): KindField => ({ nullable: false, ...type })

export const readJson = (type: TypedField, json: unknown): Reading =>
  kinds[type.kind].read(json, fieldOf(type))

type Samples = (type: StatedType) => readonly unknown[]

const always =
  (...samples: readonly unknown[]): Samples =>
  () =>
    samples

/** Each has something that a mapper may change: case, surrounding spaces, non-ASCII characters, a leading zero. */
const texts: Samples = ({ maxLength = 9 }) => ['Ab', ' zé ', '07'].map((text) => text.slice(0, maxLength))

const numbers =
  (...samples: readonly number[]): Samples =>
  ({ minimum = -Infinity, maximum = Infinity }) => {
    const fitting = samples.filter((value) => value >= minimum && value <= maximum)
    return fitting.length > 0 ? fitting : [minimum]
  }

const moments =
  (zone: string): Samples =>
  ({ fractionDigits = 0 }) => {
    const fraction = fractionDigits > 0 ? `.${'5'.padEnd(Math.min(fractionDigits, 3), '0')}` : ''
    return ['1999-07-31T23:59:59', '2000-01-05T08:00:00', '2026-02-01T00:00:01'].map(
      (moment) => moment + fraction + zone,
    )
  }

/** Values of each kind as JSON, in ascending order. A string such as `31/07/1999` sorts differently. */
const samples: Readonly<Partial<Record<FieldKind, Samples>>> = {
  text: texts,
  token: texts,
  enum: ({ values = [] }) => values,
  uuid: always('3f2504e0-4f89-41d3-9a0c-0305e82c3301'),
  boolean: always(false, true),
  integer: numbers(-3, 1, 12, 120),
  bigint: (type) => [...numbers(-3, 1, 12, 120)(type).map(String), '9007199254740993'],
  float: numbers(-3, 0.5, 12.25, 120),
  decimal: ({ scale = 2 }) => [-12, 0.25, 2.25, 10.5, 100].map((value) => value.toFixed(Math.min(scale, 9))),
  date: always('1999-07-31', '2000-01-05', '2026-02-01'),
  time: always('00:10:05', '09:05:30', '23:00:01'),
  datetime: moments('Z'),
  localdatetime: moments(''),
  bytes: always('AP9B'),
  json: always({ a: [1, 'x', null] }, [true]),
  array: ({ element, size }) => {
    const elements = element === undefined ? [] : samplesOf(element)
    return size === undefined
      ? [[], elements]
      : [Array.from({ length: size }, (_, at) => elements[at % elements.length])]
  },
}

export const samplesOf = (type: StatedType): readonly unknown[] =>
  (samples[type.kind]?.(type) ?? []).filter((json) => readJson(inPlainForm(type), json).ok)

export const rawOf = (json: unknown, type: StatedType, dialect: Dialect): unknown => {
  switch (type.kind) {
    case 'boolean':
      return dialect === 'pg' ? json : Number(json)
    case 'decimal':
      return dialect === 'sqlite' ? Number(json) : json
    case 'datetime':
    case 'localdatetime':
      return String(json)
        .replace('T', ' ')
        .replace('Z', dialect === 'pg' ? '+00' : '')
    case 'bytes':
      return Buffer.from(String(json), 'base64')
    case 'json':
      return JSON.stringify(json)
    case 'array': {
      const { element = unknownType } = type
      // Drivers parse the JSON in an array.
      if (element.kind === 'json') return json
      return (json as readonly unknown[]).map((value) => rawOf(value, element, dialect))
    }
    default:
      return json
  }
}
