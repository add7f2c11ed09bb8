import { expect, it } from 'vitest'
import { HttpError, type ServiceAuth } from '../../../src/index.ts'
import { registered, sessionIn } from '../../stage/auth-service.ts'
import {
  claimsOf,
  describeStateful,
  describeStateless,
  later,
  refreshing,
  statuses,
} from '../../stage/stateful.ts'

/** A hook that refuses its first call alone. */
const refusingOnce = (): { readonly calls: unknown[]; readonly serviceAuth: ServiceAuth } => {
  const calls: unknown[] = []
  const hook = (user: object): void => {
    calls.push(user)
    if (calls.length === 1) throw new HttpError(403, 'Not now.')
  }
  return { calls, serviceAuth: { ON_REFRESH: hook } }
}

describeStateless((serve) => {
  it('checklist 9: without state a refresh gives a new pair, and the old refresh token stays good', async () => {
    const service = await serve()
    const first = await registered(service)
    later(5)
    const reply = await refreshing(service, first.refresh)
    const { access, refresh } = sessionIn(reply)
    expect([reply.status, Object.keys(reply.json).sort()]).toEqual([200, ['access', 'refresh']])
    for (const [before, after] of [
      [first.access, access],
      [first.refresh, refresh],
    ] as const) {
      const { sub, type, exp } = claimsOf(before)
      expect(claimsOf(after)).toMatchObject({ sub, type, exp: Number(exp) + 5 })
    }
    expect(await statuses(service, access)).toEqual([200, 200])
    expect((await refreshing(service, first.refresh)).status).toBe(200)
    expect((await refreshing(service, refresh)).status).toBe(200)
  })

  it('checklist 30: a refresh that its hook refuses gives no tokens, and the refresh token stays good', async () => {
    const { calls, serviceAuth } = refusingOnce()
    const service = await serve(serviceAuth)
    const { refresh } = await registered(service)
    const refused = await refreshing(service, refresh)
    expect([refused.status, refused.json['access'], refused.cookies]).toEqual([403, undefined, []])
    expect((await refreshing(service, refresh)).status).toBe(200)
    expect(calls.length).toBe(2)
  })
})

describeStateful('refreshes in stateful mode on Redis', (serve) => {
  it('checklist 9: a refresh gives a new pair with new ids, and the old refresh token is dead at once', async () => {
    const service = await serve()
    let last = await registered(service)
    const seen = new Set<unknown>()
    for (let count = 0; count < 3; count += 1) {
      for (const token of [last.access, last.refresh]) {
        const { jti, fid } = claimsOf(token)
        expect(fid).toBe(claimsOf(last.access)['fid'])
        seen.add(jti)
      }
      const next = sessionIn(await refreshing(service, last.refresh))
      expect((await refreshing(service, last.refresh)).status).toBe(401)
      expect(await statuses(service, next.access)).toEqual([200, 200])
      last = next
    }
    expect(seen.size).toBe(6)
  })

  it('checklist 30: a refresh that its hook refuses leaves the refresh token good for one refresh', async () => {
    const { calls, serviceAuth } = refusingOnce()
    const service = await serve({ ...serviceAuth, REFRESH_REUSE_GRACE: 0 })
    const { refresh } = await registered(service)
    const refused = await refreshing(service, refresh)
    expect([refused.status, refused.json['access'], refused.cookies]).toEqual([403, undefined, []])
    const reply = await refreshing(service, refresh)
    expect([reply.status, calls.length]).toEqual([200, 2])
    expect(await statuses(service, sessionIn(reply).access)).toEqual([200, 200])
    expect((await refreshing(service, refresh)).status).toBe(401)
  })

  it.each([
    ['of now', true],
    ['from before stateful mode', false],
  ])(
    'checklist 14: a logout ends the session of a token %s, even while a hook decides about its refresh',
    async (_, STATEFUL) => {
      const asked = Promise.withResolvers<void>()
      const decided = Promise.withResolvers<void>()
      const ON_REFRESH = (): Promise<void> => {
        asked.resolve()
        return decided.promise
      }
      const before = await serve({ STATEFUL: false })
      const service = await serve({ ON_REFRESH }, { after: before })
      const { refresh } = await registered(STATEFUL ? service : before)
      const pending = refreshing(service, refresh)
      await asked.promise
      expect((await service.send('POST', '/api/auth/logout', { body: { refresh } })).status).toBe(204)
      decided.reject(new HttpError(403, 'Not now.'))
      expect((await pending).status).toBe(403)
      // The hook would refuse it as well, by 403.
      expect((await refreshing(service, refresh)).status).toBe(401)
    },
  )
})
