import { createServer } from 'node:http'
import connect from 'connect'
import express, { type ErrorRequestHandler, type Express } from 'express'
// @ts-expect-error It has no types.
import express4 from 'express-4'
import {
  type ExpressApp,
  expressHost,
  HttpError,
  ModelRest,
  type OperationBegun,
  StartError,
} from 'modelrest/express'
import { memorySource } from 'modelrest/testing'
import multer from 'multer'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { send } from '../../../src/testing/host/http-client.ts'
import { naming } from '../../naming.ts'
import { listenNode } from '../node/listen.ts'
import { expectOwnErrors, throwOwn } from '../own-errors.ts'
import { askingAt, json, logOfTests, size, tasks } from '../stage.ts'

const logged = logOfTests()

const models = tasks(size)

const words = memorySource([{ name: 'Word', fields: [{ name: 'id', kind: 'text' }], primaryKey: ['id'] }], {
  records: { Word: [{ id: 'x' }, { id: 'a\\b' }, { id: 'api' }] },
})

const asking = async (app: Express) => {
  const { port, stop } = await listenNode(createServer(app))
  onTestFinished(stop)
  return askingAt(port)
}

describe('an application', () => {
  it('gives hooks the request of Express', async () => {
    const app = express().set('trust proxy', 'loopback')
    const seen: unknown[] = []
    await new ModelRest(app, {
      models,
      controllers: [],
      modelConfig: {},
      auth: {
        authenticate: (request) => {
          const { ip, protocol, path } = request as express.Request
          seen.push([ip, protocol, path])
          return { id: '1', claims: {} }
        },
      },
    }).init()
    const ask = await asking(app)
    const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }
    expect((await ask('/tasks/', { headers })).status).toBe(200)
    expect(seen).toEqual([['203.0.113.7', 'https', '/tasks/']])
  })

  it('tells observers a scheme that clients cannot choose', async () => {
    const app = express().set('trust proxy', true)
    const schemes: string[] = []
    const operation = ({ scheme }: OperationBegun): undefined => void schemes.push(scheme)
    await new ModelRest(app, { models, controllers: [], observer: { operation } }).init()
    const ask = await asking(app)
    for (const proto of ['https', 'other']) await ask('/tasks/', { headers: { 'x-forwarded-proto': proto } })
    expect(schemes).toEqual(['https', 'http'])
  })

  it('keeps its own routes, parsers, errors and order', async () => {
    const app = express()
    app.get('/api/tasks/7', (_request, response) => void response.send('theirs'))
    app.get('/api/tasks/:id', (_request, response, next) => {
      response.set('x-seen', 'yes')
      next()
    })
    await new ModelRest(expressHost(app, { base: '/api' }), { models, controllers: [] }).init()
    app.use(express.json())
    app.post('/echo', (request, response) => void response.json(request.body))
    app.get('/fails', () => {
      throw new Error('theirs')
    })
    app.use(((error, _request, response, _next) => {
      response.status(418).send(`handled ${error.message}`)
    }) satisfies ErrorRequestHandler)
    const ask = await asking(app)
    expect((await ask('/echo', json({ a: 1 }))).json).toEqual({ a: 1 })
    expect(await ask('/fails')).toMatchObject({ status: 418, text: 'handled theirs' })
    expect((await ask('/api/tasks/7')).text).toBe('theirs')
    const { status, headers } = await ask('/api/tasks/8')
    expect([status, headers.get('x-seen')]).toEqual([404, 'yes'])
    expect(await ask('/api/tasks/', json('{'))).toMatchObject({
      status: 400,
      json: { code: 'malformed_json' },
    })
    expect((await ask('/api/nothing')).text).toContain('Cannot GET')
  })

  it.each(['/%74asks/', '/tasks/%37', '/TASKS/', '//tasks/', '/tasks//7'])(
    'cannot be reached past a guard with %s',
    async (path) => {
      const app = express()
      app.use('/tasks', (_request, response) => void response.status(401).end())
      app.get('/{*other}', (_request, _response, next) => next())
      await new ModelRest(app, { models, controllers: [] }).init()
      expect([401, 404]).toContain((await (await asking(app))(path)).status)
    },
  )

  it.each([
    ['an application', 'http://a;b/api/words/x'],
    ['an application', 'http://%61/api/words/x'],
    ['an application', 'javascript://a/api/words/x'],
    ['an application', '/api/words/a\\b#'],
    ['a router', '//u@words/api#'],
    ['a router, Express 4', '/api//words/x'],
  ])('%s cannot be reached past a guard with the target %s', async (kind, target) => {
    const framework: typeof express = kind.endsWith('4') ? express4 : express
    const app = framework()
    const router = kind.startsWith('a router') ? framework.Router() : app
    app.all(['/api/words', '/api/words/:id'], (_request, response) => void response.status(401).end())
    if (router !== app) app.use('/api', router)
    await new ModelRest(expressHost(router, { base: '/api' }), { models: words, controllers: [] }).init()
    const { port, stop } = await listenNode(createServer(app))
    onTestFinished(stop)
    expect((await send(port, 'GET', 'http://a:80/api/words/x')).status).toBe(401)
    expect((await send(port, 'GET', target)).text).toContain('Cannot GET')
  })

  it('knows where it is mounted in another one', async () => {
    const [app, api] = [express(), express()]
    app.use('/v1', api)
    const rest = new ModelRest(api, { models, controllers: [] })
    await rest.init()
    expect((await (await asking(app))('/v1/tasks/')).status).toBe(200)
    expect(rest.openapi()['servers']).toEqual([{ url: '/v1' }])
  })
})

describe('a router', () => {
  const served = async (base?: string) => {
    const [app, outer, inner] = [express(), express.Router(), express.Router()]
    app.use('/api', outer)
    outer.use('/v1', inner)
    const rest = new ModelRest(base === undefined ? inner : expressHost(inner, { base }), {
      ...{ models, controllers: [] },
    })
    await rest.init()
    app.use(((error, _request, response, _next) => void response.send(error.message)) as ErrorRequestHandler)
    return { rest, ask: await asking(app), inner }
  }

  it('serves below its whole path', async () => {
    const { ask, rest, inner } = await served('/api/v1')
    inner.get('/own/:id', () => undefined)
    inner.use(
      '/more',
      express.Router().post('/other', () => undefined),
    )
    inner.get('/optional{/:part}', () => undefined)
    expect((await ask('/api/v1/tasks/?x=%2C')).json.instance).toBe('/api/v1/tasks/')
    expect((await ask('/api/v1/tasks/', json({ title: 'a' }))).status).toBe(201)
    const { paths } = rest.openapi()
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/tasks/', '/own/{id}', '/more/other']))
    expect(Object.keys(paths).join()).not.toContain('optional')
  })

  it.each([undefined, '/api', '/other'])('with the base %s says what to write', async (base) => {
    const { ask } = await served(base)
    expect((await ask('/api/v1/tasks/')).text).toMatch(
      naming('/api/v1', "expressHost(app, { base: '/api/v1' })"),
    )
  })
})

describe('own routes', () => {
  it('know the caller, and their errors are problems', async () => {
    const app = express()
    const rest = new ModelRest(app, {
      ...{ models, controllers: [] },
      auth: { authenticate: () => ({ id: '7', claims: {} }) },
    })
    await rest.init()
    app.use(express.json())
    app.get('/me', async (request, response) => {
      const { caller } = await rest.context(request)
      response.json([caller?.id, (await rest.authenticate(request))?.id])
    })
    app.post('/json', (_request, response) => void response.end())
    app.get('/conflict', () => {
      throw new HttpError(409, 'Too late.', { code: 'too_late' })
    })
    app.get('/broken', () => {
      throw new Error('secret')
    })
    app.get('/begun', (_request, response) => {
      response.write('begun')
      throw new Error('secret')
    })
    rest.problems(app, { notFound: true })
    const ask = await asking(app)
    expect((await ask('/me')).json).toEqual(['7', '7'])
    expect(await ask('/conflict')).toMatchObject({ status: 409, json: { code: 'too_late' } })
    expect(await ask('/json', json('{'))).toMatchObject({ status: 400, json: { code: 'malformed_json' } })
    const large = json(JSON.stringify('x'.repeat(200_000)))
    expect(await ask('/json', large)).toMatchObject({ status: 413, json: { status: 413 } })
    const { status, text } = await ask('/broken')
    expect([status, text.includes('secret')]).toEqual([500, false])
    expect(logged()).toContain('Error: secret')
    expect(await ask('/missing')).toMatchObject({ status: 404, json: { code: 'not_found' } })
    await expect(ask('/begun')).rejects.toThrow()
    await expect(rest.authenticate({})).rejects.toThrow('authenticate')
    expect(() => rest.problems({})).toThrow(StartError)
  })
})

describe.each([
  ['Express 5', express],
  ['Express 4', express4 as typeof express],
])('errors of own routes, %s:', (_version, framework) => {
  const served = async (declare: (app: Express) => void) => {
    const app = framework()
    const rest = new ModelRest(app, { models, controllers: [] })
    await rest.init()
    declare(app)
    rest.problems(app)
    return asking(app)
  }

  it('their responses have what errors of other libraries say for clients', async () => {
    const ask = await served(
      (app) => void app.get('/own/:name', ({ params }) => throwOwn(String(params['name']))),
    )
    await expectOwnErrors((name) => ask(`/own/${name}`))
  })

  it('a file that is missing does not tell its path, and is not logged', async () => {
    const ask = await served(
      (app) => void app.get('/file', (_request, response) => response.sendFile('/nothing/private/7.txt')),
    )
    vi.mocked(process.stderr.write).mockClear()
    const { status, text } = await ask('/file')
    expect([status, text.includes('private')]).toEqual([404, false])
    expect(logged()).toBe('')
  })

  it('those of multer have a status', async () => {
    const upload = multer({ limits: { fileSize: 3 } }).single('file')
    const ask = await served(
      (app) => void app.post('/upload', upload, (_request, response) => void response.end()),
    )
    const sent = async (name: string, text: string) => {
      const body = new FormData()
      body.append(name, new Blob([text]), 'a.txt')
      return ask('/upload', { method: 'POST', body })
    }
    expect((await sent('file', 'abc')).status).toBe(200)
    expect(await sent('file', 'abcd')).toMatchObject({ status: 413, json: { code: 'body_too_large' } })
    expect(await sent('other', 'abc')).toMatchObject({ status: 400, json: { code: 'rejected' } })
  })
})

describe('mistakes', () => {
  it('are named at the start', () => {
    expect(() => new ModelRest(connect() as never, { models })).toThrow(naming('Express', 'nodeApp()'))
    expect(() => expressHost({} as ExpressApp)).toThrow(StartError)
    expect(() => expressHost(express(), { base: 'api' })).toThrow(naming('expressHost', '/api'))
    const inner = express()
    express().use('/v1', inner)
    expect(() => expressHost(inner, { base: '/api' })).toThrow(naming('/v1', '/api'))
  })
})

it('serves an application of Express 4', async () => {
  const app: Express = express4()
  app.use(express4.json())
  await new ModelRest(app, { models, controllers: [] }).init()
  const ask = await asking(app)
  expect((await ask('/tasks/', json({ title: 'a' }))).status).toBe(201)
  expect((await ask('/tasks/')).status).toBe(200)
})
