import { createServer } from 'node:http'
import { SetMetadata } from '@nestjs/common'
import { APP_GUARD, Reflector } from '@nestjs/core'
import Database from 'better-sqlite3'
import connect from 'connect'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import express from 'express'
// @ts-expect-error It has no types.
import express4 from 'express-4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { ModelRest as OnExpress } from 'modelrest/express'
import { ModelRest as OnFastify } from 'modelrest/fastify'
import { fetchApp, ModelRest as OnFetch } from 'modelrest/fetch'
import { ModelRest as OnHono } from 'modelrest/hono'
import { ModelRestModule, type NestRequest } from 'modelrest/nest'
import { nodeApp, ModelRest as OnNode } from 'modelrest/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import type { ModelRestOptions } from '../../src/index.ts'
import { openShop } from '../http/relations/stage.ts'
import { listenHono } from './hono/listen.ts'
import { listen } from './listen.ts'
import { listenFetch } from './listen-fetch.ts'
import { listenNest } from './nest/listen.ts'
import { created, platforms } from './nest/stage.ts'
import { listenNode } from './node/listen.ts'
import { logOfTests } from './stage.ts'

logOfTests()

/** What a guard of the application is told, of which it refuses all that touches customers. */
type Told = { readonly operation: string; readonly models: readonly string[] } | undefined

interface Guard {
  /** What the application serves. @default the shop */
  readonly options: () => ModelRestOptions
  readonly seen: (string | undefined)[]
  isRefused(told: Told): boolean
}

const guard = (options: Guard['options'] = shop): Guard => {
  const seen: (string | undefined)[] = []
  return {
    seen,
    options,
    isRefused: (told) => {
      seen.push(told?.operation)
      return told?.models.includes('Customer') === true
    },
  }
}

interface Listening {
  readonly port: number
  stop(): unknown
}

const shop = () => {
  const { client, models } = openShop()
  onTestFinished(() => void client.close())
  return { models, modelConfig: { Tag: { include: ['orders'] } } }
}

const starts: readonly (readonly [string, string, (given: Guard) => Promise<Listening>])[] = [
  [
    'Fastify',
    '',
    async ({ isRefused, options }) => {
      const app = Fastify()
      app.addHook('onRequest', async (request, reply) => {
        if (isRefused(request.modelrest)) return reply.code(403).send()
      })
      app.get('/own', async () => ({}))
      await new OnFastify(app, options()).init()
      return listen(app)
    },
  ],
  ...(
    [
      ['Express 5', express],
      ['Express 4', express4 as typeof express],
    ] as const
  ).map(
    ([name, framework]) =>
      [
        name,
        '',
        async ({ isRefused, options }: Guard) => {
          const app = framework()
          app.use((request, response, next) => {
            if (isRefused(request.modelrest)) response.sendStatus(403)
            else next()
          })
          app.get('/own', (_request, response) => void response.json({}))
          await new OnExpress(app, options()).init()
          return listenNode(createServer(app))
        },
      ] as const,
  ),
  [
    'Hono',
    '',
    async ({ isRefused, options }) => {
      const app = new Hono()
      app.use(async (context, next) =>
        isRefused(rest.operationOf(context)) ? context.text('', 403) : next(),
      )
      app.get('/own', (context) => context.json({}))
      const rest = new OnHono(app, options())
      await rest.init()
      return listenHono(app)
    },
  ],
  [
    'connect',
    '/api',
    async ({ isRefused, options }) => {
      const api = nodeApp({ base: '/api' })
      const rest = new OnNode(api, options())
      await rest.init()
      const app = connect()
      app.use('/api', (request, response, next) => {
        if (!isRefused(rest.operationOf(request))) return next()
        response.writeHead(403).end()
      })
      app.use('/api/own', (_request, response) => response.end('{}'))
      app.use(api)
      return listenNode(createServer(app))
    },
  ],
  [
    'fetch',
    '',
    async ({ isRefused, options }) => {
      const app = fetchApp()
      const rest = new OnFetch(app, options())
      await rest.init()
      const handle = async (request: Request): Promise<Response> => {
        if (isRefused(rest.operationOf(request))) return new Response(null, { status: 403 })
        return new URL(request.url).pathname === '/own' ? Response.json({}) : app.fetch(request)
      }
      return listenFetch({ fetch: handle })
    },
  ],
  ...platforms.map(
    (platform) =>
      [
        `Nest on ${platform}`,
        '/api',
        async ({ isRefused, options }: Guard) => {
          const canActivate = (context: { switchToHttp(): { getRequest(): NestRequest } }) =>
            !isRefused(context.switchToHttp().getRequest().modelrest)
          const app = await created(platform, {
            imports: [ModelRestModule.forRoot({ ...options(), base: '/api' })],
            providers: [{ provide: APP_GUARD, useValue: { canActivate } }],
          })
          return listenNest(app)
        },
      ] as const,
  ),
]

describe.each(starts)('a guard on %s', (name, base, start) => {
  it('holds for every request that leads to the model, and knows the operation that runs', async () => {
    const given = guard()
    const { port, stop } = await start(given)
    const asked = async (method: string, path: string) => {
      given.seen.length = 0
      const { status } = await fetch(`http://127.0.0.1:${port}${base}${path}`, { method })
      return [method, path, status, given.seen[0]]
    }
    for (const [method, path, operation] of [
      ['GET', '/customers/', 'listCustomers'],
      ['GET', '/customers/1/', 'getCustomer'],
      ['GET', '/customers/aggregate', 'aggregateCustomers'],
      ['HEAD', '/customers/aggregate/?group=secret', 'aggregateCustomers'],
      ['GET', '/customers/%61ggregate', 'getCustomer'],
      ['GET', '/orders/1?include=customer', 'getOrder'],
      ['GET', '/orders/?customer.secret==hush', 'listOrders'],
      ['GET', '/orders/?q=order_items(order.customer.name==Ada)', 'listOrders'],
      ['GET', '/orders/?sort=customer.name', 'listOrders'],
      ['GET', '/orders/aggregate?customer.name==Ada', 'aggregateOrders'],
      ['GET', '/order-items/?include=order.customer', 'listOrderItems'],
      ['GET', '/customers/1/orders/', 'listOrdersOfCustomer'],
      ['POST', '/customers/1/orders/', 'createOrdersOfCustomer'],
      ['GET', '/orders/?include=((', 'listOrders'],
    ] as const)
      expect(await asked(method, path)).toEqual([method, path, 403, operation])
    for (const [path, operation] of [
      ['/orders/1', 'getOrder'],
      ['/orders/aggregate', 'aggregateOrders'],
      ['/tags/?sort=name', 'listTags'],
    ] as const)
      expect(await asked('GET', path)).toEqual(['GET', path, 200, operation])
    if (!name.startsWith('Nest')) expect(await asked('GET', '/own')).toEqual(['GET', '/own', 200, undefined])
    await stop()
  })

  it('knows the operations of a model with any number of relations', async () => {
    const models = manyRelations()
    const names = models.models.find(({ name }) => name === 'Tenant')?.relations.map(({ name }) => name) ?? []
    expect(names).toHaveLength(RELATIONS)
    const given = guard(() => ({ models }))
    const { port, stop } = await start(given)
    const asked = async (path: string) => {
      given.seen.length = 0
      const { status } = await fetch(`http://127.0.0.1:${port}${base}${path}`)
      return [path, status, given.seen[0]]
    }
    const long = 'k'.repeat(400)
    const operations = names.map((name) => [
      `/${name}`,
      `list${name[0]?.toUpperCase()}${name.slice(1)}OfTenant`,
    ])
    for (const key of ['a', long])
      for (const [below, operation] of [
        ['', 'getTenant'],
        ...operations.slice(0, 1),
        ...operations.slice(-1),
      ])
        for (const path of [`/tenants/${key}${below}`, `/tenants/${key}${below}/`])
          expect(await asked(path)).toEqual([path, 200, operation])
    for (const path of ['/tenants/aggregate', '/tenants/aggregate/'])
      expect(await asked(path)).toEqual([path, 200, 'aggregateTenants'])
    await stop()
  })
})

const RELATIONS = 40

/** A model with more relations than a router accepts conditions at one place. */
const manyRelations = () => {
  const client = new Database(':memory:')
  onTestFinished(() => void client.close())
  const tenants = sqliteTable('tenants', { id: text().primaryKey() })
  client.exec(
    `create table tenants (id text primary key); insert into tenants values ('a'), ('${'k'.repeat(400)}')`,
  )
  const things = Array.from({ length: RELATIONS }, (_, at) => {
    client.exec(`create table things${at} (id integer primary key, tenant_id text references tenants (id))`)
    const tenantId = text('tenant_id').references(() => tenants.id)
    return [`things${at}`, sqliteTable(`things${at}`, { id: integer().primaryKey(), tenantId })] as const
  })
  return drizzleModels(drizzle(client), { tenants, ...Object.fromEntries(things) })
}

describe.each(platforms)('the metadata of a handler of Nest on %s', (platform) => {
  it('names all models to which requests may lead', async () => {
    const seen: Told[] = []
    const canActivate = (context: { getHandler(): () => unknown }) => {
      seen.push(new Reflector().get('modelrest', context.getHandler()))
      return true
    }
    const app = await created(platform, {
      imports: [ModelRestModule.forRoot({ ...shop(), decorators: [SetMetadata('own', true)] })],
      providers: [{ provide: APP_GUARD, useValue: { canActivate } }],
    })
    const { port } = await listenNest(app)
    for (const path of ['orders/aggregate', 'words/']) await fetch(`http://127.0.0.1:${port}/${path}`)
    const all = ['Customer', 'Order', 'OrderItem', 'OrderTag', 'Product', 'Tag']
    expect(seen.map((told) => [told?.operation, [...(told?.models ?? [])].sort()])).toEqual([
      ['aggregateOrders', all],
      ['listWords', ['Word']],
    ])
  })
})
