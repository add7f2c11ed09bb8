import Fastify, { type FastifyServerOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { fastifyHost } from '../../../src/host/fastify/index.ts'
import { serveWith } from '../../../src/host/serve.ts'
import { runAsync } from '../../../src/operation/steps.ts'
import { send } from '../../../src/testing/host/http-client.ts'
import { naming } from '../../naming.ts'
import { listen } from '../listen.ts'
import { mount } from './mounted.ts'

const settings: readonly FastifyServerOptions[] = [
  { routerOptions: { ignoreTrailingSlash: true } },
  { routerOptions: { ignoreDuplicateSlashes: true } },
  { routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true } },
  { routerOptions: { caseSensitive: false } },
  { routerOptions: { maxParamLength: 1 } },
  { routerOptions: { maxParamLength: 50_000 } },
  { routerOptions: { useSemicolonDelimiter: true } as object },
  { exposeHeadRoutes: false },
  { exposeHeadRoutes: true, routerOptions: { ignoreTrailingSlash: true, caseSensitive: false } },
  { rewriteUrl: ({ url = '/' }) => url.replace(/^\/v1\//, '/api/') },
]

describe.each(settings)('with %j', (options) => {
  it.each(['/api', '/api/', 'api'])('and the prefix %s, paths have both forms', async (prefix) => {
    const app = Fastify(options)
    await app.register(async (api) => mount(api), { prefix })
    const { port, stop } = await listen(app)
    const ask = async (method: string, path: string) => {
      const reply = await send(port, method, path, method === 'POST' ? { body: 'x' } : {})
      return [reply.status, reply.headers['location'], method === 'GET' ? reply.json : reply.text]
    }
    const long = 'X'.repeat(600)
    const found = (as: string, params: object) => [200, undefined, expect.objectContaining({ as, params })]
    expect(await ask('GET', '/api/items/')).toEqual(found('items', {}))
    expect(await ask('GET', '/api/items')).toEqual(found('items', {}))
    expect(await ask('GET', '/api/items/A%2Cb')).toEqual(found('item', { id: 'A%2Cb' }))
    expect(await ask('GET', '/api/items/A%2Cb/')).toEqual(found('item', { id: 'A%2Cb' }))
    expect(await ask('GET', `/api/items/${long}`)).toEqual(found('item', { id: long }))
    expect(await ask('GET', `/api/items/${long}/parts/B/`)).toEqual(found('part', { id: long, part: 'B' }))
    expect(await ask('POST', '/api/items')).toEqual([200, undefined, 'x'])
    expect(await ask('POST', '/api/items/')).toEqual([200, undefined, 'x'])
    expect(await ask('HEAD', '/api/items')).toEqual([200, undefined, ''])
    expect(await ask('HEAD', '/api/items/7/')).toEqual([200, undefined, ''])
    for (const path of ['/api/items', '/api/items/', '/api/items/7', '/api/items/7/', `/api/items/${long}`])
      expect((await ask('PATCH', path))[0]).toBe(405)
    expect((await ask('PATCH', '/api/nothing'))[0]).toBe(404)
    await stop()
  })
})

const on = async (options: FastifyServerOptions, path: string) => {
  const app = Fastify(options)
  await app.register(async (api) => mount(api), { prefix: '/api' })
  const { port, stop } = await listen(app)
  const reply = await send(port, 'GET', path)
  await stop()
  return reply
}

it('reads the path that the router saw', async () => {
  const item = (id: string) => ({ as: 'item', params: { id } })
  expect(
    (await on({ routerOptions: { ignoreDuplicateSlashes: true } }, '//api//items//7//')).json,
  ).toMatchObject(item('7'))
  expect((await on({ routerOptions: { caseSensitive: false } }, '/API/Items/ABC')).json).toMatchObject(
    item('ABC'),
  )
  expect(
    (await on({ routerOptions: { caseSensitive: false, maxParamLength: 1 } }, '/API/Items/ABC/Parts/D')).json,
  ).toMatchObject({ as: 'part', params: { id: 'ABC', part: 'D' } })
  expect(
    (await on({ routerOptions: { useSemicolonDelimiter: true } as object }, '/api/items/7;a=1')).json,
  ).toMatchObject({ ...item('7'), query: 'a=1' })
  expect((await on({ rewriteUrl: () => '/api/items/8' }, '/old/9?a')).json).toMatchObject({
    ...item('8'),
    path: '/old/9',
    query: 'a',
  })
  expect((await on({}, 'http://elsewhere/api/items/7?b')).json).toMatchObject({ ...item('7'), query: 'b' })
})

it('leaves paths that cannot be decoded to Fastify', async () => {
  const reply = await on({}, '/api/items/%zz')
  expect([reply.status, reply.json['code']]).toEqual([400, 'FST_ERR_BAD_URL'])
})

it('knows where it is mounted', async () => {
  const bases: string[] = []
  const app = Fastify()
  bases.push((await mount(app)).base)
  await app.register(
    async (outer) => {
      await outer.register(async (inner) => void bases.push((await mount(inner)).base), { prefix: '/v1/' })
    },
    { prefix: '/api' },
  )
  expect(bases).toEqual(['', '/api/v1'])
  expect((await app.inject('/api/v1/items/7')).json()).toMatchObject({
    path: '/api/v1/items/7',
    params: { id: '7' },
  })
  expect((await app.inject('/items/7/')).json()).toMatchObject({ path: '/items/7/', params: { id: '7' } })
})

it('works in a plugin that is not awaited, and under a prefix with a parameter', async () => {
  const app = Fastify()
  app.register(async (api) => void (await mount(api)), { prefix: '/:tenant' })
  expect((await app.inject('/acme/items/7')).json()).toMatchObject({ params: { id: '7' } })
  expect((await app.inject(`/acme/items/${'x'.repeat(200)}/`)).json()).toMatchObject({ as: 'item' })
})

it('says that it comes too late', async () => {
  const app = Fastify()
  const host = fastifyHost.attach(app)
  await app.ready()
  const tooLate = {
    name: 'StartError',
    message: expect.stringMatching(naming('init()', 'listen()', 'ready()')),
  }
  await expect(mount(app)).rejects.toMatchObject(tooLate)
  await expect(host.mount([], serveWith(runAsync))).rejects.toMatchObject(tooLate)
})
