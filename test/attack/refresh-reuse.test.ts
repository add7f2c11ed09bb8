import { describe, expect, it } from 'vitest'
import { memoryCache } from '../../src/cache/cache.ts'
import { type AuthService, registered, type Session, sessionIn, startFastify } from '../stage/auth-service.ts'
import { refreshing, serving, statuses } from '../stage/stateful.ts'
import { slowCache } from './held.ts'

const most = 5

/** A cache that says how many marks of tokens were asked for. */
const countingCache = () => {
  const marks = { count: 0 }
  const CACHE = slowCache(memoryCache(), async (act, key) => {
    if (act === 'add' && key.includes(':token:')) marks.count += 1
  })
  return { CACHE, marks }
}

describe('the limit of refreshes', () => {
  const start = startFastify
  const serve = serving(start)
  const limited = async (settings = {}): Promise<AuthService> =>
    serve({ STATEFUL: true, REFRESH_MAX: most }, { settings })

  /** Refreshes until the limit is reached, each time with the newest token. */
  const rotated = async (service: AuthService, stolen: string): Promise<readonly Session[]> => {
    const sessions: Session[] = []
    for (let refresh = stolen; ; ) {
      const reply = await refreshing(service, refresh)
      if (reply.status === 429) return sessions
      expect(reply.status).toBe(200)
      sessions.push(sessionIn(reply))
      refresh = sessions.at(-1)?.refresh ?? ''
    }
  }

  it('hides no reuse: the token that a thief has rotated away ends the session of both', async () => {
    const service = await limited()
    const { refresh } = await registered(service)
    const thiefs = await rotated(service, refresh)
    expect(thiefs).toHaveLength(most)
    const last = thiefs.at(-1)
    expect(await statuses(service, last?.access ?? '')).toEqual([200, 200])
    expect((await refreshing(service, refresh)).status).toBe(401)
    expect(await statuses(service, last?.access ?? '')).toEqual([401, 401])
    expect((await refreshing(service, last?.refresh ?? '')).status).toBe(401)
  })

  it('still bounds what one user leaves in the cache', async () => {
    const { CACHE, marks } = countingCache()
    const service = await limited({ CACHE })
    const { refresh } = await registered(service)
    const [newest] = (await rotated(service, refresh)).slice(-1)
    expect(marks.count).toBe(most)
    for (let count = 0; count < 3; count += 1)
      expect((await refreshing(service, newest?.refresh ?? '')).status).toBe(429)
    for (let count = 0; count < 3; count += 1) expect((await refreshing(service, refresh)).status).toBe(401)
    expect(marks.count).toBe(most)
  })

  it('counts those who get a pair, and not those who lose the race for it', async () => {
    const service = await limited()
    const { refresh } = await registered(service)
    const replies = await Promise.all(Array.from({ length: most }, () => refreshing(service, refresh)))
    const won = replies.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    const rest = await rotated(service, won.map(sessionIn)[0]?.refresh ?? '')
    expect(rest).toHaveLength(most - 1)
  })
})
