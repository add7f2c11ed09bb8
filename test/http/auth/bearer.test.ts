import { SignJWT } from 'jose'
import { afterEach, expect, it, vi } from 'vitest'
import { naming } from '../../naming.ts'
import { describeServices, noteRequests, registered, secret } from '../../stage/auth-service.ts'
import type { Answer, Sent } from '../../stage/requests.ts'
import { claimsOf, later } from '../../stage/stateful.ts'

afterEach(() => {
  vi.useRealTimers()
})

const sign = (claims: Readonly<Record<string, unknown>>, key: string = secret): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key))

const notes = noteRequests('late')
const protectedActs = [...notes, ['GET', '/api/auth/me']] as const

const refused = ({ status, headers, json }: Answer): unknown => [
  ...[status, headers['www-authenticate'], json['code']],
]
const invalid = [401, 'Bearer error="invalid_token"', 'unauthenticated']

describeServices('tokens', (serve) => {
  it('checklist 8: what is no good token is a 401 at every protected operation, and never a 500', async () => {
    const { send, rows } = await serve()
    const { access, refresh } = await registered({ send })
    await send('POST', '/api/notes/', { token: access, body: { text: 'mine' } })
    const claims = claimsOf(access)
    const now = Math.floor(Date.now() / 1000)
    const [head = '', payload = '', signature = ''] = access.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const bad: Readonly<Record<string, string>> = {
      ...{
        empty: 'Bearer',
        blank: 'Bearer ',
        nonsense: 'Bearer x',
        dots: 'Bearer ...',
        umlauts: 'Bearer \xfc',
      },
      ...{
        'no scheme': access,
        'another scheme': `Basic ${access}`,
        'a scheme too many': `Bearer Bearer ${access}`,
      },
      ...{ 'two tokens': `Bearer ${access} ${access}`, 'two headers': `Bearer ${access}, Bearer ${access}` },
      ...{
        'a quoted token': `Bearer "${access}"`,
        'a tab': `Bearer\t${access}`,
        'no space': `Bearer${access}`,
      },
      'two parts': `Bearer ${head}.${payload}`,
      'four parts': `Bearer ${access}.${signature}`,
      'no signature': `Bearer ${head}.${payload}.`,
      'alg none': `Bearer ${none}.${payload}.`,
      tampered: `Bearer ${head}.${payload}.${signature.slice(0, -4)}AAAA`,
      'of over 8 kB': `Bearer ${await sign({ ...claims, more: 'x'.repeat(8000) })}`,
      'a refresh token': `Bearer ${refresh}`,
      ended: `Bearer ${await sign({ ...claims, iat: now - 100, exp: now - 60 })}`,
      'not begun': `Bearer ${await sign({ ...claims, nbf: now + 600 })}`,
      'of another issuer': `Bearer ${await sign({ ...claims, iss: 'another' })}`,
      'for another audience': `Bearer ${await sign({ ...claims, aud: 'another' })}`,
      'of another secret': `Bearer ${await sign(claims, `another ${secret}`)}`,
      'of a user with a strange key': `Bearer ${await sign({ ...claims, sub: "1' or 1=1" })}`,
      'of a user with a key too large': `Bearer ${await sign({ ...claims, sub: '9'.repeat(400) })}`,
      'of a user whose key is no text': `Bearer ${await sign({ ...claims, sub: 1 })}`,
    }
    const details = new Set<unknown>()
    for (const [title, authorization] of Object.entries(bad)) {
      for (const [method, path, body] of protectedActs) {
        const reply = await send(method, path, { headers: { authorization }, ...(body && { body }) })
        expect([title, method, path, refused(reply)]).toEqual([title, method, path, invalid])
        details.add(reply.json['detail'])
      }
    }
    // It says that the token is the reason, but not what is wrong with it.
    expect([...details]).toEqual([expect.stringMatching(naming('token'))])
    expect(await rows('select text from notes')).toEqual([{ text: 'mine' }])
  })

  it('checklist 8: without a token the answer says how to authenticate, and of no error', async () => {
    const { send } = await serve()
    for (const [method, path, body] of protectedActs) {
      const reply = await send(method, path, { ...(body && { body }) })
      expect([path, refused(reply)]).toEqual([path, [401, 'Bearer', 'unauthenticated']])
      expect(reply.json['detail']).not.toMatch(naming('token'))
    }
  })

  it("checklist 8: the scheme's case and spaces do not count", async () => {
    const { send } = await serve()
    const { access } = await registered({ send })
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer   ']) {
      const headers = { authorization: `${scheme} ${access}` }
      expect((await send('GET', '/api/auth/me', { headers })).status).toBe(200)
    }
  })

  it('public models serve who comes with a bad token as the anonymous', async () => {
    const { send } = await serve({ JWT_ACCESS_EXP: 60 }, { modelConfig: { Note: { public: true } } })
    const { access } = await registered({ send })
    const kept: Sent[] = [{ token: access }, { cookies: { service_access_token: access } }]
    const anonymous = { GET: 200, POST: 201, PATCH: 200, PUT: 200, DELETE: 204 }
    later(120)
    const foreign = { origin: 'https://evil.example' }
    for (const sent of [...kept, { token: 'x' }, { headers: { authorization: 'Basic x' } }]) {
      const created = await send('POST', '/api/notes/', { ...sent, body: { text: 'x' } })
      const at = String(created.headers['location'])
      for (const [method, path, body] of notes) {
        const url = path === '/api/notes/1' ? at : path
        const headers = { ...foreign, ...('headers' in sent ? sent.headers : {}) }
        const reply = await send(method, url, { ...sent, headers, ...(body && { body }) })
        expect([method, reply.status]).toEqual([method, anonymous[method]])
        // What is meant for nobody in particular may be kept.
        expect(reply.headers).not.toHaveProperty('cache-control')
        expect(reply.headers).not.toHaveProperty('www-authenticate')
      }
    }
  })

  it('models that are open to readers want a good token of all others', async () => {
    const { send } = await serve({}, { modelConfig: { Note: { public: 'read' } } })
    for (const [method, path, body] of notes) {
      const reply = await send(method, path, { token: 'x', ...(body && { body }) })
      const expected = method === 'GET' ? (path === '/api/notes/' ? 200 : 404) : 401
      expect([method, reply.status]).toEqual([method, expected])
      if (expected === 401) expect(refused(reply)).toEqual(invalid)
    }
  })
})
