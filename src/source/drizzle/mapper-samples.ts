import type { FieldKind } from '../../model/field-kinds.ts'
import type { TypedField } from './column-facts.ts'
import type { Dialect } from './table.ts'

type Samples = (base: Omit<TypedField, 'nullable'>, dialect: Dialect) => readonly unknown[]

/** Each with what a mapper may change: case, spaces at the ends, other letters than ASCII, a leading zero. */
export const texts = ({ maxLength = 9 }: Pick<TypedField, 'maxLength'>): readonly string[] =>
  ['Ab', ' zé ', '07'].map((sample) => sample.slice(0, maxLength))

export const jsonTexts: readonly string[] = ['{"a":[1,"x",null]}', '[true]', '"s"']

const numbers: Samples = ({ minimum = -3, maximum = 120 }) =>
  [-3, 1, 12].filter((value) => value >= minimum && value <= maximum)

const decimals: Samples = ({ minimum, scale = 2, precision = 9 }, dialect) => {
  const whole = precision - scale > 1 ? '12' : precision - scale > 0 ? '1' : '0'
  const fraction = scale > 0 ? `.${'25'.padEnd(scale, '0').slice(0, scale)}` : ''
  const texts = [...(minimum === undefined ? [`-${whole}${fraction}`] : []), `${whole}${fraction}`]
  return dialect === 'sqlite' ? texts.map(Number) : texts
}

const moments: Samples = ({ fractionDigits = 3 }) => {
  const fraction = fractionDigits > 0 ? `.${'5'.padEnd(Math.min(fractionDigits, 3), '0')}` : ''
  return [`2026-01-31 23:59:59${fraction}`, '1999-07-01 00:00:00']
}

/** A few values of each kind, as a driver hands them out. */
const samples: Readonly<Partial<Record<FieldKind, Samples>>> = {
  text: texts,
  enum: ({ values = [] }) => values.slice(0, 2),
  uuid: () => ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  boolean: (_base, dialect) => (dialect === 'pg' ? [true, false] : [1, 0]),
  integer: numbers,
  bigint: ({ minimum }) => [...(minimum === 0n ? [] : ['-3']), '9007199254740993'],
  float: () => [0.5, 12.25],
  decimal: decimals,
  date: () => ['2026-01-31', '1999-07-01'],
  time: () => ['23:59:59', '00:00:01'],
  datetime: (base, dialect) =>
    moments(base, dialect).map((moment) => (dialect === 'pg' ? `${moment}+00` : moment)),
  localdatetime: moments,
  bytes: () => [Buffer.from([0, 255, 65])],
  json: () => jsonTexts,
  array: ({ element, size }, dialect) => {
    const elements = element === undefined ? [] : (samples[element.kind]?.(element, dialect) ?? [])
    return [
      size === undefined ? elements : Array.from({ length: size }, (_, at) => elements[at % elements.length]),
    ]
  },
}

/** None of a kind of which only the database knows the texts, such as addresses. */
export const samplesOf: Samples = (base, dialect) => samples[base.kind]?.(base, dialect) ?? []
