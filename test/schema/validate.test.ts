import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { HttpError, type Issue } from '../../src/error/errors.ts'
import { validateBody } from '../../src/schema/issues.ts'
import { schemasOf } from '../../src/schema/zod.ts'
import { naming } from '../naming.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
import { product } from './model.ts'

const { create, update } = schemasOf(product)

const refusal = (schema: z.ZodType<Record<string, unknown>>, body: unknown): HttpError => {
  try {
    validateBody(schema, body)
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
  throw new Error('The body was accepted.')
}

const issues = (schema: z.ZodType<Record<string, unknown>>, body: unknown): readonly Issue[] =>
  refusal(schema, body).errors

const codes = (schema: z.ZodType<Record<string, unknown>>, body: unknown): readonly unknown[] =>
  issues(schema, body).map(({ pointer, code }) => [pointer, code])

describe('a body', () => {
  test('that fits comes out as it is stored', () => {
    expect(validateBody(update, { price: '5' })).toEqual({ price: '5.00' })
  })

  test.each([null, [], 'x', 5, true])('%j is no object', (body) => {
    expect(issues(create, body)).toEqual([
      { pointer: '', code: 'wrong_type', detail: expect.stringMatching(naming('JSON')) },
    ])
  })

  test('is refused with a 422 that says what is wrong first', () => {
    const error = refusal(create, { name: 'Mug', pin: '1', price: 'x' })
    expect(error.status).toBe(422)
    expect(error.code).toBe('invalid_body')
    const [{ detail = '' } = {}] = error.errors
    expect(detail).toMatch(naming(8, 2))
    expect(error.detail).toContain(detail)
  })

  test('is refused for each of its fields, by our codes', () => {
    const all = modelOf('Sample', [
      fieldNamed('author', 'text', 'string'),
      fieldNamed('noNull', 'integer', 'number'),
      fieldNamed('noNullDecimal', 'decimal', 'string'),
      fieldNamed('noNullEnum', 'enum', 'string', { values: ['draft'] }),
      fieldNamed('noNullJson', 'json', 'json'),
      fieldNamed('type', 'integer', 'number'),
      fieldNamed('fractional', 'integer', 'number'),
      fieldNamed('enumType', 'enum', 'string', { values: ['draft'] }),
      fieldNamed('enum', 'enum', 'string', { values: ['draft'] }),
      fieldNamed('large', 'integer', 'number', { minimum: 0, maximum: 255 }),
      fieldNamed('small', 'integer', 'number', { minimum: 0, maximum: 255 }),
      fieldNamed('huge', 'integer', 'number'),
      fieldNamed('long', 'text', 'string', { maxLength: 2 }),
      fieldNamed('uuid', 'uuid', 'string'),
      fieldNamed('date', 'date', 'string'),
      fieldNamed('digits', 'decimal', 'string', { precision: 3, scale: 1 }),
      fieldNamed('list', 'array', 'json', { element: { kind: 'decimal', form: 'string', nullable: false } }),
      fieldNamed('vector', 'array', 'json', {
        size: 2,
        element: { kind: 'float', form: 'number', nullable: false },
      }),
    ])
    const body = {
      ...{
        noNull: null,
        noNullDecimal: null,
        noNullEnum: null,
        noNullJson: null,
        type: '5',
        fractional: 1.5,
      },
      ...{ enumType: 5, enum: 'live', large: 256, small: -1, huge: 2 ** 60, long: 'abc', uuid: 'x' },
      ...{ date: '2026-02-30', digits: '1.23', list: ['1', 'x', null], vector: [1] },
    }
    const whole = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    const refused: readonly (readonly [pointer: string, code: string, ...names: (string | number)[]])[] = [
      ['/author', 'required', 'author'],
      ['/noNull', 'not_nullable', 'noNull'],
      ['/noNullDecimal', 'not_nullable', 'noNullDecimal'],
      ['/noNullEnum', 'not_nullable', 'noNullEnum'],
      ['/noNullJson', 'not_nullable', 'noNullJson', 'JSON'],
      ['/type', 'wrong_type', ...whole],
      ['/fractional', 'wrong_type', ...whole],
      ['/enumType', 'wrong_type', 'draft'],
      ['/enum', 'not_in_enum', 'draft'],
      ['/large', 'out_of_range', 0, 255],
      ['/small', 'out_of_range', 0, 255],
      ['/huge', 'out_of_range', ...whole],
      ['/long', 'too_long', 2],
      ['/uuid', 'invalid_format', 'UUID'],
      ['/date', 'invalid_format', '2026-01-31'],
      ['/digits', 'out_of_range', 2, 1],
      ['/list/1', 'invalid_format'],
      ['/vector', 'too_short', 2],
    ]
    expect(issues(schemasOf(all).create, body)).toEqual(
      refused.map(([pointer, code, ...names]) => {
        const detail = expect.stringMatching(names.length === 0 ? /\S/ : naming(...names)) as string
        return { pointer, code, detail }
      }),
    )
  })

  test('names what is missing or null, and what is allowed', () => {
    expect(issues(create, { price: null, pin: '1' })).toEqual([
      { pointer: '/name', code: 'required', detail: expect.stringMatching(naming('name', 100)) },
      { pointer: '/price', code: 'not_nullable', detail: expect.stringMatching(naming('price')) },
    ])
  })
})

describe('a key that the schema does not have', () => {
  test('is named, with those that are allowed', () => {
    expect(issues(update, { in_stok: true })).toEqual([
      {
        pointer: '/in_stok',
        code: 'unknown_key',
        detail: expect.stringMatching(
          naming(
            ...['in_stok', 'in_stock', 'api_key', 'name', 'note', 'pin', 'price', 'slug', 'status', 'tags'],
          ),
        ),
      },
    ])
  })

  test('is read-only where it is a field that can be read', () => {
    expect(codes(update, { id: 1, created_at: null })).toEqual([
      ['/id', 'read_only'],
      ['/created_at', 'read_only'],
    ])
  })

  test('gets the names of relations that the body writes, but not its own', () => {
    const { update: together } = schemasOf({ ...product, write: ['reviews', 'buyers'] })
    const detailOf = (key: string): string => issues(together, { [key]: [] })[0]?.detail ?? ''
    expect(detailOf('review')).toMatch(naming('review', 'reviews', 'buyers', 'name'))
    // Elements of other bodies are read with the same schema, and cannot contain relations.
    expect(detailOf('buyers')).toMatch(naming('buyers', 'name'))
    expect(detailOf('buyers')).not.toContain('reviews')
  })

  test('stays unknown where it is hidden', () => {
    expect(codes(update, { internal: 'x' })).toEqual([['/internal', 'unknown_key']])
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', ''])('may be %j', (key) => {
    const body: unknown = JSON.parse(`{${JSON.stringify(key)}: {"name": 1}}`)
    expect(codes(update, body)).toEqual([[`/${key}`, 'unknown_key']])
  })

  test('is escaped in its pointer', () => {
    expect(codes(update, { 'a/b~c': 1 })).toEqual([['/a~1b~0c', 'unknown_key']])
  })

  test('cannot blow up the reply', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key${at}`, at]))
    expect(issues(update, many)).toHaveLength(100)
    const [long] = issues(update, { ['x'.repeat(100_000)]: 1 })
    expect(long?.detail.length).toBeLessThan(300)
  })
})

describe('a field named like what every object has', () => {
  const race = schemasOf(
    modelOf('Race', [
      fieldNamed('constructor', 'text', 'string'),
      fieldNamed('toString', 'text', 'string', { nullable: true }),
    ]),
  ).create

  test('is a field like any other', () => {
    expect(codes(race, {})).toEqual([['/constructor', 'required']])
    expect(validateBody(race, JSON.parse('{"constructor":"McLaren"}'))).toEqual({ constructor: 'McLaren' })
    expect(codes(race, JSON.parse('{"constructor":"McLaren","__proto__":{}}'))).toEqual([
      ['/__proto__', 'unknown_key'],
    ])
  })
})

describe('a schema that somebody wrote', () => {
  const custom = z.object({
    name: z.string().min(2),
    price: z.number().gt(0),
    parts: z.array(z.object({ size: z.number().multipleOf(2) })).optional(),
  })

  test('is answered in our codes and its words', () => {
    expect(issues(custom, { name: 'a', price: 0, parts: [{ size: 3 }] })).toEqual([
      { pointer: '/name', code: 'too_short', detail: 'Too small: expected string to have >=2 characters' },
      { pointer: '/price', code: 'out_of_range', detail: 'Too small: expected number to be >0' },
      { pointer: '/parts/0/size', code: 'out_of_range', detail: 'Invalid number: must be a multiple of 2' },
    ])
  })

  test('may have rules of its own', () => {
    const ruled = custom.refine(({ name }) => !name.includes('forbidden'), {
      path: ['name'],
      message: 'The name contains a forbidden word.',
    })
    expect(issues(ruled, { name: 'forbidden', price: 1 })).toEqual([
      { pointer: '/name', code: 'invalid', detail: 'The name contains a forbidden word.' },
    ])
    const together = z
      .object({ a: z.string().nullable(), b: z.string().optional() })
      .superRefine(({ a, b }, context) => {
        if (a === null) context.addIssue({ code: 'custom', path: ['a'], message: 'Say a.' })
        if (b === undefined) context.addIssue({ code: 'custom', path: ['b'], message: 'Say b.' })
      })
    expect(codes(together, { a: null })).toEqual([
      ['/a', 'invalid'],
      ['/b', 'invalid'],
    ])
  })
})

test('any JSON is an answer, never a failure', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())), (body) => {
      for (const { pointer, detail } of issues(create, body)) {
        expect(pointer).toMatch(/^(?:|\/.*)$/s)
        expect(detail).not.toBe('')
      }
    }),
  )
})
