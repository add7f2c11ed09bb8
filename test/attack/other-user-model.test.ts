import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { SignJWT } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryCache } from '../../src/cache/cache.ts'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { image } from '../../src/entry/drizzle-sqlite.ts'
import { fetchApp, ModelRest, registerAuthRoutes } from '../../src/entry/fetch.ts'
import { type Cache, defineSettings, type ServiceAuth } from '../../src/index.ts'
import { storageKey } from '../../src/upload/keys.ts'
import { cookieIn, type Session, sessionIn } from '../stage/auth-service.ts'
import { type Answer, senderTo } from '../stage/requests.ts'
import { claimsOf } from '../stage/stateful.ts'
import { memoryStorage } from '../upload/memory-storage.ts'
import { samples } from '../upload/samples.ts'

const SECRET_KEY = 'a secret that two services have in common by chance'
const password = 'correct horse battery staple'

const people = {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text().notNull().unique(),
  password: text().notNull(),
}
const customers = sqliteTable('customers', people)
const admins = sqliteTable('admins', people)
const reports = sqliteTable('reports', {
  id: integer().primaryKey(),
  text: text().notNull(),
  picture: image(),
})

const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

/** Two generators of one process, with one database and all else but the user model the same. */
const start = async (serviceAuth: ServiceAuth = {}, CACHE: Cache = memoryCache()) => {
  const client = new Database(':memory:')
  opened.push(() => client.close())
  for (const table of ['customers', 'admins'])
    client.exec(
      `create table ${table} (id integer primary key autoincrement, email text unique, password text)`,
    )
  client.exec('create table reports (id integer primary key, text text not null, picture text)')
  client.exec("insert into reports (text) values ('a'), ('b'), ('c')")
  const models = drizzleModels(drizzle({ client }), { customers, admins, reports })
  const storage = memoryStorage()
  const settingsOf = (AUTH_USER_MODEL: string) =>
    defineSettings({ SECRET_KEY, AUTH_USER_MODEL, CACHE, SERVICE_AUTH: serviceAuth })
  const serve = async (base: string, AUTH_USER_MODEL: string) => {
    const app = fetchApp({ base })
    const settings = settingsOf(AUTH_USER_MODEL)
    const rest = new ModelRest(app, {
      ...{ models, settings, storage, controllers: [], auth: true, paginationType: 'cursor' },
    } as const)
    await rest.init()
    const send = senderTo(app)
    const register = async (email: string) =>
      sessionIn(await send('POST', `${base}/auth/register`, { body: { email, password } }))
    return { rest, send, register }
  }
  const [shop, admin] = [await serve('/shop', 'app.Customer'), await serve('/admin', 'app.Admin')]
  const eve = await shop.register('eve@example.com')
  const root = await admin.register('root@example.com')
  return { client, models, storage, settingsOf, shop, admin, eve, root }
}

const own = { 'sec-fetch-site': 'same-origin' }

/** What a session's tokens reach of a service, by header, body and cookie. */
const reached = async (
  send: Awaited<ReturnType<typeof start>>['shop']['send'],
  base: string,
  { access, refresh }: Session,
): Promise<readonly number[]> => {
  const cookies = { service_access_token: access, service_refresh_token: refresh }
  const replies = [
    await send('GET', `${base}/reports/`, { token: access }),
    await send('GET', `${base}/reports/`, { cookies }),
    await send('POST', `${base}/reports/`, { cookies, headers: own, body: { text: 'new' } }),
    await send('GET', `${base}/auth/me`, { token: access }),
    await send('POST', `${base}/auth/refresh`, { cookies, headers: own }),
  ]
  return replies.map(({ status }) => status)
}

const refused = [401, 401, 401, 401, 401]
const served = [200, 200, 201, 200, 200]

describe.each([{ STATEFUL: false }, { STATEFUL: true }])(
  'two user models with one secret, %o',
  (serviceAuth) => {
    it('never take the tokens of each other', async () => {
      const { shop, admin, eve, root } = await start(serviceAuth)
      expect([eve.user['id'], root.user['id']]).toEqual([1, 1])
      expect(claimsOf(eve.access)['user_model']).toBe('app.Customer')
      expect(claimsOf(eve.refresh)['user_model']).toBe('app.Customer')
      expect(await reached(admin.send, '/admin', eve)).toEqual(refused)
      expect(await reached(shop.send, '/shop', root)).toEqual(refused)
      const body = { refresh: eve.refresh }
      expect((await admin.send('POST', '/admin/auth/refresh', { body })).status).toBe(401)
      expect(await admin.rest.authenticate(bearing(eve))).toBe(null)
      expect(await reached(shop.send, '/shop', eve)).toEqual(served)
      expect(await reached(admin.send, '/admin', root)).toEqual(served)
    })

    it('end no session of each other at a logout', async () => {
      const { shop, admin, eve } = await start(serviceAuth)
      const sent = { token: eve.access, body: { refresh: eve.refresh } }
      expect((await admin.send('POST', '/admin/auth/logout', sent)).status).toBe(204)
      expect(await reached(shop.send, '/shop', eve)).toEqual(served)
    })

    it('never take them where the routes of authentication are registered alone', async () => {
      const { models, settingsOf, eve, root } = await start(serviceAuth)
      const app = fetchApp({ base: '/admin' })
      const auth = await registerAuthRoutes(app, { models, settings: settingsOf('app.Admin') })
      const send = senderTo(app)
      expect(await auth.authenticate(bearing(eve))).toBe(null)
      expect(await auth.authenticate(bearing(root))).toMatchObject({ id: 1 })
      const body = { refresh: eve.refresh }
      expect((await send('POST', '/admin/auth/refresh', { body })).status).toBe(401)
    })

    it('take tokens of before, which name no model, until they end', async () => {
      const { shop, eve } = await start(serviceAuth)
      const old = await withoutModel(eve)
      const body = { refresh: old.refresh }
      expect((await shop.send('GET', '/shop/reports/', { token: old.access })).status).toBe(200)
      const next = await shop.send('POST', '/shop/auth/refresh', { body })
      expect(next.status).toBe(200)
      expect(claimsOf(sessionIn(next).access)['user_model']).toBe('app.Customer')
    })
  },
)

const bearing = ({ access }: Session): Request =>
  new Request('http://localhost/', { headers: { authorization: `Bearer ${access}` } })

/** The tokens of a session, as they were made before they named their user model. */
const withoutModel = async ({ access, refresh, user }: Session): Promise<Session> => {
  const [first = '', second = ''] = await Promise.all(
    [access, refresh].map((token) => {
      const { user_model: _, ...claims } = claimsOf(token)
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(Buffer.from(SECRET_KEY))
    }),
  )
  return { access: first, refresh: second, user }
}

describe('two user models with one cache', () => {
  it('end the sessions of their own users only', async () => {
    const { shop, admin, eve, root } = await start({ STATEFUL: true })
    await shop.rest.revokeTokens(1)
    expect(await reached(shop.send, '/shop', eve)).toEqual(refused)
    expect(await reached(admin.send, '/admin', root)).toEqual(served)
  })

  it('end tokens of before, by what was ended before as by what is now', async () => {
    const cache = memoryCache()
    const { shop, eve } = await start({ STATEFUL: true }, cache)
    const old = await withoutModel(eve)
    await shop.rest.revokeTokens(1)
    expect(await reached(shop.send, '/shop', old)).toEqual(refused)
    const other = await start({ STATEFUL: true }, cache)
    const before = await withoutModel(other.eve)
    cache.set('modelrest:auth:service:service-api:user:1', String(claimsOf(before.access)['iat']), 60)
    expect(await reached(other.shop.send, '/shop', before)).toEqual(refused)
  })

  it('count refreshes and failed logins apart', async () => {
    const { shop, admin, eve, root } = await start({
      ...{ STATEFUL: true, REFRESH_MAX: 1, LOGIN_MAX_FAILURES: 1 },
    })
    const refresh = (from: Session): { body: object } => ({ body: { refresh: from.refresh } })
    const next = await shop.send('POST', '/shop/auth/refresh', refresh(eve))
    expect((await shop.send('POST', '/shop/auth/refresh', refresh(sessionIn(next)))).status).toBe(429)
    expect((await admin.send('POST', '/admin/auth/refresh', refresh(root))).status).toBe(200)
    const login = (given: string) => ({ body: { email: 'root@example.com', password: given } })
    expect((await shop.send('POST', '/shop/auth/login', login('wrong'))).status).toBe(401)
    expect((await shop.send('POST', '/shop/auth/login', login('wrong'))).status).toBe(429)
    expect((await admin.send('POST', '/admin/auth/login', login(password))).status).toBe(200)
  })
})

it('checklist 42: a token from a mail of another user model is none', async () => {
  const tokens: string[] = []
  const { shop, admin, root } = await start({
    PASSWORD_RESET: true,
    ON_PASSWORD_RESET: (_user, token) => void tokens.push(token),
  })
  expect(root.user['id']).toBe(1)
  await shop.send('POST', '/shop/auth/password/reset', { body: { email: 'eve@example.com' } })
  await shop.rest.close()
  const body = { token: tokens[0], password: 'a lamp for every desk' }
  expect((await admin.send('POST', '/admin/auth/password/reset/confirm', { body })).status).toBe(422)
  expect((await shop.send('POST', '/shop/auth/password/reset/confirm', { body })).status).toBe(204)
})

describe('what one generator has signed', () => {
  it('opens no file of another', async () => {
    const { client, storage, shop, admin, eve, root } = await start()
    const key = storageKey({ model: 'Report', field: 'picture', type: 'image/png' })
    await storage.put(
      key,
      (async function* () {
        yield samples.png
      })(),
    )
    client.prepare('update reports set picture = ? where id = 1').run(key)
    const urlOf = async ({ json }: Answer) => String(json['picture'])
    const own = await urlOf(await shop.send('GET', '/shop/reports/1', { token: eve.access }))
    const other = await urlOf(await admin.send('GET', '/admin/reports/1', { token: root.access }))
    expect(own).toMatch(/^\/shop\/media\/reports\/1\/picture\//)
    expect((await shop.send('GET', own)).status).toBe(200)
    expect((await admin.send('GET', other)).status).toBe(200)
    expect((await admin.send('GET', own.replace('/shop', '/admin'))).status).toBe(401)
    expect((await shop.send('GET', other.replace('/admin', '/shop'))).status).toBe(401)
  })

  it('is no place in a list of another', async () => {
    const { shop, admin, eve, root } = await start()
    const first = await shop.send('GET', '/shop/reports/?limit=1', { token: eve.access })
    const cursor = String(first.json['next'])
    const query = `?limit=1&cursor=${cursor}`
    expect((await shop.send('GET', `/shop/reports/${query}`, { token: eve.access })).status).toBe(200)
    expect((await admin.send('GET', `/admin/reports/${query}`, { token: root.access })).status).toBe(400)
  })
})

it('the cookies of another user model are none', async () => {
  const { shop, admin } = await start()
  const body = { email: 'eve@example.com', password }
  const login = await shop.send('POST', '/shop/auth/login', { body })
  const cookies = { service_access_token: cookieIn(login, 'service_access_token') ?? '' }
  expect((await shop.send('GET', '/shop/auth/me', { cookies })).status).toBe(200)
  expect((await admin.send('GET', '/admin/auth/me', { cookies })).status).toBe(401)
})
