import { createServer } from 'node:http'
import connect from 'connect'
import express from 'express'
import Fastify, { type FastifyInstance } from 'fastify'
import { Hono } from 'hono'
import { ModelRest, StartError } from 'modelrest'
import { expressHost, registerAuthRoutes } from 'modelrest/express'
import { modelRest } from 'modelrest/fastify'
import { fetchApp } from 'modelrest/fetch'
import { honoHost } from 'modelrest/hono'
import { nodeApp } from 'modelrest/node'
import { memorySource } from 'modelrest/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { naming } from '../naming.ts'

beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterAll(() => {
  vi.restoreAllMocks()
})

const models = memorySource([
  { name: 'Task', fields: [{ name: 'id', kind: 'integer', hasDefault: true }], primaryKey: ['id'] },
])
const options = { models, controllers: [] } as const

const refused = async (start: () => unknown, ...names: readonly string[]): Promise<void> => {
  const error: unknown = await (async () => start())().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StartError)
  expect(String(error)).toMatch(naming(...names))
}

describe('an application of an unknown kind', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a number', 1],
    ['an object', {}],
    ['a function', () => undefined],
    ['a server of Node', createServer()],
    ['a promise of an application', Promise.resolve(express())],
    ['the function that makes applications of Express', express],
    ['a route of Express', express().route('/')],
    ['the class of Hono', Hono],
    ['the handler of an application of Hono', new Hono().fetch],
    ['the function that makes applications of Fastify', Fastify],
    ['an application of connect', connect()],
  ])('%s is refused by name', async (_, app) => {
    const known = ['Fastify', 'Express', 'Hono', 'nodeApp()', 'fetchApp()', 'defineHost()']
    await refused(() => new ModelRest(app as object, options), ...known)
    await refused(() => registerAuthRoutes(app as never, { models }), ...known)
    await refused(() => expressHost(app as never), 'expressHost', 'Express')
    await refused(() => honoHost(app as never), 'honoHost', 'Hono')
  })

  it('is refused by the hosts of another kind', async () => {
    await refused(() => expressHost(new Hono() as never), 'expressHost', 'Express')
    await refused(() => expressHost(expressHost(express()) as never), 'expressHost', 'Express')
    await refused(() => honoHost(express() as never), 'honoHost', 'Hono')
    await refused(() => honoHost(honoHost(new Hono()) as never), 'honoHost', 'Hono')
  })
})

describe('an application that has started', () => {
  it('is refused with Fastify', async () => {
    const app = Fastify()
    await app.ready()
    await refused(() => new ModelRest(app, options).init(), 'Fastify', 'init()', 'ready()')
  })

  it('is refused with Hono', async () => {
    const app = new Hono().get('/', (context) => context.text(''))
    await app.request('/')
    await refused(() => new ModelRest(app, options), 'Hono', 'first request')
    await refused(() => honoHost(app), 'Hono', 'first request')
  })
})

describe('a base that no path can have', () => {
  it.each([
    'api',
    '//api',
    '/api//',
    '/a b',
    '/api?',
    '/é',
    '/../api',
    '/:tenant',
    '/a/*',
    'https://localhost/api',
  ])('%s', async (base) => {
    for (const [name, host] of [
      ['nodeApp', () => nodeApp({ base })],
      ['fetchApp', () => fetchApp({ base })],
      ['expressHost', () => expressHost(express(), { base })],
      ['honoHost', () => honoHost(new Hono(), { base })],
    ] as const)
      await refused(host, name, 'base', JSON.stringify(base))
  })
})

describe('a prefix that is given twice', () => {
  it('is refused with Fastify', async () => {
    const app = Fastify()
    app.register(async (api) => void api.register(modelRest, { ...options, prefix: '/api/' }), {
      prefix: '/api',
    })
    await refused(() => app.ready(), '/api/api', "prefix: '/api/'")
  })

  it('is one with Hono and Express', async () => {
    const hono = new Hono()
    await new ModelRest(honoHost(hono.basePath('/api'), { base: '/api' }), options).init()
    expect((await hono.request('/api/tasks/')).status).toBe(200)
    const [outer, inner] = [express(), express()]
    outer.use('/api', inner)
    const rest = new ModelRest(expressHost(inner, { base: '/api' }), options)
    await rest.init()
    expect(rest.openapi()['servers']).toEqual([{ url: '/api' }])
  })
})

describe('a path that two of them serve', () => {
  const twice = async (app: object): Promise<void> => {
    await new ModelRest(app, options).init()
    await new ModelRest(app, options).init()
  }

  it.each([
    ['Fastify', (): FastifyInstance => Fastify()],
    ['Express', () => express()],
    ['Hono', () => new Hono()],
    ['nodeApp', () => nodeApp()],
    ['fetchApp', () => fetchApp()],
  ])('is refused with %s', async (_, create) => {
    await refused(() => twice(create()), 'GET /tasks/', 'modelConfig')
  })
})
