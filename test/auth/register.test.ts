import { describe, expect, it } from 'vitest'
import { defineSettings } from '../../src/index.ts'
import { inTest } from '../stage/service.ts'
import { type Options, type Stage, startUsers } from '../stage/users.ts'

const settings = (more: object = {}) =>
  defineSettings({ SECRET_KEY: 'a secret of tests, with more than 32 bytes', SERVICE_AUTH: more })

const body = { email: 'new@example.com', password: 'correct horse battery' }

/** Every column that is in no allow-list, with a value that it could have. */
const others = {
  ...{ id: 9, role: 'admin', is_staff: true, is_active: false, credits: 1000, reset_token: 'x' },
  ...{ invited_by: 1, note: 'x', disabled_at: '2026-01-31T09:30:00Z' },
}

describe('registration', () => {
  const start = startUsers
  const serve = (options?: Options): Promise<Stage> =>
    inTest(start({ auth: true, settings: settings(), ...options }))
  const register = ({ send }: Stage, sent: unknown) => send('POST', '/auth/register', undefined, sent)

  it('checklist 31: takes the allow-list only: every other column is a 422 and is not stored', async () => {
    const running = await serve()
    for (const [name, value] of Object.entries(others)) {
      const refused = await register(running, { ...body, [name]: value })
      expect(refused.json).toMatchObject({
        status: 422,
        errors: [{ pointer: `/${name}`, code: 'unknown_key' }],
      })
    }
    expect((await register(running, { ...body, ...others })).status).toBe(422)
    expect(await running.rows('select count(*) as count from users')).toEqual([{ count: 3 }])

    expect((await register(running, { ...body, name: 'New', locale: 'de' })).status).toBe(201)
    expect(await running.rows('select * from users where id = 4')).toMatchObject([
      {
        ...{ email: 'new@example.com', name: 'New', locale: 'de', role: 'member', credits: 0 },
        ...{ reset_token: null, invited_by: null, note: null, disabled_at: null },
        password: expect.stringMatching(/^\$argon2id\$/),
      },
    ])
  })

  it('takes what REGISTER_FIELDS names instead', async () => {
    const running = await serve({ settings: settings({ REGISTER_FIELDS: ['email', 'role'] }) })
    expect((await register(running, { ...body, name: 'New' })).status).toBe(422)
    expect((await register(running, { ...body, role: 'editor' })).json).toMatchObject({
      user: { role: 'editor' },
    })
  })

  it('checklist 20: of two at the same moment one is a 201, the other a 409 that names the field', async () => {
    const running = await serve()
    const replies = await Promise.all([
      register(running, body),
      register(running, { ...body, email: 'NEW@example.com ' }),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(replies.find(({ status }) => status === 409)?.json).toMatchObject({
      ...{ code: 'unique_conflict', errors: [{ pointer: '/email', code: 'taken' }] },
    })
    expect(await running.rows(`select count(*) as count from users where email = 'new@example.com'`)).toEqual(
      [{ count: 1 }],
    )
  })

  it('cannot take a name that another user is known by', async () => {
    const running = await serve()
    expect((await register(running, { ...body, username: 'ADA@example.com' })).json).toMatchObject({
      ...{ status: 409, errors: [{ pointer: '/username', code: 'taken' }] },
    })
  })

  it('checklist 24: and logins are answered without hash and password', async () => {
    const running = await serve()
    const replies = [
      await register(running, body),
      await register(running, body),
      await register(running, { ...body, password: 7 }),
      await running.send('POST', '/auth/login', undefined, { ...body, email: 'NEW@example.com' }),
      await running.send('POST', '/auth/login', undefined, { login: 'ada', password: body.password }),
      await running.send('POST', '/auth/login', undefined, { login: 'Eve@Example.com', password: 'x' }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([201, 409, 422, 200, 401, 401])
    for (const { text } of replies) expect(text).not.toMatch(/argon2|correct horse|the hash/)
    const schema = running.rest.openapi().components.schemas
    expect(
      Object.entries(schema)
        .filter(([, shape]) => JSON.stringify(shape).includes('"password"'))
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(['LoginRequest', 'RegisterRequest'])
  })
})
