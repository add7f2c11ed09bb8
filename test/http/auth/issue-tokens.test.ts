import { decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { HttpError, type IssuedTokens } from '../../../src/index.ts'
import { naming } from '../../naming.ts'
import { type AuthService, describeServices, registered, secret } from '../../stage/auth-service.ts'
import { listening } from '../../stage/listening.ts'
import { claimsOf, refreshing, statuses } from '../../stage/stateful.ts'

const modes = [{ STATEFUL: false }, { STATEFUL: true }]
const own = { 'sec-fetch-site': 'same-origin' }

const refreshed = async (service: AuthService, { refresh }: Pick<IssuedTokens, 'refresh'>) => {
  const { status, json } = await refreshing(service, refresh)
  expect(status).toBe(200)
  return json as unknown as IssuedTokens
}

describe.each(modes)('issueTokens, %o', (mode) => {
  describeServices('', (plain) => {
    const serve = listening(plain)

    it('checklist 35: opens a session as a login does, without ON_LOGIN', async () => {
      const calls: unknown[] = []
      const service = await serve({
        ...{ ...mode, JWT_ACCESS_EXP: 600, JWT_REFRESH_EXP: 6000 },
        ON_LOGIN: () => void calls.push('login'),
      })
      await registered(service)
      const issued = await service.rest.issueTokens(1)
      expect(issued).toEqual({
        ...{ access: expect.any(String), refresh: expect.any(String), expiresIn: 600 },
        ...{ refreshExpiresIn: 6000, cookies: [expect.any(String), expect.any(String)] },
      })
      expect(await statuses(service, issued.access)).toEqual([200, 200])
      const cookies = Object.fromEntries(issued.cookies.map((line) => line.split(';')[0]?.split('=') ?? []))
      expect(
        (await service.send('POST', '/api/notes/', { cookies, headers: own, body: { text: 'x' } })).status,
      ).toBe(201)
      for (const line of issued.cookies) expect(line).toMatch(/Path=\/; HttpOnly; Secure; SameSite=Lax$/)
      expect(await statuses(service, (await refreshed(service, issued)).access)).toEqual([200, 200])
      expect(calls).toEqual([])
      expect(service.heard().filter(([, event]) => event === 'auth.issue')).toEqual([
        ['info', 'auth.issue', '1', null],
      ])
    })

    it('gives no cookies with SET_COOKIES: false', async () => {
      const service = await serve({ ...mode, SET_COOKIES: false })
      await registered(service)
      expect((await service.rest.issueTokens(1)).cookies).toEqual([])
    })

    it('is for users whose password is unknown, until one is set', async () => {
      const service = await serve(mode)
      await registered(service)
      await service.execute("update users set password = ''")
      const { access, refresh } = await service.rest.issueTokens(1)
      expect(await statuses(service, access)).toEqual([200, 200])
      await service.execute("update users set password = 'the first hash'")
      expect((await refreshing(service, refresh)).status).toBe(401)
      expect((await service.send('GET', '/api/auth/me', { token: access })).status).toBe(
        mode.STATEFUL ? 401 : 200,
      )
    })

    it.each(['unknown', 'disabled'])('refuses users who are %s', async (what) => {
      const service = await serve(mode)
      await registered(service)
      await service.execute('update users set is_active = (1 = 0)')
      service.heard()
      const refused = service.rest.issueTokens(what === 'unknown' ? 2 : 1)
      await expect(refused).rejects.toThrow(HttpError)
      await expect(refused).rejects.toMatchObject({ status: 401, code: 'unauthenticated' })
      expect(service.heard()).toEqual([])
    })

    it('refuses what cannot be the key of a user', async () => {
      const { rest } = await serve(mode)
      for (const id of ['ada', '', null, undefined, {}, 1.5])
        await expect(rest.issueTokens(id as number)).rejects.toThrow(naming('issueTokens'))
    })

    it('logs the address of the request, and takes only requests that the application received', async () => {
      const requests: unknown[] = []
      const service = await serve({ ...mode, ON_LOGOUT: (_user, request) => void requests.push(request) })
      const { access } = await registered(service)
      await service.send('POST', '/api/auth/logout', { token: access, address: '203.0.113.7' })
      service.heard()
      await service.rest.issueTokens(1, { request: requests[0] })
      expect(service.heard()).toEqual([['info', 'auth.issue', '1', '203.0.113.7']])
      await expect(service.rest.issueTokens(1, { request: {} })).rejects.toThrow(
        naming('issueTokens', 'request'),
      )
    })

    it('keeps its claims over refreshes, beside those of CLAIMS, which count', async () => {
      let role = 'first'
      const seen: unknown[] = []
      const service = await serve(
        { ...mode, CLAIMS: () => ({ role }) },
        {
          scope: (_request, { caller }) => {
            seen.push(caller?.claims)
            return {}
          },
        },
      )
      await registered(service)
      const given = { amr: ['otp'], tenant: { id: 5 }, role: 'hidden', left: undefined }
      const issued = await service.rest.issueTokens(1, { claims: given })
      role = 'second'
      const next = await refreshed(service, issued)
      const last = await refreshed(service, next)
      for (const { access } of [issued, next, last])
        expect((await service.send('GET', '/api/notes/', { token: access })).status).toBe(200)
      const kept = { amr: ['otp'], tenant: { id: 5 } }
      expect(seen).toMatchObject([
        { ...kept, role: 'first', sub: '1' },
        { ...kept, role: 'second' },
        { ...kept, role: 'second' },
      ])
      expect(claimsOf(last.refresh)).not.toHaveProperty('role')
    })

    it.each([
      ['iat', { iat: 1 }],
      ['sub', { sub: '2' }],
      ['account', { account: 'x' }],
      ['kept', { kept: [] }],
      ['big', { small: 'x', big: 'x'.repeat(1024) }],
      ['id', { id: 1n }],
      ['later', { later: Promise.resolve(1) }],
      ['run', { run: () => 1 }],
      ['claims', [1]],
      ['claims', 'text'],
    ])('refuses the claim %s', async (name, claims) => {
      const service = await serve(mode)
      await registered(service)
      const refused = service.rest.issueTokens(1, { claims: claims as Record<string, unknown> })
      await expect(refused).rejects.toThrow(naming(name))
      await expect(refused).rejects.not.toThrow(HttpError)
    })
  })
})

describeServices('issueTokens', (serve) => {
  it('says what it needs', async () => {
    const { rest } = await serve({}, { auth: { authenticate: () => null } })
    await expect(rest.issueTokens(1)).rejects.toThrow(naming('issueTokens', 'auth: true'))
  })

  it('ends with all other sessions', async () => {
    const service = await serve({ STATEFUL: true })
    await registered(service)
    const { access, refresh } = await service.rest.issueTokens(1)
    await service.rest.revokeTokens(1)
    expect(await statuses(service, access)).toEqual([401, 401])
    expect((await refreshing(service, refresh)).status).toBe(401)
  })

  it('takes no claims that it has not signed', async () => {
    const service = await serve()
    const { refresh } = await registered(service)
    const forged = (claims: unknown, key = secret): Promise<string> =>
      new SignJWT({ ...claimsOf(refresh), claims })
        .setProtectedHeader({ alg: String(decodeProtectedHeader(refresh).alg) })
        .sign(Buffer.from(key))
    expect((await refreshing(service, await forged({ admin: true }, `${secret}!`))).status).toBe(401)
    for (const claims of ['admin', ['admin'], null])
      expect((await refreshing(service, await forged(claims))).status).toBe(401)
    expect((await refreshing(service, await forged({ tenant: 1 }))).status).toBe(200)
  })
})
