import { expect, it } from 'vitest'
import { type AuthService, registered, type Session, sessionIn } from '../../stage/auth-service.ts'
import { describeStateful, later, refreshing, statuses } from '../../stage/stateful.ts'

/** A new user's session, and those that so many refreshes have made of it, each from the one before. */
const generations = async (service: AuthService, count: number): Promise<readonly Session[]> => {
  const sessions = [await registered(service)]
  for (let number = 0; number < count; number += 1)
    sessions.push(sessionIn(await refreshing(service, sessions.at(-1)?.refresh ?? '')))
  return sessions
}

/** Whether each session is refused at protected routes, and its refresh token at refresh. */
const areDead = async (service: AuthService, sessions: readonly Session[]): Promise<void> => {
  for (const { access } of sessions) expect(await statuses(service, access)).toEqual([401, 401])
  for (const { refresh } of sessions) expect((await refreshing(service, refresh)).status).toBe(401)
}

const reuses = ({ log }: AuthService): number =>
  log.filter(({ line }) => line === 'auth.refresh_reused').length

describeStateful('reused refresh tokens on Redis', (serve) => {
  it('checklist 10: the parent of the newest token is refused within the grace, and the family goes on', async () => {
    const service = await serve()
    const [first, second] = await generations(service, 1)
    later(9)
    for (let count = 0; count < 3; count += 1)
      expect((await refreshing(service, first?.refresh ?? '')).status).toBe(401)
    expect(await statuses(service, first?.access ?? '')).toEqual([200, 200])
    expect(await statuses(service, second?.access ?? '')).toEqual([200, 200])
    expect((await refreshing(service, second?.refresh ?? '')).status).toBe(200)
    expect(reuses(service)).toBe(0)
  })

  it('checklist 10: after the grace the parent ends the whole family, its newest tokens included', async () => {
    const service = await serve()
    const sessions = await generations(service, 2)
    later(11)
    expect((await refreshing(service, sessions[1]?.refresh ?? '')).status).toBe(401)
    await areDead(service, sessions)
  })

  it('checklist 10: a grandparent ends the whole family at once, within the grace', async () => {
    const service = await serve()
    const sessions = await generations(service, 3)
    expect((await refreshing(service, sessions[1]?.refresh ?? '')).status).toBe(401)
    await areDead(service, sessions)
  })

  it('checklist 10: without a grace the parent ends the whole family at once', async () => {
    const service = await serve({ REFRESH_REUSE_GRACE: 0 })
    const sessions = await generations(service, 1)
    expect((await refreshing(service, sessions[0]?.refresh ?? '')).status).toBe(401)
    await areDead(service, sessions)
  })

  it('checklist 10: the grace is as long as the setting says', async () => {
    const service = await serve({ REFRESH_REUSE_GRACE: 60 })
    const [first, second] = await generations(service, 1)
    later(59)
    expect((await refreshing(service, first?.refresh ?? '')).status).toBe(401)
    expect(await statuses(service, second?.access ?? '')).toEqual([200, 200])
    later(2)
    expect((await refreshing(service, first?.refresh ?? '')).status).toBe(401)
    expect(await statuses(service, second?.access ?? '')).toEqual([401, 401])
  })

  it('checklist 10: another session of the same user goes on', async () => {
    const service = await serve({ REFRESH_REUSE_GRACE: 0 })
    const sessions = await generations(service, 1)
    const body = { email: 'ada@example.com', password: 'correct horse battery' }
    const other = sessionIn(await service.send('POST', '/api/auth/login', { body }))
    expect((await refreshing(service, sessions[0]?.refresh ?? '')).status).toBe(401)
    await areDead(service, sessions)
    expect(await statuses(service, other.access)).toEqual([200, 200])
    expect((await refreshing(service, other.refresh)).status).toBe(200)
  })

  it('checklist 10: two tabs of which one has logged out meanwhile are no theft', async () => {
    const service = await serve()
    const [first, second] = await generations(service, 1)
    await service.send('POST', '/api/auth/logout', { body: { refresh: second?.refresh } })
    expect((await refreshing(service, first?.refresh ?? '')).status).toBe(401)
    expect(await statuses(service, second?.access ?? '')).toEqual([200, 200])
    expect(reuses(service)).toBe(0)
  })

  it('checklist 10: a family stays dead for a token that its thief has refreshed meanwhile', async () => {
    const service = await serve({ REFRESH_REUSE_GRACE: 0 })
    const sessions = await generations(service, 1)
    const [own, thiefs] = await Promise.all([
      refreshing(service, sessions[0]?.refresh ?? ''),
      refreshing(service, sessions[1]?.refresh ?? ''),
    ])
    expect(own?.status).toBe(401)
    await areDead(service, [...sessions, ...(thiefs?.status === 200 ? [sessionIn(thiefs)] : [])])
  })

  it('checklist 11: the family stays dead although the request that ended it was answered 401', async () => {
    const service = await serve({ REFRESH_REUSE_GRACE: 0 })
    const sessions = await generations(service, 1)
    const refused = await refreshing(service, sessions[0]?.refresh ?? '')
    expect([refused.status, refused.json['access'], refused.cookies]).toEqual([401, undefined, []])
    expect(await statuses(service, sessions[1]?.access ?? '')).toEqual([401, 401])
    const newest = await refreshing(service, sessions[1]?.refresh ?? '')
    expect([newest.status, newest.json['access'], newest.cookies]).toEqual([401, undefined, []])
  })

  it('checklist 12: of 50 refreshes with one token at the same moment one gets a pair, and its family goes on', async () => {
    const service = await serve()
    const { refresh } = await registered(service)
    const replies = await Promise.all(Array.from({ length: 50 }, () => refreshing(service, refresh)))
    const won = replies.filter(({ status }) => status === 200)
    expect(won.length).toBe(1)
    expect(replies.filter(({ status }) => status === 401).length).toBe(49)
    const next = won.map(sessionIn)[0]
    expect(await statuses(service, next?.access ?? '')).toEqual([200, 200])
    expect((await refreshing(service, next?.refresh ?? '')).status).toBe(200)
    expect(reuses(service)).toBe(0)
  })
})
