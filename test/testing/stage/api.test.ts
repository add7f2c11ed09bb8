import assert from 'node:assert/strict'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ModelRest as FastifyModelRest } from '../../../src/entry/fastify.ts'
import { defineSettings, HttpError, StartError } from '../../../src/index.ts'
import {
  memorySource,
  type TestApiOptions,
  type TestClient,
  testApi,
  testClient,
} from '../../../src/testing/index.ts'
import { naming } from '../../naming.ts'
import { usersOnSqlite } from '../../stage/users.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { samples } from '../../upload/samples.ts'

const ada = { email: 'ada.l@example.com', name: 'Ada Lovelace' }

type Options = Partial<TestApiOptions<unknown>>

/** Ends with its test. */
const start = async (options: Options = {}) => {
  const { models, close } = await usersOnSqlite()
  onTestFinished(close)
  const api = await testApi({ models, controllers: [], auth: true, ...options })
  onTestFinished(api.close)
  return api
}

const secret = 'a secret of tests, with more than 32 bytes'

const startFastify = async ({ settings, ...options }: Options = {}): Promise<TestClient> => {
  const { models, close } = await usersOnSqlite()
  onTestFinished(close)
  const app = Fastify()
  await app.register(
    async (api) => {
      await new FastifyModelRest(
        api as never,
        {
          ...{ models, controllers: [], auth: true, ...options },
          settings: defineSettings({ SECRET_KEY: secret, ...settings }),
        } as never,
      ).init()
    },
    { prefix: '/api' },
  )
  onTestFinished(() => app.close())
  return testClient(app, { base: '/api' })
}

const stages = [
  ['testApi', '', start],
  ['testApi below a path', '/api', (options: Options = {}) => start({ ...options, base: '/api' })],
  ['testClient on Fastify', '/api', startFastify],
] as const

describe.each(stages)('%s', (_name, base, open) => {
  test('sends JSON, and reads responses', async () => {
    const user = await (await open()).as(ada)
    const created = await user.post<{ id: number }>(`${base}/orders/`, { label: 'Tea' })
    expect(created).toMatchObject({ status: 201, json: { id: 1, label: 'Tea' } })
    assert.partialDeepStrictEqual(created, { status: 201, json: { label: 'Tea' } })
    expect(created.headers.get('location')).toBe(`${base}/orders/1`)
    const { status, json, text, bytes } = await user.get(`${base}/orders/?q=label="Tea"&sort=id`)
    expect([status, json]).toEqual([200, expect.objectContaining({ count: 1 })])
    expect(JSON.parse(text)).toEqual(json)
    expect(Buffer.from(bytes).toString()).toBe(text)
    expect((await user.put(`${base}/orders/1`, { label: 'Coffee' })).status).toBe(200)
    expect((await user.patch(`${base}/orders/1`, { label: 'Tee' })).json).toMatchObject({ label: 'Tee' })
    expect((await user.request('head', `${base}/orders/1`)).text).toBe('')
    expect((await user.delete(`${base}/orders/1`)).status).toBe(204)
  })

  test('sends strings, bytes and forms unchanged, and headers', async () => {
    const user = await (await open()).as(ada)
    const json = { headers: { 'Content-Type': 'application/json' } }
    const path = `${base}/orders/`
    expect((await user.post(path, '{', json)).problem.code).toBe('malformed_json')
    expect((await user.post(path, Buffer.from('{"label":"Tea"}'), json)).status).toBe(201)
    const stream = new Blob(['{"label":"Tea"}']).stream()
    expect((await user.post(path, stream, json)).status).toBe(201)
    const asText = { headers: { 'content-type': 'text/plain' } }
    expect((await user.post(path, { label: 'Tea' }, asText)).status).toBe(415)
    const form = new FormData()
    form.set('label', 'Tea')
    for (const body of [form, 'text', new URLSearchParams({ label: 'Tea' })])
      expect((await user.post(path, body)).status).toBe(415)
    expect((await user.get(path, { headers: { accept: 'text/html' } })).status).toBe(406)
    expect((await user.get(path, { headers: { AUTHORIZATION: 'Bearer x' } })).status).toBe(401)
  })

  test('sends forms with files, and reads files as bytes', async () => {
    const user = await (await open({ fileFields: { Order: ['label'] }, storage: memoryStorage() })).as(ada)
    const form = new FormData()
    form.set('label', new Blob([samples.png], { type: 'image/png' }), 'lamp.png')
    const created = await user.post<{ label: string }>(`${base}/orders/`, form)
    expect(created.status).toBe(201)
    const file = await user.get(created.json.label)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(Buffer.from(file.bytes).equals(samples.png)).toBe(true)
  })

  test('logs users in: new ones, known ones, and several at once', async () => {
    const client = await open()
    const [one, other] = await Promise.all([client.as(ada), client.as(ada)])
    expect(one.user).toMatchObject(ada)
    expect(other.user['id']).toBe(one.user['id'])
    const own = { email: 'bob.b@example.com', username: 'bob.b', password: 'a lamp for every desk' }
    const bob = await client.as(own)
    expect(bob.user['id']).not.toBe(one.user['id'])
    const me = `${base}/auth/me`
    expect((await one.get(me)).json).toMatchObject(ada)
    expect((await bob.get(me)).json).toMatchObject({ username: 'bob.b' })
    expect((await client.get(me)).status).toBe(401)
    expect((await client.with({ Authorization: `Bearer ${bob.access}` }).get(me)).status).toBe(200)
    const again = client.with({ authorization: `Bearer ${bob.access}` })
    expect((await (await again.as(ada)).get(me)).json).toMatchObject(ada)
    expect((await client.post(`${base}/auth/refresh`, { refresh: bob.refresh })).status).toBe(200)
  })

  test('logs users in by the field that LOGIN_FIELDS names', async () => {
    const client = await open({ settings: { SERVICE_AUTH: { LOGIN_FIELDS: ['username'] } } })
    const user = { name: 'Ada', email: 'ada@lovelace.example', username: 'ada.l' }
    const { user: first } = await client.as(user)
    expect((await client.as(user)).user['id']).toBe(first['id'])
  })

  test('keeps and sends cookies, as a browser on the same origin', async () => {
    const client = await open()
    const user = await client.with({ authorization: 'Bearer other' }).as(ada, { cookies: true })
    const path = `${base}/orders/`
    expect((await user.post(path, { label: 'Tea' })).status).toBe(201)
    const crossSite = { headers: { 'sec-fetch-site': 'cross-site' } }
    expect((await user.post(path, { label: 'Tea' }, crossSite)).status).toBe(403)
    expect((await user.post(`${base}/auth/refresh`)).status).toBe(200)
    expect((await user.get(path)).status).toBe(200)
    expect((await user.post(`${base}/auth/logout`)).status).toBeLessThan(300)
    expect((await user.get(path)).status).toBe(401)
  })

  test('works with sessions that can be revoked', async () => {
    const user = await (await open({ settings: { SERVICE_AUTH: { STATEFUL: true } } })).as(ada)
    expect((await user.get(`${base}/auth/me`)).status).toBe(200)
    await user.post(`${base}/auth/logout`)
    expect((await user.get(`${base}/auth/me`)).status).toBe(401)
  })

  test('as() names the reason if a user cannot log in', async () => {
    const client = await open({ settings: { SERVICE_AUTH: { SET_COOKIES: false } } })
    await client.as(ada)
    await expect(client.as({ ...ada, password: 'another password' })).rejects.toThrow(naming('409', '401'))
    await expect(client.as({ name: 'Ada' })).rejects.toThrow(naming('422', 'email'))
    await expect(client.as(ada, { cookies: true })).rejects.toThrow(naming('SET_COOKIES'))
    await expect(client.as(ada, { cookie: true } as never)).rejects.toThrow(
      naming('as()', 'cookie', 'cookies'),
    )
  })

  test('as() needs auth: true, and with() sends the headers of own authentication', async () => {
    const authenticate = ({ headers }: { headers: unknown }) => {
      const id = headers instanceof Headers ? headers.get('x-user') : Reflect.get(Object(headers), 'x-user')
      return typeof id === 'string' ? { id: Number(id), claims: {} } : null
    }
    const client = await open({ auth: { authenticate } as never })
    await expect(client.as(ada)).rejects.toThrow(naming('as()', 'auth: true', 'with('))
    expect((await client.get(`${base}/orders/`)).status).toBe(401)
    expect((await client.with({ 'X-User': '1' }).get(`${base}/orders/`)).status).toBe(200)
    const both = client.with({ 'x-user': '7' }).with({ 'X-USER': '1' })
    expect((await both.get(`${base}/orders/`)).status).toBe(200)
  })

  test('the accessors name the response that they cannot read', async () => {
    const user = await (await open()).as(ada)
    const list = await user.get(`${base}/orders/`)
    expect(() => list.problem).toThrow(naming(`GET ${base}/orders/`, '200'))
    await user.post(`${base}/orders/`, { label: 'Tea' })
    const deleted = await user.delete(`${base}/orders/1`)
    expect(() => deleted.json).toThrow(naming(`DELETE ${base}/orders/1`, 'JSON', '204'))
    expect(() => deleted.problem).toThrow(naming(`DELETE ${base}/orders/1`, '204'))
  })

  test('wrong requests are refused by name', async () => {
    const client = await open()
    await expect(client.get('orders/')).rejects.toThrow(naming('orders/', 'slash'))
    await expect(client.get('/orders/', { header: {} } as never)).rejects.toThrow(naming('header', 'headers'))
  })
})

describe('testApi', () => {
  test('runs hooks with a Request, and logs errors only', async () => {
    const lines: string[] = []
    const log = (level: string) => (line: string) => void lines.push(`${level} ${line}`)
    const api = await start({
      log: { info: log('info'), warn: log('warn'), error: log('error') },
      settings: {
        SERVICE_AUTH: {
          ON_REGISTER: (_user, request) => {
            if ((request as Request).headers.get('x-invited') === null)
              throw new HttpError(403, 'Not invited.')
            throw new Error('The hook failed.')
          },
        },
      },
    })
    await expect(api.as(ada)).rejects.toThrow(naming('403', 'Not invited.'))
    await expect(api.with({ 'x-invited': '1' }).as(ada)).rejects.toThrow(naming('500'))
    expect(lines.filter((line) => line.startsWith('error'))).toHaveLength(1)
    expect(lines.filter((line) => line.startsWith('info')).length).toBeGreaterThan(1)
  })

  test('has a cache, so that sessions that can be revoked cause no warning', async () => {
    const warnings: string[] = []
    const log = { info: () => undefined, error: () => undefined, warn: (line: string) => warnings.push(line) }
    await start({ log, settings: { SERVICE_AUTH: { STATEFUL: true } } })
    expect(warnings.filter((line) => line.includes('CACHE'))).toEqual([])
  })

  test('gives the ModelRest', async () => {
    const api = await start()
    expect(api.rest.models.map(({ name }) => name)).toContain('Order')
    expect(api.rest.openapi().openapi).toMatch(/^3\.1/)
    expect((await api.get('/openapi.json')).status).toBe(200)
  })

  test('counts failed logins of one API only there, for one known address', async () => {
    const settings = { SERVICE_AUTH: { LOGIN_MAX_FAILURES: 1, REGISTER_MAX_PER_ADDRESS: 1 } }
    const [api, other] = [await start({ settings }), await start({ settings })]
    const wrong = { email: ada.email, password: 'wrong' }
    const statuses: number[] = []
    for (const client of [api, api, other]) statuses.push((await client.post('/auth/login', wrong)).status)
    expect(statuses).toEqual([401, 429, 401])
    await other.as(ada)
    await expect(other.as({ email: 'bob.b@example.com' })).rejects.toThrow(naming('429'))
  })

  test('an own SECRET_KEY and CACHE are used, and an empty key counts as none', async () => {
    const settings = defineSettings({ SECRET_KEY: secret })
    const [one, other, third] = [await start({ settings }), await start({ settings }), await start()]
    const { access } = await one.as(ada)
    await other.as(ada)
    const me = async (api: TestClient) =>
      (await api.with({ authorization: `Bearer ${access}` }).get('/auth/me')).status
    expect([await me(one), await me(other), await me(third)]).toEqual([200, 200, 401])
    await start({ settings: { SECRET_KEY: '' } })
    await expect(start({ settings: { SECRET_KEY: 'short' } })).rejects.toThrow(naming('SECRET_KEY', '32'))
  })

  test('serves models in memory, with users', async () => {
    const text = (name: string) => ({ name, kind: 'text', maxLength: 255 }) as const
    const id = { name: 'id', kind: 'integer', hasDefault: true } as const
    const models = memorySource([
      {
        name: 'User',
        fields: [id, text('email'), text('password')],
        primaryKey: ['id'],
        uniques: [['email']],
      },
      { name: 'Note', fields: [id, text('text')], primaryKey: ['id'] },
    ])
    const api = await start({ models })
    const user = await api.as({ email: ada.email })
    expect((await user.post('/notes/', { text: 'mine' })).json).toEqual({ id: 1, text: 'mine' })
    expect((await api.as({ email: ada.email })).user).toEqual(user.user)
  })

  test('refuses requests after close(), which may be called again', async () => {
    const api = await start()
    await api.close()
    await api.close()
    await expect(api.get('/orders/')).rejects.toThrow(naming('closed', 'close()'))
  })

  test('refuses mistakes in its options by name', async () => {
    const { models, close } = await usersOnSqlite()
    onTestFinished(close)
    const refused = async (options: object, ...names: readonly string[]): Promise<void> => {
      const starting = testApi(options as never)
      await expect(starting).rejects.toThrow(StartError)
      await expect(starting).rejects.toThrow(naming(...names))
    }
    await refused({ models, modells: models }, 'testApi()', 'modells', 'models')
    await refused({ models, bass: '/api' }, 'testApi()', 'bass', 'base')
    await refused({ models, base: 'api' }, 'base', 'api')
    await refused({}, 'models')
    await expect(testApi(undefined as never)).rejects.toThrow(naming('models'))
    const withoutUsers = { ...models, models: models.models.filter(({ name }) => name !== 'User') }
    await refused(
      { models: withoutUsers, controllers: [], auth: true },
      'auth: true',
      'model User',
      'usersTable',
    )
  })
})

describe('testClient', () => {
  test('takes an application with a fetch function', async () => {
    const client = testClient({ fetch: (request) => Response.json({ url: request.url }) })
    expect((await client.get('/a?b=c d')).json).toEqual({ url: 'http://localhost/a?b=c%20d' })
  })

  test('sends the same host to Fastify, unless a header names another', async () => {
    const app = Fastify()
    app.get('/host', ({ headers }) => ({ host: headers.host }))
    const client = testClient(app)
    expect((await client.get('/host')).json).toEqual({ host: 'localhost' })
    const other = { headers: { host: 'shop.example' } }
    expect((await client.get('/host', other)).json).toEqual({ host: 'shop.example' })
    await app.close()
  })

  test('refuses other applications and unknown options by name', () => {
    for (const app of [{}, null, undefined, 'app', { listen: () => undefined }])
      expect(() => testClient(app as never)).toThrow(naming('testClient()', 'fetch', 'inject'))
    const app = { fetch: () => new Response() }
    expect(() => testClient(app, { prefix: '/api' } as never)).toThrow(naming('prefix', 'base'))
  })
})
