import { Hono } from 'hono'
import { basicAuth } from 'hono/basic-auth'
import { bearerAuth } from 'hono/bearer-auth'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { cors } from 'hono/cors'
import { HTTPException } from 'hono/http-exception'
import { secureHeaders } from 'hono/secure-headers'
import { type HonoApp, HttpError, honoHost, ModelRest, StartError } from 'modelrest/hono'
import { describe, expect, it } from 'vitest'
import { naming } from '../../naming.ts'
import { expectOwnErrors, throwOwn } from '../own-errors.ts'
import { json, logOfTests, tasks } from '../stage.ts'

const logged = logOfTests()

const models = tasks()
const options = { models, controllers: [] } as const

describe('an application', () => {
  it('serves requests in process, below its base path and beside its own routes', async () => {
    const root = new Hono()
    const app = root.basePath('/api')
    app.get('/tasks/7', (context) => context.text('theirs'))
    app.use('/tasks/*', async (context, next) => {
      context.header('x-seen', 'yes')
      await next()
    })
    const rest = new ModelRest(app, options)
    await rest.init()
    expect(rest.openapi()['servers']).toEqual([{ url: '/api' }])
    expect(await (await root.request('/api/tasks/7')).text()).toBe('theirs')
    const listed = await root.request('/api/tasks/')
    expect([listed.status, listed.headers.get('x-seen')]).toEqual([200, 'yes'])
    expect((await root.request('/api/tasks/', json({ title: 'a' }))).status).toBe(201)
    expect((await root.request('/api/tasks/', { method: 'PUT' })).status).toBe(405)
    expect(await (await root.request('/api/nothing')).text()).toBe('404 Not Found')
  })

  it('works with the middleware of Hono', async () => {
    const app = new Hono<{ Variables: { user: string } }>()
    app.use(cors(), secureHeaders(), compress(), bodyLimit({ maxSize: 1000 }))
    app.use(async (context, next) => {
      context.set('user', 'ada')
      await next()
    })
    const seen: unknown[] = []
    await new ModelRest(app, {
      ...options,
      auth: {
        authenticate: (context) => {
          seen.push(Reflect.get(Object(context), 'var').user)
          return { id: '1', claims: {} }
        },
      },
    }).init()
    const created = await app.request('/tasks/', json({ title: 'é' }))
    expect([created.status, await created.json()]).toMatchObject([201, { title: 'é' }])
    expect(created.headers.get('access-control-allow-origin')).toBe('*')
    expect(created.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await app.request('/tasks/', json({ title: 'x'.repeat(2000) }))).status).toBe(413)
    expect((await app.request('/tasks/', { method: 'OPTIONS' })).status).toBe(204)
    expect(seen).toContain('ada')
  })

  it.each(['/%74asks/', '/tasks', '/tasks/%37', '/tasks/7/', '/%74asks/%zz', '//tasks/', '/x/../tasks/'])(
    'cannot be reached past a guard with %s',
    async (path) => {
      const app = new Hono()
      app.use('/tasks/*', async (context) => context.text('', 401))
      await new ModelRest(app, options).init()
      for (const method of ['GET', 'HEAD', 'DELETE'])
        expect([401, 404]).toContain((await app.request(path, { method })).status)
    },
  )

  it('cannot be reached past a guard that compares the path with its fragment', async () => {
    // As in Hono 4.9.
    const app = new Hono({ getPath: ({ url }) => url.slice(url.indexOf('/', 8)) })
    app.use('/tasks/*', async (context) => context.text('', 401))
    await new ModelRest(app, options).init()
    expect((await app.request(new Request('http://localhost/tasks#x'))).status).toBe(404)
  })

  it('may be mounted in another one', async () => {
    const inner = new Hono()
    inner.get('/own/:id', (context) => context.text(context.req.param('id')))
    const rest = new ModelRest(honoHost(inner, { base: '/v1' }), options)
    await rest.init()
    const app = new Hono().route('/v1', inner)
    expect((await app.request('/v1/tasks/')).status).toBe(200)
    expect(await (await app.request('/v1/own/7')).text()).toBe('7')
    expect(Object.keys(rest.openapi().paths)).toEqual(expect.arrayContaining(['/tasks/', '/own/{id}']))
  })

  it.each([undefined, '/other'])('with the base %s, an error says what to write', async (base) => {
    const inner = new Hono()
    await new ModelRest(base === undefined ? inner : honoHost(inner, { base }), options).init()
    const app = new Hono().route('/v1', inner)
    app.onError((error, context) => context.text(error.message))
    expect(await (await app.request('/v1/tasks/')).text()).toMatch(naming("honoHost(app, { base: '/v1' })"))
  })
})

describe('a body that middleware has read', () => {
  const reading = async (read: 'json' | 'text' | 'arrayBuffer' | 'blob' | 'formData' | 'raw') => {
    const app = new Hono()
    app.use(async ({ req }, next) => {
      await (read === 'raw' ? req.raw.text() : req[read]().catch(() => undefined))
      await next()
    })
    await new ModelRest(app, options).init()
    return (body: string) => app.request('/tasks/', json(body))
  }

  it.each(['json', 'text', 'arrayBuffer', 'blob'] as const)('as %s is used as it was sent', async (read) => {
    const send = await reading(read)
    expect(await (await send('{"title":"é"}')).json()).toMatchObject({ title: 'é' })
    const refused = await send('{"title":9007199254740993}')
    expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/title', code: 'imprecise_number' }] })
    expect((await send('{')).status).toBe(400)
    expect((await send('x'.repeat(1_100_000))).status).toBe(413)
  })

  it.each(['raw', 'formData'] as const)('as %s is refused', async (read) => {
    expect((await (await reading(read))('{"title":"a"}')).status).toBe(500)
    expect(logged()).toContain('body parser')
  })

  it('is refused if its text may not be what was sent', async () => {
    expect((await (await reading('text'))('{"title":"\uFFFD"}')).status).toBe(500)
  })
})

it('own routes know the caller, and their errors are problems', async () => {
  const app = new Hono()
  const rest = new ModelRest(app, { ...options, auth: { authenticate: () => ({ id: '7', claims: {} }) } })
  await rest.init()
  app.get('/me', async (context) => {
    const { caller } = await rest.context(context)
    return context.json([caller?.id, (await rest.authenticate(context))?.id])
  })
  app.get('/conflict', () => {
    throw new HttpError(409, 'Too late.', { code: 'too_late' })
  })
  app.get('/teapot', () => {
    throw new HTTPException(418, { message: 'Short and stout.' })
  })
  app.get('/broken', () => {
    throw new Error('secret')
  })
  rest.problems(app, { notFound: true })
  expect(await (await app.request('/me')).json()).toEqual(['7', '7'])
  expect(await (await app.request('/conflict')).json()).toMatchObject({ status: 409, code: 'too_late' })
  expect(await (await app.request('/teapot')).json()).toMatchObject({
    status: 418,
    detail: 'Short and stout.',
  })
  const broken = await app.request('/broken')
  expect([broken.status, (await broken.text()).includes('secret')]).toEqual([500, false])
  expect(logged()).toContain('Error: secret')
  expect(await (await app.request('/missing')).json()).toMatchObject({ status: 404, code: 'not_found' })
  await expect(rest.authenticate({})).rejects.toThrow('authenticate')
  expect(() => rest.problems({})).toThrow(StartError)
})

describe('errors of own routes', () => {
  const served = async (declare: (app: Hono) => void) => {
    const app = new Hono()
    const rest = new ModelRest(app, options)
    await rest.init()
    declare(app)
    rest.problems(app)
    return async (path: string) => {
      const response = await app.request(path)
      const { status, headers } = response
      return { status, headers, text: await response.text() }
    }
  }

  it('send what errors of other libraries say for clients', async () => {
    const ask = await served((app) => void app.get('/own/:name', ({ req }) => throwOwn(req.param('name'))))
    await expectOwnErrors((name) => ask(`/own/${name}`))
  })

  it('keep the headers of the response in an HTTPException', async () => {
    const body = new Response('Gone', { headers: { 'x-kept': 'yes', 'content-type': 'text/plain' } })
    const again = new HTTPException(410, { res: body })
    class Own extends HTTPException {
      override getResponse() {
        return new Response('', { status: 409, headers: { 'x-kept': 'own' } })
      }
    }
    const ask = await served((app) => {
      app.use('/basic', basicAuth({ username: 'a', password: 'b' }))
      app.use('/bearer', bearerAuth({ token: 'a' }))
      app.get('/again', () => {
        throw again
      })
      app.get('/mine', () => {
        throw new Own(409, { message: 'Mine.' })
      })
    })
    for (const path of ['/basic', '/bearer']) {
      const { status, headers, text } = await ask(path)
      expect([status, headers.get('content-type')]).toEqual([401, 'application/problem+json'])
      expect(headers.get('www-authenticate')).toMatch(new RegExp(path.slice(1), 'i'))
      expect(JSON.parse(text)).toMatchObject({ code: 'unauthenticated', detail: expect.stringMatching(/./) })
    }
    for (const path of ['/again', '/again', '/mine'])
      expect((await ask(path)).headers.get('x-kept')).toBe(path === '/mine' ? 'own' : 'yes')
    expect((await ask('/again')).headers.get('content-type')).toBe('application/problem+json')
  })
})

it('refuses several media types of one body', async () => {
  const app = new Hono()
  await new ModelRest(app, options).init()
  const headers = new Headers({ 'content-type': 'application/json' })
  headers.append('content-type', 'text/plain')
  expect((await app.request('/tasks/', { ...json({ title: 'a' }), headers })).status).toBe(415)
})

describe('mistakes', () => {
  it('are named at the start', () => {
    expect(() => honoHost({} as HonoApp)).toThrow(StartError)
    expect(() => honoHost(new Hono(), { base: 'api' })).toThrow(naming('honoHost', '/api'))
    expect(() => honoHost(new Hono(), { clientAddress: 1 as never })).toThrow(naming('clientAddress'))
    expect(() => honoHost(new Hono().basePath('/v1'), { base: '/api' })).toThrow(naming('/v1', '/api'))
  })
})

it('knows the address of a client as the application says', async () => {
  const app = new Hono()
  const seen: unknown[] = []
  const clientAddress = (context: { req: { header(name: string): string | undefined } }) => {
    seen.push(context.req.header('x-real-ip'))
    return context.req.header('x-real-ip')
  }
  await new ModelRest(honoHost(app, { clientAddress }), options).init()
  await app.request('/tasks/', { headers: { 'x-real-ip': '203.0.113.7' } })
  expect(seen).toEqual(['203.0.113.7'])
})
