import { afterEach, expect, it, vi } from 'vitest'
import { controllerFor, HttpError, type ModelRestOptions } from '../../../src/index.ts'
import { type AuthService, ada, describeServices, noteRequests } from '../../stage/auth-service.ts'
import type { Sent } from '../../stage/requests.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const headerOf = (request: unknown, name: string): string | undefined => {
  const { headers } = request as { headers: Headers | Record<string, string> }
  return headers instanceof Headers ? (headers.get(name) ?? undefined) : headers[name]
}

/** Knows users by a header of its own. */
const byHeader = async (request: unknown) => {
  const id = headerOf(request, 'x-user')
  if (id === 'broken') throw new TypeError('the directory of secrets is away')
  if (id === 'banned') throw new HttpError(403, 'You were banned.')
  return id === undefined ? null : { id: Number(id), claims: { role: 'reader' } }
}

const as = (id: unknown): Sent => ({ headers: { 'x-user': String(id) } })

const requests = noteRequests('theirs')

describeServices('a way of its own to users', (serve) => {
  const begin = async (options: Partial<ModelRestOptions> = {}): Promise<AuthService> => {
    const service = await serve({}, { auth: { authenticate: byHeader }, ...options })
    await service.execute("insert into notes (text) values ('first')")
    return service
  }
  const each = async (service: AuthService, sent: Sent) => {
    const replies: (readonly unknown[])[] = []
    for (const [method, path, body] of requests) {
      const { status, headers, json } = await service.send(method, path, { ...sent, ...(body && { body }) })
      replies.push([status, headers['www-authenticate'], json['code']])
    }
    return replies
  }

  it('checklist 33: its null is a 401 at every route', async () => {
    const service = await begin()
    expect(await each(service, {})).toEqual(requests.map(() => [401, 'Bearer', 'unauthenticated']))
    // Tokens and cookies of ours mean nothing.
    expect(await each(service, { token: 'x', cookies: { service_access_token: 'x' } })).toEqual(
      requests.map(() => [401, 'Bearer', 'unauthenticated']),
    )
    expect(await service.rows('select text from notes')).toEqual([{ text: 'first' }])
  })

  it('checklist 33: its throw is an opaque 500, which the log explains, and its HttpError an answer', async () => {
    const lines = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const service = await begin()
    for (const [method, path, body] of requests) {
      const reply = await service.send(method, path, { ...as('broken'), ...(body && { body }) })
      expect(reply.json).toMatchObject({ status: 500, code: 'internal_error' })
      expect(reply.text).not.toContain('directory')
    }
    expect(JSON.stringify([service.log, lines.mock.calls])).toContain('the directory of secrets is away')
    const banned = await service.send('GET', '/api/notes/', as('banned'))
    expect(banned.json).toMatchObject({ status: 403, code: 'forbidden', detail: 'You were banned.' })
    expect(await service.rows('select text from notes')).toEqual([{ text: 'first' }])
  })

  it('checklist 33: its user is what hooks, permissions and scope see', async () => {
    const seen: unknown[] = []
    const service = await begin({
      controllers: [
        controllerFor('Note', {
          permissions: { delete: (_request, _record, { caller }) => caller?.id === 1 },
          scope: (_request, { caller }) => (caller?.id === 1 ? {} : []),
          beforeCreate: async (request, _payload, _schema, { caller, user }) => {
            seen.push(caller, Reflect.get(request as object, 'user'), await user())
          },
        }),
      ],
    })
    await service.execute(
      "insert into users (email, username, password) values ('ada@example.com', 'ada', 'the hash')",
    )
    const ada = { id: 1, claims: { role: 'reader' } }
    expect((await service.send('GET', '/api/notes/', as(1))).json['count']).toBe(1)
    expect((await service.send('GET', '/api/notes/', as(2))).json['count']).toBe(0)
    expect((await service.send('POST', '/api/notes/', { ...as(1), body: { text: 'x' } })).status).toBe(201)
    expect(seen.slice(0, 2)).toEqual([ada, ada])
    expect(seen[2]).toMatchObject({ id: 1, email: 'ada@example.com' })
    expect(seen[2]).not.toHaveProperty('password')
    expect((await service.send('DELETE', '/api/notes/1', as(2))).status).toBe(404)
    expect((await service.send('DELETE', '/api/notes/1', as(1))).status).toBe(204)
  })

  it('checklist 33: none of the five routes exists, and the document has its scheme alone', async () => {
    const scheme = { type: 'apiKey', in: 'header', name: 'x-user' }
    const service = await begin({ auth: { authenticate: byHeader, scheme } })
    for (const path of ['login', 'register', 'refresh', 'logout', 'me']) {
      for (const method of ['GET', 'POST'] as const)
        expect(
          (
            await service.send(method, `/api/auth/${path}`, {
              ...as(1),
              ...(method === 'POST' && { body: {} }),
            })
          ).status,
        ).toBe(404)
    }
    const { paths, components } = service.rest.openapi()
    expect(Object.keys(paths)).toEqual(['/notes/', '/notes/{id}', '/notes/aggregate', '/access'])
    expect(components.securitySchemes).toEqual({ caller: scheme })
    expect(service.rest.operations.filter(({ path }) => path.startsWith('/auth'))).toEqual([])
  })

  it('checklist 33: cookies and origins are its own matter', async () => {
    const service = await begin()
    const headers = { 'x-user': '1', origin: 'https://evil.example', cookie: 'service_access_token=x' }
    const reply = await service.send('POST', '/api/notes/', { headers, body: { text: 'x' } })
    expect([reply.status, reply.headers['cache-control'], reply.cookies]).toEqual([201, 'private', []])
  })

  it('auth: false knows nobody, and serves everybody', async () => {
    const service = await serve({}, { auth: false })
    await service.execute("insert into notes (text) values ('first')")
    expect((await each(service, { token: 'x' })).map(([status]) => status)).toEqual([
      200, 201, 200, 200, 200, 204,
    ])
    expect((await service.send('POST', '/api/auth/register', { body: ada })).status).toBe(404)
  })
})
