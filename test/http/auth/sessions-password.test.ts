import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { hashPassword } from '../../../src/index.ts'
import {
  ada,
  cookieIn,
  loggedIn,
  registered,
  secret,
  sessionIn,
  startFastify,
} from '../../stage/auth-service.ts'
import { claimsOf, openMemory, refreshing, serving, statuses } from '../../stage/stateful.ts'

const modes = [
  { mode: 'stateless', openCache: undefined, access: 200 },
  { mode: 'stateful', openCache: openMemory, access: 401 },
] as const

const own = { 'sec-fetch-site': 'same-origin' }
const changed = 'another correct horse'

describe('sessions and the stored hash', () => {
  const start = startFastify
  describe.each(modes)('$mode', ({ openCache, access: ended }) => {
    const serve = serving(start, openCache)

    it.each([
      ['another password', () => hashPassword(changed)],
      ['another hash of the same password', () => hashPassword(ada.password)],
      ['no password', async () => ''],
    ])('checklist 34: end all with %s, whoever writes it', async (_what, hash) => {
      const service = await serve()
      const bob = await registered(service, { ...ada, email: 'bob@example.com', username: 'bob' })
      const first = await registered(service)
      const login = await loggedIn(service)
      const second = sessionIn(login)
      await service.execute(`update users set password = '${await hash()}' where email = '${ada.email}'`)
      for (const { access, refresh } of [first, second]) {
        expect(await statuses(service, access)).toEqual([ended, ended])
        expect((await refreshing(service, refresh)).status).toBe(401)
      }
      const cookies = {
        service_access_token: cookieIn(login, 'service_access_token') ?? '',
        service_refresh_token: cookieIn(login, 'service_refresh_token') ?? '',
      }
      expect((await service.send('GET', '/api/auth/me', { cookies })).status).toBe(ended)
      const byCookie = await service.send('POST', '/api/auth/refresh', { cookies, headers: own })
      expect(byCookie.status).toBe(401)
      expect(await statuses(service, bob.access)).toEqual([200, 200])
      expect((await refreshing(service, bob.refresh)).status).toBe(200)
    })

    it('name the hash in refresh tokens, and in access tokens only where the user is read', async () => {
      const service = await serve()
      const { access, refresh } = await registered(service)
      const account = expect.stringMatching(/^[\w-]{22}$/)
      expect(claimsOf(refresh)['account']).toEqual(account)
      expect(claimsOf(access)['account']).toEqual(openCache && account)
    })

    it('take tokens that do not name it, as those of earlier versions, and none that names another', async () => {
      const service = await serve()
      const { access, refresh } = await registered(service)
      const signed = (token: string, more: object): Promise<string> => {
        const { account: _account, ...claims } = claimsOf(token)
        return new SignJWT({ ...claims, ...more, jti: crypto.randomUUID() })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(Buffer.from(secret))
      }
      expect(await statuses(service, await signed(access, {}))).toEqual([200, 200])
      expect((await refreshing(service, await signed(refresh, {}))).status).toBe(200)
      const another = { account: 'A'.repeat(22) }
      expect(await statuses(service, await signed(access, another))).toEqual([401, 401])
      expect((await refreshing(service, await signed(refresh, another))).status).toBe(401)
    })

    it('go on in the new tokens of a refresh', async () => {
      const service = await serve()
      const next = sessionIn(await refreshing(service, (await registered(service)).refresh))
      expect(await statuses(service, next.access)).toEqual([200, 200])
      expect((await refreshing(service, next.refresh)).status).toBe(200)
    })
  })
})
