import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import type { Element, Field } from '../../src/model/model.ts'

/** What follows from the kind of a field: any shape of it, and values that a client may send for it, good and bad. */
interface Shape {
  readonly field: fc.Arbitrary<Element>
  readonly values: (field: Element) => fc.Arbitrary<unknown>
}

const element = (kind: Element['kind'], form: Element['form'], more: Partial<Element> = {}): Element => ({
  kind,
  form,
  nullable: false,
  ...more,
})

const digits = (most: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: most })

const plainNumber = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', '', '-', '+'), digits(most), fc.option(digits(most), { nil: undefined }))
    .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}`)

const near = (bound: number | bigint): fc.Arbitrary<bigint> =>
  fc.bigInt({ min: -3n, max: 3n }).map((step) => BigInt(bound) + step)

const two = fc.integer({ min: 0, max: 62 }).map((number) => String(number).padStart(2, '0'))
const year = fc.oneof(
  fc.constantFrom('0000', '0001', '1900', '2000', '2023', '2024', '9999', '10000', '-001'),
  fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, '0')),
)
const oneOfTwelve = fc.integer({ min: 1, max: 12 }).map((number) => String(number).padStart(2, '0'))
const day = fc.constantFrom('00', '01', '15', '28', '29', '30', '31', '32')
const dateText = fc.tuple(year, fc.oneof(oneOfTwelve, oneOfTwelve, two), day).map((parts) => parts.join('-'))
const clock = fc
  .tuple(
    fc.oneof(oneOfTwelve, fc.constantFrom('00', '23', '24')),
    fc.oneof(oneOfTwelve, fc.constantFrom('59', '60')),
    fc.oneof(oneOfTwelve, fc.constantFrom('59', '60')),
  )
  .map((parts) => parts.join(':'))
const fraction = fc.oneof(
  fc.constant(''),
  digits(8).map((text) => `.${text}`),
  digits(3).map((text) => `.${text}000`),
)
const timeText = fc.tuple(clock, fraction).map((parts) => parts.join(''))
const offset = fc.oneof(
  fc.constantFrom('Z', 'Z', 'z', '', '+00:00', '-00:00', '+24:00', '+0100', '+05:30', '-23:59', '+01:60'),
  fc.tuple(fc.constantFrom('+', '-'), two, two).map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
)
const separator = fc.constantFrom('T', 'T', 'T', 't', ' ')

const fractionDigits = fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined })
const timed = (kind: Element['kind'], ...forms: Element['form'][]): fc.Arbitrary<Element> =>
  fc
    .tuple(fc.constantFrom(...forms), fractionDigits)
    .map(([form, digits]) => element(kind, form, digits === undefined ? {} : { fractionDigits: digits }))

const maxLength = fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined })
const texts = fc.oneof(
  fc.string({ maxLength: 14 }),
  fc.string({ unit: 'binary', maxLength: 14 }),
  fc.string({ unit: fc.constantFrom('a', '\0', '\ud83c', '\udf88', '🎈'), maxLength: 8 }),
)
const ofLength = (kind: 'text' | 'token'): Shape => ({
  field: maxLength.map((most) => element(kind, 'string', most === undefined ? {} : { maxLength: most })),
  values: () => texts,
})

const values = ['draft', 'live', 'in review']

/** No JSON that a client sends is a file. */
type FileKind = 'file' | 'image'

export const shapes: Readonly<Record<Exclude<Field['kind'], 'array' | FileKind>, Shape>> = {
  text: ofLength('text'),
  token: ofLength('token'),
  enum: {
    field: fc.constant(element('enum', 'string', { values })),
    values: () => fc.oneof(fc.constantFrom(...values, 'Draft', ''), fc.string()),
  },
  uuid: {
    field: fc.constant(element('uuid', 'string')),
    values: () =>
      fc
        .tuple(fc.uuid(), fc.constantFrom('', 'urn:uuid:', '{'), fc.boolean(), fc.boolean())
        .map(([id, prefix, upper, dashes]) => {
          const text = dashes ? id : id.replaceAll('-', '')
          return prefix + (upper ? text.toUpperCase() : text)
        }),
  },
  boolean: { field: fc.constant(element('boolean', 'boolean')), values: () => fc.boolean() },
  integer: {
    field: fc
      .constantFrom({}, { minimum: 0, maximum: 255 }, { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 })
      .map((bounds) => element('integer', 'number', bounds)),
    values: ({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }) =>
      fc.oneof(near(minimum).map(Number), near(maximum).map(Number), fc.integer(), fc.double()),
  },
  bigint: {
    field: fc
      .tuple(
        fc.constantFrom<Element['form']>('bigint', 'string'),
        fc.constantFrom({}, { minimum: 0n, maximum: 2n ** 64n - 1n }, { minimum: -1000n, maximum: 99n }),
      )
      .map(([form, bounds]) => element('bigint', form, bounds)),
    values: ({ minimum = -(2n ** 63n), maximum = 2n ** 63n - 1n }) =>
      fc.oneof(
        near(minimum).map(String),
        near(maximum).map(String),
        fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
        fc.maxSafeInteger(),
        plainNumber(20),
      ),
  },
  float: {
    field: fc
      .constantFrom({}, { minimum: 0, maximum: 1 })
      .map((bounds) => element('float', 'number', bounds)),
    values: () =>
      fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, 1, -0.5, 1.5)),
  },
  decimal: {
    field: fc
      .tuple(
        fc.constantFrom<Element['form']>('string', 'number', 'bigint'),
        fc.constantFrom(
          ...[{}, { precision: 15 }, { precision: 10, scale: 2 }, { precision: 3, scale: 3 }],
          ...[
            { precision: 20, scale: 4 },
            { precision: 5, scale: 0 },
            { precision: 10, scale: 2, minimum: 0 },
          ],
          ...[
            { precision: 2, scale: 4 },
            { precision: 2, scale: -2 },
            { precision: 1, scale: 1 },
          ],
        ),
      )
      .map(([form, size]) => element('decimal', form, size)),
    values: () => fc.oneof(plainNumber(4), plainNumber(11), plainNumber(22), fc.double(), fc.integer()),
  },
  date: {
    field: fc.constantFrom<Element['form']>('string', 'date').map((form) => element('date', form)),
    values: () => dateText,
  },
  time: { field: timed('time', 'string'), values: () => timeText },
  datetime: {
    field: timed('datetime', 'string', 'date'),
    values: () => fc.tuple(dateText, separator, timeText, offset).map((parts) => parts.join('')),
  },
  localdatetime: {
    field: timed('localdatetime', 'string', 'date'),
    values: () =>
      fc
        .tuple(dateText, separator, timeText, fc.oneof(fc.constant(''), fc.constant(''), offset))
        .map((parts) => parts.join('')),
  },
  bytes: {
    field: maxLength.map((most) => element('bytes', 'bytes', most === undefined ? {} : { maxLength: most })),
    values: () =>
      fc.oneof(
        fc.uint8Array({ maxLength: 15 }).map((bytes) => Buffer.from(bytes).toString('base64')),
        fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
        fc.string({ unit: fc.constantFrom(...'Aw9+/=-'), maxLength: 9 }),
      ),
  },
  json: { field: fc.constant(element('json', 'json')), values: () => fc.jsonValue() },
  opaque: { field: fc.constant(element('opaque', 'json')), values: () => fc.jsonValue() },
}

const arrays: Shape = {
  field: fc
    .tuple(
      fc.oneof(...Object.values(shapes).map((shape) => shape.field)),
      fc.boolean(),
      fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    )
    .map(([inner, nullable, size]) =>
      element('array', 'json', { element: { ...inner, nullable }, ...(size !== undefined && { size }) }),
    ),
  values: ({ element: inner, size = 2 }) =>
    inner === undefined
      ? fc.constant([])
      : fc.array(
          fc.oneof({ weight: 9, arbitrary: valuesOf(inner) }, { weight: 1, arbitrary: fc.constant(null) }),
          {
            maxLength: size + 1,
          },
        ),
}

const all: Readonly<Record<Exclude<Field['kind'], FileKind>, Shape>> = { ...shapes, array: arrays }

const shapeOf = (kind: Field['kind']): Shape => {
  const shape = Object.hasOwn(all, kind) ? all[kind as keyof typeof all] : undefined
  if (shape === undefined) throw new Error(`There is no JSON for ${kind}.`)
  return shape
}

/** Mostly values of the kind, now and then any JSON. */
export const valuesOf = (field: Element): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 8, arbitrary: shapeOf(field.kind).values(field) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  )

export const kindsOfFields: readonly Field['kind'][] = Object.keys(all) as Field['kind'][]

/** A field of the kind, as a model has it, and a JSON value for it. */
export const fieldAndValue = (kind: Field['kind']): fc.Arbitrary<{ field: Field; value: unknown }> =>
  fc.tuple(shapeOf(kind).field, fc.boolean()).chain(([shape, nullable]) =>
    valuesOf(shape).map((value) => ({
      field: {
        ...shape,
        nullable,
        name: 'value',
        hasDefault: false,
        generated: false,
        access: 'read-write',
        optional: false,
      },
      // As the body's parser hands it out.
      value: JSON.parse(JSON.stringify(value)) as unknown,
    })),
  )
