import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import type { ServiceAuth } from '../../../src/index.ts'
import { type AuthService, registered, sessionIn } from '../../stage/auth-service.ts'
import { claimsOf, describeStateful, refreshing, type Serve, statuses } from '../../stage/stateful.ts'

/** A client that logged in without stateful mode, and the service with that mode on the same database. */
const switched = async (serve: Serve, serviceAuth: ServiceAuth = {}) => {
  const before = await serve({ ...serviceAuth, STATEFUL: false })
  const session = await registered(before)
  return { before, session, service: await serve(serviceAuth, { after: before }) }
}

const logout = ({ send }: AuthService, token: string, refresh: string) =>
  send('POST', '/api/auth/logout', { token, body: { refresh } })

/** The same token with each other last character of its signature. */
const otherTails = (token: string): readonly string[] =>
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map((letter) => token.slice(0, -1) + letter)
    .filter((other) => other !== token)

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** The other signature that is good for the same text: of an elliptic one there are two, r and s, and r and n - s. */
const otherSignature = (token: string): string => {
  const end = token.lastIndexOf('.')
  const signature = Buffer.from(token.slice(end + 1), 'base64url')
  const s = order - BigInt(`0x${signature.subarray(32).toString('hex')}`)
  const other = Buffer.concat([
    signature.subarray(0, 32),
    Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
  ])
  return `${token.slice(0, end)}.${other.toString('base64url')}`
}

const pem = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()

describeStateful('stateful mode that is switched on, on Redis', (serve) => {
  it('checklist 17: tokens from before have no id, go on after the switch, and their refresh gives tokens that have one', async () => {
    const { session, service } = await switched(serve)
    for (const token of [session.access, session.refresh]) expect(claimsOf(token)).not.toHaveProperty('jti')
    expect(await statuses(service, session.access)).toEqual([200, 200])
    const next = sessionIn(await refreshing(service, session.refresh))
    for (const token of [next.access, next.refresh])
      expect(claimsOf(token)).toMatchObject({
        jti: expect.any(String),
        fid: expect.any(String),
        auth_time: claimsOf(session.refresh)['iat'],
      })
    expect(await statuses(service, next.access)).toEqual([200, 200])
    expect(await statuses(service, session.access)).toEqual([200, 200])
    expect((await refreshing(service, session.refresh)).status).toBe(401)
    expect((await refreshing(service, next.refresh)).status).toBe(200)
  })

  it('checklist 17: by cookies they go on as well', async () => {
    const { session, service } = await switched(serve)
    const cookies = { service_access_token: session.access, service_refresh_token: session.refresh }
    const headers = { 'sec-fetch-site': 'same-origin' }
    expect((await service.send('GET', '/api/notes/', { cookies })).status).toBe(200)
    expect((await service.send('POST', '/api/auth/refresh', { cookies, headers })).status).toBe(200)
    expect((await service.send('POST', '/api/auth/refresh', { cookies, headers })).status).toBe(401)
  })

  it('checklist 17: a refresh token from before that comes again after the grace ends the family that it began', async () => {
    const { session, service } = await switched(serve, { REFRESH_REUSE_GRACE: 0 })
    const next = sessionIn(await refreshing(service, session.refresh))
    const newest = sessionIn(await refreshing(service, next.refresh))
    expect((await refreshing(service, session.refresh)).status).toBe(401)
    for (const { access, refresh } of [next, newest]) {
      expect(await statuses(service, access)).toEqual([401, 401])
      expect((await refreshing(service, refresh)).status).toBe(401)
    }
  })

  it('checklist 17: of 50 refreshes with a token from before one gets a pair', async () => {
    const { session, service } = await switched(serve)
    const all = Array.from({ length: 50 }, () => refreshing(service, session.refresh))
    const won = (await Promise.all(all)).filter(({ status }) => status === 200)
    expect(won.length).toBe(1)
    expect(await statuses(service, won.map(sessionIn)[0]?.access ?? '')).toEqual([200, 200])
  })

  it('checklist 17: logout revokes tokens from before, and no other end of their signature escapes', async () => {
    const { session, service } = await switched(serve)
    expect((await logout(service, session.access, session.refresh)).status).toBe(204)
    expect(await statuses(service, session.access)).toEqual([401, 401])
    expect((await refreshing(service, session.refresh)).status).toBe(401)
    for (const token of otherTails(session.access))
      expect((await service.send('GET', '/api/notes/', { token })).status).toBe(401)
    for (const token of otherTails(session.refresh))
      expect((await refreshing(service, token)).status).toBe(401)
  })

  it('checklist 17: logout revokes the other good signature of a token from before, too', async () => {
    const { session, service } = await switched(serve, { JWT_ALGORITHM: 'ES256', JWT_SECRET: pem() })
    const others = { access: otherSignature(session.access), refresh: otherSignature(session.refresh) }
    expect(await statuses(service, others.access)).toEqual([200, 200])
    expect((await logout(service, session.access, session.refresh)).status).toBe(204)
    expect(await statuses(service, others.access)).toEqual([401, 401])
    expect((await refreshing(service, others.refresh)).status).toBe(401)
  })

  it('checklist 17: a token from before is rotated once, whichever of its good signatures comes', async () => {
    const { session, service } = await switched(serve, { JWT_ALGORITHM: 'ES256', JWT_SECRET: pem() })
    expect((await refreshing(service, otherSignature(session.refresh))).status).toBe(200)
    expect((await refreshing(service, session.refresh)).status).toBe(401)
  })

  it('checklist 17: switched off again, tokens with an id go on', async () => {
    const { before, service } = await switched(serve)
    const body = { email: 'ada@example.com', password: 'correct horse battery' }
    const login = sessionIn(await service.send('POST', '/api/auth/login', { body }))
    expect(await statuses(before, login.access)).toEqual([200, 200])
    const next = sessionIn(await refreshing(before, login.refresh))
    expect(claimsOf(next.access)['jti']).toBe(undefined)
    expect(await statuses(service, next.access)).toEqual([200, 200])
  })
})
