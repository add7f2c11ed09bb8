import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import { HttpError, type ProblemsOptions, ValueError } from '../../src/index.ts'
import { openModels } from './service.ts'
import { startError } from './start-error.ts'

const schema = {
  body: {
    type: 'object',
    required: ['reason'],
    properties: { reason: { type: 'string', maxLength: 5 }, 'a/b': { type: 'integer' } },
  },
  querystring: { type: 'object', properties: { days: { type: 'integer' } } },
}

const serve = async (declare: (app: FastifyInstance) => void, options?: ProblemsOptions | false) => {
  const { models, close } = openModels()
  onTestFinished(close)
  const app = Fastify({ bodyLimit: 1000 })
  onTestFinished(() => app.close())
  const openapi = { codes: { ticket_closed: { status: 409, title: 'The ticket is closed' } } }
  const rest = new ModelRest(app, { models, controllers: [], openapi } as never)
  if (options !== false) rest.problems(app, options)
  declare(app)
  await rest.init()
  await app.ready()
  return app
}

const throwing = (error: unknown) => (app: FastifyInstance) => {
  app.get('/own', () => {
    throw error
  })
}

describe('rest.problems(app) makes a problem document of', () => {
  it.each([
    [
      'an HttpError with a code',
      new HttpError(409, 'Closed.', { code: 'ticket_closed' }),
      409,
      'ticket_closed',
      'Closed.',
    ],
    ['an HttpError without one', new HttpError(403, 'No.'), 403, 'forbidden', 'No.'],
    ['a ValueError', new ValueError('Odd.'), 400, 'rejected', 'Odd.'],
    ['an error with a status', Object.assign(new Error('Gone.'), { statusCode: 410 }), 410, 'gone', 'Gone.'],
    ['any other error', new Error('hush'), 500, 'internal_error', expect.not.stringContaining('hush')],
    [
      'a server error with a status',
      Object.assign(new Error('hush'), { statusCode: 503 }),
      503,
      'unavailable',
      expect.not.stringContaining('hush'),
    ],
  ])('%s', async (_what, error, status, code, detail) => {
    const reply = await (await serve(throwing(error))).inject('/own')
    expect(reply.headers['content-type']).toBe('application/problem+json')
    expect(reply.json()).toMatchObject({ status, code, detail, instance: '/own' })
    expect(reply.statusCode).toBe(status)
    if (code === 'ticket_closed') expect(reply.json().title).toBe('The ticket is closed')
  })

  it('requests that the schema of the route refuses', async () => {
    const app = await serve((own) => void own.post('/own', { schema }, async () => 'done'))
    const send = async (payload: object | string, query = '', type = 'application/json') => {
      const request = {
        method: 'POST',
        url: `/own${query}`,
        payload,
        headers: { 'content-type': type },
      } as const
      const reply = await app.inject(request)
      expect(reply.headers['content-type']).toBe('application/problem+json')
      return reply.json()
    }
    expect(await send({})).toMatchObject({
      status: 422,
      code: 'invalid_body',
      errors: [{ pointer: '/reason', code: 'required' }],
    })
    expect(await send({ reason: 'too long' })).toMatchObject({
      errors: [{ pointer: '/reason', code: 'too_long' }],
    })
    expect(await send({ reason: 'x', 'a/b': 'x' })).toMatchObject({
      errors: [{ pointer: '/a~1b', code: 'wrong_type' }],
    })
    expect(await send({ reason: 'x' }, '?days=x')).toMatchObject({
      status: 400,
      code: 'invalid_value',
      errors: [{ parameter: 'days', code: 'invalid_value' }],
    })
    expect(await send('{')).toMatchObject({ status: 400, code: 'malformed_json' })
    expect(await send('', '', 'nonsense')).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    expect(await send('x', '', 'text/csv')).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    expect(await send({ reason: 'x'.repeat(2000) })).toMatchObject({ status: 413, code: 'body_too_large' })
  })

  it('an error in a plugin below, but not of one that has its own error handler', async () => {
    const app = await serve((own) => {
      own.register(async (below) => throwing(new HttpError(410, 'Gone.'))(below), { prefix: '/a' })
      own.register(
        async (below) => {
          below.setErrorHandler((_error, _request, reply) => reply.code(400).send('mine'))
          throwing(new HttpError(410, 'Gone.'))(below)
        },
        { prefix: '/b' },
      )
    })
    expect((await app.inject('/a/own')).json()).toMatchObject({ code: 'gone' })
    expect((await app.inject('/b/own')).body).toBe('mine')
  })

  it('an unknown path only if it is asked for', async () => {
    const alone = await serve(() => undefined)
    expect((await alone.inject('/nothing')).headers['content-type']).toContain('application/json')
    const asked = await serve(() => undefined, { notFound: true })
    expect((await asked.inject('/nothing')).json()).toMatchObject({
      status: 404,
      code: 'not_found',
      instance: '/nothing',
    })
  })
})

it('rest.problems(app) applies to the same routes as app.setErrorHandler() in its place', async () => {
  const { models, close } = openModels()
  onTestFinished(close)
  const app = Fastify()
  onTestFinished(() => app.close())
  const rest = new ModelRest(app, { models, controllers: [] } as never)
  throwing(new HttpError(410, 'Gone.'))(app)
  app.register(async (below) => throwing(new HttpError(410, 'Gone.'))(below), { prefix: '/a' })
  rest.problems(app)
  await app.register(
    async (below) => {
      await below.register(async (inner) => throwing(new HttpError(410, 'Gone.'))(inner), { prefix: '/c' })
    },
    { prefix: '/b' },
  )
  await rest.init()
  for (const path of ['/own', '/a/own', '/b/c/own'])
    expect((await app.inject(path)).json()).toMatchObject({ code: 'gone', instance: path })
})

it('rest.problems(plugin) applies to the routes of the plugin only', async () => {
  const { models, close } = openModels()
  onTestFinished(close)
  const app = Fastify()
  onTestFinished(() => app.close())
  const rest = new ModelRest(app, { models, controllers: [] } as never)
  throwing(new HttpError(410, 'Gone.'))(app)
  app.register(
    async (below) => {
      throwing(new HttpError(410, 'Gone.'))(below)
      rest.problems(below, { notFound: true })
    },
    { prefix: '/a' },
  )
  await rest.init()
  expect((await app.inject('/a/own')).json()).toMatchObject({ code: 'gone' })
  expect((await app.inject('/a/none')).json()).toMatchObject({ code: 'not_found' })
  for (const path of ['/own', '/none'])
    expect((await app.inject(path)).headers['content-type']).toContain('application/json')
})

it('rest.problems(app) does not change the endpoints of models', async () => {
  const requests = [
    ['GET', '/products/x'],
    ['PUT', '/products/'],
    ['POST', '/products/'],
    ['GET', '/products/?limit=x'],
  ] as const
  const [with_, without] = [await serve(() => undefined), await serve(() => undefined, false)]
  for (const [method, url] of requests) {
    const [one, other] = [await with_.inject({ method, url }), await without.inject({ method, url })]
    expect([one.statusCode, one.body]).toEqual([other.statusCode, other.body])
  }
})

describe('a mistake in problems() is an error at start:', () => {
  it('something else than the application', async () => {
    const { models, close } = openModels()
    onTestFinished(close)
    const rest = new ModelRest(Fastify(), { models, controllers: [] } as never)
    expect(() => rest.problems({})).toThrow(startError('problems(app)', 'Fastify'))
  })

  it('a host that does not serve own routes', () => {
    const { models, close } = openModels()
    onTestFinished(close)
    const app = fetchApp()
    const rest = new FetchModelRest(app, { models, controllers: [] } as never)
    expect(() => rest.problems(app)).toThrow(startError('problems()'))
  })

  it('a second not-found handler', async () => {
    const { models, close } = openModels()
    onTestFinished(close)
    const app = Fastify().setNotFoundHandler((_request, reply) => reply.send('mine'))
    const rest = new ModelRest(app, { models, controllers: [] } as never)
    expect(() => rest.problems(app, { notFound: true })).toThrow(startError('problems()', 'notFound'))
  })

  it('a second error handler, if Fastify allows only one', async () => {
    const { models, close } = openModels()
    onTestFinished(close)
    const app = Fastify({ allowErrorHandlerOverride: false }).setErrorHandler(() => 'mine')
    const rest = new ModelRest(app, { models, controllers: [] } as never)
    expect(() => rest.problems(app)).toThrow(startError('problems()', 'error handler'))
  })

  it('a call after the start', async () => {
    const { models, close } = openModels()
    onTestFinished(close)
    const app = Fastify()
    const rest = new ModelRest(app, { models, controllers: [] } as never)
    await rest.init()
    await app.ready()
    expect(() => rest.problems(app)).toThrow(startError('already started'))
    await app.close()
  })
})
