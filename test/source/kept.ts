import fc, { type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import type { Field, Model, ModelSource } from '../../src/entry/source.ts'
import { requestsTo } from './facts.ts'

/** Random values in JSON, by `Model.field`, where most of those of the kind would be refused. */
export type OwnValues = Readonly<Record<string, Arbitrary<unknown>>>

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('', ' ', 'a,b', 'NULL', '\\', `'"`, '[1]', '{}', '{"a":1}', '0', 'true', '100 %', '$1?:a'),
)

const days = fc.date({ min: new Date('0001-01-01Z'), max: new Date('9999-12-31Z'), noInvalidDate: true })

const digits = (field: Partial<Field>, text: string): string =>
  text.replace(/\.(\d+)/, (_, all: string) => {
    const kept = all.slice(0, field.fractionDigits ?? 3)
    return kept === '' ? '' : `.${kept}`
  })

type Typed = Partial<Field> & Pick<Field, 'kind'>

const wholeNumbers = ({ minimum = -(2 ** 31), maximum = 2 ** 31 - 1 }: Typed): Arbitrary<number> =>
  fc.integer({ min: Number(minimum), max: Number(maximum) })

/** Prisma reads the largest numbers inside JSON as null. */
const jsonValue = fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('e+308'))

/** JSON keeps no negative zero. */
const floats = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
  .map((value) => value + 0)

const byKind: Readonly<Partial<Record<Field['kind'], (field: Typed) => Arbitrary<unknown>>>> = {
  boolean: () => fc.boolean(),
  integer: wholeNumbers,
  bigint: ({ minimum = -(2n ** 63n), maximum = 2n ** 63n - 1n }) =>
    fc.bigInt(BigInt(minimum), BigInt(maximum)).map(String),
  float: () => floats,
  decimal: ({ form, scale = 2 }) => {
    const cents = fc.integer({ min: -99_999, max: 99_999 }).map((value) => value / 10 ** Math.min(scale, 2))
    return form === 'number'
      ? cents.map((value) => value + 0)
      : cents.map((value) => (value + 0).toFixed(scale))
  },
  enum: ({ values = [] }) => fc.constantFrom(...values),
  uuid: () => fc.uuid(),
  date: () => days.map((day) => day.toISOString().slice(0, 10)),
  time: (field) => days.map((day) => digits(field, day.toISOString().slice(11, -1))),
  datetime: (field) => days.map((day) => digits(field, day.toISOString())),
  localdatetime: (field) => days.map((day) => digits(field, day.toISOString().slice(0, -1))),
  bytes: ({ maxLength = 20 }) =>
    fc
      .uint8Array({ maxLength: Math.min(maxLength, 20) })
      .map((bytes) => Buffer.from(bytes).toString('base64')),
  array: ({ element }) => (element ? fc.array(valuesOf(element), { maxLength: 3 }) : fc.array(texts)),
  json: () => jsonValue,
  opaque: () => fc.oneof(texts, wholeNumbers({ kind: 'integer' }), fc.boolean(), jsonValue),
}

/** What applications make of columns. */
export const converted = {
  list: fc.array(texts, { maxLength: 3 }),
  point: fc.record({ x: fc.integer(), y: fc.integer() }),
  large: fc.array(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String), { maxLength: 3 }),
} as const

const valuesOf = (field: Typed): Arbitrary<unknown> =>
  byKind[field.kind]?.(field) ?? texts.map((text) => text.slice(0, field.maxLength))

type Body = Readonly<Record<string, unknown>>

/** The references of a new record to those that were created before; `least` leaves out those that may be null. */
const referencesOf = (
  { relations, fields }: Model,
  created: ReadonlyMap<string, Body>,
  { least }: { readonly least: boolean },
): Body =>
  Object.fromEntries(
    relations
      .filter(({ kind, inherited }) => kind === 'to-one' && inherited !== true)
      .flatMap(({ model, fields: own, references }) =>
        own.map((name, at) => {
          const isNullable = fields.find((field) => field.name === name)?.nullable
          const value = created.get(model)?.[references[at] ?? '']
          return [name, isNullable && (least || value === undefined) ? null : value]
        }),
      ),
  )

/**
 * Asserts for records of all models with random values that they are stored or refused, never with a 500; and that what a GET
 * shows of a record can be sent back by a PUT, which changes nothing.
 */
export const expectKept = async (
  source: ModelSource,
  {
    values = {},
    runs = 15,
    ...options
  }: Omit<NonNullable<Parameters<typeof requestsTo>[1]>, 'models'> & {
    readonly values?: OwnValues
    readonly runs?: number
  } = {},
): Promise<void> => {
  const send = await requestsTo(source, options)
  const models = source.models.filter((model) => model.readOnly !== true)
  const written = ({ name, fields, primaryKey }: Model) =>
    fc.record(
      Object.fromEntries(
        fields
          .filter((field) => !field.generated && !(primaryKey.includes(field.name) && field.hasDefault))
          .map((field) => {
            const own = values[`${name}.${field.name}`]
            const any = { weight: 1, arbitrary: valuesOf(field) }
            const value = own === undefined ? any.arbitrary : fc.oneof({ weight: 9, arbitrary: own }, any)
            return [field.name, field.nullable ? fc.option(value, { freq: 5 }) : value]
          }),
      ),
    )
  const bodies = fc.record(Object.fromEntries(models.map((model) => [model.name, written(model)])))
  const stored = new Set<string>()
  const property = fc.asyncProperty(bodies, async (given) => {
    const created = new Map<string, Body>()
    // Those that others refer to may come later, and a reference may be taken by a record of a class above.
    const tries = [false, true].flatMap((least) => models.map((model) => ({ model, least })))
    for (const { model, least } of tries) {
      if (created.has(model.name)) continue
      const body = { ...given[model.name], ...referencesOf(model, created, { least }) }
      const made = await send('POST', `/${model.path}/`, body)
      expect([201, 409, 422], `${model.name} ${made.text}`).toContain(made.status)
      const path = made.headers['location']?.replace(/^\/api/, '')
      if (made.status !== 201 || path === undefined) continue
      const shown = await send('GET', path)
      // The ORM hides it.
      if (shown.status === 404) continue
      stored.add(model.name)
      expect(shown.status, `${path} ${shown.text}`).toBe(200)
      created.set(model.name, shown.json)
      const put = await send('PUT', path, shown.json)
      expect(put.status, `${path} ${shown.text} ${put.text}`).toBe(200)
      const own = ({ json }: typeof shown): Body =>
        Object.fromEntries(
          model.fields.filter(({ generated }) => !generated).map(({ name }) => [name, json[name]]),
        )
      expect(own(await send('GET', path)), path).toEqual(own(shown))
    }
  })
  // Random values of a model may all be refused.
  for (let round = 0; round < 10 && (round === 0 || stored.size < models.length); round += 1)
    await fc.assert(property, { numRuns: runs })
  expect([...stored].sort()).toEqual(models.map(({ name }) => name).sort())
}
