import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { SignJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hashPassword } from '../../src/auth/passwords/passwords.ts'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { image } from '../../src/entry/drizzle-sqlite.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { defineSettings, HttpError, type ServiceAuth } from '../../src/index.ts'
import { storageKey } from '../../src/upload/keys.ts'
import { naming } from '../naming.ts'
import { cookieIn, secret, sessionIn } from '../stage/auth-service.ts'
import { senderTo } from '../stage/requests.ts'
import { claimsOf, later } from '../stage/stateful.ts'
import { memoryStorage } from '../upload/memory-storage.ts'
import { samples } from '../upload/samples.ts'
import { gate } from './held.ts'

const notes = sqliteTable('notes', { id: integer().primaryKey(), text: text().notNull() })
const columns = {
  email: text().notNull().unique(),
  name: text(),
  password: text({ length: 255 }).notNull(),
  portrait: image(),
}
const models = {
  /** As existing tables have it: the key of the last record is given again once that is deleted. */
  again: sqliteTable('users', { id: integer().primaryKey(), ...columns }),
  once: sqliteTable('users', { id: integer().primaryKey({ autoIncrement: true }), ...columns }),
}
const password = 'correct horse battery staple'

const opened: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of opened.splice(0).reverse()) close()
})

interface Options {
  readonly serviceAuth?: ServiceAuth
  readonly isAsync?: boolean
  readonly key?: keyof typeof models
}

const openDatabase = (key: keyof typeof models) => {
  const statements: string[] = []
  const client = new Database(':memory:', { verbose: (line) => statements.push(String(line)) })
  opened.push(() => client.close())
  const isOnce = key === 'once' ? 'autoincrement' : ''
  client.exec(`create table users (id integer primary key ${isOnce}, email text not null unique, name text,
    password text not null, portrait text);
    create table notes (id integer primary key, text text not null); insert into notes values (1, 'a note')`)
  return { client, statements }
}

const start = async ({ serviceAuth = {}, isAsync = true, key = 'again' }: Options = {}) => {
  const { client, statements } = openDatabase(key)
  const storage = memoryStorage()
  const serve = async (which: keyof typeof models) => {
    const app = fetchApp()
    const source = drizzleModels(drizzle({ client }), { users: models[which], notes })
    const rest = new ModelRest(app, {
      ...{ models: source, auth: true, isAsync, storage, controllers: [], exclude: { app: null } },
      settings: defineSettings({ SECRET_KEY: secret, SERVICE_AUTH: serviceAuth }),
    } as const)
    await rest.init()
    return { fetch: app.fetch, rest }
  }
  const app = await serve(key)
  const send = senderTo(app)
  const register = async (name: string) => {
    const body = { email: `${name}@example.com`, name, password }
    return sessionIn(await send('POST', '/auth/register', { body }))
  }
  const remove = (id: number) => client.prepare('delete from users where id = ?').run(id)
  return { app, client, statements, storage, serve, send, register, remove }
}

const own = { 'sec-fetch-site': 'same-origin' }
const modes = [
  { serviceAuth: { STATEFUL: false } },
  { serviceAuth: { STATEFUL: true } },
  { serviceAuth: { STATEFUL: false }, isAsync: false },
  { serviceAuth: { STATEFUL: true }, isAsync: false },
] as const

describe.each(modes)('tokens of a deleted user whose key another got, %o', (mode) => {
  it('are refused everywhere', async () => {
    const calls: unknown[] = []
    const serviceAuth = { ...mode.serviceAuth, ON_LOGOUT: (user: object) => void calls.push(user) }
    const { client, storage, send, register, remove } = await start({ ...mode, serviceAuth })
    await register('ann')
    const eve = await register('eve')
    const cookies = { service_access_token: eve.access, service_refresh_token: eve.refresh }
    expect((await send('GET', '/users/2', { token: eve.access })).json).toMatchObject({ name: 'eve' })
    remove(2)
    const bob = await register('bob')
    expect([eve.user['id'], bob.user['id']]).toEqual([2, 2])
    const key = storageKey({ model: 'User', field: 'portrait', type: 'image/png' })
    await storage.put(
      key,
      (async function* () {
        yield samples.png
      })(),
    )
    client.prepare('update users set portrait = ? where id = 2').run(key)
    const shown = await send('GET', '/users/2', { token: bob.access })
    const [portrait = ''] = String(shown.json['portrait']).split('?')
    const paths = ['/users/2', '/users/', '/notes/1', '/auth/me', portrait]
    for (const path of paths) {
      expect([path, (await send('GET', path, { token: bob.access })).status]).toEqual([path, 200])
      expect([path, (await send('GET', path, { token: eve.access })).status]).toEqual([path, 401])
      expect([path, (await send('GET', path, { cookies })).status]).toEqual([path, 401])
    }
    const body = { name: 'eve' }
    expect((await send('PATCH', '/users/2', { token: eve.access, body })).status).toBe(401)
    expect((await send('DELETE', '/users/2', { cookies, headers: own })).status).toBe(401)
    const refresh = { body: { refresh: eve.refresh } }
    expect((await send('POST', '/auth/refresh', refresh)).status).toBe(401)
    expect((await send('POST', '/auth/refresh', { cookies, headers: own })).status).toBe(401)
    expect((await send('POST', '/auth/logout', { token: eve.access, ...refresh })).status).toBe(204)
    expect(calls).toEqual([])
    const bobs = await send('POST', '/auth/refresh', { body: { refresh: bob.refresh } })
    expect(bobs.status).toBe(200)
    expect((await send('GET', '/auth/me', { token: sessionIn(bobs).access })).json).toMatchObject({
      name: 'bob',
    })
  })

  it('end with the password', async () => {
    const { client, send, register } = await start(mode)
    const { access, refresh } = await register('ann')
    const changed = 'another correct horse'
    client.prepare('update users set password = ?').run(await hashPassword(changed))
    expect((await send('GET', '/notes/1', { token: access })).status).toBe(401)
    expect((await send('POST', '/auth/refresh', { body: { refresh } })).status).toBe(401)
    const login = await send('POST', '/auth/login', {
      body: { email: 'ann@example.com', password: changed },
    })
    const cookies = { service_access_token: cookieIn(login, 'service_access_token') ?? '' }
    expect((await send('GET', '/notes/1', { cookies })).status).toBe(200)
  })
})

/** A body whose second half comes when the test says so. */
const slowBody = (text: string) => {
  const held = gate()
  const half = Math.floor(text.length / 2)
  const halves = [text.slice(0, half), text.slice(half)]
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = halves.shift() ?? ''
        if (halves.length === 0) await held.pass()
        controller.enqueue(new TextEncoder().encode(next))
        if (halves.length === 0) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { held, body }
}

const boundary = 'boundary'
const form = `--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\neve\r\n--${boundary}--\r\n`
const bodies = [
  ['JSON', 'application/json', JSON.stringify({ name: 'eve' })],
  ['a form', `multipart/form-data; boundary=${boundary}`, form],
] as const

/** A request whose first half of the body has been read. */
const slowPatch = async (
  { app }: Pick<Awaited<ReturnType<typeof start>>, 'app'>,
  token: string,
  type: string,
  text: string,
) => {
  const { held, body } = slowBody(text)
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  const init = { method: 'PATCH', headers, body, duplex: 'half' } as const
  const reply = app.fetch(new Request('http://localhost/users/1', init))
  await held.reached
  return { held, reply }
}

describe.each(bodies)('a request whose body is slow, %s', (_what, type, text) => {
  it('does not write into the record of who got the key meanwhile', async () => {
    const service = await start()
    const eve = await service.register('eve')
    const { held, reply } = await slowPatch(service, eve.access, type, text)
    service.remove(1)
    const bob = await service.register('bob')
    held.open()
    expect((await reply).status).toBe(401)
    expect((await service.send('GET', '/users/1', { token: bob.access })).json['name']).toBe('bob')
  })

  it('is refused where the session was ended seconds ago', async () => {
    const service = await start({ key: 'once', serviceAuth: { STATEFUL: true } })
    const { access, refresh } = await service.register('eve')
    const { held, reply } = await slowPatch(service, access, type, text)
    await service.send('POST', '/auth/logout', { token: access, body: { refresh } })
    later(1)
    held.open()
    expect((await reply).status).toBe(401)
  })

  it('is served otherwise', async () => {
    const service = await start()
    const { access } = await service.register('ann')
    const { held, reply } = await slowPatch(service, access, type, text)
    held.open()
    expect((await reply).status).toBe(200)
  })
})

describe('a model whose keys come again', () => {
  it.each([true, false])(
    'lets no registration have the record of another (the hook agrees: %j)',
    async (agrees) => {
      const held = gate()
      const ON_REGISTER = async (user: object): Promise<void> => {
        if (Reflect.get(user, 'name') !== 'eve') return
        await held.pass()
        if (!agrees) throw new HttpError(409, 'Not now.')
      }
      const { client, send, register, remove } = await start({ serviceAuth: { ON_REGISTER } })
      const body = { email: 'eve@example.com', name: 'eve', password: 'the password of eve' }
      const eve = send('POST', '/auth/register', { body })
      await held.reached
      remove(1)
      const bob = await register('bob')
      const stored = client.prepare('select * from users').all()
      held.open()
      const reply = await eve
      expect([reply.status, reply.json['access']]).toEqual([agrees ? 403 : 409, undefined])
      expect(client.prepare('select * from users').all()).toEqual(stored)
      expect((await send('GET', '/auth/me', { token: bob.access })).status).toBe(200)
    },
  )

  it('takes no token that does not say which account it is for', async () => {
    const { send, register } = await start()
    const { access } = await register('ann')
    const { account, ...claims } = claimsOf(access)
    expect(account).toMatch(/^[\w-]{22}$/)
    const signed = (more: object): Promise<string> =>
      new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret))
    const statusOf = async (more: object) =>
      (await send('GET', '/notes/1', { token: await signed(more) })).status
    expect(await statusOf({ account })).toBe(200)
    for (const more of [{}, { account: '' }, { account: 'x' }, { account: 5 }, { account: null }])
      expect([more, await statusOf(more)]).toEqual([more, 401])
  })

  it.each([
    ['once', false, { GET: 0, PATCH: 0 }],
    ['again', false, { GET: 1, PATCH: 2 }],
    ['once', true, { GET: 1, PATCH: 1 }],
    ['again', true, { GET: 1, PATCH: 2 }],
  ] as const)(
    'costs others nothing (%s, stateful: %j): users read for a request',
    async (key, STATEFUL, reads) => {
      const { statements, send, register } = await start({ key, serviceAuth: { STATEFUL } })
      const { access } = await register('ann')
      // In the middle of a second: a request that lasts from one to the next reads the user again.
      vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 1000) * 1000 + 500 })
      const count = async (method: 'GET' | 'PATCH') => {
        statements.length = 0
        const body = method === 'PATCH' ? { body: { text: 'another' } } : {}
        expect((await send(method, '/notes/1', { token: access, ...body })).status).toBe(200)
        return statements.filter((line) => line.includes('"users"')).length
      }
      expect({ GET: await count('GET'), PATCH: await count('PATCH') }).toEqual(reads)
    },
  )

  it('gives users without a password no tokens, and takes none that others gave them', async () => {
    const { client, app, serve, register } = await start()
    await register('ann')
    client.exec("update users set password = ''")
    await expect(app.rest.issueTokens(1)).rejects.toThrow(
      naming('issueTokens', 'User', 'password', 'autoIncrement: true', 'hashPassword'),
    )
    const once = await serve('once')
    const { refresh } = await once.rest.issueTokens(1)
    const body = { refresh }
    expect((await senderTo(app)('POST', '/auth/refresh', { body })).status).toBe(401)
    expect((await senderTo(once)('POST', '/auth/refresh', { body })).status).toBe(200)
  })

  it('ends its tokens with their accounts after it has got AUTOINCREMENT', async () => {
    const { serve, register, remove } = await start()
    const eve = await register('eve')
    const changed = await serve('once')
    const send = senderTo(changed)
    expect((await send('GET', '/notes/1', { token: eve.access })).status).toBe(200)
    remove(1)
    await register('bob')
    expect((await send('GET', '/notes/1', { token: eve.access })).status).toBe(401)
  })
})
