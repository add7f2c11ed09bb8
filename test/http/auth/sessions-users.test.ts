import { expect, it } from 'vitest'
import type { AuthService } from '../../stage/auth-service.ts'
import { registered } from '../../stage/auth-service.ts'
import type { Answer } from '../../stage/requests.ts'
import { describeStateful, describeStateless, refreshing, statuses } from '../../stage/stateful.ts'

/** What makes a user nobody's account any more, on the database itself. */
const ends: Readonly<Record<string, (service: AuthService) => Promise<void>>> = {
  deleted: ({ execute }) => execute("delete from users where email = 'ada@example.com'"),
  disabled: ({ execute }) => execute('update users set is_active = (1 = 0)'),
}

const refused = ({ status, headers }: Answer): unknown => [status, headers['www-authenticate']]
const invalidToken = [401, 'Bearer error="invalid_token"']

describeStateless((serve) => {
  it.each(Object.entries(ends))(
    'checklist 7: without state a %s user keeps protected routes until the token ends, but neither refreshes nor is shown',
    async (_, end) => {
      const service = await serve()
      const { access, refresh } = await registered(service)
      await end(service)
      expect(refused(await service.send('GET', '/api/auth/me', { token: access }))).toEqual(invalidToken)
      expect(refused(await refreshing(service, refresh))).toEqual(invalidToken)
      expect((await service.send('GET', '/api/notes/', { token: access })).status).toBe(200)
    },
  )
})

describeStateful('users in stateful mode on Redis', (serve) => {
  it.each(Object.entries(ends))(
    'checklist 7: with state a %s user is refused at once, at every protected operation, by header and by cookie',
    async (_, end) => {
      const service = await serve()
      const { send, rows } = service
      const { access, refresh } = await registered(service)
      await send('POST', '/api/notes/', { token: access, body: { text: 'mine' } })
      await end(service)
      const note = '/api/notes/1'
      const acts = [
        ['GET', '/api/notes/'],
        ['POST', '/api/notes/', { text: 'late' }],
        ['GET', note],
        ['PATCH', note, { text: 'late' }],
        ['PUT', note, { text: 'late' }],
        ['DELETE', note],
        ['GET', '/api/auth/me'],
      ] as const
      const own = { 'sec-fetch-site': 'same-origin' }
      for (const [method, path, body] of acts) {
        const byHeader = await send(method, path, { token: access, ...(body && { body }) })
        const cookies = { service_access_token: access }
        const byCookie = await send(method, path, { cookies, headers: own, ...(body && { body }) })
        expect([method, path, refused(byHeader)]).toEqual([method, path, invalidToken])
        expect([method, path, refused(byCookie)]).toEqual([method, path, invalidToken])
      }
      expect(await rows('select text from notes')).toEqual([{ text: 'mine' }])
      expect(refused(await refreshing(service, refresh))).toEqual(invalidToken)
    },
  )

  it('checklist 7: a user who is enabled again is known again', async () => {
    const service = await serve()
    const { access } = await registered(service)
    await service.execute('update users set is_active = (1 = 0)')
    expect(await statuses(service, access)).toEqual([401, 401])
    await service.execute('update users set is_active = (1 = 1)')
    expect(await statuses(service, access)).toEqual([200, 200])
  })
})
