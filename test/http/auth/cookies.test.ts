import { expect, it } from 'vitest'
import { ada, cookieIn, describeServices, loggedIn, registered, sessionIn } from '../../stage/auth-service.ts'
import type { Answer } from '../../stage/requests.ts'
import { claimsOf } from '../../stage/stateful.ts'

const ACCESS = 'service_access_token'
const REFRESH = 'service_refresh_token'
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

/** The attributes of the cookies of a reply, by their names; values are left out. */
const attributesIn = ({ cookies }: Answer): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    cookies.map((line) => {
      const [pair = '', ...attributes] = line.split('; ')
      return [pair.split('=')[0], attributes.toSorted()]
    }),
  )

/** What every cookie has but the time that it is kept. */
const bound = ['HttpOnly', 'Path=/', 'SameSite=Lax']

describeServices('cookies', (serve) => {
  it('checklist 25: are HttpOnly, Secure, SameSite=Lax and for every path, and live as long as their tokens', async () => {
    const service = await serve({ JWT_ACCESS_EXP: 600, JWT_REFRESH_EXP: 6000 })
    const registration = await service.send('POST', '/api/auth/register', { body: ada })
    const login = await loggedIn(service)
    const cookies = { [REFRESH]: sessionIn(login).refresh }
    const refresh = await service.send('POST', '/api/auth/refresh', { cookies, headers: sameOrigin })
    for (const reply of [registration, login, refresh]) {
      expect(attributesIn(reply)).toEqual({
        [ACCESS]: [...bound, 'Max-Age=600', 'Secure'].toSorted(),
        [REFRESH]: [...bound, 'Max-Age=6000', 'Secure'].toSorted(),
      })
    }
    const { access } = sessionIn(login)
    expect([cookieIn(login, ACCESS), cookieIn(login, REFRESH)]).toEqual([access, sessionIn(login).refresh])
  })

  it.each([
    ['COOKIE_SECURE is off', { COOKIE_SECURE: false }, undefined, false],
    ['DEBUG is on', {}, true, false],
    ['DEBUG is off', {}, false, true],
    ['DEBUG is on, and COOKIE_SECURE too', { COOKIE_SECURE: true }, true, true],
  ])('checklist 25: where %s, Secure follows', async (_title, serviceAuth, debug, isSecure) => {
    const service = await serve(serviceAuth, { settings: debug === undefined ? {} : { DEBUG: debug } })
    await registered(service)
    for (const reply of [await loggedIn(service), await service.send('POST', '/api/auth/logout')])
      for (const attributes of Object.values(attributesIn(reply)))
        expect(attributes.includes('Secure')).toBe(isSecure)
  })

  it.each([{}, { COOKIE_SECURE: false }])('checklist 25: are cleared as they were set: %o', async (rules) => {
    const service = await serve(rules)
    await registered(service)
    const set = attributesIn(await loggedIn(service))
    const reply = await service.send('POST', '/api/auth/logout')
    expect([cookieIn(reply, ACCESS), cookieIn(reply, REFRESH)]).toEqual(['', ''])
    const withoutAge = (all: typeof set) =>
      Object.entries(all).map(([name, attributes]) => [
        name,
        attributes.filter((attribute) => !attribute.startsWith('Max-Age=')),
      ])
    const cleared = attributesIn(reply)
    expect(withoutAge(cleared)).toEqual(withoutAge(set))
    for (const attributes of Object.values(cleared)) expect(attributes).toContain('Max-Age=0')
  })

  it('checklist 25: with SET_COOKIES off none is set, cleared or read', async () => {
    const service = await serve({ SET_COOKIES: false })
    const { send } = service
    const registration = await send('POST', '/api/auth/register', { body: ada })
    const { access, refresh } = sessionIn(registration)
    const cookies = { [ACCESS]: access, [REFRESH]: refresh }
    const replies = [
      registration,
      await loggedIn(service),
      await send('POST', '/api/auth/refresh', { body: { refresh } }),
      await send('POST', '/api/auth/logout', { token: access, cookies }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 200, 204])
    for (const { cookies: set } of replies) expect(set).toEqual([])
    for (const path of ['/api/auth/me', '/api/notes/'])
      expect((await send('GET', path, { cookies })).status).toBe(401)
    const refreshed = await send('POST', '/api/auth/refresh', { cookies, headers: sameOrigin })
    expect(refreshed.status).toBe(401)
  })

  it('checklist 26: a refresh by cookie puts the new refresh token into the cookie alone', async () => {
    const service = await serve({ STATEFUL: true })
    const { refresh } = await registered(service)
    for (const body of [undefined, {}, '']) {
      const login = sessionIn(await loggedIn(service))
      const reply = await service.send('POST', '/api/auth/refresh', {
        ...{ cookies: { [REFRESH]: login.refresh }, headers: sameOrigin },
        ...(body !== undefined && { body }),
      })
      expect([reply.status, Object.keys(reply.json)]).toEqual([200, ['access']])
      const next = cookieIn(reply, REFRESH) ?? ''
      expect(claimsOf(next)).toMatchObject({ type: 'refresh', fid: claimsOf(login.refresh)['fid'] })
      expect(reply.text).not.toContain(next)
      expect(cookieIn(reply, ACCESS)).toBe(sessionIn(reply).access)
    }
    // A body decides, and its answer is there too.
    const cookies = { [REFRESH]: sessionIn(await loggedIn(service)).refresh }
    const reply = await service.send('POST', '/api/auth/refresh', { cookies, body: { refresh } })
    expect(Object.keys(reply.json)).toEqual(['access', 'refresh'])
    expect(claimsOf(sessionIn(reply).refresh)['fid']).toBe(claimsOf(refresh)['fid'])
  })

  it('checklist 27: a header decides, whatever the cookie says', async () => {
    const { send } = await serve()
    const first = await registered({ send })
    const other = await registered({ send }, { ...ada, email: 'bob@example.com', username: 'bob' })
    const cookies = { [ACCESS]: first.access }
    const byBoth = await send('GET', '/api/auth/me', { token: other.access, cookies })
    expect(byBoth.json['email']).toBe('bob@example.com')
    for (const authorization of ['Bearer x', 'Bearer ', '', 'Basic YTpi', `Bearer ${first.refresh}`]) {
      const reply = await send('GET', '/api/auth/me', { cookies, headers: { authorization } })
      expect([authorization, reply.status]).toEqual([authorization, 401])
      expect((await send('GET', '/api/notes/', { cookies, headers: { authorization } })).status).toBe(401)
    }
    expect((await send('GET', '/api/auth/me', { cookies })).json['email']).toBe(ada.email)
    // One header that is good does not need the cookie to be.
    expect(
      (await send('GET', '/api/notes/', { token: first.access, cookies: { [ACCESS]: 'x' } })).status,
    ).toBe(200)
  })

  it('checklist 27: a token in the query string is never read', async () => {
    const { send } = await serve()
    const { access, refresh } = await registered({ send })
    for (const name of ['access_token', 'token', 'access', 'authorization', 'jwt', ACCESS]) {
      const query = `${name}=${encodeURIComponent(access)}`
      for (const path of ['/api/auth/me', '/api/notes/', '/api/notes/1'])
        expect((await send('GET', `${path}?${query}`)).status).toBeGreaterThanOrEqual(400)
      expect((await send('GET', `/api/notes/?${query}`)).text).not.toContain(access)
    }
    expect((await send('POST', `/api/auth/refresh?refresh=${refresh}`)).status).toBe(400)
    expect((await send('POST', '/api/auth/refresh', { token: refresh })).status).toBe(401)
  })

  it('a cookie is for its own kind of token alone', async () => {
    const { send } = await serve()
    const { access, refresh } = await registered({ send })
    const headers = sameOrigin
    expect((await send('GET', '/api/auth/me', { cookies: { [ACCESS]: refresh } })).status).toBe(401)
    expect((await send('GET', '/api/auth/me', { cookies: { [REFRESH]: access } })).status).toBe(401)
    const swapped = await send('POST', '/api/auth/refresh', { cookies: { [REFRESH]: access }, headers })
    expect(swapped.status).toBe(401)
    for (const cookie of [
      '',
      ACCESS,
      `${ACCESS}=`,
      `${ACCESS}=%E0%A4%A`,
      `x${ACCESS}=${access}`,
      ';;=;',
      '"',
    ])
      expect((await send('GET', '/api/auth/me', { headers: { cookie } })).status).toBe(401)
  })

  it('checklist 28: replies with tokens, and the current user, are kept by no cache', async () => {
    const service = await serve()
    const { send } = service
    const registration = await send('POST', '/api/auth/register', { body: ada })
    const { access, refresh } = sessionIn(registration)
    const replies = [
      registration,
      await loggedIn(service),
      await loggedIn(service, { email: ada.email, password: 'wrong' }),
      await send('POST', '/api/auth/refresh', { body: { refresh } }),
      await send('POST', '/api/auth/refresh', { body: { refresh: 'x' } }),
      await send('GET', '/api/auth/me', { token: access }),
      await send('GET', '/api/auth/me', { cookies: { [ACCESS]: access } }),
      await send('GET', '/api/auth/me'),
      await send('GET', '/api/auth/me', { token: 'x' }),
      await send('POST', '/api/auth/logout', { token: access }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([
      ...[201, 200, 401, 200, 401, 200, 200, 401, 401, 204],
    ])
    for (const { headers } of replies) expect(headers['cache-control']).toBe('no-store')
    expect((await send('GET', '/api/notes/', { token: access })).headers['cache-control']).toBe('private')
  })
})
