import { describe, expect, it, vi } from 'vitest'
import { memoryCache } from '../../src/cache/cache.ts'
import type { Cache } from '../../src/index.ts'
import {
  type AuthService,
  ada,
  loggedIn,
  registered,
  type Session,
  sessionIn,
  startFastify,
} from '../stage/auth-service.ts'
import { claimsOf, later, refreshing, serving, statuses } from '../stage/stateful.ts'
import { gate, slowCache } from './held.ts'

const idOf = ({ access }: Session): string => String(claimsOf(access)['fid'])

const idsIn = async ({ send }: AuthService, { access }: Session): Promise<readonly string[]> => {
  const { json } = await send('GET', '/api/auth/sessions', { token: access })
  return (json['items'] as readonly { readonly id: string }[]).map(({ id }) => id)
}

const opened = async (service: AuthService): Promise<Session> => sessionIn(await loggedIn(service))

const ending = async ({ send }: AuthService, { access }: Session, id: string): Promise<number> =>
  (await send('DELETE', `/api/auth/sessions/${id}`, { token: access })).status

/** A cache whose entries can be seen, in which each mark of a user counts as so many, and of which some acts are noted. */
const watched = (by = 1) => {
  const cache = memoryCache()
  const held = new Map<string, string>()
  const written: string[] = []
  const reads = { count: 0 }
  const keep = (key: string, value: string): void => {
    written.push(key)
    held.set(key, value)
  }
  const watching: Cache = {
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
    delete: (key) => {
      held.delete(key)
      return cache.delete(key)
    },
    getMany: (keys) => {
      if (keys.some((key) => key.includes(':session:'))) reads.count += 1
      return cache.getMany(keys)
    },
  }
  return { cache: watching, held, written, reads }
}

const bob = { ...ada, email: 'bob@example.com', username: 'bob' }
const listed = { STATEFUL: true, SESSIONS: true, LOGOUT_ALL: true }

describe('the list of sessions', () => {
  const start = startFastify
  const serve = serving(start)

  it('checklist 41: is 50 entries for a user who logs in without end', async () => {
    const { cache, held } = watched()
    const service = await serve(listed, { settings: { CACHE: cache } })
    await registered(service)
    for (let count = 0; count < 58; count += 1) await opened(service)
    const places = [...held.keys()].filter((key) => key.includes(':session:'))
    expect(places.length).toBe(50)
    // Of each that made room, one entry is left until its tokens would have expired.
    expect([...held.keys()].filter((key) => key.includes(':family:')).length).toBe(9)
  })

  it('checklist 41: ends all sessions where too many were ended one by one, and lets the user log in', async () => {
    const { cache, held } = watched(2000)
    const service = await serve(listed, { settings: { CACHE: cache } })
    const mine = await registered(service)
    const other = await registered(service, bob)
    expect(await ending(service, mine, idOf(await opened(service)))).toBe(204)
    const within = [...held.keys()].filter((key) => key.includes(':family:')).length
    expect(await ending(service, mine, idOf(await opened(service)))).toBe(204)
    expect(await statuses(service, mine.access)).toEqual([401, 401])
    expect(await statuses(service, other.access)).toEqual([200, 200])
    for (let count = 0; count < 50; count += 1) await opened(service)
    // Each of 50 new ones is good; the next would end one, and ends all.
    const refused = await loggedIn(service)
    expect([refused.status, refused.json['access'], refused.headers['retry-after']]).toEqual([
      503,
      undefined,
      '1',
    ])
    const fresh = await opened(service)
    expect(await statuses(service, fresh.access)).toEqual([200, 200])
    expect([...held.keys()].filter((key) => key.includes(':family:')).length).toBe(within)
  })

  it('checklist 41: leaves out what begins in a full cache, which still lets users log in and end all', async () => {
    const CACHE = memoryCache({ maxBytes: 65_536 })
    const service = await serve(listed, { settings: { CACHE } })
    const before = await registered(service)
    for (let count = 0; count < 10_000; count += 1)
      try {
        void CACHE.add(`token ${count}`, 'revoked', 100_000)
      } catch {
        break
      }
    const within = await opened(service)
    expect(await statuses(service, within.access)).toEqual([200, 200])
    expect(await idsIn(service, within)).toEqual([idOf(before)])
    const all = await service.send('POST', '/api/auth/logout/all', { token: within.access })
    expect(all.status).toBe(204)
    for (const { access } of [before, within]) expect(await statuses(service, access)).toEqual([401, 401])
  })

  it.each(['logout', 'sessions'])(
    'checklist 41: lets a user log out of a full cache where sessions are listed: %s',
    async (by) => {
      const CACHE = memoryCache({ maxBytes: 65_536 })
      const service = await serve(listed, { settings: { CACHE } })
      const mine = await registered(service)
      const other = await registered(service, bob)
      for (let count = 0; count < 10_000; count += 1)
        try {
          void CACHE.add(`token ${count}`, 'revoked', 100_000)
        } catch {
          break
        }
      const reply =
        by === 'logout'
          ? await service.send('POST', '/api/auth/logout', { token: mine.access })
          : await service.send('DELETE', `/api/auth/sessions/${idOf(mine)}`, { token: mine.access })
      expect([reply.status, reply.cookies.length]).toEqual([204, 2])
      expect(await statuses(service, mine.access)).toEqual([401, 401])
      expect(await statuses(service, other.access)).toEqual([200, 200])
      expect(await idsIn(service, other)).toEqual([idOf(other)])
    },
  )

  it('checklist 41: goes on beside the lock of a process that has died', async () => {
    const { cache, held } = watched()
    const service = await serve(listed, { settings: { CACHE: cache } })
    const mine = await registered(service)
    const [place = ''] = [...held.keys()].filter((key) => key.includes(':session:'))
    for (let number = 0; number < 50; number += 2)
      await cache.add(`${place.slice(0, place.lastIndexOf(':'))}:${number}:lock`, '1', 60)
    const sessions = [await opened(service), await opened(service), await opened(service)]
    const ids = await idsIn(service, mine)
    for (const session of [mine, ...sessions]) expect(ids).toContain(idOf(session))
    const next = sessionIn(await refreshing(service, mine.refresh))
    expect(await idsIn(service, next)).toContain(idOf(mine))
  })

  it('checklist 41: loses no session where two logins want the same place', async () => {
    const held = gate()
    let waiting = -1
    const CACHE = slowCache(memoryCache(), async (act, key) => {
      if (waiting < 0 || act !== 'set' || !key.includes(':session:')) return
      waiting += 1
      await held.pass()
    })
    const service = await serve(listed, { settings: { CACHE } })
    await registered(service)
    for (let count = 0; count < 49; count += 1) await opened(service)
    waiting = 0
    const logins = [opened(service), opened(service)]
    await vi.waitFor(() => expect(waiting).toBe(2), 5000)
    held.open()
    const sessions = await Promise.all(logins)
    const ids = await idsIn(service, sessions[0] as Session)
    for (const session of sessions) expect(ids).toContain(idOf(session))
    expect(ids.length).toBe(50)
  })

  it('checklist 41: is written by a thousand requests in a minute once, whatever they send', async () => {
    const { cache, written, reads } = watched()
    const service = await serve(listed, { settings: { CACHE: cache } })
    const mine = await registered(service)
    later(120)
    written.length = 0
    reads.count = 0
    for (let count = 0; count < 1000; count += 1)
      await service.send('GET', '/api/auth/me', {
        token: mine.access,
        headers: { 'user-agent': `${count}${'x'.repeat(4000)}` },
      })
    expect([written.filter((key) => !key.endsWith(':lock')).length, reads.count]).toEqual([1, 1])
  })
})
