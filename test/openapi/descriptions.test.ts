import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { memorySource } from 'modelrest/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { decimal } from '../../src/entry/drizzle-sqlite.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { StartError } from '../../src/error/errors.ts'
import type { ModelRestOptions } from '../../src/index.ts'
import type { OperationObject } from '../../src/openapi/openapi-document.ts'
import { naming } from '../naming.ts'
import { lint } from './lint.ts'

const products = sqliteTable('products', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 100 }).notNull(),
  price: decimal({ precision: 10, scale: 2 }).notNull(),
  state: text({ enum: ['new', 'used'] }),
  purchase_note: text(),
})

const database = new Database(':memory:')
database.exec('create table products (id integer primary key, name, price, state, purchase_note)')

const documentWith = async (options: Partial<ModelRestOptions<unknown>>) => {
  const models = drizzleModels(drizzle({ client: database }), { products })
  const rest = new ModelRest<unknown>(fetchApp({ base: '/api' }), { models, controllers: [], ...options })
  await rest.registerAllModels()
  return rest.openapi()
}

const described = {
  Product: {
    description: 'Things that we *sell*.',
    fieldDescriptions: { name: 'As it is on the invoice.', price: 'With tax.', state: 'Whether it is new.' },
  },
}

test('descriptions of a model and of fields stand at its tag, its schemas and their properties', async () => {
  const document = await documentWith({ modelConfig: described })
  expect(await lint(document)).toEqual([])
  expect(document.tags[0]?.description).toMatch(/^Things that we \*sell\*\.\n\n/)
  for (const name of ['ProductList', 'ProductDetail', 'ProductCreate', 'ProductUpdate', 'ProductReplace'])
    expect(document.components.schemas[name]).toMatchObject({
      description: described.Product.description,
      properties: {
        name: { description: 'As it is on the invoice.' },
        // What the kind says of the value follows.
        price: { description: expect.stringMatching(/^With tax\.\n\n./) },
        state: { description: 'Whether it is new.' },
      },
    })
})

test('a foreign key to another key than the primary one names the fields that it refers to', async () => {
  const models = memorySource([
    {
      name: 'Owner',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        ...(['slug', 'room', 'place'] as const).map((name) => ({ name, kind: 'text' as const })),
      ],
      primaryKey: ['id'],
      uniques: [['slug'], ['room', 'place']],
    },
    {
      name: 'Pet',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        { name: 'ownerId', kind: 'integer' },
        ...(['ownerSlug', 'room', 'place'] as const).map((name) => ({ name, kind: 'text' as const })),
      ],
      primaryKey: ['id'],
      foreignKeys: [
        { fields: ['ownerId'], model: 'Owner', references: ['id'] },
        { fields: ['ownerSlug'], model: 'Owner', references: ['slug'] },
        { fields: ['room', 'place'], model: 'Owner', references: ['room', 'place'] },
      ],
    },
  ])
  const rest = new ModelRest<unknown>(fetchApp({ base: '/api' }), { models, controllers: [] })
  await rest.registerAllModels()
  const { tags, paths } = rest.openapi()
  expect(tags.find(({ name }) => name === 'Pet')?.description).toContain(
    'Owner (`ownerId`), Owner.slug (`ownerSlug`), Owner.room and Owner.place (`room`, `place`)',
  )
  const description = Object.values(paths)
    .map(({ post }) => post)
    .find((operation) => operation?.operationId === 'createPet')?.description
  expect(description).toContain('`ownerSlug` must be the `slug` of an Owner')
  expect(description).toContain('`ownerId` must refer to an Owner')
})

test('without them nothing is said of a model', async () => {
  const { ProductDetail } = (await documentWith({})).components.schemas
  expect(ProductDetail).not.toHaveProperty('description')
  expect(ProductDetail).not.toHaveProperty('properties.name.description')
})

test("a schema of the application's own gets those that it does not have itself", async () => {
  const create = z.object({ name: z.string().describe('Its own.'), price: z.string() })
  const document = await documentWith({
    modelConfig: described,
    customSchemas: { Product: { create } },
  })
  expect(document.components.schemas['ProductCreate']).toMatchObject({
    properties: { name: { description: 'Its own.' }, price: { description: 'With tax.' } },
  })
})

test.each<[string, object, readonly string[]]>([
  ['an unknown field', { fieldDescriptions: { nmae: 'x' } }, ['Product.fieldDescriptions', 'nmae', 'name']],
  ['another shape', { fieldDescriptions: ['name'] }, ['Product.fieldDescriptions']],
  ['another type', { fieldDescriptions: { name: { description: 'x' } } }, ['Product.fieldDescriptions']],
  ['an empty text', { fieldDescriptions: { name: ' ' } }, ['Product.fieldDescriptions']],
  ['no entry', { fieldDescriptions: {} }, ['Product.fieldDescriptions']],
  ['an empty description', { description: '' }, ['Product.description']],
  ['another type of description', { description: 5 }, ['Product.description']],
  [
    'a hidden field',
    { hidden: ['purchase_note'], fieldDescriptions: { purchase_note: 'x' } },
    ['Product.fieldDescriptions.purchase_note'],
  ],
])('%s is a mistake at start', (_, config, names) => {
  const start = () =>
    new ModelRest<unknown>(fetchApp(), {
      models: drizzleModels(drizzle({ client: database }), { products }),
      modelConfig: { Product: config },
    })
  expect(start).toThrow(StartError)
  expect(start).toThrow(naming(...names))
})

test('a new record needs its parents first, of which only those that are served are named', async () => {
  const customers = sqliteTable('customers', { id: integer().primaryKey() })
  const orders = sqliteTable('orders', {
    id: integer().primaryKey(),
    customer_id: integer()
      .notNull()
      .references(() => customers.id),
    gift_for: integer().references(() => customers.id),
  })
  const client = new Database(':memory:')
  client.exec(
    'create table customers (id integer primary key); create table orders (id integer, customer_id, gift_for)',
  )
  const descriptionWith = async (options: object) => {
    const models = drizzleModels(drizzle({ client }), { customers, orders })
    const rest = new ModelRest<unknown>(fetchApp(), { models, controllers: [], ...options })
    await rest.registerAllModels()
    return String((rest.openapi().paths['/orders/']!.post as OperationObject).description)
  }
  const open = await descriptionWith({})
  expect(open).toMatch(naming('`customer_id`', 'Customer'))
  expect(open).not.toContain('gift_for')
  const closed = await descriptionWith({ exclude: { app: ['Customer'] } })
  expect(closed).toContain('`customer_id`')
  expect(closed).not.toContain('Customer')
})

test('undefined is no entry', async () => {
  const modelConfig = { Product: { description: undefined, fieldDescriptions: { name: undefined } } } as never
  expect((await documentWith({ modelConfig })).components.schemas['ProductDetail']).not.toHaveProperty(
    'description',
  )
})

const makers = sqliteTable('makers', { id: integer().primaryKey(), name: text() })
const lamps = sqliteTable('lamps', {
  id: integer().primaryKey(),
  maker_id: integer().references(() => makers.id),
  spec: text({ mode: 'json' }),
  deleted_at: integer({ mode: 'timestamp_ms' }),
})

const explainedWith = async (
  options: Partial<ModelRestOptions<unknown>>,
  tables: Readonly<Record<string, unknown>> = { makers, lamps },
) => {
  const client = new Database(':memory:')
  client.exec(`create table makers (id integer primary key, name);
    create table lamps (id integer primary key, maker_id references makers, spec, deleted_at);
    create table products (id integer primary key, name, price, state, purchase_note)`)
  const app = fetchApp({ base: '/api' })
  const models = drizzleModels(drizzle({ client }), tables)
  const rest = new ModelRest<unknown>(app, { models, controllers: [], ...options })
  await rest.init()
  const text = rest.openapi().info.description ?? ''
  const ask = async (path: string) => (await app.fetch(new Request(`http://api.test${path}`))).status
  return { text, ask, rest }
}

test('the description explains how the API works, after that of the application', async () => {
  const { text, ask, rest } = await explainedWith({ openapi: { description: 'Sells lamps.' } })
  expect(text).toMatch(/^Sells lamps\.\n\n## How this API works\n/)
  const examples = [...text.matchAll(/`(?:GET )?(\/api\/[^`]*)`/g)].map(([, path = '']) => path)
  expect(examples.length).toBeGreaterThanOrEqual(3)
  for (const path of examples) expect([path, await ask(path)]).toEqual([path, 200])
  const q = Object.values(rest.openapi().components.parameters).flatMap((each) =>
    each.name === 'q' ? [each.description] : [],
  )
  expect(q.join('\n')).toMatch(/Ordered: `id`, `maker_id`, `deleted_at`\. JSON: `spec`\./)
})

test('the description explains only what the API has', async () => {
  const about = [
    'include=',
    'deleted=',
    'offset',
    'cursor',
    'page',
    'If-Match',
    'multipart',
    'aggregate',
    'login',
    'PATCH',
  ]
  const explains = async (...given: Parameters<typeof explainedWith>) => {
    const { text } = await explainedWith(...given)
    return about.filter((word) => text.includes(word))
  }
  expect(await explains({}, { products })).toEqual(['offset', 'page', 'If-Match', 'aggregate', 'PATCH'])
  expect(await explains({ modelConfig: { Maker: { operations: ['list'] } } }, { makers })).toEqual([
    'offset',
    'page',
    'aggregate',
  ])
  expect(
    await explains({ paginationType: 'cursor', modelConfig: { Lamp: { softDelete: 'deleted_at' } } }),
  ).toEqual([...['include=', 'deleted=', 'cursor', 'page', 'If-Match', 'aggregate', 'PATCH']])
})
