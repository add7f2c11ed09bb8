import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { usersTable } from '../../../src/entry/drizzle-sqlite.ts'
import { type FastifyApp, ModelRest, registerAuthRoutes as onFastify } from '../../../src/entry/fastify.ts'
import { fetchApp, registerAuthRoutes as onFetch } from '../../../src/entry/fetch.ts'
import {
  type AuthRoutesOptions,
  defineSettings,
  HttpError,
  type ModelSource,
  type OwnAuth,
  type ServiceAuth,
} from '../../../src/index.ts'
import { naming } from '../../naming.ts'
import { type AuthService, ada, registered, secret, sessionIn } from '../../stage/auth-service.ts'
import { type Answer, headersOf, type Sent } from '../../stage/requests.ts'
import { later } from '../../stage/stateful.ts'
import { startError } from '../start-error.ts'
import { keyOf, withApiKeys } from './keys/stage.ts'

type Options = Partial<AuthRoutesOptions<unknown>>

/** The five routes, and two of the application's own that say who asks. */
interface Alone extends Pick<AuthService, 'send'> {
  readonly operations: readonly { readonly id: string }[]
  execute(statement: string): void
  stop(): Promise<void>
}

const open = (ddl: string) => {
  const client = new Database(':memory:')
  client.exec(ddl)
  return client
}

const usersDdl = `create table users (
  id integer primary key autoincrement, email text not null unique, username text unique, name text,
  password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch()))`

const settings = (serviceAuth: ServiceAuth = {}) =>
  defineSettings({ SERVICE_AUTH: { JWT_SECRET: secret, ...serviceAuth } })

const toAnswer = (
  status: number,
  text: string,
  headers: Record<string, string>,
  cookies: string[],
): Answer => ({
  ...{ status, text, headers, cookies },
  json: text.startsWith('{') ? JSON.parse(text) : {},
})

interface Started extends Options {
  /** What else the application does before the routes are registered. */
  readonly before?: (app: ReturnType<typeof Fastify>) => void
}

type Start = (options?: Started) => Promise<Alone>

const fastifyAlone: Start = async ({ before, ...options } = {}) => {
  const client = open(usersDdl)
  const app = Fastify()
  before?.(app)
  let operations: Alone['operations'] = []
  await app.register(
    async (api) => {
      const auth = await onFastify(api as unknown as FastifyApp, {
        models: drizzleModels(drizzle({ client }), { users: usersTable }) as never,
        settings: settings(),
        ...(options as object),
      })
      operations = auth.operations
      api.route({
        ...{ method: ['GET', 'POST', 'DELETE'], url: '/hello' },
        handler: async (request) => ({ you: (await auth.authenticate(request as never))?.id ?? null }),
      })
    },
    { prefix: '/api' },
  )
  await app.ready()
  return {
    operations,
    execute: (statement) => void client.exec(statement),
    send: async (method, path, sent = {}) => {
      const payload = sent.body === undefined ? {} : { payload: JSON.stringify(sent.body) }
      const reply = await app.inject({ method, url: path, headers: headersOf(sent), ...payload })
      const cookies = [reply.headers['set-cookie'] ?? []].flat()
      return toAnswer(reply.statusCode, reply.body, reply.headers as Record<string, string>, cookies)
    },
    stop: async () => {
      await app.close()
      client.close()
    },
  }
}

const fetchAlone: Start = async ({ before: _before, ...options } = {}) => {
  const client = open(usersDdl)
  const app = fetchApp({ base: '/api' })
  const auth = await onFetch(app, {
    models: drizzleModels(drizzle({ client }), { users: usersTable }) as never,
    settings: settings(),
    ...(options as object),
  })
  const own = async (request: Request): Promise<Response> => {
    try {
      return Response.json({ you: (await auth.authenticate(request))?.id ?? null })
    } catch (error) {
      if (error instanceof HttpError) return new Response(error.detail, { status: error.status })
      throw error
    }
  }
  return {
    operations: auth.operations,
    execute: (statement) => void client.exec(statement),
    send: async (method, path, sent = {}) => {
      const body = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }
      const request = new Request(`http://localhost${path}`, { method, headers: headersOf(sent), ...body })
      const response = await (path.startsWith('/api/hello') ? own(request) : app.fetch(request))
      const headers = Object.fromEntries(response.headers)
      return toAnswer(response.status, await response.text(), headers, response.headers.getSetCookie())
    },
    stop: async () => void client.close(),
  }
}

afterEach(() => {
  vi.useRealTimers()
})

describe.each([
  ['Fastify', fastifyAlone],
  ['fetch', fetchAlone],
] as const)('the routes of authentication alone, on %s', (_name, start: Start) => {
  const started: Alone[] = []
  afterEach(async () => {
    for (const { stop } of started.splice(0)) await stop()
  })
  const serve: Start = async (options) => {
    const service = await start(options)
    started.push(service)
    return service
  }
  const hello = ({ send }: Alone, sent?: Sent, method: 'GET' | 'POST' | 'DELETE' = 'GET') =>
    send(method, '/api/hello', sent)

  it('with API keys, authenticate the own routes of the application by key', async () => {
    const { models, close } = withApiKeys()
    const service = await serve({ models, settings: settings({ API_KEYS: true }) } as never)
    const { key } = await keyOf(service, await registered(service), {})
    expect((await hello(service, { token: key })).json).toEqual({ you: 1 })
    expect((await hello(service, { token: key }, 'POST')).status).toBe(403)
    expect((await hello(service, { token: `${key.slice(0, -2)}--` })).json).toEqual({ you: null })
    await close()
  })

  it('are five, and nothing else is served', async () => {
    const service = await serve()
    expect(service.operations.map(({ id }) => id)).toEqual([
      'login',
      'register',
      'refresh',
      'getMe',
      'logout',
    ])
    const { access, refresh } = await registered(service)
    const body = { email: ada.email, password: ada.password }
    expect((await service.send('POST', '/api/auth/login', { body })).status).toBe(200)
    expect((await service.send('GET', '/api/auth/me', { token: access })).json['email']).toBe(ada.email)
    expect((await service.send('POST', '/api/auth/refresh', { body: { refresh } })).status).toBe(200)
    expect((await service.send('POST', '/api/auth/logout', { token: access })).status).toBe(204)
    for (const path of ['/api/users/', '/api/docs', '/api/openapi.json'])
      expect((await service.send('GET', path, { token: access })).status).toBe(404)
    expect((await service.send('GET', '/api/auth/login')).status).toBe(405)
  })

  it('tell who sends a request of the own routes', async () => {
    const service = await serve()
    const { access, refresh } = await registered(service)
    const cookies = { service_access_token: access }
    expect((await hello(service, { token: access })).json).toEqual({ you: 1 })
    expect((await hello(service, { cookies })).json).toEqual({ you: 1 })
    for (const sent of [{}, { token: 'x' }, { token: refresh }, { token: 'x', cookies }])
      expect((await hello(service, sent)).json).toEqual({ you: null })
    later(86_400 * 2)
    expect((await hello(service, { token: access })).json).toEqual({ you: null })
  })

  it('checklist 27: read no token from the query string there', async () => {
    const service = await serve()
    const { access } = await registered(service)
    for (const name of ['access_token', 'token', 'authorization', 'service_access_token'])
      expect((await service.send('GET', `/api/hello?${name}=${access}`)).json).toEqual({ you: null })
  })

  it('refuse cookies that another site made the browser send there, too', async () => {
    const service = await serve({ settings: settings({ TRUSTED_ORIGINS: ['https://app.example.com'] }) })
    const { access } = await registered(service)
    const cookies = { service_access_token: access }
    const from = (origin: string): Sent => ({ cookies, headers: { origin } })
    for (const method of ['POST', 'DELETE'] as const) {
      expect((await hello(service, from('https://evil.example'), method)).status).toBe(403)
      expect((await hello(service, { cookies }, method)).status).toBe(403)
      expect((await hello(service, from('https://app.example.com'), method)).json).toEqual({ you: 1 })
      expect((await hello(service, { ...from('https://evil.example'), token: access }, method)).json).toEqual(
        {
          you: 1,
        },
      )
    }
    expect((await hello(service, from('https://evil.example'))).json).toEqual({ you: 1 })
  })

  it('in stateful mode know who was disabled or has logged out', async () => {
    const service = await serve({ settings: settings({ STATEFUL: true }) })
    const { access } = await registered(service)
    expect((await hello(service, { token: access })).json).toEqual({ you: 1 })
    service.execute('update users set is_active = 0')
    expect((await hello(service, { token: access })).json).toEqual({ you: null })
    service.execute('update users set is_active = 1')
    await service.send('POST', '/api/auth/logout', { token: access })
    expect((await hello(service, { token: access })).json).toEqual({ you: null })
  })

  it('list the sessions of a user under the name of the envelope', async () => {
    const options = { settings: settings({ STATEFUL: true, SESSIONS: true }), envelope: { items: 'data' } }
    const service = await serve(options)
    const { access } = await registered(service)
    const { json } = await service.send('GET', '/api/auth/sessions', { token: access })
    expect(json).toEqual({ data: [expect.objectContaining({ current: true })] })
  })

  it.each([
    [{ envelope: { item: 'data' } }, ['envelope', 'item', 'items']],
    [{ model: [] }, ['registerAuthRoutes', 'model', 'models']],
    [{ auth: true }, ['registerAuthRoutes', 'auth']],
    [{ models: undefined }, ['models', 'drizzleModels']],
    [{ models: {} }, ['models', 'drizzleModels']],
    [{ settings: {} }, ['SECRET_KEY', 'JWT_SECRET', 'SERVICE_AUTH']],
    [{ settings: settings({ JWT_SECRET: 'short' }) }, ['JWT_SECRET', 'HS256', 32]],
    [{ settings: settings({ JWT_ALGORITHM: 'none' }) }, ['JWT_ALGORITHM', 'none', 'HS256']],
    [{ settings: settings({ LOGIN_FIELDS: ['e_mail'] }) }, ['LOGIN_FIELDS', 'e_mail', 'email']],
    [{ settings: { AUTH_USER_MODEL: 'app.Person' } }, ['AUTH_USER_MODEL', 'app.Person', 'app.User']],
    [{ modelConfig: { User: { hiden: ['name'] } } }, ['User', 'hiden', 'hidden']],
    [{ modelConfig: { Usr: {} } }, ['modelConfig', 'Usr', 'User']],
  ] as const)('refuse %j', async (options, names) => {
    const starting = serve(options as unknown as Options).then(() => 'It was started.')
    await expect(starting).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(naming(...names)),
    })
  })

  it('need a model of users, and its table', async () => {
    const client = open('select 1')
    const notes = sqliteTable('notes', { id: integer().primaryKey(), text: text() })
    const of = (tables: Record<string, unknown>): Options => ({
      models: drizzleModels(drizzle({ client }), tables as never) as unknown as ModelSource<unknown>,
    })
    const members = sqliteTable('members', { id: integer().primaryKey(), password: text().notNull() })
    await expect(serve(of({ members }))).rejects.toThrow(startError("authUserModel: 'app.Member'"))
    await expect(serve(of({ notes }))).rejects.toThrow(
      startError('usersTable', 'modelrest/drizzle/sqlite', 'authUserModel'),
    )
    await expect(serve(of({ users: usersTable }))).rejects.toThrow(startError('User', 'exclude'))
    client.close()
  })

  it('give no tokens to a user who is not active from the start', async () => {
    const client = open(usersDdl.replace('not null default 1', 'not null default 0'))
    const users = sqliteTable('users', {
      id: integer().primaryKey({ autoIncrement: true }),
      email: text().notNull().unique(),
      password: text().notNull(),
      is_active: integer({ mode: 'boolean' }).notNull().default(false),
    })
    const models = drizzleModels(drizzle({ client }), { users }) as unknown as ModelSource<unknown>
    const service = await serve({ models })
    const { email, password } = ada
    const reply = await service.send('POST', '/api/auth/register', { body: { email, password } })
    expect([reply.status, reply.json, reply.cookies]).toEqual([
      ...[201, { user: { id: 1, email, is_active: false } }, []],
    ])
    const login = () => service.send('POST', '/api/auth/login', { body: { email, password } })
    expect((await login()).status).toBe(401)
    client.exec('update users set is_active = 1')
    const { access } = sessionIn(await login())
    expect((await hello(service, { token: access })).json).toEqual({ you: 1 })
    client.close()
  })

  it('hide what modelConfig says, from the reply of a login as well', async () => {
    const service = await serve({ modelConfig: { User: { hidden: ['name', 'created_at'] } } })
    const { name: _name, ...body } = ada
    const { user } = await registered(service, body)
    expect(Object.keys(user)).toEqual(['id', 'email', 'username', 'is_active'])
  })
})

describe('a path that is taken', () => {
  it.each(['/api/auth/login', '/api/auth/login/'])('by the application is refused: %s', async (url) => {
    const before: Started['before'] = (app) => void app.post(url, async () => 'theirs')
    await expect(fastifyAlone({ before })).rejects.toThrow(startError('POST', '/api/auth/login'))
  })

  it('by routes that were registered before is refused', async () => {
    const client = open(usersDdl)
    const app = fetchApp()
    const options = {
      models: drizzleModels(drizzle({ client }), { users: usersTable }),
      settings: settings(),
    }
    await onFetch(app, options as never)
    await expect(onFetch(app, options as never)).rejects.toThrow(startError('POST', '/auth/login'))
    client.close()
  })
})

describe('rest.authenticate', () => {
  const restOf = async (auth: boolean | OwnAuth) => {
    const client = open(usersDdl)
    const app = Fastify()
    const rest = new ModelRest(app as unknown as FastifyApp, {
      ...{ models: drizzleModels(drizzle({ client }), { users: usersTable }) as never },
      ...{ auth: auth as never, settings: settings() as never },
    })
    app.get('/hello', async (request) => ({ you: await rest.authenticate(request as never) }))
    app.post('/hello', async (request) => ({ you: await rest.authenticate(request as never) }))
    await rest.init()
    const send: AuthService['send'] = async (method, path, sent = {}) => {
      const payload = sent.body === undefined ? {} : { payload: JSON.stringify(sent.body) }
      const url = path.replace('/api', '')
      const reply = await app.inject({ method, url, headers: headersOf(sent), ...payload })
      return toAnswer(reply.statusCode, reply.body, {}, [])
    }
    return { rest, send, stop: () => app.close() }
  }

  it('tells the user of a token, with auth: true', async () => {
    const { send, rest, stop } = await restOf(true)
    const { access } = await registered({ send })
    const { json } = await send('GET', '/hello', { token: access })
    expect(json).toMatchObject({ you: { id: 1, claims: { sub: '1', type: 'access' } } })
    expect((await send('GET', '/hello', { token: `${access}x` })).json).toEqual({ you: null })
    const cookies = { service_access_token: access }
    // Fastify itself answers with the status of what is thrown.
    expect((await send('POST', '/hello', { cookies })).status).toBe(403)
    for (const strange of [undefined, null, {}, 'x'])
      await expect(rest.authenticate(strange as never)).rejects.toThrow(naming('authenticate'))
    await stop()
  })

  it('asks the way of its own to users', async () => {
    const { send, stop } = await restOf({
      authenticate: (request) =>
        Reflect.get(request as object, 'headers')['x-user'] === 'ada' ? { id: 'ada', claims: {} } : null,
    })
    const headers = { 'x-user': 'ada' }
    expect((await send('GET', '/hello', { headers })).json).toEqual({ you: { id: 'ada', claims: {} } })
    expect((await send('GET', '/hello')).json).toEqual({ you: null })
    await stop()
  })

  it('knows nobody with auth: false', async () => {
    const { send, stop } = await restOf(false)
    expect((await send('GET', '/hello', { token: 'x' })).json).toEqual({ you: null })
    await stop()
  })
})
