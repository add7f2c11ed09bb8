import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import * as pg from 'drizzle-orm/pg-core'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import { integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { sequelizeModels } from '../../src/entry/sequelize.ts'
import { typeormModels } from '../../src/entry/typeorm.ts'
import type { ModelRestOptions, ModelSource } from '../../src/index.ts'
import { lint } from '../openapi/lint.ts'
import { nodeSqlite } from '../source/sequelize/node-sqlite.ts'
import { onFastify } from '../stage/apps.ts'
import { senderTo } from '../stage/requests.ts'
import { inTest } from '../stage/service.ts'
import { startError } from './start-error.ts'

const tables = `create table products (id integer primary key, name varchar(20) not null);
  create table logs (at integer not null, what varchar(20), done boolean, product_id integer references products (id));
  create view totals as select product_id, count(*) as number from logs group by product_id;
  insert into products values (1, 'lamp'), (2, 'desk');
  insert into logs values (2, 'b', true, 1), (1, 'c', false, 2), (1, null, null, null), (0, 'a', true, 1);`

/** A file with the tables. */
const file = (): string => {
  const path = join(tmpdir(), `keyless-${crypto.randomUUID()}.db`)
  const client = new Database(path)
  client.exec(tables)
  client.close()
  onTestFinished(() => rmSync(path, { force: true }))
  return path
}

type Open = () => ModelSource<unknown> | Promise<ModelSource<unknown>>

/** Each has Product and Log, which has no key. MikroORM has no such entities, and Prisma pages by keys. */
const sources: Readonly<Record<string, Open>> = {
  'drizzle on SQLite': () => {
    const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
    const logs = sqliteTable('logs', {
      ...{ at: integer().notNull(), what: text(), done: integer({ mode: 'boolean' }) },
      product_id: integer().references(() => products.id),
    })
    const totals = sqliteView('totals', { product_id: integer(), number: integer() }).existing()
    return drizzleModels(drizzle({ client: new Database(file()) }), { products, logs, totals })
  },
  'drizzle on PGlite': async () => {
    const { PGlite } = await import('@electric-sql/pglite')
    const client = new PGlite()
    await client.exec(tables)
    onTestFinished(() => client.close())
    const products = pg.pgTable('products', { id: pg.integer().primaryKey(), name: pg.text().notNull() })
    const logs = pg.pgTable('logs', {
      ...{ at: pg.integer().notNull(), what: pg.text(), done: pg.boolean() },
      product_id: pg.integer().references(() => products.id),
    })
    return drizzleModels(overPglite({ client }), { products, logs })
  },
  sequelize: () => {
    const sequelize = new Sequelize({
      ...{ dialect: 'sqlite', dialectModule: nodeSqlite, storage: file(), logging: false },
    })
    onTestFinished(() => sequelize.close())
    const own = { timestamps: false }
    const Product = sequelize.define('Product', { name: DataTypes.STRING }, { tableName: 'products', ...own })
    const Log = sequelize.define(
      'Log',
      {
        at: { type: DataTypes.INTEGER, allowNull: false },
        what: DataTypes.STRING,
        done: DataTypes.BOOLEAN,
        product_id: DataTypes.INTEGER,
      },
      { tableName: 'logs', ...own },
    )
    Log.removeAttribute('id')
    Log.belongsTo(Product, { as: 'product', foreignKey: 'product_id' })
    return sequelizeModels(sequelize)
  },
  typeorm: async () => {
    const Product = new EntitySchema({
      ...{ name: 'Product', tableName: 'products' },
      columns: { id: { type: 'int', primary: true }, name: { type: 'varchar' } },
    })
    const Log = new EntitySchema({
      ...{ name: 'Log', tableName: 'logs', type: 'view', expression: 'select 1' },
      columns: {
        ...{ at: { type: 'int' }, what: { type: 'varchar', nullable: true } },
        ...{ done: { type: 'boolean', nullable: true }, product_id: { type: 'int', nullable: true } },
      },
    })
    const dataSource = new DataSource({ type: 'better-sqlite3', database: file(), entities: [Product, Log] })
    await dataSource.initialize()
    onTestFinished(() => dataSource.destroy())
    return typeormModels(dataSource)
  },
}

const serve = async (open: Open, options: Partial<ModelRestOptions> = {}) => {
  const app = await inTest(onFastify({ models: (await open()) as ModelSource, ...options }, { base: '' }))
  return { app, send: senderTo(app) }
}

const item = (at: number, what: string | null, done: boolean | null, product_id: number | null) => ({
  ...{ at, what, done, product_id },
})
const [a, c, none, b] = [
  item(0, 'a', true, 1),
  item(1, 'c', false, 2),
  item(1, null, null, null),
  item(2, 'b', true, 1),
]

describe.each(Object.entries(sources))('records without a key, with %s', (_title, open) => {
  it('are listed, counted and grouped, and nothing else', async () => {
    const { app, send } = await serve(open)
    const list = async (query: string): Promise<Readonly<Record<string, unknown>>> => {
      const reply = await send('GET', `/logs/?${query}`)
      expect([query, reply.status]).toEqual([query, 200])
      return reply.json
    }
    const pages = [await list('limit=2'), await list('limit=2&offset=2')].map(({ items }) => items)
    expect(pages.flat()).toEqual(expect.arrayContaining([a, b, c, none]))
    expect(pages[0]).toEqual(expect.arrayContaining([a]))
    expect(await list('sort=what&order=desc&limit=1&done!=null')).toMatchObject({ items: [c], count: 3 })
    expect((await list('q=done==true&fields=what&sort=at'))['items']).toEqual([{ what: 'a' }, { what: 'b' }])
    const groups = await send('GET', '/logs/aggregate?group=product_id&sort=count&order=desc')
    expect(groups.json['items']).toContainEqual({ product_id: 1, count: 2 })
    for (const [method, path] of [
      ['GET', '/logs/1'],
      ['GET', '/products/1/logs/'],
      ['DELETE', '/logs/1'],
    ] as const)
      expect([path, (await send(method, path)).status]).toEqual([path, 404])
    for (const method of ['POST', 'PATCH', 'DELETE'])
      expect([method, (await send(method, '/logs/', { body: {} })).status]).toEqual([method, 405])
    const document = app.rest.openapi()
    expect(await lint(document)).toEqual([])
    expect(document).toMatchObject({
      'x-modelrest': { models: { Log: { key: [], pages: ['limit-offset'] } } },
    })
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/logs'))).toEqual([
      '/logs/',
      '/logs/aggregate',
    ])
    expect(app.log.map(({ line }) => line)).toContainEqual(expect.stringMatching(/^lists only: .*Log/))
  })
})

describe('a model without a key', () => {
  const open = sources['drizzle on SQLite'] as Open

  it('leads to other models, and they do not lead to it', async () => {
    const { send } = await serve(open)
    const reply = await send('GET', '/logs/?include=product&product.name=lamp&sort=at')
    expect(reply.json['items']).toEqual([a, b].map((log) => ({ ...log, product: { id: 1, name: 'lamp' } })))
    expect((await send('GET', '/products/?include=logs')).status).toBe(400)
    expect((await send('GET', '/totals/?number=2')).json['items']).toEqual([{ product_id: 1, number: 2 }])
  })

  it('has no cursors, and pages by offset where others have them', async () => {
    const { send } = await serve(open, { paginationType: ['cursor', 'limit-offset'] })
    expect((await send('GET', '/logs/?cursor=')).status).toBe(400)
    expect((await send('GET', '/logs/?limit=1&offset=3')).json['items']).toEqual([b])
    expect((await send('GET', '/products/?cursor=&limit=1')).status).toBe(200)
  })

  it.each([
    [{ operations: ['list', 'read'] }, ['operations', 'read']],
    [{ operations: ['create'] }, ['operations', 'create']],
    [{ paginationType: 'cursor' }, ['paginationType', 'cursor']],
    [{ bulk: true }, ['bulk']],
    [{ softDelete: 'done' }, ['softDelete']],
    [{ version: 'at' }, ['version']],
  ])('refuses options that need one: %o', async (config, names) => {
    await expect(serve(open, { modelConfig: { Log: config } as never })).rejects.toEqual(
      startError('Log', ...names),
    )
  })
})
