import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HttpError, type Issue } from '../../src/error/errors.ts'
import { kinds } from '../../src/model/kinds/index.ts'
import type { Model } from '../../src/model/model.ts'
import { type ColumnSchema, columnSchemasOf } from '../../src/schema/columns.ts'
import { schemasOf } from '../../src/schema/zod.ts'
import { naming } from '../naming.ts'
import { runs } from '../runs.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
import { fieldAndValue, kindsOfFields } from './any-field.ts'
import { product } from './model.ts'

const { create, update } = columnSchemasOf(product)

const thrownBy = (schema: ColumnSchema, value: unknown, sent?: readonly string[]): unknown => {
  try {
    schema.parse(value, sent)
  } catch (error) {
    return error
  }
  throw new Error('The values were taken.')
}

const issuesOf = (schema: ColumnSchema, value: unknown, sent?: readonly string[]): readonly Issue[] => {
  const error = thrownBy(schema, value, sent)
  if (error instanceof HttpError && error.status === 422 && error.code === 'invalid_body') return error.errors
  throw error
}

const codesOf = (schema: ColumnSchema, value: unknown, sent?: readonly string[]): readonly unknown[] =>
  issuesOf(schema, value, sent).map(({ pointer, code }) => [pointer, code])

const whole = { name: 'Mug', price: '9.9', slug: 'mug', pin: '1' }

describe('values', () => {
  test('come out as they are stored, whatever form they came in', () => {
    expect(create.parse({ ...whole, price: 9.9, created_at: '2026-01-31T10:00:00+01:00' })).toEqual({
      ...{ name: 'Mug', price: '9.90', slug: 'mug', pin: '1' },
      created_at: new Date('2026-01-31T09:00:00Z'),
    })
    expect(update.parse({ price: 7n, created_at: new Date(0) })).toEqual({
      ...{ price: '7.00', created_at: new Date(0) },
    })
  })

  test('may be of columns that clients neither read nor write', () => {
    expect(update.parse({ internal: 'x', created_at: new Date(0), id: 5, pin: '2' })).toEqual({
      ...{ id: 5, pin: '2', internal: 'x', created_at: new Date(0) },
    })
  })

  test('may be in the form that the database writes', () => {
    const model = modelOf('Event', [
      fieldNamed('at', 'datetime', 'string', { fractionDigits: 3 }),
      fieldNamed('date', 'datetime', 'date'),
    ])
    const schema = columnSchemasOf(model).update
    expect(schema.parse({ at: '2026-01-31 09:30:00+00' })).toEqual({ at: '2026-01-31T09:30:00.000Z' })
    expect(codesOf(schema, { date: '2026-01-31 09:30:00+00' })).toEqual([['/date', 'invalid_format']])
  })

  test('that are undefined are absent', () => {
    expect(update.parse({ name: undefined, note: null })).toEqual({ note: null })
    expect(codesOf(create, { ...whole, name: undefined })).toEqual([['/name', 'required']])
  })

  test('are all refused that do not fit, in words that say what is allowed', () => {
    expect(
      issuesOf(create, { name: 'x'.repeat(101), price: null, in_stock: 'yes', status: 'old', pin: '1' }),
    ).toEqual([
      { pointer: '/name', code: 'too_long', detail: expect.stringMatching(naming(100)) },
      {
        ...{ pointer: '/price', code: 'not_nullable' },
        detail: expect.stringMatching(naming('price', 8, 2)),
      },
      { pointer: '/in_stock', code: 'wrong_type', detail: expect.stringMatching(naming('true', 'false')) },
      { pointer: '/status', code: 'not_in_enum', detail: expect.stringMatching(naming('draft', 'live')) },
    ])
  })

  test('are needed where the column is not null, has no default and is not optional', () => {
    expect(codesOf(create, {})).toEqual([
      ['/name', 'required'],
      ['/price', 'required'],
      ['/pin', 'required'],
    ])
    expect(update.parse({})).toEqual({})
  })

  test.each([['not an object'], [null], [[]], [5]])('%j are none', (value) => {
    const error = thrownBy(update, value)
    expect(error).not.toBeInstanceOf(HttpError)
    expect(String(error)).toMatch(naming('Product'))
  })
})

describe('what is no column', () => {
  test.each([
    [{ nam: 'x' }, 'nam'],
    [{ constructor: 'x' }, 'constructor'],
    [JSON.parse('{"__proto__":{}}'), '__proto__'],
    [{ search: 'x' }, 'search'],
  ])('is an error of the code: %j', (value, column) => {
    const error = thrownBy(update, value)
    expect(error).not.toBeInstanceOf(HttpError)
    expect(String(error)).toMatch(naming('Product', column))
  })

  test('is an error of the client who sent it', () => {
    expect(codesOf(update, { nam: 'x', search: 'y', price: 'z' }, ['nam', 'search'])).toEqual([
      ['/nam', 'unknown_key'],
      ['/search', 'read_only'],
      ['/price', 'invalid_format'],
    ])
  })
})

test('a hidden column is named in the log alone', () => {
  const error = thrownBy(update, { internal: 5 })
  expect(error).not.toBeInstanceOf(HttpError)
  expect(String(error)).toMatch(naming('Product', 'internal'))
  expect(codesOf(update, { internal: 5, name: 5 })).toEqual([['/name', 'wrong_type']])
})

const modelWith = (field: Model['fields'][number]): Model => modelOf('Sample', [field])

describe.each(kindsOfFields)('any value of the kind %s', (kind) => {
  test('that a generated schema gives passes unchanged', () => {
    let passed = 0
    fc.assert(
      fc.property(fieldAndValue(kind), ({ field, value }) => {
        const model = modelWith(field)
        const read = schemasOf(model).create.safeParse({ value })
        fc.pre(read.success)
        expect(columnSchemasOf(model).create.parse(read.data)).toEqual(read.data)
        passed += 1
      }),
      runs(80),
    )
    expect(passed).toBeGreaterThan(20)
  })

  test('is taken as the source has it, and as JSON shows that', () => {
    fc.assert(
      fc.property(fieldAndValue(kind), ({ field, value }) => {
        const model = modelWith(field)
        const read = schemasOf(model).create.safeParse({ value })
        const stored = read.success ? read.data['value'] : undefined
        fc.pre(stored !== null && stored !== undefined)
        const json = kinds[kind].write(stored, field)
        const again = columnSchemasOf(model).create.parse({ value: json })
        expect(kinds[kind].write(again['value'], field)).toEqual(json)
      }),
      runs(80),
    )
  })

  test('that it refuses, nobody stores: it is out of bounds, or has the form of the database', () => {
    fc.assert(
      fc.property(fieldAndValue(kind), ({ field, value }) => {
        const model = modelWith(field)
        const { create: generated } = schemasOf(model)
        fc.pre(!generated.safeParse({ value }).success)
        let stored: unknown
        try {
          stored = columnSchemasOf(model).create.parse({ value })['value']
        } catch (error) {
          expect(error).toMatchObject({
            status: 422,
            errors: [{ pointer: expect.stringMatching(/^\/value(\/\d+)*$/) }],
          })
          return
        }
        // What only the column itself can judge is the application's to store.
        if (kinds[kind].readOwn !== undefined) return
        const json = stored === null ? null : kinds[kind].write(stored, field)
        expect(generated.safeParse({ value: json }).success).toBe(true)
      }),
      runs(120),
    )
  })
})
