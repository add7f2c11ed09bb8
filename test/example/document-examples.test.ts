import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { type AnySQLiteColumn, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildShop, type Shop } from '../../examples/shop/app.ts'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { decimal, file, image } from '../../src/entry/drizzle-sqlite.ts'
import { type FastifyApp, ModelRest } from '../../src/entry/fastify.ts'
import type { ModelRestOptions } from '../../src/index.ts'
import type { OpenApiDocument, OperationObject } from '../../src/openapi/openapi-document.ts'
import { memoryStorage } from '../upload/memory-storage.ts'

interface Example {
  readonly id: string
  readonly method: 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly mediaType: string
  readonly value: Readonly<Record<string, unknown>>
  /** The parts that are files. */
  readonly files: readonly string[]
  /** The fields that have to be sent. */
  readonly required: readonly string[]
}

/** The examples of all bodies, each in the media types that it has. */
const examplesIn = ({ paths, components }: OpenApiDocument): readonly Example[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    (['post', 'put', 'patch'] as const).flatMap((method) => {
      const operation = item[method] as OperationObject | undefined
      return Object.entries(operation?.requestBody?.content ?? {}).flatMap(([mediaType, content]) => {
        if (content.example === undefined) return []
        const name = String(Object(content.schema)['$ref']).replace('#/components/schemas/', '')
        const { properties = {}, required = [] } = Object(components.schemas[name])
        const files = Object.keys(properties).filter((part) => properties[part].format === 'binary')
        return [
          {
            ...{ id: operation?.operationId ?? '', path, mediaType, files, required },
            method: method.toUpperCase() as 'POST',
            value: content.example as Example['value'],
          },
        ]
      })
    }),
  )

/** A body as the document shows it. */
const payloadOf = async ({ mediaType, value, files }: Example) => {
  if (mediaType !== 'multipart/form-data')
    return { headers: { 'content-type': mediaType }, payload: JSON.stringify(value) }
  const form = new FormData()
  for (const [name, part] of Object.entries(value)) {
    if (files.includes(name)) form.append(name, new Blob([String(part)]), `${name}.bin`)
    else form.append(name, typeof part === 'object' ? JSON.stringify(part) : String(part))
  }
  const encoded = new Response(form)
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  }
}

type Headers = Readonly<Record<string, string>>

/** Sends an example as it is: to the record that is there first, where it is about one. */
const send = async (app: FastifyInstance, base: string, example: Example, headers: Headers = {}) => {
  const { headers: type, payload } = await payloadOf(example)
  const list = example.path.replace(/\{id\}.*/, '')
  const first = await app.inject({ url: `${base}${list}?limit=1`, headers })
  const [record] = example.path.includes('{id}') ? first.json<{ items: object[] }>().items : []
  const key = Object.values(record ?? {}).slice(
    0,
    /^\/(order-items|product-categories)/.test(example.path) ? 2 : 1,
  )
  const url = base + example.path.replace('{id}', key.map(String).join())
  const reply = await app.inject({ method: example.method, url, headers: { ...headers, ...type }, payload })
  return { status: reply.statusCode, body: reply.body === '' ? {} : reply.json<Record<string, unknown>>() }
}

describe('every example of a body in the document of the shop', () => {
  let shop: Shop
  let authorization: string
  let document: OpenApiDocument
  beforeAll(async () => {
    shop = await buildShop({
      database: ':memory:',
      products: 100,
      secret: 'a secret of at least 32 characters',
    })
    document = shop.rest.openapi()
    const user = { email: 'tester@example.com', password: 'a lamp for every desk' }
    const reply = await shop.app.inject({ method: 'POST', url: '/api/auth/register', payload: user })
    authorization = `Bearer ${reply.json<{ access: string }>().access}`
  })
  afterAll(() => shop.app.close())

  /** References that have to be sent: no document knows a record that is there. */
  const references = ['customer_id', 'order_id', 'product_id', 'category_id']

  it('is accepted, but for a reference to a record that is not there', async () => {
    const all = examplesIn(document).filter(({ id }) => !['login', 'refresh'].includes(id))
    expect(all.map(({ id, mediaType }) => `${id} ${mediaType}`)).toEqual(
      expect.arrayContaining([
        'register application/json',
        'createProduct application/json',
        'createCategory multipart/form-data',
        'createCategory application/json',
        'updateProduct application/merge-patch+json',
        'replaceOrderItem application/json',
      ]),
    )
    for (const [at, example] of all.entries()) {
      // A name or an address that is there once: two examples cannot both create it, or give it to two records.
      const name = example.value['name'] === undefined ? {} : { name: `${example.value['name']} ${at}` }
      const email = example.value['email'] === undefined ? {} : { email: `ada${at}@example.com` }
      const only = example.path.startsWith('/categories') ? name : {}
      const value = { ...example.value, ...only, ...(example.path.startsWith('/customers') ? email : {}) }
      const { status, body } = await send(shop.app, '/api', { ...example, value }, { authorization })
      const told = [example.id, example.mediaType, status, body['errors']]
      if (status === 422 && example.required.some((field) => references.includes(field))) {
        const errors = body['errors'] as readonly { pointer: string; code: string }[]
        for (const { pointer, code } of errors)
          expect([told, references.includes(pointer.slice(1)), code]).toEqual([
            told,
            true,
            'missing_reference',
          ])
      } else if (status === 409)
        expect(example.id, String(told)).toMatch(/^create(OrderItem|ProductCategor(y|ies))/)
      else expect(told).toEqual([example.id, example.mediaType, expect.toBeOneOf([200, 201, 204]), undefined])
    }
  })

  it('registers a user whom the example of the login lets in', async () => {
    const examples = new Map(examplesIn(document).map((example) => [example.id, example.value]))
    const login = { ...examples.get('login') }
    const reply = await shop.app.inject({ method: 'POST', url: '/api/auth/login', payload: login })
    expect(reply.statusCode).toBe(200)
  })

  it('names no optional reference, and no file in JSON', () => {
    for (const { id, mediaType, value, required } of examplesIn(document)) {
      const named = Object.keys(value).filter((field) => ['parent_id', ...references].includes(field))
      expect([id, named.filter((field) => !required.includes(field))]).toEqual([id, []])
      if (mediaType !== 'multipart/form-data') expect([id, Object.keys(value)]).not.toContain('image')
    }
  })
})

describe('every example of models with files and many kinds', () => {
  const papers = sqliteTable('papers', {
    id: integer().primaryKey({ autoIncrement: true }),
    title: text({ length: 8 }).notNull(),
    cover: image().notNull(),
    scan: file(),
    price: decimal({ precision: 6, scale: 3 }),
    state: text({ enum: ['draft', 'final'] }),
    tags: text({ mode: 'json' }).notNull(),
    ratio: real(),
    at: integer({ mode: 'timestamp' }),
    isNew: integer({ mode: 'boolean' }),
    api_key: text({ length: 5 }),
    about: integer().references((): AnySQLiteColumn => papers.id),
  })
  const app = Fastify()
  const client = new Database(':memory:')
  client.exec(`create table papers (id integer primary key autoincrement, title text not null, cover text not null,
    scan text, price, state text, tags text not null, ratio real, "at" integer, isNew integer, api_key text,
    about integer references papers (id))`)
  afterAll(async () => {
    await app.close()
    client.close()
  })

  it('is accepted, in JSON and as a form', async () => {
    const rest = new ModelRest(app as unknown as FastifyApp, {
      models: drizzleModels(drizzle({ client }), { papers }) as ModelRestOptions['models'],
      controllers: [],
      storage: memoryStorage(),
    })
    await rest.init()
    const all = examplesIn(rest.openapi())
    expect(all.map(({ id, mediaType }) => `${id} ${mediaType}`)).toEqual([
      // A cover has to be sent, and JSON cannot.
      'createPaper multipart/form-data',
      'replacePaper multipart/form-data',
      'replacePaper application/json',
      'updatePaper multipart/form-data',
      'updatePaper application/json',
      'updatePaper application/merge-patch+json',
      'createPapersOfPaper multipart/form-data',
    ])
    for (const example of all) {
      const { status, body } = await send(app, '', example)
      expect([example.id, example.mediaType, status, body['errors']]).toEqual([
        ...[example.id, example.mediaType, example.id.startsWith('create') ? 201 : 200, undefined],
      ])
      expect(body).toMatchObject({ cover: expect.stringMatching(/\.gif$/), scan: expect.any(String) })
    }
  })
})
