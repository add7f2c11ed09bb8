import { createHash } from 'node:crypto'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { apiKeysTable } from '../../../../src/entry/drizzle-sqlite.ts'
import { controllerFor, HttpError } from '../../../../src/index.ts'
import { heldQueue } from '../../../attack/held-queue.ts'
import { lint } from '../../../openapi/lint.ts'
import { onFastify, onFetch } from '../../../stage/apps.ts'
import {
  type AuthService,
  ada,
  noteRequests,
  registered,
  secret,
  serviceOn,
} from '../../../stage/auth-service.ts'
import { openSqlite } from '../../../stage/databases.ts'
import { requestOf, senderTo } from '../../../stage/requests.ts'
import { inTest } from '../../../stage/service.ts'
import { later } from '../../../stage/stateful.ts'
import { asking, keyOf, keysDdl, served, serveKeys, withApiKeys } from './stage.ts'

const bob = { ...ada, email: 'bob@example.com', username: 'bob' }

const issuesOf = ({ json }: { readonly json: Readonly<Record<string, unknown>> }) =>
  (json['errors'] as readonly { readonly pointer: string; readonly code: string }[]).map(
    ({ pointer, code }) => [pointer, code],
  )

const statusesOf = async (
  { send }: Awaited<ReturnType<typeof serveKeys>>,
  token: string,
  text = 'by key',
): Promise<readonly number[]> => {
  const found: number[] = []
  for (const [method, path, body] of noteRequests(text)) {
    found.push((await send(method, path, { token, ...(body && { body }) })).status)
  }
  return found
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('an API key', () => {
  it('checklist 48: is shown once, stored as a hash, and opens what its user may do', async () => {
    const service = await serveKeys()
    const session = await registered(service)
    const reply = await asking(service, session, { name: 'nightly import', access: 'write' })
    expect([reply.status, reply.headers['cache-control']]).toEqual([201, 'no-store'])
    const { key, ...made } = reply.json
    expect(key).toMatch(/^key_[\w-]{43}$/)
    expect(made).toMatchObject({ id: '1', name: 'nightly import', access: 'write', last_used_at: null })
    const year = (Date.parse(String(made['expires_at'])) - Date.now()) / 86_400_000
    expect(Math.round(year)).toBe(365)
    const [stored] = await service.rows('select * from api_keys')
    const hash = createHash('sha256').update(String(key)).digest('hex')
    expect(stored).toMatchObject({ user_id: '1', hash })
    expect(JSON.stringify(stored)).not.toContain(String(key).slice(4))
    expect(await statusesOf(service, String(key))).toEqual([200, 201, 200, 200, 200, 204])
    const list = await service.send('GET', '/api/auth/keys', { token: session.access })
    expect(list.headers['cache-control']).toBe('no-store')
    expect(list.json['items']).toEqual([{ ...made, last_used_at: expect.any(String) }])
    expect(JSON.stringify(service.log)).not.toContain(String(key))
  })

  it('that reads is refused by everything that writes, and /access says so', async () => {
    const { service, key, send } = await served({}, { modelConfig: { Note: { bulk: true } } as never }, {})
    await service.execute("insert into notes (text) values ('a')")
    expect(await statusesOf(service, key)).toEqual([200, 403, 200, 403, 403, 403])
    for (const method of ['PATCH', 'DELETE'])
      expect((await send(method, '/api/notes/?id=1', { token: key, body: { text: 'x' } })).status).toBe(403)
    const { json } = await send('GET', '/api/access', { token: key })
    expect(Object(json)['models'].Note).toEqual({
      operations: {
        ...{ list: 'allowed', get: 'allowed', create: 'refused', update: 'refused', replace: 'refused' },
        ...{ delete: 'refused', updateMany: 'refused', deleteMany: 'refused', aggregate: 'allowed' },
      },
      fields: { read: ['id', 'text'], write: [] },
    })
  })

  it('opens nothing below /auth', async () => {
    const { send, key, session } = await served({ PASSWORD_CHANGE: true }, {}, { access: 'write' })
    const { password } = ada
    const requests = [
      ['GET', 'me'],
      ['GET', 'keys'],
      ['POST', 'keys', { name: 'more', password }],
      ['DELETE', 'keys/1'],
      ['POST', 'password/change', { old_password: password, new_password: 'another long sentence' }],
    ] as const
    for (const [method, path, body] of requests) {
      const reply = await send(method, `/api/auth/${path}`, { token: key, body })
      expect([path, reply.status, reply.json['code']]).toEqual([path, 403, 'forbidden'])
    }
    expect((await send('POST', '/api/auth/logout', { token: key })).status).toBe(204)
    expect((await send('POST', '/api/auth/refresh', { body: { refresh: key } })).status).toBe(401)
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(200)
    const list = await send('GET', '/api/auth/keys', { token: session.access })
    expect(list.json['items']).toHaveLength(1)
  })

  it('is refused cut, with other letters, in a cookie, expired and revoked', async () => {
    const { service, send, key, id, session } = await served()
    const swapped = key.replace(/[a-zA-Z]$/, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    const wrong = [key.slice(0, -1), `${key}x`, key.slice(4), `other${key.slice(3)}`, key.toUpperCase()]
    for (const token of [...wrong, ...(swapped === key ? [] : [swapped])]) {
      const reply = await send('GET', '/api/notes/', { token })
      expect([token, reply.status]).toEqual([token, 401])
      expect(reply.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
    }
    expect((await send('GET', '/api/notes/', { cookies: { service_access_token: key } })).status).toBe(401)
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(200)
    await service.execute('update api_keys set expires_at = unixepoch() - 1')
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(401)
    const other = await keyOf(service, session)
    // The expired one is gone by now.
    expect((await send('DELETE', `/api/auth/keys/${id}`, { token: session.access })).status).toBe(404)
    expect((await send('GET', '/api/notes/', { token: other.key })).status).toBe(200)
    const ended = await send('DELETE', `/api/auth/keys/${other.id}`, { token: session.access })
    expect([ended.status, ended.text]).toEqual([204, ''])
    expect((await send('GET', '/api/notes/', { token: other.key })).status).toBe(401)
    expect((await send('DELETE', `/api/auth/keys/${other.id}`, { token: session.access })).status).toBe(404)
  })

  it('belongs to its user: others neither see nor revoke it', async () => {
    const { service, send, key, id } = await served()
    const { access } = await registered(service, bob)
    expect((await send('GET', '/api/auth/keys', { token: access })).json['items']).toEqual([])
    for (const path of [id, '%31', `0${id}`, `${id}%00`, '__proto__', '1e0'])
      expect([path, (await send('DELETE', `/api/auth/keys/${path}`, { token: access })).status]).toEqual([
        path,
        404,
      ])
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(200)
  })

  it('is refused while its user is disabled, and for good once the user is deleted', async () => {
    const { service, send, key } = await served()
    await service.execute('update users set is_active = 0')
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(401)
    await service.execute('update users set is_active = 1')
    const another = await service.another({ settings: { SERVICE_AUTH: { API_KEYS: true } } })
    expect((await another.send('GET', '/api/notes/', { token: key })).status).toBe(200)
    await service.execute('delete from users')
    expect((await another.send('GET', '/api/notes/', { token: key })).status).toBe(401)
    await another.stop()
  })

  it.each([
    [false, 200],
    [true, 401],
  ])('with API_KEYS_END_WITH_PASSWORD: %s, has the status %i after a change', async (ends, status) => {
    const { service, send, key, session } = await served({
      ...{ PASSWORD_CHANGE: true, API_KEYS_END_WITH_PASSWORD: ends },
    })
    const body = { old_password: ada.password, new_password: 'another long sentence' }
    const changed = await send('POST', '/api/auth/password/change', { token: session.access, body })
    expect(changed.status).toBe(200)
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(status)
    expect(await service.rows('select count(*) as n from api_keys')).toEqual([{ n: 1 }])
  })

  it('stores its last use once a minute', async () => {
    const { service, send, key } = await served()
    const used = async () => (await service.rows('select last_used_at as t from api_keys'))[0]?.['t']
    await service.execute('update api_keys set last_used_at = 1')
    await send('GET', '/api/notes/', { token: key })
    const first = await used()
    expect(first).toBeGreaterThan(1)
    await service.execute('update api_keys set last_used_at = 2')
    await send('GET', '/api/notes/', { token: key })
    expect(await used()).toBe(2)
    later(61)
    await send('GET', '/api/notes/', { token: key })
    expect(await used()).toBeGreaterThan(Number(first))
  })

  it('has the claims of the application, and hooks see which key it is', async () => {
    const seen: unknown[] = []
    let isRefused = false
    const controllers = [
      controllerFor('Note', {
        scope: (_request: unknown, { caller }: { caller: unknown }) => {
          seen.push(caller)
          return []
        },
      } as never),
    ]
    const CLAIMS = ({ email }: Readonly<Record<string, unknown>>) => {
      if (isRefused) throw new HttpError(403, 'Not today.')
      return { tenant: `of ${String(email)}` }
    }
    const { send, key, id } = await served({ CLAIMS }, { controllers } as never)
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(200)
    expect(seen).toEqual([
      {
        id: 1,
        claims: {
          ...{ tenant: 'of ada@example.com', sub: '1' },
          api_key: { id, name: 'import', access: 'write' },
        },
      },
    ])
    isRefused = true
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(401)
  })

  it('stands in the audit log and in the events of authentication', async () => {
    const { service, send, key, id, session } = await served({}, { audit: true })
    await send('POST', '/api/notes/', { token: key, body: { text: 'by key' } })
    await send('POST', '/api/notes/', { token: session.access, body: { text: 'by hand' } })
    await send('DELETE', `/api/auth/keys/${id}`, { token: session.access })
    const entries = await service.rows(
      'select caller, api_key_id, act, model, changes from audit_entries order by id',
    )
    expect(entries.map(({ caller, api_key_id, act, model }) => [caller, api_key_id, act, model])).toEqual([
      ...[
        [null, null, 'create', 'User'],
        ['1', null, 'create', 'ApiKey'],
      ],
      ...[
        ['1', id, 'create', 'Note'],
        ['1', null, 'create', 'Note'],
        ['1', null, 'delete', 'ApiKey'],
      ],
    ])
    expect(JSON.parse(String(entries[1]?.['changes']))).toMatchObject({ hash: {}, account: {} })
    const events = service.log.flatMap(({ details }) => {
      const { event, key: named } = details
      return String(event).startsWith('auth.key') ? [[event, named]] : []
    })
    expect(events).toEqual([
      ['auth.key_created', id],
      ['auth.key_revoked', id],
    ])
  })
})

describe('POST /auth/keys', () => {
  it('names each mistake', async () => {
    const service = await serveKeys()
    const session = await registered(service)
    const soon = new Date(Date.now() + 1000).toISOString()
    const late = new Date(Date.now() + 366 * 86_400_000).toISOString()
    const mistakes = [
      [{ name: undefined }, '/name', 'required'],
      [{ name: '' }, '/name', 'too_short'],
      [{ name: 'x'.repeat(101) }, '/name', 'too_long'],
      [{ name: 'a\nb' }, '/name', 'invalid_format'],
      [{ access: 'all' }, '/access', 'not_in_enum'],
      [{ expires_at: null }, '/expires_at', 'not_nullable'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, '/expires_at', 'out_of_range'],
      [{ expires_at: late }, '/expires_at', 'out_of_range'],
      [{ expires_at: 'soon' }, '/expires_at', 'invalid_format'],
      [{ expires_at: soon.slice(0, -1) }, '/expires_at', 'invalid_format'],
      [{ password: undefined }, '/password', 'required'],
      [{ password: 'another password' }, '/password', 'invalid'],
      [{ user_id: 2 }, '/user_id', 'unknown_key'],
    ] as const
    for (const [body, pointer, code] of mistakes) {
      const reply = await asking(service, session, body)
      expect([body, reply.status, issuesOf(reply)]).toEqual([body, 422, [[pointer, code]]])
    }
    expect(await service.rows('select * from api_keys')).toEqual([])
    expect((await asking(service, session, { expires_at: soon })).status).toBe(201)
  })

  it('needs a login, and the password as often as a login may fail', async () => {
    const service = await serveKeys({ LOGIN_MAX_FAILURES: 2 })
    const session = await registered(service)
    expect((await asking(service, { access: 'x' })).status).toBe(401)
    for (const status of [422, 422, 429])
      expect((await asking(service, session, { password: 'another password' })).status).toBe(status)
    expect((await asking(service, session)).status).toBe(429)
  })

  it('makes more keys than a login may fail, and leaves a change of the password', async () => {
    const { service, session, send } = await served({ LOGIN_MAX_FAILURES: 2, PASSWORD_CHANGE: true })
    for (let time = 0; time < 4; time += 1) expect((await asking(service, session)).status).toBe(201)
    const body = { old_password: ada.password, new_password: 'another long sentence' }
    expect((await send('POST', '/api/auth/password/change', { token: session.access, body })).status).toBe(
      200,
    )
  })

  it('without a longest lifetime, makes keys that do not expire', async () => {
    const { send, key, session } = await served({ API_KEY_EXP: 0, API_KEY_PREFIX: 'desk' })
    expect(key).toMatch(/^desk_/)
    const { json } = await send('GET', '/api/auth/keys', { token: session.access })
    expect(json['items']).toMatchObject([{ expires_at: null }])
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(200)
  })

  it('makes at most 50 keys, also of requests at the same time', async () => {
    const { service, session } = await served()
    await service.execute(`with recursive n(i) as (select 2 union all select i + 1 from n where i < 48)
      insert into api_keys (user_id, name, hash, access) select 1, 'x', i, 'read' from n`)
    const replies = await Promise.all(Array.from({ length: 4 }, () => asking(service, session)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409])
    expect(await service.rows('select count(*) as n from api_keys')).toEqual([{ n: 50 }])
  })

  it.each([
    ['is disabled', 'is_active = 0'],
    ['has another password', "password = '$argon2id$x'"],
  ])('gives no key to a user who %s by the time of it', async (_what, change) => {
    const service = await serveKeys()
    const session = await registered(service)
    const held = heldQueue()
    const waiting = asking(service, session)
    await held.reached
    await service.execute(`update users set ${change}`)
    held.open()
    expect((await waiting).status).toBe(401)
    expect(await service.rows('select * from api_keys')).toEqual([])
  })
})

describe('wrong API keys', () => {
  const wrong = (n: number): string => `key_${String(n).padStart(43, 'x')}`
  const refusals = ({ log }: AuthService) =>
    log.filter(({ details }) => details['event'] === 'auth.key_refused')
  const statusOf = async (
    { send }: Pick<AuthService, 'send'>,
    token: string,
    address?: string,
  ): Promise<number> =>
    (await send('GET', '/api/notes/', { token, ...(address !== undefined && { address }) })).status
  const limited = { API_KEYS: true, LOGIN_MAX_FAILURES_PER_ADDRESS: 3 }

  it('of one address are refused after a while, which ends none that are in use', async () => {
    const { service, key, session } = await served(limited)
    const { key: unused } = await keyOf(service, session)
    expect(await statusOf(service, key)).toBe(200)
    const statuses: number[] = []
    // The same wrong key counts once.
    for (const n of [1, 1, 1, 2, 3, 4, 1]) statuses.push(await statusOf(service, wrong(n)))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 401])
    expect([await statusOf(service, key), await statusOf(service, unused)]).toEqual([200, 429])
    expect(await statusOf(service, unused, '203.0.113.9')).toBe(200)
    expect(await statusOf(service, unused)).toBe(200)
    expect(refusals(service).map(({ level }) => level)).toEqual(['warn', 'warn', 'warn'])
  })

  it('count once, also if they are sent many times at once or every minute', async () => {
    const { service } = await served(limited)
    const another = await inTest(service.another({ settings: { SERVICE_AUTH: limited } }))
    const many = Array.from({ length: 20 }, () => statusOf(another, wrong(1)))
    expect(new Set(await Promise.all(many))).toEqual(new Set([401]))
    for (let minute = 0; minute < 5; minute += 1) {
      later(61)
      expect(await statusOf(another, wrong(1))).toBe(401)
    }
    expect([await statusOf(another, wrong(2)), await statusOf(another, wrong(3))]).toEqual([401, 401])
    expect(await statusOf(another, wrong(4))).toBe(429)
    expect(refusals(another)).toHaveLength(3)
  })

  it('are not those that the database cannot read, or that arrive all at once', async () => {
    const { service, key } = await served(limited)
    const another = await inTest(service.another({ settings: { SERVICE_AUTH: limited } }))
    await service.execute('alter table api_keys rename to gone')
    for (let time = 0; time < 5; time += 1) expect(await statusOf(another, key)).toBe(500)
    await service.execute('alter table gone rename to api_keys')
    const many = Array.from({ length: 20 }, () => statusOf(another, key))
    expect(new Set(await Promise.all(many))).toEqual(new Set([200]))
  })

  it('are named in the log if they were good', async () => {
    const { service, key, id } = await served()
    await service.execute('update users set is_active = 0')
    expect(await statusOf(service, key)).toBe(401)
    expect(refusals(service).map(({ details }) => [details['user'], details['key']])).toEqual([['1', id]])
    await service.execute('update users set is_active = 1')
    later(61)
    expect(await statusOf(service, key)).toBe(200)
  })
})

it('a user with the id of a deleted one does not see their keys', async () => {
  const users = sqliteTable('users', {
    ...{ id: integer().primaryKey(), email: text({ length: 320 }).notNull().unique() },
    password: text({ length: 255 }).notNull(),
  })
  const database = openSqlite(
    { users, apiKeys: apiKeysTable } as never,
    `create table users (id integer primary key, email text not null unique, password text not null); ${keysDdl}`,
  )
  const options = {
    modelConfig: { User: { internal: false } },
    settings: { SERVICE_AUTH: { API_KEYS: true } },
  }
  const service = await inTest(serviceOn(onFastify, database, options as never))
  const { password } = ada
  const first = await keyOf(service, await registered(service, { email: 'a@example.com', password }))
  await service.execute('delete from users')
  const session = await registered(service, { email: 'b@example.com', password })
  expect(session.user).toMatchObject({ id: 1 })
  const token = session.access
  expect((await service.send('GET', '/api/auth/keys', { token })).json['items']).toEqual([])
  expect((await service.send('DELETE', `/api/auth/keys/${first.id}`, { token })).status).toBe(404)
  const { key } = await keyOf(service, session)
  expect((await service.send('GET', '/api/users/', { token: key })).status).toBe(200)
  expect((await service.send('GET', '/api/users/', { token: first.key })).status).toBe(401)
  expect(await service.rows('select count(*) as n from api_keys')).toEqual([{ n: 1 }])
})

describe('the own record of a user', () => {
  const scope = { User: { scope: () => ({}) } }

  it.each([
    ['without a scope', {}],
    ['with a scope of the application', scope],
  ])(
    'is not written with a key, with which somebody could set another password: %s',
    async (_title, scopes) => {
      const controllers = Object.entries(scopes).map(([model, hooks]) => controllerFor(model, hooks as never))
      const modelConfig = { User: { internal: false } }
      const { send, key, session } = await served({}, { controllers, modelConfig } as never)
      const body = { email: 'eve@example.com' }
      expect((await send('GET', '/api/users/1', { token: key })).status).toBe(200)
      for (const [method, sent] of [
        ['PATCH', { body }],
        ['PUT', { body }],
        ['DELETE', {}],
      ] as const)
        expect([method, (await send(method, '/api/users/1', { token: key, ...sent })).status]).toEqual([
          method,
          403,
        ])
      expect((await send('PATCH', '/api/users/1', { body })).status).toBe(401)
      expect((await send('PATCH', '/api/users/1', { token: session.access, body })).status).toBe(200)
    },
  )
})

describe('the model of API keys', () => {
  it('may be served to administrators, without hashes, to list and delete', async () => {
    const { send, key, id, session } = await served(
      {},
      { modelConfig: { ApiKey: { internal: false } } as never },
    )
    const path = `/api/api-keys/${id}`
    const reply = await send('GET', path, { token: session.access })
    expect(Object.keys(reply.json)).toEqual([
      ...['id', 'user_id', 'name', 'access', 'created_at', 'expires_at', 'last_used_at'],
    ])
    for (const method of ['PATCH', 'PUT', 'POST'])
      expect((await send(method, method === 'POST' ? '/api/api-keys/' : path, { body: {} })).status).toBe(405)
    expect((await send('GET', '/api/api-keys/?hash=x', { token: session.access })).status).toBe(400)
    expect((await send('DELETE', path, { token: session.access })).status).toBe(204)
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(401)
  })

  it('is not used without the setting', async () => {
    const off = await serveKeys({ API_KEYS: false })
    const session = await registered(off)
    expect((await asking(off, session)).status).toBe(404)
    expect((await off.send('GET', '/api/notes/', { token: `key_${'x'.repeat(43)}` })).status).toBe(401)
  })
})

describe('a request with an API key', () => {
  it('whose key is revoked while its body arrives stores nothing', async () => {
    const database = withApiKeys()
    const settings = { SERVICE_AUTH: { JWT_SECRET: secret, API_KEYS: true } }
    const app = await inTest(onFetch({ models: database.models, auth: true, settings }))
    const service = { send: senderTo(app) }
    const { key } = await keyOf(service, await registered(service))
    const post = async (meanwhile: () => unknown): Promise<number> => {
      const body = new ReadableStream({
        async pull(controller) {
          await meanwhile()
          controller.enqueue(new TextEncoder().encode('{"text":"late"}'))
          controller.close()
        },
      })
      const init = requestOf('POST', { token: key, headers: { 'content-type': 'application/json' } })
      return (await app.ask('/api/notes/', { ...init, body, duplex: 'half' } as RequestInit)).status
    }
    expect(await post(() => later(2))).toBe(201)
    const status = await post(() => {
      later(2)
      return database.execute('delete from api_keys')
    })
    expect(status).toBe(401)
    expect(await database.rows('select count(*) as n from notes')).toEqual([{ n: 1 }])
    await database.close()
  })

  it('is served in the mode that waits for no promise of its sources', async () => {
    const { send, key, id, session } = await served({}, { isAsync: false })
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(200)
    expect((await send('DELETE', `/api/auth/keys/${id}`, { token: session.access })).status).toBe(204)
    expect((await send('GET', '/api/notes/', { token: key })).status).toBe(401)
  })

  it('is in the document: models take keys, and /auth does not', async () => {
    const { service } = await served()
    const document = service.rest.openapi()
    expect(await lint(document)).toEqual([])
    expect(document.components.securitySchemes).toMatchObject({ key: { type: 'http', scheme: 'bearer' } })
    const securityOf = (method: string, path: string): object =>
      Object(Reflect.get(document.paths[path] ?? {}, method)).security
    const tokens = [{ bearer: [] }, { cookie: [] }]
    expect(securityOf('get', '/notes/')).toEqual([...tokens, { key: [] }])
    for (const [method, path] of [
      ['post', '/auth/keys'],
      ['get', '/auth/keys'],
      ['delete', '/auth/keys/{id}'],
      ['get', '/auth/me'],
    ] as const)
      expect([path, securityOf(method, path)]).toEqual([path, tokens])
  })
})
