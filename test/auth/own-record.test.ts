import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { type ControllerClass, controllerFor, defineSettings, ValueError } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { inTest } from '../stage/service.ts'
import { type Options, type Stage, startUsers } from '../stage/users.ts'

/** Every column that is in no allow-list, with a value that it could have. */
const others = {
  id: 9,
  password: 'a new password',
  role: 'admin',
  is_staff: true,
  is_active: false,
  credits: 1000,
  reset_token: 'mine',
  invited_by: 2,
  note: 'mine',
  disabled_at: '2026-01-31T09:30:00Z',
}

/** What a test reads of the OpenAPI document. */
interface Document {
  readonly paths: Readonly<
    Record<string, { readonly patch?: { readonly security: readonly object[]; readonly responses: object } }>
  >
}

const asUser = controllerFor as (model: 'User', parts: object) => ControllerClass

describe('users that are served', () => {
  const start = startUsers
  const serve = (options?: Options): Promise<Stage> => inTest(start(options))
  const stored = ({ rows }: Stage) => rows('select * from users order by id')

  it('reach their own record alone: others answer as missing ones do', async () => {
    const { send, rows } = await serve()
    const list = await send('GET', '/users/', 1)
    expect(list.json).toMatchObject({
      count: 1,
      items: [{ id: 1, email: 'ada@example.com', role: 'member' }],
    })
    expect((await send('GET', '/users/?q=email=bob', 1)).json).toMatchObject({ count: 0, items: [] })
    expect((await send('GET', '/users/1', 1)).json).toMatchObject({ id: 1, name: 'Ada' })
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'Eve' }],
      ['PUT', { email: 'e@example.com' }],
      ['DELETE', undefined],
    ] as const) {
      const [foreign, missing] = [
        await send(method, '/users/2', 1, body),
        await send(method, '/users/99', 1, body),
      ]
      expect([method, foreign.status, foreign.text.replaceAll('/users/2', '')]).toEqual([
        ...[method, 404],
        missing.text.replaceAll('/users/99', ''),
      ])
    }
    expect(await rows('select name from users where id = 2')).toEqual([{ name: 'Bob' }])
    for (const path of ['/users/', '/users/1']) expect((await send('GET', path)).status).toBe(401)
  })

  it('reach their own record alone with one scope for all models', async () => {
    const { send } = await serve({ scope: () => ({}) })
    expect((await send('GET', '/users/', 1)).json).toMatchObject({ count: 1, items: [{ id: 1 }] })
    expect((await send('GET', '/users/2', 1)).status).toBe(404)
  })

  it.each([
    ['without a scope', []],
    ['with a scope', [asUser('User', { scope: () => ({}) })]],
  ])('cannot be created by callers, and no such operation is documented, %s', async (_how, controllers) => {
    const { send, rows, rest } = await serve({ controllers })
    const body = { email: 'new@example.com', name: 'New' }
    for (const user of [undefined, 1])
      expect((await send('POST', '/users/', user, body)).json).toMatchObject({
        ...{ status: 405, code: 'method_not_allowed' },
      })
    expect(await rows('select count(*) as count from users')).toEqual([{ count: 3 }])
    const { paths } = rest.openapi() as unknown as Document
    expect(Object.keys(paths['/users/'] ?? {})).toEqual(['get'])
  })

  it('checklist 31: change of their own record what registration takes, and no other column', async () => {
    const running = await serve()
    const { send } = running
    const before = await stored(running)
    const fields = { email: 'ada@example.com', username: 'ada', name: 'Ada' }
    const answers = async (body: object) => [
      await send('PATCH', '/users/1', 1, body),
      // A PUT takes a read-only field that is as it was: each of these is not.
      await send('PUT', '/users/1', 1, { ...fields, ...body }),
    ]
    for (const [name, value] of Object.entries(others)) {
      for (const reply of await answers({ [name]: value })) {
        expect([name, reply.status]).toEqual([name, 422])
        expect(reply.json['errors']).toEqual([expect.objectContaining({ pointer: `/${name}` })])
      }
    }
    for (const reply of await answers(others)) expect(reply.status).toBe(422)
    expect(await stored(running)).toEqual(before)

    const changed = await send('PATCH', '/users/1', 1, { name: 'Ada L.', locale: 'de' })
    expect([changed.status, changed.json]).toEqual([
      200,
      expect.objectContaining({ name: 'Ada L.', locale: 'de' }),
    ])
    expect((await send('PUT', '/users/1', 1, { ...changed.json, name: 'Ada' })).status).toBe(200)
    expect((await stored(running))[0]).toMatchObject({ ...before[0], locale: 'de' })
  })

  it('checklist 20: store their identifiers in one form', async () => {
    const { send, rows } = await serve()
    const reply = await send('PATCH', '/users/1', 1, { email: '  ＡDA@Example.ORG ', username: 'ADA\u212A' })
    expect(reply.json).toMatchObject({ email: 'ada@example.org', username: 'adak' })
    expect(await rows('select email, username from users where id = 1')).toEqual([
      { email: 'ada@example.org', username: 'adak' },
    ])
    for (const [body, code] of [
      [{ email: '   ' }, 'too_short'],
      // 18 characters each in its compatible form.
      [{ username: '\uFDFA\uFDFA' }, 'too_long'],
    ] as const) {
      const refused = await send('PATCH', '/users/1', 1, body)
      expect(refused.json).toMatchObject({ status: 422, errors: [{ code }] })
    }
    expect((await send('PATCH', '/users/1', 1, { email: 'BOB@example.com ' })).json).toMatchObject({
      ...{ status: 409, code: 'unique_conflict' },
      errors: [{ pointer: '/email', code: 'taken' }],
    })
  })

  it('keep an email that is not an address until they change it', async () => {
    const { send, rows } = await serve()
    await rows("update users set email = 'ada' where id = 1 returning id")
    expect((await send('PATCH', '/users/1', 1, { email: 'ada', name: 'Ada' })).status).toBe(200)
    const refused = await send('PATCH', '/users/1', 1, { email: 'countess' })
    expect(refused.json).toMatchObject({
      status: 422,
      errors: [{ pointer: '/email', code: 'invalid_format' }],
    })
    expect((await send('PATCH', '/users/1', 1, { email: 'ada@example.com' })).status).toBe(200)
  })

  it('cannot take a name that another is known by in another column', async () => {
    const { send } = await serve()
    expect((await send('PATCH', '/users/1', 1, { username: 'Bob@example.com' })).json).toMatchObject({
      ...{ status: 409, code: 'unique_conflict' },
      errors: [{ pointer: '/username', code: 'taken' }],
    })
    expect((await send('PATCH', '/users/1', 1, { username: 'ada@example.com' })).status).toBe(200)
    expect((await send('PATCH', '/users/1', 1, { username: null })).json).toMatchObject({ username: null })
  })

  it('may delete themselves', async () => {
    const { send, rows } = await serve()
    expect((await send('DELETE', '/users/1', 1)).status).toBe(204)
    expect((await send('GET', '/users/', 1)).json).toMatchObject({ count: 0 })
    expect(await rows('select id from users order by id')).toEqual([{ id: 2 }, { id: 3 }])
  })

  it('may be pointed to by records of others', async () => {
    const { send } = await serve()
    expect((await send('POST', '/orders/', 1, { label: 'a gift', user_id: 2 })).json).toMatchObject({
      user_id: 2,
    })
    expect((await send('PATCH', '/orders/1', 1, { user_id: 3 })).status).toBe(200)
    expect((await send('POST', '/orders/', 1, { label: 'x', user_id: 99 })).json).toMatchObject({
      errors: [{ pointer: '/user_id', code: 'missing_reference' }],
    })
  })

  it('are nobody for a caller with an id that no user can have, and the answer says nothing', async () => {
    const { send } = await serve()
    const reply = await send('GET', '/users/', 'somebody')
    expect([reply.status, reply.text.includes('somebody')]).toEqual([500, false])
  })

  it.each([
    ['as it is', {}],
    ['whatever modelConfig says', { writeOnly: { password: false }, search: ['password', 'name'] }],
  ])(
    'checklist 24: have no password to be seen, changed, filtered, sorted, searched or documented, %s',
    async (_how, config) => {
      const { send, rest } = await serve({ modelConfig: { User: { internal: false, ...config } } as never })
      for (const path of ['/users/', '/users/1']) {
        const reply = await send('GET', path, 1)
        expect([reply.status, reply.text.includes('hash')]).toEqual([200, false])
        expect(reply.text).not.toContain('password')
      }
      for (const query of ['q=password=x', 'password=the', 'sort=password', 'fields=password']) {
        const reply = await send('GET', `/users/?${query}`, 1)
        expect([query, reply.status, reply.json['code']]).toEqual([query, 400, 'unknown_field'])
        expect(reply.text).not.toContain('hash')
      }
      expect((await send('GET', '/users/?search=hash', 1)).json).toMatchObject({ count: 0 })
      for (const method of ['PATCH', 'PUT'] as const) {
        const reply = await send(method, '/users/1', 1, { email: 'ada@example.com', password: 'x' })
        expect(reply.json).toMatchObject({
          status: 422,
          errors: [{ pointer: '/password', code: 'unknown_key' }],
        })
      }
      expect(JSON.stringify(rest.openapi())).not.toContain('password')
      expect(Object.keys(rest.schemas('User').detail.shape)).not.toContain('password')
      expect(Object.keys(rest.schemas('User').update.shape)).toEqual(['email', 'username', 'name', 'locale'])
    },
  )

  it('are nobody to the anonymous, whatever the permissions open', async () => {
    const { send } = await serve({
      controllers: [asUser('User', { permissions: { read: 'public', update: 'public' } })],
    })
    expect((await send('GET', '/users/')).json).toMatchObject({ items: [], count: 0 })
    expect((await send('GET', '/users/1')).status).toBe(404)
    expect((await send('PATCH', '/users/1', undefined, { name: 'Eve' })).status).toBe(404)
  })

  it('never show what is only written, which they may not write either', async () => {
    const config = { internal: false, writeOnly: ['note'] }
    const { send, rest } = await serve({ modelConfig: { User: config } } as never)
    for (const [method, path, body] of [
      ['GET', '/users/', undefined],
      ['GET', '/users/1', undefined],
      ['PATCH', '/users/1', {}],
      ['PUT', '/users/1', { email: 'ada@example.com' }],
    ] as const) {
      const { status, text } = await send(method, path, 1, body)
      expect([method, status, /note/.test(text)]).toEqual([method, 200, false])
    }
    for (const query of ['q=note=a', 'sort=note', 'fields=note'])
      expect((await send('GET', `/users/?${query}`, 1)).json).toMatchObject({ code: 'unknown_field' })
    for (const method of ['PATCH', 'PUT'] as const)
      expect((await send(method, '/users/1', 1, { email: 'a@example.com', note: 'x' })).json).toMatchObject({
        ...{ status: 422, errors: [{ pointer: '/note', code: 'unknown_key' }] },
      })
    for (const schema of ['detail', 'list', 'create', 'update', 'replace'] as const)
      expect([schema, ...Object.keys(rest.schemas('User')[schema].shape)]).not.toContain('note')
  })

  it('run the hooks of their controller, and what they give is stored in one form', async () => {
    const { send, rows } = await serve({
      controllers: [
        asUser('User', {
          beforeUpdate: (_request: unknown, _record: object, payload: Record<string, unknown>) => {
            if (payload['name'] === 'Root') throw new ValueError('Nobody is called Root.')
            return { ...payload, username: 'ADA2', note: 'renamed' }
          },
          afterUpdate: (_request: unknown, record: object) => ({ ...record, greeting: 'hello' }),
        }),
      ],
    })
    expect((await send('PATCH', '/users/1', 1, { name: 'Root' })).json).toMatchObject({ code: 'rejected' })
    expect((await send('PATCH', '/users/1', 1, { name: 'A' })).json).toMatchObject({
      username: 'ada2',
      greeting: 'hello',
    })
    expect(await rows('select note from users where id = 1')).toEqual([{ note: 'renamed' }])
    expect((await send('GET', '/users/2', 1)).status).toBe(404)
  })

  it('with a scope of their controller are whom that says, and are written by their own user only', async () => {
    const running = await serve({ controllers: [asUser('User', { scope: () => ({}) })] })
    const { send, rest } = running
    const before = await stored(running)
    for (const [method, body] of [
      ['PATCH', { name: 'Eve' }],
      ['PUT', { email: 'e@example.com' }],
      ['DELETE', undefined],
    ] as const) {
      for (const [user, expected] of [
        [1, [403, 404]],
        ['no key', [403, 404]],
        [undefined, [401, 401]],
      ] as const) {
        const [other, missing] = [
          await send(method, '/users/2', user, body),
          await send(method, '/users/99', user, body),
        ]
        expect([method, user, [other.status, missing.status]]).toEqual([method, user, expected])
      }
    }
    expect((await send('POST', '/users/', 1, { email: 'new@example.com' })).status).toBe(405)
    expect(await stored(running)).toEqual(before)
    expect((await send('PATCH', '/users/2', 2, { name: 'Robert' })).json).toMatchObject({ name: 'Robert' })
    expect((await send('DELETE', '/users/2', 2)).status).toBe(204)
    // Whoever is known may read what they write: a PATCH always shows it.
    const { paths } = rest.openapi() as unknown as Document
    expect(paths['/users/{id}']?.patch?.security).not.toContainEqual({})
    expect(paths['/users/{id}']?.patch?.responses).not.toHaveProperty('204')
  })

  it('take no column more where permissions open all writes', async () => {
    const permissions = { create: 'authenticated', update: 'authenticated' }
    const beforeCreate = (_request: unknown, payload: object) => ({ ...payload, password: 'a hash' })
    const controller = asUser('User', { scope: () => ({}), permissions, beforeCreate })
    const running = await serve({ controllers: [controller] })
    const { send } = running
    expect((await send('GET', '/users/', 1)).json).toMatchObject({ count: 3 })
    const before = await stored(running)
    for (const [name, value] of Object.entries(others)) {
      for (const path of ['/users/1', '/users/2'])
        expect([name, (await send('PATCH', path, 1, { [name]: value })).status]).toEqual([name, 422])
      const created = await send('POST', '/users/', 1, { email: 'new@example.com', [name]: value })
      expect([name, created.status]).toEqual([name, 422])
    }
    expect(await stored(running)).toEqual(before)
  })

  it('take of modelConfig what it opens, but for the password, and identifiers in their one form', async () => {
    const { send, rows } = await serve({
      modelConfig: { User: { internal: false, writable: ['role'] } } as never,
      controllers: [
        asUser('User', {
          scope: () => ({}),
          permissions: { create: 'authenticated', update: 'authenticated' },
          beforeCreate: (_request: unknown, payload: object) => ({ ...payload, password: 'a hash' }),
        }),
      ],
    })
    expect((await send('GET', '/users/', 1)).json).toMatchObject({ count: 3 })
    expect((await send('GET', '/users/2', 1)).text).not.toContain('password')
    expect((await send('PATCH', '/users/2', 1, { role: 'editor' })).json).toMatchObject({ role: 'editor' })
    const created = await send('POST', '/users/', 1, { email: 'NEW@example.com', role: 'editor' })
    expect([created.status, created.json]).toEqual([
      201,
      expect.objectContaining({ email: 'new@example.com' }),
    ])
    expect(await rows('select password from users where id = 4')).toEqual([{ password: 'a hash' }])
    expect((await send('PATCH', '/users/2', 1, { password: 'x' })).status).toBe(422)
  })

  it('bind foreign keys with a scope of their controller, as other models do', async () => {
    const { send } = await serve({ controllers: [asUser('User', { scope: () => ({ id: 1 }) })] })
    expect((await send('POST', '/orders/', 1, { label: 'mine', user_id: 1 })).status).toBe(201)
    expect((await send('POST', '/orders/', 1, { label: 'x', user_id: 2 })).status).toBe(422)
  })

  it('refuse permissions that could never hold', async () => {
    const controllers = [asUser('User', { permissions: { create: () => true } })]
    await expect(start({ controllers })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(naming('permissions.create', 'scope')),
    })
  })

  it('without authentication have no own record, and no password either', async () => {
    const { send } = await serve({ auth: false })
    expect((await send('GET', '/users/')).json).toMatchObject({ count: 3 })
    expect((await send('GET', '/users/')).text).not.toContain('password')
    expect((await send('PATCH', '/users/1', undefined, { password: 'x' })).status).toBe(422)
  })

  it('never store a password as a schema of the application sent it', async () => {
    const update = z.object({ password: z.string().optional(), name: z.string().optional() })
    const { send, rows } = await serve({ customSchemas: { User: { update } } as never })
    expect((await send('PATCH', '/users/1', 1, { name: 'A' })).status).toBe(200)
    expect((await send('PATCH', '/users/1', 1, { password: 'plain' })).status).toBe(500)
    expect(await rows('select password from users where id = 1')).toEqual([{ password: 'the hash of ada' }])
  })
})

describe('in synchronous operation', () => {
  it('users reach their own record, too', async () => {
    const { send, stop } = await startUsers({ isAsync: false })
    expect((await send('PATCH', '/users/1', 1, { email: 'ADA@example.org' })).json).toMatchObject({
      email: 'ada@example.org',
    })
    expect((await send('PATCH', '/users/1', 1, { username: 'bob@example.com' })).status).toBe(409)
    expect((await send('GET', '/users/2', 1)).status).toBe(404)
    await stop()
  })
})

it('columns that may grant privileges are one line at start for those that registration takes, and one for opened ones', async () => {
  const users = sqliteTable('users', {
    id: integer().primaryKey({ autoIncrement: true }),
    ...{ email: text().notNull().unique(), password: text().notNull() },
    ...{ role: text(), plan: text(), is_staff: integer(), is_admin: integer() },
  })
  const { models, close } = openSqlite(
    { users },
    'create table users (id integer primary key autoincrement, email text not null unique, password text not null, role text, plan text, is_staff integer, is_admin integer)',
  )
  onTestFinished(close)
  const app = await onFastify(
    {
      ...{ models, auth: true },
      settings: defineSettings({
        SECRET_KEY: 'x'.repeat(40),
        SERVICE_AUTH: { REGISTER_FIELDS: ['email', 'role', 'plan'] },
      }),
      modelConfig: { User: { internal: false, writable: ['is_staff', 'is_admin'] } },
      controllers: [asUser('User', { scope: () => ({}), permissions: { update: () => true } })],
    } as never,
    { base: '' },
  )
  onTestFinished(app.stop)
  const warnings = app.log.filter(({ level }) => level === 'warn').map(({ line }) => line)
  expect(warnings).toEqual([
    expect.stringMatching(naming('User.role', 'User.plan', 'SERVICE_AUTH.REGISTER_FIELDS')),
    expect.stringMatching(naming('User.is_staff', 'User.is_admin', 'modelConfig.User.writable')),
  ])
})
