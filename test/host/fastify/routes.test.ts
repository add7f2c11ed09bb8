import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fastifyHost } from '../../../src/host/fastify/index.ts'
import { mount } from './mounted.ts'

describe('routes of the application', () => {
  it('keep their methods, whether they come before or after ours', async () => {
    const app = Fastify()
    app.put('/items/', async () => 'before')
    await mount(app)
    app.patch('/items/', async () => 'after')
    app.patch('/items/:key', async () => 'after')
    app.options('/items/', async () => 'cors')
    app.get('/items/featured', async () => 'featured')
    const ask = async (method: 'PUT' | 'PATCH' | 'OPTIONS' | 'GET' | 'DELETE', url: string) =>
      app.inject({ method, url })
    expect((await ask('PUT', '/items/')).body).toBe('before')
    expect((await ask('PATCH', '/items/')).body).toBe('after')
    expect((await ask('PATCH', '/items/7')).body).toBe('after')
    expect((await ask('OPTIONS', '/items/')).body).toBe('cors')
    expect((await ask('GET', '/items/featured')).body).toBe('featured')
    const refused = await ask('DELETE', '/items/')
    expect([refused.statusCode, refused.headers['allow']]).toEqual([405, 'GET, HEAD, POST, PUT, PATCH'])
  })

  it('keep what their wildcards take, below our paths too', async () => {
    const app = Fastify()
    await mount(app)
    app.get('/*', async () => 'page')
    app.get('/items/:id/reviews', async () => 'reviews')
    const body = async (url: string) => (await app.inject(url)).body
    expect(await body('/items/7/edit')).toBe('page')
    expect(await body('/items/7/reviews')).toBe('reviews')
    expect(await body('/anything')).toBe('page')
    expect(await body(`/items/${'x'.repeat(300)}`)).toContain('"as":"item"')
    expect(await body('/items/7/')).toContain('"as":"item"')
  })

  it('are told apart: serves()', async () => {
    const app = Fastify()
    app.get('/docs', async () => 'mine')
    app.get('/users/:name', async () => 'mine')
    const host = fastifyHost.attach(app)
    expect(host.serves('GET', '/docs')).toBe(true)
    expect(host.serves('GET', '/docs/')).toBe(true)
    expect(host.serves('GET', '/users/{id}')).toBe(true)
    expect(host.serves('POST', '/docs')).toBe(false)
    expect(host.serves('GET', '/items/')).toBe(false)
  })
})

describe('routes()', () => {
  it('tells the routes of the application with what their schemas say, and none of ours', async () => {
    const app = Fastify()
    const host = await mount(app)
    app.addSchema({ $id: 'user', type: 'object', properties: { name: { type: 'string' } } })
    app.get('/users/:id', {
      schema: {
        summary: 'A user',
        tags: ['people'],
        params: { type: 'object', properties: { id: { type: 'integer', description: 'The key' } } },
        querystring: {
          type: 'object',
          required: ['q'],
          properties: { q: { type: 'string' }, n: { type: 'integer' } },
        },
        headers: {
          type: 'object',
          properties: { 'x-a': { type: 'string' }, authorization: { type: 'string' } },
        },
        response: {
          '2xx': { description: 'Found', $ref: 'user#' },
          404: { description: 'Missing', type: 'null' },
        },
      },
      handler: async () => ({}),
    })
    app.post('/users/:id(^\\d+$)/files/*', {
      schema: { deprecated: true, body: { type: 'object', properties: { user: { $ref: 'user#' } } } },
      handler: async () => ({}),
    })
    app.get('/hidden', { schema: { hide: true } as object, handler: async () => ({}) })
    app.route({ method: ['PUT', 'PATCH'], url: '/plain', handler: async () => ({}) })
    app.options('/plain', async () => ({}))
    const user = { type: 'object', properties: { name: { type: 'string' } } }
    const inPath = (name: string, schema: object) => ({ name, in: 'path', required: true, schema })
    expect(host.routes()).toEqual([
      {
        method: 'GET',
        path: '/users/{id}',
        operation: {
          summary: 'A user',
          tags: ['people'],
          parameters: [
            { ...inPath('id', { type: 'integer' }), description: 'The key' },
            { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
            { name: 'n', in: 'query', required: false, schema: { type: 'integer' } },
            { name: 'x-a', in: 'header', required: false, schema: { type: 'string' } },
          ],
          responses: {
            '404': { description: 'Missing' },
            '2XX': { description: 'Found', content: { 'application/json': { schema: user } } },
          },
        },
      },
      {
        method: 'POST',
        path: '/users/{id}/files/{wildcard}',
        operation: {
          deprecated: true,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { type: 'object', properties: { user } } } },
          },
        },
      },
      { method: 'PUT', path: '/plain', operation: {} },
      { method: 'PATCH', path: '/plain', operation: {} },
    ])
  })

  it('converts schemas of a library that can do that, and leaves out the others', async () => {
    const app = Fastify()
    app.setValidatorCompiler(() => () => true)
    const host = fastifyHost.attach(app)
    const body = z.object({ name: z.string() })
    app.post('/zod', { schema: { body }, handler: async () => ({}) })
    app.post('/other', { schema: { body: { '~standard': { version: 1 } } }, handler: async () => ({}) })
    const schemas = host.routes().map(({ operation }) => JSON.stringify(operation['requestBody']))
    expect(schemas[0]).toContain('"properties":{"name":{"type":"string"}}')
    expect(schemas[1]).toContain('"schema":{}')
  })

  it('tells those of a plugin that come below it', async () => {
    const app = Fastify()
    await app.register(
      async (api) => {
        const host = await mount(api)
        await api.register(async (inner) => void inner.get('/x', async () => ''), { prefix: '/deep' })
        expect(host.routes().map(({ path }) => path)).toEqual(['/api/deep/x'])
      },
      { prefix: '/api' },
    )
    await app.ready()
  })
})

it.each(['/items/', '/items', '/items/7', '/items/7/'])(
  'gives no body to an injected HEAD %s',
  async (url) => {
    const app = Fastify()
    await mount(app)
    const [head, get] = [await app.inject({ method: 'HEAD', url }), await app.inject({ method: 'GET', url })]
    expect([head.body, head.headers['content-length']]).toEqual(['', String(get.body.length + 1)])
  },
)

it('shows each operation once to plugins that document an application', async () => {
  const app = Fastify()
  const shown: string[] = []
  app.addHook('onRoute', ({ method, url, schema }) => {
    if ((schema as { hide?: boolean } | undefined)?.hide !== true) shown.push(`${String(method)} ${url}`)
  })
  await mount(app)
  expect(shown.filter((route) => /\/(items|kept)\//.test(route)).sort()).toEqual([
    'DELETE /items/:id',
    'GET /items/',
    'GET /items/:id',
    'GET /items/:id/parts/:part',
    'GET /items/special',
    'GET /kept/:id',
    'GET,HEAD /kept/summary',
    'POST /items/',
    'PUT /items/:id',
    'PUT /kept/:id',
  ])
})
