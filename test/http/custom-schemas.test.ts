import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { HttpError, type StandardSchema, ValueError } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { lint } from '../openapi/lint.ts'
import { inTest } from '../stage/service.ts'
import { type Customised, start } from './customised.ts'
import { startError } from './start-error.ts'

const serve = (...given: Parameters<typeof start>): Promise<Customised> => inTest(start(...given))

/** The specification, 2.1: name: string, min length 2, max length 100; price: number > 0; in_stock: boolean default true. */
const examples: readonly (readonly [string, StandardSchema])[] = [
  [
    'zod',
    z.object({
      name: z.string().min(2).max(100),
      price: z.number().gt(0),
      in_stock: z.boolean().default(true),
    }),
  ],
  [
    'zod/mini',
    mini.object({
      name: mini.string().check(mini.minLength(2), mini.maxLength(100)),
      price: mini.number().check(mini.gt(0)),
      in_stock: mini._default(mini.boolean(), true),
    }),
  ],
  [
    'valibot',
    v.object({
      name: v.pipe(v.string(), v.minLength(2), v.maxLength(100)),
      price: v.pipe(v.number(), v.gtValue(0)),
      in_stock: v.optional(v.boolean(), true),
    }),
  ],
  ['arktype', type({ name: '2 <= string <= 100', price: 'number > 0', in_stock: 'boolean = true' })],
]

describe.each(examples)("the specification's example in %s", (_library, schema) => {
  test.each([9.9, '9.90', '9.9'])('takes a price of %j', async (price) => {
    const service = await inTest(start({ Product: { create: schema } }))
    const { status, json } = await service.send('POST', '/products/', { name: 'Mug', price })
    expect([status, json]).toEqual([201, { id: 1, name: 'Mug', price: '9.90', in_stock: true, serial: null }])
    expect(service.rows('products')).toEqual([{ id: 1, name: 'Mug', price: 990, in_stock: 1, serial: null }])
  })

  test('refuses what it refuses, in every place, by our codes', async () => {
    const service = await inTest(start({ Product: { create: schema } }))
    const { status, json } = await service.send('POST', '/products/', {
      name: 'M',
      price: 0,
      in_stock: 'yes',
    })
    expect([status, json['code']]).toEqual([422, 'invalid_body'])
    const found = json['errors'] as readonly { pointer: string; code: string }[]
    expect(found.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
      '/in_stock wrong_type',
      '/name too_short',
      '/price out_of_range',
    ])
    expect(service.rows('products')).toEqual([])
  })

  test('says which fields are missing or null', async () => {
    const service = await inTest(start({ Product: { create: schema } }))
    const { json } = await service.send('POST', '/products/', { price: null })
    const found = json['errors'] as readonly { pointer: string; code: string; detail: string }[]
    expect(found.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
      '/name required',
      '/price not_nullable',
    ])
    expect(found.find(({ code }) => code === 'required')?.detail).toMatch(naming('name'))
  })

  test('applies no default in a PATCH, and all of them in a PUT', async () => {
    const service = await inTest(start({ Product: { create: schema } }))
    await service.send('POST', '/products/', { name: 'Mug', price: 9.9, in_stock: false })
    const patched = await service.send('PATCH', '/products/1', { price: '5' })
    expect([patched.status, patched.json['price'], patched.json['in_stock']]).toEqual([200, '5.00', false])
    expect((await service.send('PATCH', '/products/1', {})).json['in_stock']).toBe(false)
    const short = await service.send('PATCH', '/products/1', { name: 'M' })
    expect([short.status, short.text]).toEqual([422, expect.stringContaining('too_short')])
    const put = await service.send('PUT', '/products/1', { id: 1, name: 'Cup', price: '5.00' })
    expect([put.status, put.json]).toEqual([
      200,
      { id: 1, name: 'Cup', price: '5.00', in_stock: true, serial: null },
    ])
  })

  test('is what the document shows', async () => {
    const service = await inTest(start({ Product: { create: schema } }))
    const { schemas } = service.document.components
    const name = { type: 'string', minLength: 2, maxLength: 100 }
    const price = { type: 'number', exclusiveMinimum: 0 }
    for (const shown of ['ProductCreate', 'ProductReplace']) {
      expect(schemas[shown]).toMatchObject({ type: 'object', properties: { name, price } })
      expect(schemas[shown]?.['required']).toEqual(expect.arrayContaining(['name', 'price']))
      expect(schemas[shown]).not.toHaveProperty('$schema')
    }
    expect(schemas['ProductUpdate']).toMatchObject({
      properties: { name, price, in_stock: { type: 'boolean' } },
    })
    expect(schemas['ProductUpdate']).not.toHaveProperty('required')
    expect(schemas['ProductUpdate']).not.toHaveProperty('properties.in_stock.default')
    expect(await lint(service.document)).toEqual([])
  })
})

const lower = (text: string): string => text.toLowerCase()
const tagged = (text: string): string => `<${text.trim()}>`

/** Transforms that show how often they ran: each puts brackets around the slug. */
const transforms: readonly (readonly [string, StandardSchema])[] = [
  [
    'zod',
    z.object({
      email: z.email().transform(lower),
      slug: z.string().transform(tagged).optional(),
      level: z.int().default(7),
    }),
  ],
  [
    'valibot',
    v.object({
      email: v.pipe(v.string(), v.email(), v.transform(lower)),
      slug: v.optional(v.pipe(v.string(), v.transform(tagged))),
      level: v.optional(v.pipe(v.number(), v.integer()), 7),
    }),
  ],
  [
    'arktype',
    type({
      email: type('string.email').pipe(lower),
      'slug?': type('string').pipe(tagged),
      level: 'number.integer = 7',
    }),
  ],
]

describe.each(transforms)('what a schema of %s transforms to', (_library, create) => {
  test('is stored, transformed once, by POST, PATCH and PUT', async () => {
    const { send, rows } = await serve({ Customer: { create } })
    const created = await send('POST', '/customers/', { email: 'Ada@Example.com', slug: ' a ' })
    expect(created.json).toMatchObject({ email: 'ada@example.com', slug: '<a>', level: 7 })
    await send('PATCH', '/customers/1', { level: 3 })
    expect(rows('customers')).toMatchObject([{ email: 'ada@example.com', slug: '<a>', level: 3 }])
    const patched = await send('PATCH', '/customers/1', { slug: 'b' })
    expect(patched.json).toMatchObject({ email: 'ada@example.com', slug: '<b>', level: 3 })
    const put = await send('PUT', '/customers/1', { email: 'BOB@example.com', slug: 'c' })
    expect(put.json).toMatchObject({ email: 'bob@example.com', slug: '<c>', level: 7 })
    expect(rows('customers')).toMatchObject([{ email: 'bob@example.com', slug: '<c>', level: 7 }])
  })

  test('is transformed once where a decimal is turned', async () => {
    const { send } = await serve({
      Product: {
        create: z.object({ name: z.string().transform(tagged), price: z.number() }),
      },
    })
    const { json } = await send('POST', '/products/', { name: 'Mug', price: '9.90' })
    expect(json).toMatchObject({ name: '<Mug>', price: '9.90' })
  })
})

describe('decimals and 64-bit integers', () => {
  test('reach the schema as they were sent', async () => {
    const seen: unknown[] = []
    const { send } = await serve({
      Product: {
        create: z.object({
          name: z.string(),
          price: z.unknown().transform((price) => {
            seen.push(price)
            return price
          }),
        }),
      },
    })
    for (const price of ['9.90', 9.9]) await send('POST', '/products/', { name: 'Mug', price })
    expect(seen).toEqual(['9.90', 9.9])
  })

  test('are turned together and once, and only where one of them was refused', async () => {
    const seen: unknown[] = []
    const both = z.unknown().transform((body, context) => {
      seen.push(body)
      context.issues.push({ code: 'custom', input: body, path: ['price'], message: `attempt ${seen.length}` })
      return z.NEVER
    })
    const { send } = await serve({ Product: { create: both, update: both } })
    const refused = await send('POST', '/products/', { name: 'Mug', price: '9.90', serial: 5 })
    expect(seen).toEqual([
      { name: 'Mug', price: '9.90', serial: 5 },
      { name: 'Mug', price: 9.9, serial: '5' },
    ])
    expect(refused.json['errors']).toEqual([{ pointer: '/price', code: 'invalid', detail: 'attempt 1' }])
    seen.length = 0
    await send('PATCH', '/products/1', { name: 'Mug' })
    expect(seen).toHaveLength(1)
  })

  test('stay as they are where the other form would not be exact', async () => {
    const create = z.object({ name: z.string(), price: z.number(), serial: z.int().optional() })
    const { send, rows } = await serve({ Product: { create } })
    expect(
      (await send('POST', '/products/', { name: 'A', price: 1, serial: '9007199254740993' })).status,
    ).toBe(422)
    expect((await send('POST', '/products/', { name: 'A', price: '1.10000000000000000001' })).status).toBe(
      422,
    )
    const { json } = await send('POST', '/products/', { name: 'A', price: '1', serial: '9007199254740991' })
    expect(json['serial']).toBe('9007199254740991')
    expect((await send('PUT', '/products/1', json)).json).toEqual(json)
    expect(rows('products')).toHaveLength(1)
  })

  test('fit the column, whatever the schema says', async () => {
    const { send } = await serve({ Product: { create: z.object({ name: z.string(), price: z.number() }) } })
    const { status, json } = await send('POST', '/products/', { name: 'Mug', price: 9.999 })
    expect([status, json['errors']]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/price', code: 'out_of_range' })],
    ])
    const long = await send('POST', '/products/', { name: 'x'.repeat(101), price: 1 })
    expect(long.json['errors']).toEqual([expect.objectContaining({ pointer: '/name', code: 'too_long' })])
  })
})

describe('an update schema of its own', () => {
  test('decides about PATCH alone; create stays generated', async () => {
    const update = z.object({ name: z.string().min(5).optional() })
    const { send, document } = await serve({ Product: { update } })
    expect((await send('POST', '/products/', { name: 'M', price: '1' })).status).toBe(201)
    expect((await send('PATCH', '/products/1', { name: 'Mug' })).status).toBe(422)
    expect((await send('PATCH', '/products/1', { name: 'A large mug', price: 3 })).json).toMatchObject({
      ...{ name: 'A large mug', price: '1.00' },
    })
    expect((await send('PUT', '/products/1', { name: 'M', price: '2' })).status).toBe(200)
    expect(Object.keys(document.components.schemas['ProductUpdate']?.['properties'] ?? {})).toEqual(['name'])
    expect(Object.keys(document.components.schemas['ProductCreate']?.['properties'] ?? {})).toContain(
      'serial',
    )
  })

  test('may derive what clients cannot send', async () => {
    const update = z
      .object({ email: z.string() })
      .partial()
      .transform((body) => (body.email === undefined ? body : { ...body, slug: body.email.split('@')[0] }))
    const { send } = await serve({ Customer: { update } })
    await send('POST', '/customers/', { email: 'a@b.c' })
    expect((await send('PATCH', '/customers/1', { email: 'bob@b.c' })).json).toMatchObject({ slug: 'bob' })
  })
})

describe('keys', () => {
  const loose = z.looseObject({ email: z.string() })

  test('that the schema lets through open no column that clients cannot write', async () => {
    const { send, rows } = await serve(
      { Customer: { create: loose } },
      { modelConfig: { Customer: { hidden: ['level'] } } },
    )
    const body = { email: 'a@b.c', created_at: '2020-01-01T00:00:00Z', id: 9, level: 9, nothing: 1 }
    const { status, json } = await send('POST', '/customers/', body)
    expect(status).toBe(422)
    const found = json['errors'] as readonly { pointer: string; code: string }[]
    expect(found.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
      '/created_at read_only',
      '/id read_only',
      '/level unknown_key',
      '/nothing unknown_key',
    ])
    expect((await send('POST', '/customers/', { email: 'a@b.c', slug: 's' })).status).toBe(201)
    expect((await send('PATCH', '/customers/1', { id: 7 })).json['errors']).toMatchObject([
      { code: 'read_only' },
    ])
    expect(rows('customers')).toMatchObject([{ id: 1, slug: 's', level: 1 }])
  })

  test.each([
    ['zod', z.object({ email: z.string(), created_at: z.iso.datetime() })],
    ['valibot', v.object({ email: v.string(), created_at: v.string() })],
    ['arktype', type({ email: 'string', created_at: 'string' })],
  ])('that a schema of %s names may be of such a column', async (_library, create) => {
    const { send } = await serve({ Customer: { create } })
    const { status, json } = await send('POST', '/customers/', {
      ...{ email: 'a@b.c', created_at: '2020-01-01T00:00:00Z' },
    })
    expect([status, json['created_at']]).toEqual([201, '2020-01-01T00:00:00.000Z'])
  })

  test.each([
    ['zod', z.strictObject({ email: z.string() })],
    ['valibot', v.strictObject({ email: v.string() })],
    ['arktype', type({ '+': 'reject', email: 'string' })],
  ])('are refused by a strict schema of %s', async (_library, create) => {
    const { send } = await serve({ Customer: { create } })
    for (const [method, path] of [
      ['POST', '/customers/'],
      ['PATCH', '/customers/1'],
    ] as const) {
      const { status, json } = await send(method, path, { email: 'a@b.c', emial: 'x' })
      expect([status, json['errors']]).toEqual([
        422,
        [expect.objectContaining({ pointer: '/emial', code: 'unknown_key' })],
      ])
    }
  })

  test('that are dropped by the schema are not stored', async () => {
    const { send } = await serve({ Customer: { create: z.object({ email: z.string() }) } })
    const { status, json } = await send('POST', '/customers/', { email: 'a@b.c', id: 9, slug: 's' })
    expect([status, json]).toMatchObject([201, { id: 1, slug: null }])
  })

  test('that name the record are part of create, and fixed in PUT', async () => {
    const create = z.object({ key: z.string().min(2), body: z.string() })
    const { send } = await serve({ Note: { create } })
    expect((await send('POST', '/notes/', { key: 'k', body: 'b' })).status).toBe(422)
    expect((await send('POST', '/notes/', { key: 'key', body: 'b' })).status).toBe(201)
    expect((await send('PUT', '/notes/key', { body: 'c' })).json).toEqual({ key: 'key', body: 'c' })
    expect((await send('PUT', '/notes/key', { key: 'key', body: 'd' })).json).toEqual({
      key: 'key',
      body: 'd',
    })
    expect((await send('PUT', '/notes/key', { key: 'other', body: 'd' })).status).toBe(422)
    const moved = await send('PATCH', '/notes/key', { key: 'other' })
    expect(moved.json['errors']).toMatchObject([{ pointer: '/key', code: 'read_only' }])
  })
})

const failing = (fail: () => never): StandardSchema => z.object({ email: z.string().transform(() => fail()) })

describe('what a schema throws', () => {
  test.each([
    [new ValueError('The word is forbidden.'), 400, 'The word is forbidden.'],
    [new HttpError(403, 'Closed.'), 403, 'Closed.'],
  ])('answers as it says: %s', async (error, status, detail) => {
    for (const isAsync of [true, false]) {
      const { send, stop } = await start(
        {
          Customer: {
            create: failing(() => {
              throw error
            }),
          },
        },
        { isAsync },
      )
      const reply = await send('POST', '/customers/', { email: 'x' })
      expect([reply.status, reply.json['detail']]).toEqual([status, detail])
      await stop()
    }
  })

  test('is else an opaque 500', async () => {
    const { send, log } = await serve({
      Customer: {
        create: failing(() => {
          throw new Error('the secret reason')
        }),
      },
    })
    const reply = await send('POST', '/customers/', { email: 'x' })
    expect([reply.status, reply.json['code']]).toEqual([500, 'internal_error'])
    expect(reply.text).not.toContain('secret')
    expect(log.join()).toContain('the secret reason')
  })

  test.each([
    [
      'a text',
      z.object({ email: z.string() }).transform(({ email }) => email),
      ['customSchemas.Customer.create'],
    ],
    [
      'a key without a column that it names',
      z.object({ email: z.string(), again: z.string() }).refine((body) => body.email === body.again),
      ['customSchemas.Customer.create', 'again', 'Customer'],
    ],
    [
      'a key of its own without a column',
      z.object({ email: z.string() }).transform((body) => ({ ...body, more: 1 })),
      ['Customer', 'more'],
    ],
  ])('nor may it give %s', async (_what, create, names) => {
    const { send, log, rows } = await serve({ Customer: { create, update: z.object({}) } })
    const reply = await send('POST', '/customers/', { email: 'x', again: 'x' })
    expect(reply.status).toBe(500)
    expect(log.join()).toMatch(naming(...names))
    expect(rows('customers')).toEqual([])
  })
})

describe('a schema that takes its time', () => {
  const free = async (email: string): Promise<boolean> => Promise.resolve(email !== 'taken@b.c')
  const slow: readonly (readonly [string, StandardSchema])[] = [
    ['zod', z.object({ email: z.string().refine(free, 'The address is taken.') })],
    [
      'valibot',
      v.objectAsync({ email: v.pipeAsync(v.string(), v.checkAsync(free, 'The address is taken.')) }),
    ],
  ]

  test.each(slow)('is waited for: %s', async (_library, create) => {
    const { send } = await serve({ Customer: { create } })
    expect((await send('POST', '/customers/', { email: 'a@b.c' })).status).toBe(201)
    for (const [method, path] of [
      ['POST', '/customers/'],
      ['PATCH', '/customers/1'],
      ['PUT', '/customers/1'],
    ] as const) {
      const { status, json } = await send(method, path, { email: 'taken@b.c' })
      expect([status, json['errors']]).toEqual([
        422,
        [{ pointer: '/email', code: 'invalid', detail: 'The address is taken.' }],
      ])
    }
  })

  test.each(slow)('cannot be waited for with isAsync: false: %s', async (_library, create) => {
    const { send, log } = await serve({ Customer: { create } }, { isAsync: false })
    expect((await send('POST', '/customers/', { email: 'a@b.c' })).status).toBe(500)
    expect(log.join()).toMatch(naming('customSchemas.Customer.create', 'isAsync'))
  })

  test('runs its rules once', async () => {
    let runs = 0
    const count = async () => {
      runs += 1
      return true
    }
    const { send } = await serve({ Customer: { create: z.object({ email: z.string().refine(count) }) } })
    await send('POST', '/customers/', { email: 'a@b.c' })
    runs = 0
    await send('POST', '/customers/', { email: 'a@b.c' })
    expect(runs).toBe(1)
  })
})

test.each(examples)('with isAsync: false a schema of %s runs like any other', async (_library, create) => {
  const { send } = await serve({ Product: { create } }, { isAsync: false })
  expect((await send('POST', '/products/', { name: 'Mug', price: '9.90' })).status).toBe(201)
  expect((await send('PATCH', '/products/1', { price: 1 })).json['price']).toBe('1.00')
})

describe('what nobody may read', () => {
  test.each([
    [
      'zod',
      z.object({
        email: z.string(),
        password: z.string().refine((text) => text === '', { error: ({ input }) => `${input} is bad` }),
      }),
    ],
    ['valibot', v.object({ email: v.string(), password: v.pipe(v.string(), v.minLength(20), v.email()) })],
    ['arktype', type({ email: 'string', password: 'string.email' })],
  ])('is not repeated by an issue of %s', async (_library, create) => {
    const { send } = await serve({ Customer: { create } })
    const reply = await send('POST', '/customers/', { email: 'a', password: 'hunter2' })
    expect(reply.status).toBe(422)
    expect(reply.text).not.toContain('hunter2')
    expect(reply.text).toContain('/password')
  })

  test('and nothing is repeated at any length', async () => {
    const { send } = await serve({ Customer: { create: type({ email: 'string.email' }) } })
    const reply = await send('POST', '/customers/', { email: 'x'.repeat(100_000) })
    expect(reply.status).toBe(422)
    expect(reply.text.length).toBeLessThan(2000)
  })
})

describe('start-up refuses', () => {
  const create = z.object({ email: z.string() })
  const needsUpdate = ['customSchemas.Customer', 'Customer: { create, update }']
  const refusals: readonly (readonly [object, readonly string[], object?])[] = [
    [{ Custmer: { create } }, ['customSchemas', 'Custmer', 'Customer']],
    [{ Customer: { list: create } }, ['customSchemas.Customer', 'list', 'create', 'update']],
    [{ Customer: { creat: create } }, ['customSchemas.Customer', 'creat', 'create']],
    [{ Customer: { create: {} } }, ['customSchemas.Customer.create', 'Standard Schema']],
    [{ Customer: create }, ['customSchemas.Customer', 'Customer: { create: schema }']],
    [{ Email: { create } }, ['customSchemas.Email']],
    [{ Customer: { create } }, ['customSchemas.Customer', 'exclude'], { exclude: { app: ['Customer'] } }],
    [
      { Customer: { create: create.refine(() => true) } },
      ['customSchemas.Customer', 'zod', 'Customer: { create, update }'],
    ],
    [{ Customer: { create: create.transform((body) => body) } }, needsUpdate],
    [
      {
        Customer: {
          create: v.pipe(
            v.object({ email: v.string() }),
            v.check(() => true),
          ),
        },
      },
      needsUpdate,
    ],
    [{ Customer: { create: type({ email: 'string' }).narrow(() => true) } }, needsUpdate],
    [{ Customer: { create: type({ email: 'string' }).pipe((body) => body) } }, needsUpdate],
    [{ Customer: { create: type({ email: 'string' }).or({ slug: 'string' }) } }, needsUpdate],
  ]
  test.each(refusals.map(([custom, names, options = {}]) => ({ custom, names, options })))(
    '$names',
    async ({ custom, names, options }) => {
      await expect(start(custom, options)).rejects.toMatchObject({
        name: 'StartError',
        message: expect.stringMatching(naming(...names)),
      })
    },
  )

  test('none of these where update is given', async () => {
    const update = z.object({ email: z.string().optional() })
    await serve({ Customer: { create: create.refine(() => true), update } })
  })
})

const anotherLibrary = (schema: z.ZodType): StandardSchema => ({
  '~standard': {
    version: 1,
    vendor: 'another',
    validate: (value) => {
      const result = schema.safeParse(value)
      return result.success
        ? { value: result.data }
        : {
            issues: result.error.issues.map(({ message, path }) => ({
              message,
              path: path.map((key) => ({ key })),
            })),
          }
    },
  },
})

describe('a library that nobody knows', () => {
  const create = anotherLibrary(z.object({ email: z.string().min(3), slug: z.string() }))

  test('reads bodies too; its issues keep their words', async () => {
    const { send } = await serve({ Customer: { create, update: create } })
    const { json } = await send('POST', '/customers/', { email: 'x' })
    expect(json['errors']).toEqual([
      { pointer: '/email', code: 'invalid', detail: expect.stringContaining('>=3 characters') },
      { pointer: '/slug', code: 'required', detail: expect.stringMatching(naming('slug')) },
    ])
    expect((await send('POST', '/customers/', { email: 'xyz', slug: 's' })).status).toBe(201)
  })

  test('has the generated schema in the document, with a warning, and needs update', async () => {
    const { log, document } = await serve({ Customer: { create, update: create } })
    expect(log.filter((line) => line.includes('JSON Schema'))).toEqual([
      expect.stringMatching(naming('customSchemas.Customer.create')),
      expect.stringMatching(naming('customSchemas.Customer.update')),
    ])
    expect(document.components.schemas['CustomerCreate']).toHaveProperty('properties.level')
    await expect(start({ Customer: { create } })).rejects.toThrow(
      startError('customSchemas.Customer', 'another', 'Customer: { create, update }'),
    )
  })
})

describe('the document', () => {
  const tree = z.object({
    name: z.string(),
    get children() {
      return z.array(tree)
    },
  })
  const Address = z.object({ street: z.string() }).meta({ id: 'Address' })
  const all: readonly (readonly [string, StandardSchema])[] = [
    [
      'zod',
      z.object({
        email: z.email().meta({ description: 'Where to write to.', examples: ['ada@example.com'] }),
        joined: z.coerce.date().optional(),
        level: z.literal(1).or(z.literal(2)).default(1),
        slug: z.enum(['a', 'b']).nullable().optional(),
        home: Address,
        work: Address.optional(),
        tree,
      }),
    ],
    [
      'valibot',
      v.object({
        email: v.pipe(v.string(), v.email(), v.description('Where to write to.')),
        joined: v.pipe(
          v.string(),
          v.transform((text) => new Date(text)),
        ),
        slug: v.nullable(v.picklist(['a', 'b'])),
        level: v.lazy(() => v.number()),
      }),
    ],
    [
      'arktype',
      type({
        email: type('string.email').describe('Where to write to.'),
        joined: 'string.date.iso.parse',
        'slug?': "'a' | 'b' | null",
        'level?': type('number').narrow((level) => level > 0),
      }),
    ],
  ]

  test.each(all)('shows what a schema of %s says, and lints clean', async (_library, create) => {
    const { document, log } = await serve({ Customer: { create } })
    expect(document.components.schemas['CustomerCreate']).toMatchObject({
      properties: {
        email: { type: 'string', description: 'Where to write to.' },
        joined: { type: expect.toSatisfy((type) => type === 'string' || type[0] === 'string') },
      },
    })
    expect(JSON.stringify(document)).not.toMatch(/\$defs|"const"/)
    expect(log.filter((line) => line.includes('JSON Schema'))).toEqual([])
    expect(await lint(document)).toEqual([])
  })

  test('gives the definitions of a schema names of their own', async () => {
    const { document } = await serve({ Customer: { create: all[0]?.[1] ?? tree } })
    const { schemas } = document.components
    expect(schemas['CustomerCreateAddress']).toMatchObject({ properties: { street: { type: 'string' } } })
    expect(schemas['CustomerCreate']).toHaveProperty('properties.home', {
      $ref: '#/components/schemas/CustomerCreateAddress',
    })
  })

  test('knows of a date that is made from anything what the generated schema says', async () => {
    const { document } = await serve({ Customer: { create: all[0]?.[1] ?? tree } })
    expect(document.components.schemas['CustomerCreate']).toHaveProperty(
      'properties.joined.format',
      'date-time',
    )
  })
})
