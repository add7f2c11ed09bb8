import { and, eq, type SQL } from 'drizzle-orm'
import Fastify, { type FastifyRequest } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { controllerFor, HttpError, ModelRest } from '../../src/entry/fastify.ts'
import { fetchApp, ModelRest as OnFetch } from '../../src/entry/fetch.ts'
import type { ModelRestOptions, ModelSource } from '../../src/index.ts'
import { libraryTables, memorySource } from '../../src/testing/index.ts'
import { describeEach, type Subject } from '../needed-program.ts'
import { openPglite, openSqlite, type TestDatabase } from '../stage/databases.ts'
import { openMysql } from '../stage/mysql.ts'
import { shopTables } from '../stage/shop.ts'
import { startError } from './start-error.ts'

const controllers = [
  controllerFor('Order', {
    scope: (_request, { caller }) => (caller === null ? [] : { tenant: Number(caller.id) }),
  }),
  controllerFor('Item', {
    scope: (_request, { caller }) => ({ order: { tenant: Number(caller?.id ?? 0) } }),
  }),
]

const headerOf = (request: unknown): string | null => {
  const { headers } = request as Request | FastifyRequest
  return headers instanceof Headers
    ? headers.get('x-user')
    : ((headers as Record<string, string>)['x-user'] ?? null)
}

const options = (models: ModelSource): ModelRestOptions => ({
  models,
  controllers,
  auth: {
    authenticate: (request) => {
      const id = headerOf(request)
      if (id === 'away') throw new HttpError(503, 'The sessions cannot be checked.')
      return id === null ? null : { id, claims: {} }
    },
  },
})

interface Selecting {
  select(columns?: object): {
    from(table: unknown): { where(by: SQL | undefined): Joined; innerJoin: Joined['innerJoin'] }
  }
}
interface Joined extends Promise<readonly Readonly<Record<string, unknown>>[]> {
  innerJoin(table: unknown, on: SQL): { where(by: SQL | undefined): Joined }
}

const fill =
  "insert into orders (tenant, title) values (2, 'three'); insert into order_items (order_id, price) values (1, 10), (3, 30)"

type Open = () => Promise<TestDatabase>
const databases: readonly Subject<readonly ['sqlite' | 'postgres' | 'mysql', Open]>[] = [
  ['SQLite', ['sqlite', async () => openSqlite(shopTables.sqlite.tables, shopTables.sqlite.ddl)]],
  ['PGlite', ['postgres', () => openPglite(shopTables.postgres.tables, shopTables.postgres.ddl)]],
  [
    'MariaDB',
    ['mysql', () => openMysql('mariadb', shopTables.mysql.tables, shopTables.mysql.ddl)],
    'mariadb',
  ],
]

describeEach(databases, 'the context of a request to an own route on %s', ([dialect, open]) => {
  const { orders, items } = shopTables[dialect].tables as Readonly<
    Record<'orders' | 'items', { readonly id: never; readonly orderId: never }>
  >

  it('limits queries of the application to the scope', { timeout: 60_000 }, async () => {
    const database = await open()
    onTestFinished(async () => void (await database.close()))
    for (const statement of fill.split('; ')) await database.execute(statement)
    const app = Fastify()
    const rest = new ModelRest(app, options(database.models) as never)
    const db = database.models.db as Selecting
    app.get('/own/orders', async (request) => {
      const context = await rest.context(request)
      const mine = (await context.scope('Order')) as SQL
      return { caller: context.caller, rows: await db.select().from(orders).where(mine) }
    })
    app.get('/own/joined', async (request) => {
      const context = await rest.context(request)
      const [order, item] = [await context.scope('Order'), await context.scope('Item')]
      const rows = await db
        .select({ id: items.id })
        .from(items)
        .innerJoin(orders, eq(items.orderId, orders.id))
        .where(and(order as SQL, item as SQL))
      return { rows }
    })
    app.get('/own/tags', async (request) => {
      const all = (await (await rest.context(request)).scope('Tag')) as SQL
      return {
        rows: await db
          .select()
          .from((shopTables[dialect].tables as { tags?: unknown }).tags)
          .where(all),
      }
    })
    await rest.init()
    const ask = async (path: string, user?: string) =>
      (await app.inject({ url: `/own/${path}`, ...(user && { headers: { 'x-user': user } }) })).json()
    const titles = async (user?: string) =>
      ((await ask('orders', user)).rows as readonly { title: string }[]).map(({ title }) => title).sort()
    expect(await titles('1')).toEqual(['one', 'two'])
    expect(await titles('2')).toEqual(['three'])
    expect(await titles()).toEqual([])
    expect((await ask('orders', '2')).caller).toEqual({ id: '2', claims: {} })
    expect((await ask('orders')).caller).toBeNull()
    expect((await ask('joined', '1')).rows).toEqual([{ id: 1 }])
    expect((await ask('joined', '2')).rows).toEqual([{ id: 2 }])
    expect((await ask('joined')).rows).toEqual([])
    // Nothing limits them.
    expect((await ask('tags')).rows).toHaveLength(4)
    expect((await app.inject({ url: '/own/orders', headers: { 'x-user': 'away' } })).statusCode).toBe(503)
  })
})

describe('the context of a request', () => {
  const database = openSqlite(shopTables.sqlite.tables, shopTables.sqlite.ddl)

  it('takes the request of fetch, and runs each scope once', async () => {
    let runs = 0
    const scope = () => {
      runs += 1
      return { tenant: 2 }
    }
    const rest = new OnFetch(fetchApp(), { ...options(database.models), controllers: [], scope } as never)
    await rest.init()
    const request = new Request('http://localhost/own', { headers: { 'x-user': '7' } })
    const context = await rest.context(request)
    expect(context.caller).toEqual({ id: '7', claims: {} })
    expect(await context.user()).toBeNull()
    const db = database.models.db as Selecting
    const { products } = shopTables.sqlite.tables as { products?: unknown }
    for (let times = 2; times > 0; times -= 1)
      expect(
        await db
          .select()
          .from(products)
          .where((await context.scope('Product' as never)) as SQL),
      ).toMatchObject([{ name: 'desk' }])
    expect(runs).toBe(1)
    expect((await rest.context(new Request('http://localhost/own'))).caller).toBeNull()
  })

  it('refuses unknown models, broken scopes, and a source that cannot express conditions', async () => {
    const { conditionOf: _none, observed: _observed, ...silent } = database.models
    const start = async (models: ModelSource, scope?: () => unknown) => {
      const rest = new OnFetch(fetchApp(), { models, controllers: [], ...(scope && { scope }) } as never)
      const request = new Request('http://localhost/own')
      await expect(rest.context(request)).rejects.toThrow(startError('context', 'init'))
      await rest.init()
      return rest.context(request)
    }
    const context = await start(database.models, () => undefined)
    await expect(context.scope('Ordr' as never)).rejects.toThrow(startError('Ordr', 'Order'))
    await expect(context.scope('Order' as never)).rejects.toThrow('Order')
    const rest = new OnFetch(fetchApp(), { models: database.models, controllers: [] } as never)
    await rest.init()
    await expect(rest.context({})).rejects.toThrow('context()')
    await expect(rest.authenticate({})).rejects.toThrow('authenticate()')
    const unable = await start(silent as ModelSource)
    await expect(unable.scope('Order' as never)).rejects.toThrow(startError('Order', 'conditionOf'))
  })

  it('is a predicate with a source in memory', async () => {
    const rest = new OnFetch(fetchApp(), {
      models: memorySource(libraryTables.filter(({ readOnly }) => readOnly !== true)),
      controllers: [],
      scope: (_request: unknown, _context: unknown, { name }: { name: string }) =>
        name === 'Author' ? { name: 'Ada' } : {},
    } as never)
    await rest.init()
    const holds = await (await rest.context(new Request('http://localhost/'))).scope('Author' as never)
    expect([{ name: 'Ada' }, { name: 'Bob' }].filter(holds as (row: object) => boolean)).toEqual([
      { name: 'Ada' },
    ])
  })

  it('knows relations by their new names', async () => {
    const rest = new OnFetch(fetchApp(), {
      models: database.models,
      controllers: [controllerFor('Item', { scope: () => ({ purchase: { tenant: 1 } }) as never })],
      modelConfig: { Item: { relations: { order: 'purchase' } } },
    } as never)
    await rest.init()
    const scope = (await (await rest.context(new Request('http://localhost/'))).scope('Item' as never)) as SQL
    const db = database.models.db as Selecting
    expect(
      await db
        .select()
        .from((shopTables.sqlite.tables as { items?: unknown }).items)
        .where(scope),
    ).toEqual([])
  })
})
