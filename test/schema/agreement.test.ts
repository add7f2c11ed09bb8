import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../src/model/kinds/index.ts'
import type { Element, Field, Model } from '../../src/model/model.ts'
import { exampleOf } from '../../src/schema/example.ts'
import { jsonSchemasOf } from '../../src/schema/json-schema.ts'
import { schemasOf } from '../../src/schema/zod.ts'
import { runs } from '../runs.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
import { compile } from './ajv.ts'
import { fieldAndValue, kindsOfFields } from './any-field.ts'
import { product } from './model.ts'

/** The one way in which the two may differ: what the documentation does not say, and why. */
type Leniency = (field: Element, value: unknown) => boolean

/** The document says string; clients that send a number are understood. */
const numberForString: Leniency = (field, value) =>
  (field.kind === 'decimal' || (field.kind === 'bigint' && Number.isSafeInteger(value))) &&
  typeof value === 'number'

/** JSON Schema cannot ask for well-formed Unicode. */
const unstorableText: Leniency = (field, value) =>
  (field.kind === 'text' || field.kind === 'token') &&
  typeof value === 'string' &&
  /\p{Surrogate}/u.test(value)

/** An offset may lead out of the years 0001 to 9999, and no pattern can do sums. */
const outOfYears: Leniency = (field, value) =>
  field.kind === 'datetime' && typeof value === 'string' && /^(0001-01-01|9999-12-31)T/.test(value)

const leniencies: readonly Leniency[] = [numberForString, unstorableText, outOfYears]

const isLenient: Leniency = (field, value) =>
  leniencies.some((leniency) => leniency(field, value)) ||
  (field.element !== undefined &&
    Array.isArray(value) &&
    value.some((inner) => field.element !== undefined && isLenient(field.element, inner)))

const models = new Map<string, Model>()

/** Properties come with the same fields over and over. */
const modelWith = (field: Field): Model => {
  const text = JSON.stringify(field, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? `${inner}n` : inner,
  )
  const model = models.get(text) ?? modelOf('Sample', [field], { primaryKey: ['value'] })
  models.set(text, model)
  return model
}

describe.each(kindsOfFields)('%s', (kind) => {
  test('is the same to Zod and to its JSON Schema', () => {
    const seen = { good: 0, bad: 0 }
    fc.assert(
      fc.property(fieldAndValue(kind), ({ field, value }) => {
        const model = modelWith(field)
        const zod = schemasOf(model).create.safeParse({ value }).success
        const ajv = compile(jsonSchemasOf(model).create)({ value })
        if (zod !== ajv)
          expect({ isLenient: isLenient(field, value), zod, ajv, field, value }).toMatchObject({
            isLenient: true,
          })
        seen[zod ? 'good' : 'bad'] += 1
      }),
      runs(300),
    )
    expect(Math.min(seen.good, seen.bad), JSON.stringify(seen)).toBeGreaterThan(5)
  })

  test('is the same to Zod and to the table of kinds', () => {
    fc.assert(
      fc.property(fieldAndValue(kind), ({ field, value }) => {
        fc.pre(value !== null)
        const result = schemasOf(modelWith(field)).create.safeParse({ value })
        const reading = kinds[kind].read(value, field)
        expect(result.success).toBe(reading.ok)
        if (reading.ok) expect(result.data).toEqual({ value: reading.value })
      }),
      runs(80),
    )
  })

  test('comes back as it went in', () => {
    fc.assert(
      fc.property(fieldAndValue(kind), ({ field, value }) => {
        const row = kinds[kind]
        const reading = value === null ? undefined : row.read(value, field)
        fc.pre(reading?.ok === true)
        if (reading?.ok !== true) return
        const sent = row.write(reading.value, field)
        const again = row.read(sent, field)
        expect(again).toEqual(reading)
        expect(again.ok && row.write(again.value, field)).toEqual(sent)
        if (row.writesAsIs?.(field)) expect(sent).toBe(reading.value)
        const model = modelWith(field)
        const body = JSON.parse(JSON.stringify({ value: sent })) as unknown
        expect(schemasOf(model).detail.safeParse(body).success).toBe(true)
        const validate = compile(jsonSchemasOf(model).detail)
        expect(validate(body), JSON.stringify(validate.errors)).toBe(true)
      }),
      runs(80),
    )
  })
})

test('no text takes U+0000, and JSON Schema says so, in arrays as well', () => {
  for (const kind of ['text', 'token'] as const) {
    const field = fieldNamed('value', kind, 'string')
    const list = fieldNamed('value', 'array', 'json', { element: { kind, form: 'string', nullable: true } })
    for (const [value, isTaken] of [
      ['', true],
      ['a\n\u0001€😀', true],
      ['a\0', false],
    ] as const) {
      const validate = compile(jsonSchemasOf(modelWith(field)).create)
      const validateList = compile(jsonSchemasOf(modelWith(list)).create)
      const { create } = schemasOf(modelWith(field))
      expect([kind, value, validate({ value }), create.safeParse({ value }).success]).toEqual([
        ...[kind, value, isTaken, isTaken],
      ])
      expect([kind, value, validateList({ value: [value, null] })]).toEqual([kind, value, isTaken])
    }
  }
})

test('each of the leniencies is real', () => {
  const sample = (of: Partial<Field> & Pick<Field, 'kind' | 'form'>, value: unknown) => {
    const model = modelWith({
      ...{
        name: 'value',
        nullable: false,
        hasDefault: false,
        generated: false,
        access: 'read-write',
        optional: false,
      },
      ...of,
    })
    return [
      schemasOf(model).create.safeParse({ value }).success,
      compile(jsonSchemasOf(model).create)({ value }),
    ]
  }
  expect(sample({ kind: 'decimal', form: 'string' }, 9.9)).toEqual([true, false])
  expect(sample({ kind: 'bigint', form: 'string' }, 9)).toEqual([true, false])
  expect(sample({ kind: 'text', form: 'string' }, 'a\uD800')).toEqual([false, true])
  expect(sample({ kind: 'datetime', form: 'string' }, '0001-01-01T00:00:00+01:00')).toEqual([false, true])
})

test('an item of a list with any of its fields is the same to Zod and to its JSON Schema', () => {
  const zod = schemasOf(product).list
  const ajv = compile(jsonSchemasOf(product).list)
  const whole = { ...exampleOf(product, 'detail') }
  const names = Object.keys(whole)
  const seen = { good: 0, bad: 0 }
  fc.assert(
    fc.property(fc.subarray(names), fc.option(fc.constantFrom(...names)), (chosen, spoiled) => {
      const item: Record<string, unknown> = Object.fromEntries(chosen.map((name) => [name, whole[name]]))
      if (spoiled !== null && chosen.includes(spoiled)) item[spoiled] = { no: 'field is an object' }
      const isGood = chosen.includes('id') && !(spoiled !== null && chosen.includes(spoiled))
      expect([zod.safeParse(item).success, ajv(item)]).toEqual([isGood, isGood])
      seen[isGood ? 'good' : 'bad'] += 1
    }),
    runs(300),
  )
  expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(20)
})
