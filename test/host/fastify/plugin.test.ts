import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import {
  controllerFor,
  defineSettings,
  HttpError,
  ModelRest,
  modelRest,
  readForm,
  StartError,
} from 'modelrest/fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { naming } from '../../naming.ts'
import { listen } from '../listen.ts'
import { expectOwnErrors, throwOwn } from '../own-errors.ts'
import { logOfTests, tasks } from '../stage.ts'

logOfTests()

const models = tasks()
const options = { models, controllers: [] } as const

const created = (given?: FastifyServerOptions): FastifyInstance => {
  const app = Fastify(given)
  onTestFinished(async () => void (await app.close().catch(() => undefined)))
  return app
}

const asking = async (app: FastifyInstance) => {
  const { port } = await listen(app)
  return async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: /^[{[]/.test(text) ? JSON.parse(text) : undefined,
    }
  }
}

const json = (body: unknown) => ({
  ...{ method: 'POST', body: JSON.stringify(body) },
  headers: { 'content-type': 'application/json' },
})

describe('its prefix', () => {
  it.each([
    ['/api', '/api'],
    ['/api/', '/api'],
    ['api', '/api'],
    ['/:tenant/v1', '/acme/v1'],
    ['/', ''],
    ['', ''],
    [undefined, ''],
  ])('%j is the path %j', async (prefix, path) => {
    const app = created()
    await app.register(modelRest, { ...options, ...(prefix !== undefined && { prefix }) })
    const ask = await asking(app)
    expect((await ask(`${path}/tasks/`, json({ title: 'a' }))).status).toBe(201)
    expect((await ask(`${path}/tasks`)).status).toBe(200)
    expect((await ask(`${path}/docs`)).status).toBe(200)
    expect((await ask('/other/tasks/')).status).toBe(404)
  })

  it('is below that of the plugins around it', async () => {
    const app = created()
    await app.register(
      async (outer) => {
        await outer.register(
          async (inner) => void inner.register(modelRest, { ...options, prefix: '/api' }),
          {
            prefix: '/v1/',
          },
        )
      },
      { prefix: '/shop' },
    )
    const ask = await asking(app)
    expect((await ask('/shop/v1/api/tasks/')).status).toBe(200)
    expect(app.hasDecorator('modelRest')).toBe(false)
  })

  it('must be a text', async () => {
    const app = created()
    app.register(modelRest, { ...options, prefix: 1 as never })
    await expect(app.ready()).rejects.toThrow(naming('prefix', '/api', '1'))
  })
})

describe('app.modelRest', () => {
  it('knows the caller and the document of the own routes of the application', async () => {
    const app = created()
    await app.register(modelRest, {
      ...options,
      prefix: '/api',
      auth: { authenticate: (request) => ({ id: request.ip, claims: {} }) },
    })
    app.get('/me', async (request) => {
      const { caller } = await app.modelRest.context(request)
      return [caller?.id, (await app.modelRest.authenticate(request))?.id]
    })
    app.get('/api/report', { schema: { response: { 200: { type: 'string' } } } }, async () => 'report')
    app.get('/conflict', () => {
      throw new HttpError(409, 'Too late.', { code: 'too_late' })
    })
    app.modelRest.problems(app, { notFound: true })
    const ask = await asking(app)
    expect((await ask('/me')).json).toEqual(['127.0.0.1', '127.0.0.1'])
    expect(await ask('/conflict')).toMatchObject({ status: 409, json: { code: 'too_late' } })
    expect(await ask('/missing')).toMatchObject({ status: 404, json: { code: 'not_found' } })
    const { paths, servers } = app.modelRest.openapi()
    expect([servers, Object.keys(paths)]).toEqual([
      [{ url: '/api' }],
      ['/tasks/', '/tasks/{id}', '/tasks/aggregate', '/access', '/report'],
    ])
  })

  it('sends what errors of other libraries say for clients', async () => {
    const app = created()
    await app.register(modelRest, options)
    app.modelRest.problems(app)
    app.get<{ Params: { name: string } }>('/own/:name', async ({ params }) => throwOwn(params.name))
    const ask = await asking(app)
    await expectOwnErrors((name) => ask(`/own/${name}`))
  })

  it('makes the errors of routes that replace operations problems, with the option `problems`', async () => {
    const app = created()
    app.register(modelRest, { ...options, prefix: '/api', problems: { notFound: true } })
    app.get('/api/tasks/', () => {
      throw new HttpError(409, 'Too late.', { code: 'too_late' })
    })
    app.register(async (below) => void below.get('/below', () => Promise.reject(new HttpError(410, 'Gone.'))))
    const ask = await asking(app)
    expect(await ask('/api/tasks/')).toMatchObject({ status: 409, json: { code: 'too_late' } })
    expect(await ask('/below')).toMatchObject({ status: 410, json: { code: 'gone' } })
    expect(await ask('/missing')).toMatchObject({ status: 404, json: { code: 'not_found' } })
    expect(await ask('/api/tasks/999')).toMatchObject({ status: 404, json: { code: 'not_found' } })
  })

  it.each([true, false])('leaves unknown paths to the application with `problems: %s`', async (problems) => {
    const app = created()
    app.register(modelRest, { ...options, problems })
    app.get('/own', () => Promise.reject(new HttpError(410, 'Gone.')))
    const ask = await asking(app)
    expect((await ask('/own')).headers.get('content-type')?.includes('problem')).toBe(problems)
    expect((await ask('/missing')).headers.get('content-type')).toContain('application/json')
  })

  it('is one for each context', async () => {
    const app = created()
    await app.register(modelRest, { ...options, prefix: '/api' })
    await app.register(async (admin) => {
      expect(admin.modelRest).toBe(app.modelRest)
      await admin.register(modelRest, { ...options, prefix: '/admin' })
      expect(admin.modelRest).not.toBe(app.modelRest)
    })
    const ask = await asking(app)
    for (const path of ['/api', '/admin']) expect((await ask(`${path}/tasks/`)).status).toBe(200)
  })

  it('is closed with the application, after the last request', async () => {
    const app = created()
    const running = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const ended = vi.fn()
    const TaskController = controllerFor('Task', {
      afterCommit: async () => {
        arrived.resolve()
        await running.promise
        await setImmediate()
        ended('hook')
      },
    })
    app.addHook('onClose', () => ended('database'))
    await app.register(modelRest, { models, controllers: [TaskController], health: true })
    // Of those for closing, the last is called first.
    app.addHook('onClose', async () => running.resolve())
    const ask = await asking(app)
    expect((await ask('/tasks/', json({ title: 'a' }))).status).toBe(201)
    await arrived.promise
    await app.close()
    expect(ended.mock.calls).toEqual([['hook'], ['database']])
  })
})

describe('the application', () => {
  it('guards with hooks, has its own error handler, and logs', async () => {
    const lines: string[] = []
    const app = created({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
    app.addHook('onRequest', async (request, reply) => {
      if (request.headers['x-stop'] !== undefined) return reply.code(401).send('stopped')
      return undefined
    })
    app.setErrorHandler((error: Error, _request, reply) => reply.code(418).send(error.message))
    await app.register(modelRest, { ...options, prefix: '/api', logLevel: 'silent' })
    app.get('/own', async () => {
      throw new Error('own')
    })
    const ask = await asking(app)
    expect(await ask('/api/tasks/', { headers: { 'x-stop': '1' } })).toMatchObject({ status: 401 })
    expect(await ask('/own')).toMatchObject({ status: 418, text: 'own' })
    expect((await ask('/api/tasks/9')).json).toMatchObject({ status: 404, code: 'not_found' })
    expect(lines.join('')).toContain('1 model, 8 routes under /api')
    expect(lines.join('')).toContain('"url":"/own"')
    expect(lines.join('')).not.toContain('"url":"/api/')
  })

  it('replaces operations by routes that it declares before', async () => {
    const app = created()
    app.delete('/api/tasks/:id', async () => 'theirs')
    await app.register(async (api) => void api.get('/tasks/:key', async () => 'theirs, too'), {
      prefix: '/api',
    })
    await app.register(modelRest, { ...options, prefix: '/api' })
    app.get('/api/tasks/special', async () => 'special')
    const ask = await asking(app)
    expect((await ask('/api/tasks/7', { method: 'DELETE' })).text).toBe('theirs')
    expect((await ask('/api/tasks/7')).text).toBe('theirs, too')
    expect((await ask('/api/tasks/special')).text).toBe('special')
    expect((await ask('/api/tasks/')).status).toBe(200)
  })

  it('does not replace them afterwards', async () => {
    const app = created()
    await app.register(modelRest, { ...options, prefix: '/api' })
    expect(() => app.delete('/api/tasks/:id', async () => '')).toThrow(
      naming(
        'DELETE',
        '/api/tasks/:id',
        'deleteTask',
        'app.register(modelRest',
        'modelConfig.Task.operations',
      ),
    )
  })

  it('reads forms in its own PUT routes', async () => {
    const app = created()
    const settings = defineSettings({ MIDDLEWARE: ['ProcessPutPatchMiddleware'] })
    await app.register(modelRest, { ...options, prefix: '/api', settings })
    app.put('/form', { preParsing: readForm }, async ({ body }) => body)
    const body = new FormData()
    body.set('a', '1')
    expect((await (await asking(app))('/form', { method: 'PUT', body })).json).toEqual({ a: '1' })
  })

  it('may make the options from the instance', async () => {
    const app = created()
    app.decorate('source', models)
    await app.register(modelRest, (parent: FastifyInstance) => ({
      models: Reflect.get(parent, 'source'),
      controllers: [],
    }))
    expect((await app.inject('/tasks/')).statusCode).toBe(200)
  })
})

describe('mistakes', () => {
  it.each([
    ['no options', undefined, ['models', 'drizzleModels']],
    ['an unknown option', { ...options, base: '/api' }, ['base', 'models']],
    ['a model that does not exist', { ...options, modelConfig: { Tsak: {} } }, ['Tsak', 'Task']],
  ])('%s are refused at the start', async (_, given, names) => {
    for (const start of ['ready', 'register'] as const) {
      const app = created()
      const registered = app.register(modelRest, given as never)
      const started = start === 'ready' ? app.ready() : registered
      await expect(started).rejects.toThrow(StartError)
      await expect(started).rejects.toThrow(naming(...names))
    }
  })

  it('stop the start, also if the application catches them', async () => {
    const app = created()
    await expect(app.register(modelRest, { ...options, exclude: { none: [] } } as never)).rejects.toThrow(
      StartError,
    )
    await expect(app.ready()).rejects.toThrow(StartError)
  })

  it('include a second registration in one context', async () => {
    const app = created()
    app.register(modelRest, { ...options, prefix: '/api' })
    app.register(modelRest, { ...options, prefix: '/admin' })
    await expect(app.ready()).rejects.toThrow(naming('other.register(modelRest', 'context'))
  })

  it('include a path that two contexts serve', async () => {
    const app = created()
    app.register(modelRest, { ...options, health: true })
    app.register(async (other) => void other.register(modelRest, { ...options, health: true }))
    await expect(app.ready()).rejects.toThrow(naming('/health/live'))
  })

  it('include controllers beside the program that are not loaded', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plugin-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    await mkdir(join(folder, 'controllers'))
    writeFileSync(join(folder, 'package.json'), '{ "name": "service", "type": "module" }')
    writeFileSync(join(folder, 'controllers/task.ts'), "import { controllerFor } from 'modelrest'")
    writeFileSync(
      join(folder, 'main.ts'),
      `import Fastify from ${JSON.stringify(resolve('node_modules/fastify/fastify.js'))}
      import { modelRest } from ${JSON.stringify(resolve('src/entry/fastify.ts'))}
      import { memorySource } from ${JSON.stringify(resolve('src/testing/index.ts'))}
      await Fastify().register(modelRest, { models: memorySource([]) })`,
    )
    const run = promisify(execFile)(process.execPath, [join(folder, 'main.ts')], { cwd: tmpdir() })
    await expect(run).rejects.toThrow(naming('StartError', 'controllers', 'BASE_DIR: import.meta.dirname'))
  })
})

it('is a plugin that others can depend on', async () => {
  const app = created()
  await app.register(modelRest, options)
  expect(app.hasPlugin('modelrest')).toBe(true)
  expect(app.printPlugins()).toContain('modelrest')
  const meta = Reflect.get(modelRest, Symbol.for('plugin-meta'))
  expect(meta).toEqual({ name: 'modelrest', fastify: '5.x' })
})

it('is listed by its name where the application creates a ModelRest', async () => {
  const app = created()
  await new ModelRest(app, options).init()
  expect(app.printPlugins()).toMatch(/─┬ modelrest /)
})
