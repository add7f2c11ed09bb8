import { describe, expect, it } from 'vitest'
import { memoryCache } from '../../src/cache/cache.ts'
import type { Cache } from '../../src/index.ts'
import {
  type AuthService,
  ada,
  loggedIn,
  registered,
  sessionIn,
  startFastify,
} from '../stage/auth-service.ts'
import { later, refreshing, serving, statuses } from '../stage/stateful.ts'

/** Adds marks of tokens, as logouts and refreshes do, until one is refused. */
const fill = (cache: Cache): void => {
  for (let count = 0; count < 10_000; count += 1)
    try {
      void cache.add(`token ${count}`, 'revoked', 100_000)
    } catch {
      return
    }
  throw new Error('It never became full.')
}

/** A cache in which each mark of a user counts as so many. */
const hasty = (by: number): { readonly cache: Cache; readonly held: Map<string, string> } => {
  const cache = memoryCache()
  const held = new Map<string, string>()
  const keep = (key: string, value: string): void => void held.set(key, value)
  return {
    held,
    cache: {
      ...cache,
      count: (key, times, seconds) => cache.count(key, key.includes(':marks:') ? times * by : times, seconds),
      set: (key, value, seconds) => {
        keep(key, value)
        return cache.set(key, value, seconds)
      },
      add: (key, value, seconds) => {
        keep(key, value)
        return cache.add(key, value, seconds)
      },
    },
  }
}

const loggedOut = async ({ send }: AuthService, { access, refresh }: { access: string; refresh: string }) =>
  (await send('POST', '/api/auth/logout', { token: access, body: { refresh } })).status

const bob = { ...ada, email: 'bob@example.com', username: 'bob' }

describe('a cache that marks of tokens have filled', () => {
  const start = startFastify
  const serve = serving(start)
  const filling = async () => {
    const CACHE = memoryCache({ maxBytes: 65_536 })
    return { CACHE, service: await serve({ STATEFUL: true }, { settings: { CACHE } }) }
  }

  it('lets the host end the sessions of a user, and the user log in again', async () => {
    const { CACHE, service } = await filling()
    const victim = await registered(service)
    const other = await registered(service, bob)
    fill(CACHE)
    await service.rest.revokeTokens(victim.user['id'])
    expect(await statuses(service, victim.access)).toEqual([401, 401])
    expect(await statuses(service, other.access)).toEqual([200, 200])
    expect(await statuses(service, sessionIn(await loggedIn(service)).access)).toEqual([200, 200])
  })

  it('lets a user log out, which ends all their sessions, and log in at once', async () => {
    const { CACHE, service } = await filling()
    const one = await registered(service)
    const second = sessionIn(await loggedIn(service))
    const other = await registered(service, bob)
    fill(CACHE)
    expect(await loggedOut(service, one)).toBe(204)
    for (const { access, refresh } of [one, second]) {
      expect(await statuses(service, access)).toEqual([401, 401])
      expect((await refreshing(service, refresh)).status).toBe(401)
    }
    expect(await statuses(service, other.access)).toEqual([200, 200])
    expect(await statuses(service, sessionIn(await loggedIn(service)).access)).toEqual([200, 200])
  })

  it('still ends what a thief has of a token that comes again', async () => {
    const { CACHE, service } = await filling()
    const { refresh } = await registered(service)
    const thiefs = sessionIn(await refreshing(service, refresh))
    fill(CACHE)
    later(60)
    expect((await refreshing(service, refresh)).status).toBe(401)
    expect(await statuses(service, thiefs.access)).toEqual([401, 401])
    expect((await refreshing(service, thiefs.refresh)).status).not.toBe(200)
  })

  it('gives no new pair where it cannot be kept that the token was used', async () => {
    const { CACHE, service } = await filling()
    const { access, refresh } = await registered(service)
    fill(CACHE)
    expect((await refreshing(service, refresh)).status).toBe(503)
    expect(await statuses(service, access)).toEqual([200, 200])
  })
})

describe('what one user leaves in the cache', () => {
  const start = startFastify
  const serve = serving(start)

  it('is one entry for all logouts beyond a bound, each of which ends all sessions', async () => {
    const { cache, held } = hasty(500)
    const service = await serve({ STATEFUL: true }, { settings: { CACHE: cache } })
    const first = await registered(service)
    const other = await registered(service, bob)
    expect(await loggedOut(service, sessionIn(await loggedIn(service)))).toBe(204)
    expect(await loggedOut(service, sessionIn(await loggedIn(service)))).toBe(204)
    expect(await statuses(service, first.access)).toEqual([200, 200])
    const within = held.size
    for (let round = 0; round < 2; round += 1) {
      const session = sessionIn(await loggedIn(service))
      expect(await loggedOut(service, session)).toBe(204)
      expect(await statuses(service, session.access)).toEqual([401, 401])
      expect((await refreshing(service, session.refresh)).status).toBe(401)
    }
    expect(await statuses(service, first.access)).toEqual([401, 401])
    expect(await statuses(service, other.access)).toEqual([200, 200])
    expect(held.size).toBe(within + 1)
  })

  it('is nothing for refreshes beyond a bound, which ask for a login, also with REFRESH_MAX: 0', async () => {
    const { cache, held } = hasty(2000)
    const service = await serve({ STATEFUL: true, REFRESH_MAX: 0 }, { settings: { CACHE: cache } })
    let { access, refresh } = await registered(service)
    const other = await registered(service, bob)
    for (let count = 0; count < 2; count += 1)
      ({ access, refresh } = sessionIn(await refreshing(service, refresh)))
    const within = held.size
    for (let count = 0; count < 3; count += 1) {
      expect((await refreshing(service, refresh)).status).toBe(401)
      expect(await statuses(service, access)).toEqual([200, 200])
    }
    expect(held.size).toBe(within)
    expect((await refreshing(service, other.refresh)).status).toBe(200)
    expect(await loggedOut(service, { access, refresh })).toBe(204)
    expect(await statuses(service, access)).toEqual([401, 401])
  })

  it('lets four clients of one user refresh each time that a short access token ends', async () => {
    const settings = { CACHE: hasty(2880).cache }
    const service = await serve({ STATEFUL: true, JWT_ACCESS_EXP: 900 }, { settings })
    const { refresh } = await registered(service)
    let newest = refresh
    for (let client = 0; client < 4; client += 1) {
      const reply = await refreshing(service, newest)
      expect(reply.status).toBe(200)
      newest = sessionIn(reply).refresh
    }
    expect((await refreshing(service, newest)).status).toBe(401)
  })

  it('is not counted for a refresh that a hook refuses', async () => {
    let refusing = true
    const { cache } = hasty(5000)
    const ON_REFRESH = () => {
      if (refusing) throw new Error('Not now.')
    }
    const service = await serve({ STATEFUL: true, ON_REFRESH }, { settings: { CACHE: cache } })
    const { refresh } = await registered(service)
    expect((await refreshing(service, refresh)).status).toBe(500)
    refusing = false
    expect((await refreshing(service, refresh)).status).toBe(200)
  })
})
