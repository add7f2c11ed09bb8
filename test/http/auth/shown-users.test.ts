import { expect, it } from 'vitest'
import { z } from 'zod'
import { controllerFor, type HookContext, HttpError } from '../../../src/index.ts'
import { ada, describeServices, loggedIn } from '../../stage/auth-service.ts'

const modelConfig = { User: { internal: false } }
const users = ({ rows }: { readonly rows: (query: string) => Promise<readonly object[]> }) =>
  rows('select email from users')

describeServices('users in responses of authentication', (serve) => {
  it('are shown as their own endpoint shows them to the caller', async () => {
    const callers: unknown[] = []
    const controller = controllerFor('User', {
      access: (_request: unknown, { caller }: HookContext) => {
        callers.push(caller?.id ?? null)
        return { read: { username: false } }
      },
      afterRead: (_request: unknown, record: object) => ({ ...record, name: 'Blanked' }),
      computed: {
        initials: { schema: z.string(), load: (rows: readonly unknown[]) => rows.map(() => 'AL') },
      },
    } as never)
    const service = await serve({}, { modelConfig, controllers: [controller] })
    const created = await service.send('POST', '/api/auth/register', { body: ada })
    const login = await loggedIn(service)
    expect([created.status, login.status]).toEqual([201, 200])
    expect(callers).toEqual([1, 1])
    const token = String(login.json['access'])
    const own = (await service.send('GET', '/api/users/1', { token })).json
    expect(own).not.toHaveProperty('username')
    expect(own).toMatchObject({ name: 'Blanked', initials: 'AL' })
    const me = (await service.send('GET', '/api/auth/me', { token })).json
    expect([created.json['user'], login.json['user'], me]).toEqual([own, own, own])
  })

  it('that a hook refuses to show leave no session and no user', async () => {
    let refuses = true
    const controller = controllerFor('User', {
      afterRead: () => {
        if (refuses) throw new HttpError(403, 'Not now.')
      },
    })
    const service = await serve({}, { modelConfig, controllers: [controller] })
    const registering = () => service.send('POST', '/api/auth/register', { body: ada })
    expect([(await registering()).status, await users(service)]).toEqual([403, []])
    refuses = false
    expect((await registering()).status).toBe(201)
    refuses = true
    const reply = await loggedIn(service)
    expect([reply.status, reply.cookies, reply.json['access']]).toEqual([403, [], undefined])
  })
})
