import { expect, it } from 'vitest'
import { registered, type Session, sessionIn } from '../../stage/auth-service.ts'
import { claimsOf, describeStateful, later, refreshing, statuses } from '../../stage/stateful.ts'

const hour = 3600
const day = 24 * hour

const endOf = (token: string): number => Number(claimsOf(token)['exp'])

/** The seconds that a reply's cookie lives. */
const maxAge = (cookies: readonly string[], name: string): number =>
  Number(/Max-Age=(-?\d+)/.exec(cookies.find((line) => line.startsWith(name)) ?? '')?.[1])

describeStateful('absolute ends in stateful mode on Redis', (serve) => {
  it('checklist 13: however often a session is refreshed, no token of it lives on after the refresh lifetime of its login', async () => {
    const service = await serve({ REFRESH_ABSOLUTE: true, JWT_ACCESS_EXP: hour, JWT_REFRESH_EXP: day })
    const login = await registered(service)
    const end = endOf(login.refresh)
    expect(end - Number(claimsOf(login.refresh)['auth_time'])).toBe(day)
    let last: Session = login
    for (let count = 0; count < 3; count += 1) {
      later(6 * hour)
      last = sessionIn(await refreshing(service, last.refresh))
      expect(endOf(last.refresh)).toBe(end)
      expect(claimsOf(last.refresh)['auth_time']).toBe(claimsOf(login.refresh)['auth_time'])
    }
    later(5.5 * hour)
    const reply = await refreshing(service, last.refresh)
    last = sessionIn(reply)
    expect([endOf(last.access), endOf(last.refresh)]).toEqual([end, end])
    for (const name of ['service_access_token', 'service_refresh_token']) {
      expect(maxAge(reply.cookies, name)).toBeLessThanOrEqual(hour / 2)
      expect(maxAge(reply.cookies, name)).toBeGreaterThan(hour / 2 - 60)
    }
    expect(await statuses(service, last.access)).toEqual([200, 200])
    later(hour)
    expect(await statuses(service, last.access)).toEqual([401, 401])
    expect((await refreshing(service, last.refresh)).status).toBe(401)
  })

  it('checklist 13: once a session is over its refresh token gives nothing, inside the clock skew too', async () => {
    const service = await serve({ REFRESH_ABSOLUTE: true, JWT_REFRESH_EXP: day, JWT_CLOCK_SKEW: 60 })
    const { refresh } = await registered(service)
    later(day + 20)
    const reply = await refreshing(service, refresh)
    expect([reply.status, reply.cookies]).toEqual([401, []])
  })

  it('checklist 13: a shorter end holds for sessions that began before it was set', async () => {
    const before = await serve({ JWT_REFRESH_EXP: 30 * day })
    const { refresh } = await registered(before)
    later(2 * day)
    const settings = { REFRESH_ABSOLUTE: true, JWT_REFRESH_EXP: day }
    const service = await serve(settings, { after: before })
    expect((await refreshing(service, refresh)).status).toBe(401)
  })

  it('checklist 13: without the setting each refresh begins the refresh lifetime anew', async () => {
    const service = await serve({ JWT_REFRESH_EXP: day })
    const { refresh } = await registered(service)
    later(23 * hour)
    const next = sessionIn(await refreshing(service, refresh))
    expect(endOf(next.refresh) - endOf(refresh)).toBeGreaterThanOrEqual(23 * hour)
    later(23 * hour)
    expect((await refreshing(service, next.refresh)).status).toBe(200)
  })
})
