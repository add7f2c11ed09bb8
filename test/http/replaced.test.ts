import Fastify, { type FastifyInstance, type FastifyServerOptions, type RouteOptions } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import type { ModelRestOptions } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { openModels } from './service.ts'
import { startError } from './start-error.ts'

type Api = FastifyInstance

interface Parts {
  readonly server?: FastifyServerOptions
  readonly options?: Partial<ModelRestOptions>
  readonly prefix?: string
  /** Each gets the plugin that modelrest is in. */
  readonly first?: (api: Api) => void
  readonly between?: (api: Api) => void
  readonly last?: (api: Api) => void
  /** Routes of the root, before and after the plugin. */
  readonly rootFirst?: (app: Api) => unknown
  readonly rootLast?: (app: Api) => unknown
}

const serve = async (parts: Parts) => {
  const { server, options, prefix = '/api', first, between, last, rootFirst, rootLast } = parts
  const { models, close } = openModels()
  onTestFinished(close)
  const lines: string[] = []
  const app = Fastify({
    ...server,
    logger: { stream: { write: (text: string) => lines.push(JSON.parse(text).msg) } },
  })
  onTestFinished(() => app.close())
  let rest: ModelRest | undefined
  await rootFirst?.(app)
  await app.register(
    async (api) => {
      first?.(api)
      rest = new ModelRest(api, { models, controllers: [], ...options } as never)
      between?.(api)
      await rest.init()
      last?.(api)
    },
    { prefix },
  )
  await rootLast?.(app)
  await app.ready()
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await app.inject({
      method: method as 'GET',
      url: prefix + path,
      ...(body && { payload: body }),
    })
    return [reply.statusCode, reply.body, reply.headers['allow']] as const
  }
  const paths = rest?.openapi().paths ?? {}
  return { app, ask, lines, paths, rest: rest as ModelRest }
}

const schema = { summary: 'Retire', params: { type: 'object', properties: { key: { type: 'integer' } } } }
const theirs = async () => 'theirs'
const retire: Pick<RouteOptions, 'schema' | 'handler'> = { schema, handler: theirs }

describe('a route of the application on the path and method of an operation', () => {
  const remove = (api: Api) => void api.route({ method: 'DELETE', url: '/products/:key', ...retire })

  it.each<readonly [string, Parts]>([
    ['before new ModelRest', { first: remove }],
    ['before init()', { between: remove }],
    ['in the root, before the plugin', { rootFirst: (app) => void app.delete('/api/products/:key', retire) }],
    ['in a plugin below', { between: (api) => void api.register(async (inner) => remove(inner)) }],
    [
      'in another plugin with the same prefix',
      { rootFirst: (app) => app.register(async (api) => remove(api), { prefix: '/api' }) },
    ],
  ])('declared %s replaces it', async (name, parts) => {
    const { ask, lines, paths } = await serve(parts)
    expect((await ask('DELETE', '/products/7'))[1]).toBe('theirs')
    expect((await ask('GET', '/products/'))[0]).toBe(200)
    expect((await ask('PATCH', '/products/7', { name: 'x' }))[0]).toBe(404)
    expect(await ask('POST', '/products/7')).toMatchObject([
      405,
      expect.anything(),
      'GET, HEAD, PUT, PATCH, DELETE',
    ])
    expect(lines).toContainEqual(expect.stringMatching(naming('replaced', 'DELETE', '/api/products/{id}')))
    const shown = paths['/products/{id}']?.delete
    const known = name === 'before init()' || name === 'in a plugin below'
    expect(shown).toMatchObject(known ? { summary: 'Retire' } : { summary: 'DELETE /products/{id}' })
    expect(shown).toMatchObject({ parameters: [{ name: 'id', in: 'path', required: true }] })
    expect(shown).not.toHaveProperty('x-problem-codes')
  })

  it('may replace the whole path with all()', async () => {
    const { ask, paths, lines } = await serve({ between: (api) => void api.all('/products/:key', retire) })
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'POST'])
      expect((await ask(method, '/products/7'))[1]).toBe('theirs')
    expect((await ask('GET', '/products/aggregate?aggregate=count'))[0]).toBe(200)
    expect(Object.keys(paths['/products/{key}'] ?? {})).toEqual(
      expect.arrayContaining(['get', 'put', 'patch', 'delete', 'post']),
    )
    expect(paths['/products/aggregate']?.get).toMatchObject({ tags: ['Product'] })
    expect(lines.filter((line) => line.startsWith('replaced by'))).toHaveLength(1)
  })

  it('replaces it in the form that it is declared in, with or without a slash at the end', async () => {
    const { ask, paths } = await serve({ between: (api) => void api.get('/products', retire) })
    expect((await ask('GET', '/products'))[1]).toBe('theirs')
    expect(await ask('GET', '/products/')).toMatchObject([405, expect.anything(), 'POST'])
    expect(await ask('PUT', '/products')).toMatchObject([405, expect.anything(), 'GET, HEAD, POST'])
    expect(Object.keys(paths['/products/'] ?? {})).toEqual(['post'])
    expect(Object.keys(paths['/products'] ?? {})).toEqual(['get'])
  })

  it('replaces both forms if Fastify ignores slashes at the end', async () => {
    const { ask } = await serve({
      server: { routerOptions: { ignoreTrailingSlash: true } },
      between: (api) => void api.get('/products', retire),
    })
    expect((await ask('GET', '/products'))[1]).toBe('theirs')
    expect((await ask('GET', '/products/'))[1]).toBe('theirs')
  })

  it('replaces HEAD with GET, and may have a HEAD of its own', async () => {
    const { ask } = await serve({
      between: (api) => void api.get('/products/:key', { ...retire, exposeHeadRoute: false }),
    })
    expect(await ask('HEAD', '/products/7')).toMatchObject([405, '', 'GET, PUT, PATCH, DELETE'])
    const other = await serve({
      between: (api) => void api.head('/products/:key', async (_request, reply) => reply.code(202).send()),
      last: (api) => void api.head('/makers/:key', async (_request, reply) => reply.code(202).send()),
    })
    expect((await other.ask('HEAD', '/products/7'))[0]).toBe(202)
    expect((await other.ask('HEAD', '/makers/7'))[0]).toBe(202)
    expect((await other.ask('GET', '/makers/1'))[0]).toBe(200)
  })

  it('stands beside it with a constraint or a pattern, in any order', async () => {
    const constrained = (api: Api) =>
      void api.get('/products/:key', { constraints: { host: 'other.test' } }, theirs)
    const patterned = (api: Api) => void api.get('/products/:key(^x\\d+$)', theirs)
    for (const parts of [{ between: constrained }, { last: constrained }] satisfies readonly Parts[]) {
      const { app, ask } = await serve(parts)
      const reply = await app.inject({ url: '/api/products/7', headers: { host: 'other.test' } })
      expect(reply.body).toBe('theirs')
      expect((await ask('GET', '/products/7'))[0]).toBe(404)
    }
    for (const parts of [{ between: patterned }, { last: patterned }] satisfies readonly Parts[]) {
      const { ask } = await serve(parts)
      expect((await ask('GET', '/products/x7'))[1]).toBe('theirs')
      expect((await ask('GET', '/products/7'))[0]).toBe(404)
    }
  })

  it('replaces it under a prefix with parameters', async () => {
    const { models, close } = openModels()
    onTestFinished(close)
    const app = Fastify()
    onTestFinished(() => app.close())
    await app.register(
      async (api) => {
        api.delete('/products/:key', retire)
        await new ModelRest(api, { models, controllers: [] } as never).init()
      },
      { prefix: '/:tenant' },
    )
    expect((await app.inject({ method: 'DELETE', url: '/a/products/7' })).body).toBe('theirs')
    expect((await app.inject({ url: '/a/products/' })).statusCode).toBe(200)
  })

  it.each<readonly [string, Parts]>([
    ['in the same plugin', { last: remove }],
    ['in a plugin below', { last: (api) => void api.register(async (inner) => remove(inner)) }],
    ['in the root', { rootLast: (app) => void app.delete('/api/products/:key', retire) }],
    [
      'in another plugin with the same prefix',
      { rootLast: (app) => app.register(async (api) => remove(api), { prefix: '/api' }) },
    ],
    ['with all()', { last: (api) => void api.all('/products/:key', retire) }],
    ['with an optional parameter', { last: (api) => void api.delete('/products/:key?', retire) }],
    [
      'in another case, if the router ignores it',
      {
        server: { routerOptions: { caseSensitive: false } },
        last: (api) => void api.delete('/PRODUCTS/:key', retire),
      },
    ],
  ])('declared after init() %s is an error that says what to write', async (_name, parts) => {
    await expect(serve(parts)).rejects.toThrow(startError('init()', 'modelConfig.Product.operations'))
  })

  it('declared after init() may have what modelConfig leaves out', async () => {
    const { ask, paths } = await serve({
      options: { modelConfig: { Product: { operations: ['list', 'read'] } } },
      last: remove,
    })
    expect((await ask('DELETE', '/products/7'))[1]).toBe('theirs')
    expect(paths['/products/{id}']?.delete).toMatchObject({ summary: 'Retire' })
    expect(await ask('PATCH', '/products/7')).toMatchObject([405, expect.anything(), 'GET, HEAD, DELETE'])
  })

  it('may replace /docs, but not the routes of another ModelRest', async () => {
    const { ask, lines } = await serve({ between: (api) => void api.get('/docs', theirs) })
    expect((await ask('GET', '/docs'))[1]).toBe('theirs')
    expect(lines).toContainEqual(expect.stringMatching(naming('replaced', 'GET', '/api/docs')))
    const { models, close } = openModels()
    onTestFinished(close)
    const again = (app: Api) => {
      app.register(
        async (api) => {
          await new ModelRest(api, { models, controllers: [] } as never).init()
        },
        { prefix: '/api' },
      )
    }
    await expect(serve({ rootLast: again })).rejects.toThrow(startError('GET', '/api/makers/', 'path'))
  })
})

it('two ModelRest with the same path of their documentation are an error', async () => {
  const { models, close } = openModels()
  onTestFinished(close)
  const app = fetchApp()
  await new FetchModelRest(app, { models, controllers: [] } as never).init()
  const modelConfig = Object.fromEntries(models.models.map(({ name }) => [name, { path: `other-${name}` }]))
  const other = new FetchModelRest(app, { models, controllers: [], modelConfig } as never)
  await expect(other.init()).rejects.toThrow(startError('GET', '/openapi.json', 'base'))
})

it('two ModelRest with the same model on one fetchApp are an error', async () => {
  const { models, close } = openModels()
  onTestFinished(close)
  const app = fetchApp()
  await new FetchModelRest(app, { models, controllers: [] } as never).init()
  await expect(new FetchModelRest(app, { models, controllers: [] } as never).init()).rejects.toThrow(
    startError('GET', '/makers/', 'path'),
  )
})
