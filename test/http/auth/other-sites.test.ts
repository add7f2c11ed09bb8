import { expect, it } from 'vitest'
import { type AuthService, describeServices, registered, type Session } from '../../stage/auth-service.ts'
import type { Sent } from '../../stage/requests.ts'

const unsafe = [
  ['POST', '/api/notes/', { text: 'theirs' }, 201],
  ['PATCH', '/api/notes/1', { text: 'theirs' }, 200],
  ['PUT', '/api/notes/1', { text: 'theirs' }, 200],
  ['DELETE', '/api/notes/1', undefined, 204],
] as const

const trusted = 'https://app.example.com'

/** The headers of a browser that was sent by another site, or by nobody who says so. */
const foreign: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a cross-site request': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'a request of a neighbour on the same site': {
    ...{ 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost' },
  },
  'another origin': { origin: 'https://evil.example' },
  'another port': { origin: 'http://localhost:8080' },
  'a page without an origin': { origin: 'null' },
  'a page without an origin, where the host is not known': { origin: 'null', host: '' },
  'what is no origin': { origin: 'localhost' },
  'an empty origin': { origin: '' },
  'a subdomain of a trusted origin': { origin: `https://evil.app.example.com` },
  'a trusted host by http': { origin: 'http://app.example.com' },
  'two origins': { origin: `https://evil.example, ${trusted}` },
  'a strange Sec-Fetch-Site': { 'sec-fetch-site': 'SAME-ORIGIN' },
  'two of them': { 'sec-fetch-site': 'cross-site, same-origin' },
  'nothing that says so': {},
  'a Referer alone': { referer: 'http://localhost/' },
}

/** Those of the API's own pages, and of pages that are trusted. */
const own: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'its own pages': { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' },
  'its own pages, which do not say their origin': { 'sec-fetch-site': 'same-origin' },
  'nobody but the user': { 'sec-fetch-site': 'none' },
  'its own pages in an older browser': { origin: 'http://localhost' },
  'its own pages, with the host in another form': { origin: 'http://localhost', host: 'LOCALHOST:80' },
  'its own pages at another port': { origin: 'https://shop.example:8443', host: 'shop.example:8443' },
  'its own pages behind a proxy that ends TLS': { origin: 'https://shop.example', host: 'shop.example' },
  'a trusted origin': { 'sec-fetch-site': 'cross-site', origin: trusted },
  'a trusted origin in an older browser': { origin: trusted },
}

const acts = async (service: AuthService, sent: Sent): Promise<readonly number[]> => {
  await service.execute("delete from notes; insert into notes (id, text) values (1, 'mine')")
  const statuses: number[] = []
  for (const [method, path, body] of unsafe) {
    // The key 1 is taken, and sequences of keys do not know it.
    const reply = await service.send(method, path, { ...sent, ...(body && { body }) })
    statuses.push(reply.status)
  }
  return statuses
}
const all = (status: number): readonly number[] => unsafe.map(() => status)
const done = unsafe.map(([, , , status]) => status)

describeServices('requests with a cookie', (serve) => {
  const begin = async (): Promise<AuthService & { readonly session: Session }> => {
    const service = await serve({ TRUSTED_ORIGINS: [trusted] }, { modelConfig: { Note: { public: 'read' } } })
    await service.execute("insert into notes (text) values ('first')")
    return { ...service, session: await registered(service) }
  }
  const cookiesOf = ({ access, refresh }: Session) => ({
    service_access_token: access,
    service_refresh_token: refresh,
  })

  it('checklist 26: change nothing where another site sent them', async () => {
    const service = await begin()
    const cookies = cookiesOf(service.session)
    for (const [title, headers] of Object.entries(foreign)) {
      expect([title, await acts(service, { cookies, headers })]).toEqual([title, all(403)])
      expect(await service.rows('select text from notes')).toEqual([{ text: 'mine' }])
    }
  })

  it('checklist 26: from another site are allowed with a Bearer header', async () => {
    const service = await begin()
    const { access } = service.session
    for (const [title, headers] of Object.entries(foreign)) {
      const sent = { token: access, headers, cookies: cookiesOf(service.session) }
      expect([title, await acts(service, sent)]).toEqual([title, done])
    }
  })

  it('checklist 26: from the same or a trusted origin are allowed', async () => {
    const service = await begin()
    const cookies = cookiesOf(service.session)
    for (const [title, headers] of Object.entries(own))
      expect([title, await acts(service, { cookies, headers })]).toEqual([title, done])
  })

  it('checklist 26: a 403 says what to do, and names no origin', async () => {
    const service = await begin()
    const headers = { origin: 'https://evil.example' }
    const cookies = cookiesOf(service.session)
    const reply = await service.send('DELETE', '/api/notes/1', { cookies, headers })
    expect(reply.json).toMatchObject({ status: 403, code: 'forbidden' })
    expect(reply.json['detail']).toContain('Authorization: Bearer')
    expect(reply.text).not.toMatch(/evil|app\.example/)
  })

  it('checklist 26: may read from anywhere, which no other site gets to see', async () => {
    const { send, session } = await begin()
    const cookies = cookiesOf(session)
    for (const headers of Object.values(foreign))
      for (const path of ['/api/notes/', '/api/notes/1', '/api/auth/me'])
        expect((await send('GET', path, { cookies, headers })).status).toBe(200)
  })

  it('checklist 26: refresh and log out from the same or a trusted origin alone', async () => {
    const service = await begin()
    const { send, session } = service
    const cookies = cookiesOf(session)
    for (const [title, headers] of Object.entries(foreign)) {
      for (const path of ['/api/auth/refresh', '/api/auth/logout']) {
        const reply = await send('POST', path, { cookies, headers })
        expect([title, path, reply.status, reply.cookies]).toEqual([title, path, 403, []])
      }
      // A header is no reason to believe the cookie.
      const refreshed = await send('POST', '/api/auth/refresh', { cookies, headers, token: session.access })
      expect(refreshed.status).toBe(403)
      const body = { refresh: session.refresh }
      expect((await send('POST', '/api/auth/refresh', { cookies, headers, body })).status).toBe(200)
      expect((await send('POST', '/api/auth/logout', { cookies, headers, body })).status).toBe(204)
    }
    for (const [title, headers] of Object.entries(own)) {
      expect([title, (await send('POST', '/api/auth/refresh', { cookies, headers })).status]).toEqual([
        title,
        200,
      ])
      expect((await send('POST', '/api/auth/logout', { cookies, headers })).status).toBe(204)
    }
  })

  it('checklist 26: that are not good are as none, wherever they come from', async () => {
    const { send } = await begin()
    const cookies = { service_access_token: 'x', service_refresh_token: 'x' }
    const headers = { origin: 'https://evil.example' }
    const body = { text: 'theirs' }
    expect((await send('POST', '/api/notes/', { cookies, headers, body })).status).toBe(401)
    expect((await send('POST', '/api/auth/logout', { cookies, headers })).status).toBe(204)
  })

  it('checklist 26: another site logs nobody in, because forms send no JSON', async () => {
    const { send } = await begin()
    const body = JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery' })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const headers = { 'content-type': type, origin: 'https://evil.example' }
      expect((await send('POST', '/api/auth/login', { body, headers })).status).toBe(415)
    }
  })
})
