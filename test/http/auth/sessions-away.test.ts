import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryCache } from '../../../src/cache/cache.ts'
import { redisCache } from '../../../src/cache/redis.ts'
import { type Cache, CacheError } from '../../../src/index.ts'
import { type RedisServer, startRedis } from '../../servers/redis.ts'
import { onRedis } from '../../servers/test-redis.ts'
import {
  type AuthService,
  ada,
  noteRequests,
  registered,
  type Session,
  startFastify,
} from '../../stage/auth-service.ts'
import type { Answer } from '../../stage/requests.ts'
import { refreshing, serving } from '../../stage/stateful.ts'

/** A cache that can be away: all of it, or one of its acts. */
const leaving = () => {
  const away = new Set<PropertyKey>()
  const memory = memoryCache()
  const cache = new Proxy(memory, {
    get: (_, act) => {
      if (!away.has(act) && !away.has('all')) return Reflect.get(memory, act)
      // Later, as a connection would: an act that throws at once is refused in the same way.
      return () => (act === 'add' ? Promise.reject(new CacheError('Away.')) : thrown())
    },
  })
  return { cache, away }
}

const thrown = (): never => {
  throw new CacheError('Away.')
}

const unavailable = ({ status, headers, json }: Answer): unknown => [
  ...[status, headers['retry-after'], json['code']],
]
const away503 = [503, '5', 'unavailable']

/** Whatever asks the cache is refused; what does not goes on. */
const expectClosed = async (service: AuthService, { access, refresh }: Session): Promise<void> => {
  const { send } = service
  const cookies = { service_access_token: access, service_refresh_token: refresh }
  const headers = { 'sec-fetch-site': 'same-origin' }
  const acts = [...noteRequests('late'), ['GET', '/api/auth/me'], ['POST', '/api/auth/logout']] as const
  for (const [method, path, body] of acts) {
    const sent = body === undefined ? {} : { body }
    const replies = [
      await send(method, path, { ...sent, token: access }),
      await send(method, path, { ...sent, cookies, headers }),
    ]
    for (const reply of replies) expect([method, path, unavailable(reply)]).toEqual([method, path, away503])
    expect((await send(method, path, sent)).status).toBe(path === '/api/auth/logout' ? 204 : 401)
  }
  const byCookie = await send('POST', '/api/auth/refresh', { cookies, headers })
  for (const reply of [await refreshing(service, refresh), byCookie]) {
    expect(unavailable(reply)).toEqual(away503)
    expect([reply.json['access'], reply.cookies]).toEqual([undefined, []])
  }
  expect(unavailable(await send('POST', '/api/auth/logout', { body: { refresh } }))).toEqual(away503)
}

const login = ({ send }: AuthService): Promise<Answer> =>
  send('POST', '/api/auth/login', { body: { email: ada.email, password: ada.password } })

describe('a cache that is away', () => {
  const start = startFastify
  const serve = serving(start)

  it('checklist 16: with the cache away nobody passes, what needs none goes on, and both are over when it is back', async () => {
    const { cache, away } = leaving()
    const service = await serve({ STATEFUL: true }, { settings: { CACHE: cache } })
    const { send } = service
    const session = await registered(service)
    await send('POST', '/api/notes/', { token: session.access, body: { text: 'mine' } })
    away.add('all')
    await expectClosed(service, session)
    // Failed logins and registrations are counted there.
    expect(unavailable(await login(service))).toEqual(away503)
    const grace = { ...ada, email: 'grace@example.com', username: 'grace' }
    expect(unavailable(await send('POST', '/api/auth/register', { body: grace }))).toEqual(away503)
    expect(await service.rows('select id from users')).toHaveLength(1)
    const unlimited = await service.another({
      settings: { CACHE: cache, SERVICE_AUTH: { STATEFUL: true, REGISTER_MAX_PER_ADDRESS: 0 } },
    })
    expect((await unlimited.send('POST', '/api/auth/register', { body: grace })).status).toBe(201)
    await unlimited.stop()
    for (const path of ['/api/docs', '/api/openapi.json'])
      expect((await send('GET', path, { token: session.access })).status).toBe(200)
    expect((await send('GET', '/api/notes/', { token: 'none of ours' })).status).toBe(401)
    away.clear()
    expect(await service.rows('select text from notes')).toEqual([{ text: 'mine' }])
    expect((await send('GET', '/api/notes/', { token: session.access })).status).toBe(200)
    expect((await refreshing(service, session.refresh)).status).toBe(200)
    expect((await login(service)).status).toBe(200)
  })

  it('checklist 16: public operations go on for the anonymous', async () => {
    const { cache, away } = leaving()
    const options = { modelConfig: { Note: { public: 'read' } }, settings: { CACHE: cache } } as const
    const { send } = await serve({ STATEFUL: true }, options)
    away.add('all')
    expect((await send('GET', '/api/notes/')).status).toBe(200)
    expect((await send('POST', '/api/notes/', { body: { text: 'mine' } })).status).toBe(401)
  })

  it('checklist 16: a cache that reads but does not write refuses refresh and logout, and revokes nothing', async () => {
    const { cache, away } = leaving()
    const service = await serve({ STATEFUL: true }, { settings: { CACHE: cache } })
    const { access, refresh } = await registered(service)
    away.add('add')
    expect(unavailable(await refreshing(service, refresh))).toEqual(away503)
    const refused = await service.send('POST', '/api/auth/logout', { token: access, body: { refresh } })
    expect([unavailable(refused), refused.cookies]).toEqual([away503, []])
    expect((await service.send('GET', '/api/notes/', { token: access })).status).toBe(200)
    away.clear()
    expect((await refreshing(service, refresh)).status).toBe(200)
  })
})

onRedis('a Redis that goes away', () => {
  let folder = ''
  let server: RedisServer | undefined
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'modelrest-away-'))
    server = await startRedis({ folder })
  })
  afterEach(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const clients: Readonly<Record<string, (path: string) => Promise<{ cache: Cache; close(): void }>>> = {
    'node-redis': async (path) => {
      const client = createClient({ socket: { path, reconnectStrategy: 50 } })
      client.on('error', () => undefined)
      await client.connect()
      return { cache: redisCache(client, { timeout: 300 }), close: () => client.destroy() }
    },
    ioredis: async (path) => {
      const client = new Redis(path, { retryStrategy: () => 50, maxRetriesPerRequest: null })
      client.on('error', () => undefined)
      return { cache: redisCache(client, { timeout: 300 }), close: () => client.disconnect() }
    },
  }

  describe.each(Object.entries(clients))('by %s', (_, connect) => {
    const serve = serving(startFastify)

    it('checklist 16: with Redis gone nobody passes, and everything goes on when it is back', async () => {
      const { cache, close } = await connect(join(folder, 'redis.sock'))
      try {
        const service = await serve({ STATEFUL: true }, { settings: { CACHE: cache } })
        const session = await registered(service)
        await service.send('POST', '/api/notes/', { token: session.access, body: { text: 'mine' } })
        await server?.stop()
        await expectClosed(service, session)
        expect(unavailable(await login(service))).toEqual(away503)
        server = await startRedis({ folder })
        const protectedRoute = () => service.send('GET', '/api/notes/', { token: session.access })
        await expect.poll(async () => (await protectedRoute()).status, { timeout: 30_000 }).toBe(200)
        expect((await refreshing(service, session.refresh)).status).toBe(200)
        expect((await login(service)).status).toBe(200)
      } finally {
        close()
      }
    })
  })
})
