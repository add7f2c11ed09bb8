import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
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
