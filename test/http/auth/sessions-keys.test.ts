import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { SignJWT } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { redisCache } from '../../../src/cache/redis.ts'
import type { Cache, ServiceAuth } from '../../../src/index.ts'
import { onRedis, testRedis } from '../../servers/test-redis.ts'
import { registered, secret, sessionIn, startFastify } from '../../stage/auth-service.ts'
import { claimsOf, refreshing, serving, statuses } from '../../stage/stateful.ts'

onRedis('what is kept of tokens in Redis', () => {
  const { url, prefix } = testRedis()
  const client = new Redis(url)
  afterAll(() => client.quit())
  let corners = 0

  /** A corner of this Redis with nothing in it, and what is kept there: keys without their prefix, and their seconds. */
  const corner = (): { readonly CACHE: Cache; kept(): Promise<Readonly<Record<string, number>>> } => {
    corners += 1
    const own = `${prefix}${corners}:`
    return {
      CACHE: redisCache(client, { prefix: own }),
      kept: async () => {
        const keys = (await client.keys(`${own}*`)).filter(
          (key) => !/:(failures|registrations|refreshes|marks):/.test(key),
        )
        const entries = keys.map(async (key) => [key.slice(own.length), await client.ttl(key)] as const)
        return Object.fromEntries((await Promise.all(entries)).sort())
      },
    }
  }

  const secondsLeft = (token: string): number => Number(claimsOf(token)['exp']) - Date.now() / 1000

  describe('services', () => {
    const start = startFastify
    const serve = serving(start)
    const serviceAuth: ServiceAuth = { STATEFUL: true, JWT_ISS: 'shop: one', JWT_AUD: 'shop/api' }
    const root = 'modelrest:auth:shop%3A%20one:shop%2Fapi'

    it('checklist 15: what is revoked is kept by issuer, audience and token id, for as long as the token has left', async () => {
      const { CACHE, kept } = corner()
      const service = await serve(
        { ...serviceAuth, JWT_ACCESS_EXP: 600, JWT_REFRESH_EXP: 7200, JWT_CLOCK_SKEW: 5 },
        { settings: { CACHE } },
      )
      const { access, refresh } = await registered(service)
      expect(await kept()).toEqual({})
      await service.send('POST', '/api/auth/logout', { token: access, body: { refresh } })
      const most = [access, refresh].map((token) => secondsLeft(token) + 8)
      const keys = await kept()
      const names = [access, refresh].map((token) => `${root}:token:${claimsOf(token)['jti']}`)
      expect(Object.keys(keys)).toEqual([...names].sort())
      for (const [number, token] of [access, refresh].entries()) {
        const seconds = keys[names[number] ?? ''] ?? 0
        // It must not come to life again at its end: it is good for the clock skew beyond.
        expect(seconds).toBeGreaterThanOrEqual(secondsLeft(token) + 4)
        expect(seconds).toBeLessThanOrEqual(most[number] ?? 0)
      }
    })

    it('checklist 15: a refresh keeps the old refresh token alone, by its id, for as long as it has left', async () => {
      const { CACHE, kept } = corner()
      const service = await serve({ ...serviceAuth, JWT_REFRESH_EXP: 7200 }, { settings: { CACHE } })
      const { refresh } = await registered(service)
      await refreshing(service, refresh)
      const entries = Object.entries(await kept())
      expect(entries.map(([key]) => key)).toEqual([`${root}:token:${claimsOf(refresh)['jti']}`])
      expect(entries[0]?.[1]).toBeGreaterThanOrEqual(secondsLeft(refresh) + 4)
      expect(entries[0]?.[1]).toBeLessThanOrEqual(7207)
    })

    it('checklist 15: a token without an id is kept by the hash of what was signed', async () => {
      const { CACHE, kept } = corner()
      const before = await serve({ ...serviceAuth, STATEFUL: false })
      const { access } = await registered(before)
      const service = await serve(serviceAuth, { after: before, settings: { CACHE } })
      await service.send('POST', '/api/auth/logout', { token: access })
      const signed = access.slice(0, access.lastIndexOf('.'))
      const hash = createHash('sha256').update(signed).digest('base64url')
      expect(Object.keys(await kept())).toEqual([`${root}:token:h:${hash}`])
    })

    it.each([
      ['access', { JWT_ACCESS_EXP: 7200, JWT_REFRESH_EXP: 600 }],
      ['refresh', { JWT_ACCESS_EXP: 600, JWT_REFRESH_EXP: 7200 }],
    ])(
      'checklist 15: a family is kept until its newest tokens have ended, where %s tokens live longer',
      async (_name, times) => {
        const { CACHE, kept } = corner()
        const settings = { ...serviceAuth, ...times, REFRESH_REUSE_GRACE: 0 }
        const service = await serve(settings, { settings: { CACHE } })
        const { refresh } = await registered(service)
        const next = sessionIn(await refreshing(service, refresh))
        await refreshing(service, refresh)
        const seconds = (await kept())[`${root}:family:${claimsOf(refresh)['fid']}`] ?? 0
        for (const token of [next.access, next.refresh])
          expect(seconds).toBeGreaterThanOrEqual(secondsLeft(token) + 4)
        expect(seconds).toBeLessThanOrEqual(7207)
      },
    )

    it('checklist 15: a family is kept until its tokens have ended that were made for a longer life', async () => {
      const { CACHE, kept } = corner()
      const settings = { ...serviceAuth, REFRESH_REUSE_GRACE: 0 }
      const before = await serve({ ...settings, JWT_REFRESH_EXP: 7200 }, { settings: { CACHE } })
      const { refresh } = await registered(before)
      await refreshing(before, refresh)
      const shorter = { ...settings, JWT_ACCESS_EXP: 60, JWT_REFRESH_EXP: 60 }
      await refreshing(await serve(shorter, { after: before, settings: { CACHE } }), refresh)
      const seconds = (await kept())[`${root}:family:${claimsOf(refresh)['fid']}`] ?? 0
      expect(seconds).toBeGreaterThan(7000)
    })

    it.each([{ JWT_AUD: 'stock' }, { JWT_ISS: 'stock' }])(
      'checklist 15: a second application on one Redis (%o) is not touched, not even by the same ids',
      async (other) => {
        const { CACHE, kept } = corner()
        const one = await serve(serviceAuth, { settings: { CACHE } })
        const two = await serve({ ...serviceAuth, ...other }, { after: one, settings: { CACHE } })
        const mine = await registered(one)
        const [access, refresh] = await Promise.all(
          [mine.access, mine.refresh].map((token) =>
            new SignJWT({ ...claimsOf(token), ...(other.JWT_AUD ? { aud: 'stock' } : { iss: 'stock' }) })
              .setProtectedHeader({ alg: 'HS256' })
              .sign(Buffer.from(secret)),
          ),
        )
        const theirs = { access: access ?? '', refresh: refresh ?? '' }
        await one.send('POST', '/api/auth/logout', {
          token: theirs.access,
          body: { refresh: theirs.refresh },
        })
        expect(await kept()).toEqual({})
        await one.send('POST', '/api/auth/logout', { token: mine.access, body: { refresh: mine.refresh } })
        expect(await statuses(one, mine.access)).toEqual([401, 401])
        expect(await statuses(one, theirs.access)).toEqual([401, 401])
        expect(await statuses(two, theirs.access)).toEqual([200, 200])
        expect((await refreshing(two, theirs.refresh)).status).toBe(200)
      },
    )
  })
})
