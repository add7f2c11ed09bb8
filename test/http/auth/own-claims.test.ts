import { describe, expect, it } from 'vitest'
import { HttpError } from '../../../src/index.ts'
import { ada, describeServices, loggedIn, registered, sessionIn } from '../../stage/auth-service.ts'
import { listening } from '../../stage/listening.ts'
import { claimsOf, refreshing } from '../../stage/stateful.ts'

describe.each([{ STATEFUL: false }, { STATEFUL: true }])('CLAIMS, %o', (mode) => {
  describeServices('', (plain) => {
    const serve = listening(plain)

    it('checklist 36: is asked anew for each pair of tokens, with the user and without the password', async () => {
      const users: object[] = []
      const service = await serve({
        ...mode,
        CLAIMS: async (user) => {
          users.push(user)
          return { tenant: `tenant ${users.length}`, since: new Date(0), left: undefined }
        },
      })
      const session = await registered(service)
      const login = sessionIn(await loggedIn(service))
      const next = sessionIn(await refreshing(service, session.refresh))
      const issued = await service.rest.issueTokens(1)
      const tokens = [session, login, next, issued]
      expect(tokens.map(({ access }) => claimsOf(access)['tenant'])).toEqual(
        [1, 2, 3, 4].map((count) => `tenant ${count}`),
      )
      expect(claimsOf(login.access)).toMatchObject({ since: '1970-01-01T00:00:00.000Z', sub: '1' })
      expect(claimsOf(login.access)).not.toHaveProperty('left')
      for (const { refresh } of tokens) expect(claimsOf(refresh)).not.toHaveProperty('tenant')
      for (const user of users) {
        expect(user).toMatchObject({ id: 1, email: ada.email })
        expect(user).not.toHaveProperty('password')
      }
    })

    it('is left out where it gives nothing', async () => {
      const service = await serve({ ...mode, CLAIMS: () => undefined })
      const { access } = await registered(service)
      expect((await service.send('GET', '/api/notes/', { token: access })).status).toBe(200)
    })

    it.each([
      ['sub', { sub: '2' }],
      ['exp', { exp: 4_000_000_000 }],
      ['user_model', { user_model: 'x' }],
      ['auth_time', { auth_time: 0 }],
      ['__proto__', JSON.parse('{"__proto__":{"role":"admin"}}') as object],
      ['large', { small: 1, large: 'ä'.repeat(512) }],
      ['tenant', { tenant: 5n }],
      ['later', { later: Promise.resolve(5) }],
      ['SERVICE_AUTH.CLAIMS', ['tenant']],
    ])('cannot have %s: a 500 that says nothing, and a line that names it', async (name, claims) => {
      let given: unknown
      const service = await serve({ ...mode, CLAIMS: () => given as Record<string, unknown> })
      const { refresh } = await registered(service)
      given = claims
      const login = await loggedIn(service)
      expect([login.status, login.json['code'], login.cookies]).toEqual([500, 'internal_error', []])
      expect(login.text).not.toContain(name)
      expect(service.written()).toContain(name === 'SERVICE_AUTH.CLAIMS' ? name : `claim ${name}`)
      // A refresh that fails leaves its token usable.
      expect((await refreshing(service, refresh)).status).toBe(500)
      given = {}
      expect((await refreshing(service, refresh)).status).toBe(200)
    })

    it('may have 1,024 bytes', async () => {
      const text = 'x'.repeat(1024 - '{"text":""}'.length)
      let claims = { text }
      const service = await serve({ ...mode, CLAIMS: () => claims })
      const session = await registered(service)
      expect(claimsOf(session.access)['text']).toBe(text)
      expect(Buffer.byteLength(`service_access_token=${session.access}`)).toBeLessThan(4096 - 512)
      claims = { text: `${text}x` }
      expect((await loggedIn(service)).status).toBe(500)
    })

    it('refuses with an HttpError, and then leaves no new user behind', async () => {
      let refuses = false
      const service = await serve({
        ...mode,
        CLAIMS: () => {
          if (refuses) throw new HttpError(403, 'No tenant.')
          return {}
        },
      })
      const { refresh } = await registered(service)
      refuses = true
      const eve = { email: 'eve@example.com', username: 'eve', password: ada.password }
      expect((await service.send('POST', '/api/auth/register', { body: eve })).status).toBe(403)
      expect(await service.rows('select email from users')).toEqual([{ email: ada.email }])
      expect((await loggedIn(service)).status).toBe(403)
      expect((await refreshing(service, refresh)).status).toBe(403)
      await expect(service.rest.issueTokens(1)).rejects.toMatchObject({ status: 403 })
      const events = service.heard().map(([, event, user]) => [event, user])
      expect(events).toEqual([
        ['auth.register', '1'],
        ['auth.login_refused', '1'],
      ])
    })
  })
})
