import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controllerFor, defineSettings, type HookContext, hashPassword } from '../../../src/index.ts'
import { type App, onFastify } from '../../stage/apps.ts'
import { secret } from '../../stage/auth-service.ts'
import { counted, type Declared, maybe, text } from '../../stage/columns.ts'
import { type Send, senderTo } from '../../stage/requests.ts'
import { declaredPlace, orms } from '../declared-orms.ts'
import { onEachKind, type Place } from '../orm-places.ts'

const declared: Declared = {
  users: {
    ...{ id: counted, email: text(100, { unique: 'users_email_key' }), name: maybe(50) },
    ...{ password: text(255), disabled_at: maybe('time'), is_active: { type: 'boolean', default: true } },
  },
  audit_entries: {
    ...{ id: counted, at: { type: 'time' }, caller: maybe(255), act: text(10), model: text(100) },
    ...{ record: text(500), changes: { type: 'json' } },
  },
}

const password = 'a lamp for every desk'

// Drizzle is tested with everything else.
describe.each(Object.entries(orms))('management of users on %s', (orm, open) => {
  onEachKind(`management of users on ${orm}`, (kind) => {
    let place: Place
    let app: App
    let send: Send
    let end: () => Promise<unknown>
    const tokens: string[] = []
    beforeAll(async () => {
      place = await declaredPlace(kind, declared)
      const { models, ...opened } = await open(place, declared)
      end = opened.end
      const controller = controllerFor('User', {
        scope: () => ({}),
        permissions: {
          update: () => false,
          manageUsers: async (_request: unknown, user: object | undefined, { caller }: HookContext) =>
            caller !== null && Reflect.get(user ?? {}, 'name') !== 'Root',
        },
      } as never)
      const SERVICE_AUTH = {
        ...{ JWT_SECRET: secret, MAIL_MAX_PER_ADDRESS: 0 },
        ON_INVITATION: (_user: unknown, token: string) => void tokens.push(token),
      }
      app = await onFastify(
        {
          ...{ models, auth: true, audit: true, controllers: [controller] },
          modelConfig: { User: { internal: false } },
          settings: defineSettings({ SERVICE_AUTH }),
        } as never,
        { base: '' },
      )
      send = senderTo(app)
    })
    afterAll(async () => {
      await app?.stop()
      await end?.()
      await place?.drop()
    })

    test('invites, disables and enables, with audit entries', async () => {
      const hash = await hashPassword(password)
      for (const name of ['Anna', 'Root'])
        await place.rows(
          `insert into users (email, name, password) values ('${name.toLowerCase()}@example.com', '${name}', '${hash}')`,
        )
      const login = (email: string, given = password) =>
        send('POST', '/auth/login', { body: { email, password: given } })
      const token = String((await login('anna@example.com')).json['access'])
      const body = { email: 'Eve@example.com', name: 'Eve' }
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => send('POST', '/auth/users/invite', { token, body })),
      )
      expect(replies.some(({ status }) => status === 201)).toBe(true)
      for (const { status, text } of replies) expect([201, 409, 429, 503], text).toContain(status)
      const id = Number(replies.find(({ status }) => status === 201)?.json['id'])
      await app.rest.close()
      expect(tokens).toHaveLength(1)
      const accept = { body: { token: tokens[0], password } }
      expect((await send('POST', '/auth/users/invite/confirm', accept)).status).toBe(204)
      expect((await login('eve@example.com')).status).toBe(200)
      const off = await send('POST', `/auth/users/${id}/disable`, { token })
      expect([off.status, off.json['is_active']], off.text).toEqual([200, false])
      expect(off.json['disabled_at']).toMatch(/^20/)
      expect((await login('eve@example.com')).status).toBe(401)
      const on = await send('POST', `/auth/users/${id}/enable`, { token })
      expect([on.status, on.json['is_active'], on.json['disabled_at']]).toEqual([200, true, null])
      expect((await login('eve@example.com')).status).toBe(200)
      const own = Number((await send('GET', '/auth/me', { token })).json['id'])
      expect((await send('POST', `/auth/users/${own}/disable`, { token })).status).toBe(409)
      expect((await send('POST', `/auth/users/${own + 1}/disable`, { token })).status).toBe(403)
      const acts = await place.rows('select act, caller from audit_entries order by id')
      expect(acts.map((row) => Object.values(row as object))).toEqual([
        ...[
          ['create', String(own)],
          ['update', null],
        ],
        ...[
          ['update', String(own)],
          ['update', String(own)],
        ],
      ])
    })
  })
})
