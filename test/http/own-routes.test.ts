import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import { openModels } from './service.ts'

describe('routes of the application may be declared', () => {
  it('before or after new ModelRest and init() in Fastify; the document has those after new ModelRest', async () => {
    const { models, close } = openModels()
    onTestFinished(close)
    const app = Fastify()
    app.get('/first', () => 'first')
    const rest = new ModelRest(app, { models })
    app.get('/second', () => 'second')
    await rest.init()
    app.get('/third', () => 'third')
    for (const name of ['first', 'second', 'third']) expect((await app.inject(`/${name}`)).body).toBe(name)
    expect((await app.inject('/products/')).statusCode).toBe(200)
    const { paths } = (await app.inject('/openapi.json')).json()
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/second', '/third', '/products/']))
    expect(Object.keys(paths)).not.toContain('/first')
    await app.close()
  })

  it('around fetch at any time: only what goes on to fetch needs init() first', async () => {
    const { models, close } = openModels()
    onTestFinished(close)
    const api = fetchApp({ base: '/api' })
    const serve = async (path: string): Promise<Response> =>
      path === '/hello' ? new Response('hello') : api.fetch(new Request(`http://localhost${path}`))
    const rest = new FetchModelRest(api, { models })
    const starting = rest.init()
    expect(await (await serve('/hello')).text()).toBe('hello')
    expect((await serve('/api/products/')).status).toBe(503)
    await starting
    expect(await (await serve('/hello')).text()).toBe('hello')
    expect((await serve('/api/products/')).status).toBe(200)
  })
})
