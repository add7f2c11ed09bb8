import jwt from '@fastify/jwt'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyRequest } from 'fastify'
import { describe, expect, it, vi } from 'vitest'
import { HttpError } from '../../../src/error/errors.ts'
import { cookies } from '../../../src/testing/host/operations.ts'
import { naming } from '../../naming.ts'
import { mount } from './mounted.ts'

const problem = 'application/problem+json'
const form = {
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  payload: '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
}

describe('beside @fastify/multipart', () => {
  it.each(['before', 'after'])('registered %s, neither takes the bodies of the other', async (when) => {
    const app = Fastify()
    if (when === 'before') await app.register(multipart, { attachFieldsToBody: 'keyValues' })
    await mount(app)
    if (when === 'after') await app.register(multipart, { attachFieldsToBody: 'keyValues' })
    app.post('/upload', async (request) => request.body)
    app.post('/json', async (request) => request.body)
    expect((await app.inject({ method: 'POST', url: '/upload', ...form })).json()).toEqual({ a: '1' })
    expect((await app.inject({ method: 'POST', url: '/json', payload: { b: 2 } })).json()).toEqual({ b: 2 })
    expect((await app.inject({ method: 'POST', url: '/items/', ...form })).body).toBe(form.payload)
  })
})

describe('beside @fastify/jwt', () => {
  it('lets a hook of the application refuse', async () => {
    const app = Fastify()
    await app.register(jwt, { secret: 'a secret of more than thirty-two bytes' })
    app.addHook('onRequest', async (request) => {
      await request.jwtVerify()
    })
    await mount(app)
    const refused = await app.inject('/items/')
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([401, problem])
    expect(refused.json()).toMatchObject({ code: 'unauthenticated', instance: '/items/' })
    const authorization = `Bearer ${app.jwt.sign({ sub: '1' })}`
    expect((await app.inject({ url: '/items/', headers: { authorization } })).statusCode).toBe(200)
  })
})

describe('hooks of the application', () => {
  it.each(['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend', 'onResponse'] as const)(
    '%s runs for our routes, with what it is about',
    async (name) => {
      const seen: unknown[] = []
      const app = Fastify()
      app.addHook(name, async (request: FastifyRequest) => {
        const { operations } = request.routeOptions.config as unknown as {
          operations: Record<string, string>
        }
        seen.push(operations[request.method])
      })
      await mount(app)
      for (const url of ['/items/7', '/items/7/']) {
        await app.inject({ url })
        await app.inject({ method: 'PUT', url, payload: 'x' })
        await app.inject({ method: 'HEAD', url })
      }
      const once = ['get_items_id_', 'put_items_id_', 'get_items_id_']
      expect(seen).toEqual([...once, ...once])
    },
  )

  it('may refuse before and after the body, and change the reply', async () => {
    const app = Fastify()
    app.addHook('preHandler', async (request, reply) => {
      if (request.headers['x-stop'] !== undefined) return reply.code(418).send({ own: 'reply' })
      return undefined
    })
    app.addHook('onSend', async (_request, reply) => {
      reply.header('x-seen', 'yes')
    })
    await mount(app)
    const stop = { 'x-stop': '1' }
    for (const method of ['GET', 'POST'] as const) {
      const refused = await app.inject({ method, url: '/items/', headers: stop })
      expect([refused.statusCode, refused.json(), refused.headers['x-seen']]).toEqual([
        418,
        { own: 'reply' },
        'yes',
      ])
    }
    expect((await app.inject('/items/')).headers['x-seen']).toBe('yes')
  })

  it.each([
    [{ statusCode: 429, message: 'Slow down.' }, 429, 'too_many_requests', 'Slow down.'],
    [{ status: 404, message: 'Not for you.' }, 404, 'not_found', 'Not for you.'],
    [{ statusCode: 503, message: 'secret' }, 503, 'unavailable', undefined],
    [{ message: 'secret' }, 500, 'internal_error', undefined],
    [new HttpError(403, 'Not today.'), 403, 'forbidden', 'Not today.'],
  ])('that throw %o become problems', async (thrown, status, code, detail) => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const app = Fastify()
    app.addHook('preHandler', async () => {
      throw thrown instanceof Error ? thrown : Object.assign(new Error(thrown.message), thrown)
    })
    await mount(app)
    const reply = await app.inject('/items/')
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([status, problem])
    expect(reply.json()).toMatchObject({ code, detail: detail ?? expect.stringMatching(/./) })
    expect(reply.body).not.toContain('secret')
    vi.restoreAllMocks()
  })

  it.each(['before', 'after'])('throw to an error handler of the application, set %s', async (when) => {
    const app = Fastify()
    const setHandler = () =>
      app.setErrorHandler((error: Error, _request, reply) => reply.code(599).send({ mine: error.message }))
    app.addHook('preHandler', async (request) => {
      if (request.headers['x-stop'] !== undefined) throw new Error('stopped')
    })
    if (when === 'before') setHandler()
    await mount(app)
    if (when === 'after') setHandler()
    app.get('/own', async () => {
      throw new Error('own')
    })
    const stopped = await app.inject({ url: '/items/', headers: { 'x-stop': '1' } })
    expect([stopped.statusCode, stopped.json()]).toEqual([599, { mine: 'stopped' }])
    expect((await app.inject('/own')).json()).toEqual({ mine: 'own' })
    expect((await app.inject('/gone')).headers['content-type']).toBe(problem)
    const large = await app.inject({ method: 'POST', url: '/items/', payload: 'x'.repeat(2000) })
    expect([large.statusCode, large.headers['content-type']]).toEqual([413, problem])
  })
})

it('leaves what is not found to the application', async () => {
  const app = Fastify()
  await mount(app)
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('nowhere'))
  for (const url of ['/nothing', '/items/7/8', `/items/${'x'.repeat(99)}/nothing`])
    expect((await app.inject(url)).body).toBe('nowhere')
  expect((await app.inject({ method: 'OPTIONS', url: '/items/' })).body).toBe('nowhere')
})

it('refuses a Content-Type that cannot be read', async () => {
  const app = Fastify()
  await mount(app)
  for (const method of ['POST', 'DELETE'] as const) {
    const url = method === 'POST' ? '/items/' : '/items/7'
    const reply = await app.inject({ method, url, headers: { 'content-type': 'nonsense' }, payload: 'x' })
    expect([reply.statusCode, reply.json().code]).toEqual([415, 'unsupported_media_type'])
  }
})

it('writes to the logger of the application', async () => {
  const lines: string[] = []
  const app = Fastify({
    logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
  })
  const host = await mount(app)
  host.log.info('hello')
  host.log.warn('careful')
  await app.inject('/broken')
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['hello', 'careful']))
  const failure = logged.find(({ level }) => level === 50)
  expect(failure).toMatchObject({
    msg: expect.stringMatching(naming('GET', '/broken', failure.reqId)),
    err: { message: expect.any(String) },
  })
})

it.each([[[]], [['before=1']]])('keeps the cookies of the application beside ours: %o', async (before) => {
  const app = Fastify()
  app.addHook('onRequest', async (_request, reply) => {
    for (const cookie of before) reply.header('set-cookie', cookie)
  })
  app.addHook('onSend', async (_request, reply) => void reply.header('set-cookie', 'after=1'))
  await mount(app)
  for (const _time of [1, 2]) {
    expect((await app.inject('/cookies')).headers['set-cookie']).toEqual([...before, ...cookies, 'after=1'])
    expect((await app.inject('/cookie')).headers['set-cookie']).toEqual([...before, 'a=1', 'after=1'])
  }
})
