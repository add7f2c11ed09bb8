import { isDeepStrictEqual } from 'node:util'
import { unwrapped } from '../../model/codec.ts'
import { formsOf } from '../../model/facts.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { FieldKind } from '../../model/model.ts'
import { arrayLiteral } from '../sql/lists.ts'
import type { Dialect } from '../sql/text.ts'
import { driverValue } from './codec.ts'
import type { TypedField } from './column-types.ts'
import { type CustomColumn, mappedToDriver } from './custom-column.ts'
import { inForm, inPlainForm, type StatedType } from './stated-columns.ts'

/** A column with mappers, and the type of the values that its SQL type holds. */
export interface Held {
  readonly column: CustomColumn
  readonly base: TypedField
  readonly dialect: Dialect
}

/** What mappers may make of the values. */
export interface Way {
  readonly type: TypedField
  /** Converts the driver's value for `fromDriver`. */
  readonly parse?: (raw: unknown) => unknown
  /** The driver's value of a JSON value, for mappers that keep the values of the SQL type. */
  readonly raw?: (json: unknown) => unknown
}

/** In ascending order. If a column stores `31/07/1999`, for example, the stored values have another order. */
const samples: Readonly<Partial<Record<FieldKind, readonly unknown[]>>> = {
  text: ['b', ' É ', '07'],
  token: ['10.0.0.1'],
  uuid: ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  boolean: [false, true],
  bigint: [-3, 9, 120, '9007199254740993'],
  date: ['1999-07-31', '2000-01-05', '2026-02-01'],
  time: ['00:10:05', '09:05:30', '23:00:01'],
  datetime: ['1999-07-31T23:59:59Z', '2000-01-05T08:00:00.5Z', '2026-02-01T00:00:01Z'],
  localdatetime: ['1999-07-31T23:59:59', '2000-01-05T08:00:00.5', '2026-02-01T00:00:01'],
  bytes: ['AQ==', 'AP9B'],
  json: [{ a: [1, 'x', null] }, [true], 's'],
}

/** A few values that the type allows, as JSON. */
export const samplesOf = (type: StatedType): readonly unknown[] => {
  const { kind, element, size = 2, values = samples[kind] ?? [-3, 0, 0.5, 9, 10.25, 120], minimum } = type
  const inner = element && samplesOf(element)
  const array = inner && Array.from({ length: size }, (_, at) => inner[at % inner.length])
  const given = array === undefined ? new Set([minimum, ...values]) : [array]
  return [...given].filter((json) => read(inPlainForm(type), json).ok)
}

const read = (type: TypedField, json: unknown) => kinds[type.kind].read(json, { nullable: false, ...type })

const write = (type: TypedField, data: unknown) => kinds[type.kind].write(data, { nullable: false, ...type })

/** @default the type of the column */
type HeldWay = Omit<Way, 'type'> & { readonly type?: StatedType }

/** By the kind of the SQL type. */
const ways: Readonly<Record<string, readonly HeldWay[]>> = {
  any: [{}],
  text: [{ type: { kind: 'json' }, raw: JSON.stringify }],
  json: [{ parse: (text) => JSON.parse(String(text)) }],
  // Vectors come as text.
  array: [{ raw: JSON.stringify }],
  bigint: [{ type: { kind: 'integer' } }],
  integer: [{ type: { kind: 'boolean' } }],
  'mysql:integer': [{ type: { kind: 'bigint' } }],
  'sqlite:integer': [
    { type: { kind: 'bigint', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } },
    // As drizzle's own column stores dates: milliseconds or seconds since 1970.
    { type: { kind: 'datetime', fractionDigits: 3 }, raw: (json) => Date.parse(String(json)) },
    { type: { kind: 'datetime', fractionDigits: 0 }, raw: (json) => Date.parse(String(json)) / 1000 },
  ],
}

const rawOf = (json: unknown, { base: { kind }, dialect }: Held): unknown => {
  if (kind === 'bytes') return Buffer.from(String(json), 'base64')
  if (kind === 'json') return JSON.stringify(json)
  const zone = dialect === 'pg' ? '+00' : ''
  return kind.endsWith('datetime') ? String(json).replace('T', ' ').replace('Z', zone) : json
}

const unlessThrown = <T>(act: () => T): T | undefined => {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** Columns of these kinds return what they were given; others format it. */
const verbatim: ReadonlySet<FieldKind> = new Set(['text', 'token', 'enum', 'uuid', 'json', 'array'])

/** A value as JSON, and what `toDriver` makes of it. */
export type Trip = Readonly<Record<'json' | 'made', unknown> & Record<'comesBack', boolean>>

/** `undefined`: `toDriver` does not accept the value. */
export const roundTrip = (held: Held, { type, parse, raw }: Way, json: unknown): Trip | undefined =>
  unlessThrown(() => {
    const reading = read(type, json)
    if (!reading.ok) return undefined
    const own = write(type, reading.value)
    // Drivers may return a number as a string, or a string as a number.
    const shows = (given: unknown): boolean =>
      [given, typeof given === 'number' ? String(given) : Number(given)].some((one) =>
        unlessThrown(() => {
          const value: unknown = held.column.mapFromDriverValue(parse ? parse(one) : one)
          const hasForm = typeof unwrapped(value) === typeof reading.value
          return hasForm && isDeepStrictEqual(write(type, value), own)
        }),
      )
    const made = driverValue(mappedToDriver(held.column, reading.value, held.base.kind))
    // PostgreSQL ignores the time in a date, and the zone in a local time.
    const at = /date/.test(held.base.kind) && String(made).endsWith('Z') ? new Date(String(made)) : made
    const comesBack = shows(at instanceof Date ? rawOf(write(held.base, at), held) : at)
    if (raw === undefined) return { json, made, comesBack }
    const stored = raw(own)
    const isStored = made === (Array.isArray(stored) ? arrayLiteral(stored) : stored)
    return { json, made, comesBack: shows(stored) && (verbatim.has(held.base.kind) ? isStored : comesBack) }
  })

/** `undefined`: the mappers change the values of the SQL type. */
export const keptBy = (held: Held): Way | undefined =>
  ['any', held.base.kind, `${held.dialect}:${held.base.kind}`]
    .flatMap((kind) => ways[kind] ?? [])
    .flatMap(({ type = held.base, raw = (json) => rawOf(json, held), ...way }) =>
      formsOf(type.kind).map((form): Way => ({ ...way, raw, type: inForm(type, form) })),
    )
    .find((way) => samplesOf(way.type).every((json) => roundTrip(held, way, json)?.comesBack === true))
