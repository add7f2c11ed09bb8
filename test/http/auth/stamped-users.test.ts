import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineSettings } from '../../../src/index.ts'
import { onFastify, onFetch } from '../../stage/apps.ts'
import { secret } from '../../stage/auth-service.ts'
import { openSqlite } from '../../stage/databases.ts'
import { senderTo } from '../../stage/requests.ts'

const users = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text({ length: 100 }).notNull().unique(),
  password: text({ length: 255 }).notNull(),
  created_at: integer({ mode: 'timestamp_ms' }).notNull(),
  created_by: text(),
  updated_by: text(),
})
const ddl = `create table users (id integer primary key autoincrement, email text not null unique, password text not null,
  created_at integer not null, created_by text, updated_by text)`

const stamps = { created_at: 'now on create', created_by: 'caller on create', updated_by: 'caller' } as const

const serve = async (isAsync: boolean, serviceAuth: object = {}) => {
  const { models, rows, close } = openSqlite({ users }, ddl)
  onTestFinished(close)
  const app = await (isAsync ? onFastify : onFetch)(
    {
      ...{ models, auth: true, isAsync, modelConfig: { User: { stamps } } },
      settings: defineSettings({
        SERVICE_AUTH: { JWT_SECRET: secret, PASSWORD_CHANGE: true, ...serviceAuth },
      }),
    } as never,
    { base: '' },
  )
  onTestFinished(app.stop)
  const send = senderTo(app)
  return {
    send,
    register: async () => {
      const body = { email: 'ada@example.com', password: 'correct horse battery' }
      const { status, json } = await send('POST', '/auth/register', { body })
      return { status, access: String(json['access']), ...body }
    },
    stamped: async () => {
      const found = await rows('select created_at > 0 as is_dated, created_by, updated_by from users')
      return found[0]
    },
  }
}

describe.each([['promises', true] as const, ['one tick', false] as const])('stamps with %s', (_, isAsync) => {
  test('are filled for users who register and change their password, not by a login', async () => {
    const { send, register, stamped } = await serve(isAsync)
    const { status, access, email, password } = await register()
    const fresh = { is_dated: 1, created_by: null, updated_by: null }
    expect([status, await stamped()]).toEqual([201, fresh])
    expect((await send('POST', '/auth/login', { body: { email, password } })).status).toBe(200)
    expect(await stamped()).toEqual(fresh)
    const body = { old_password: password, new_password: 'battery horse correct' }
    const headers = { authorization: `Bearer ${access}` }
    expect((await send('POST', '/auth/password/change', { body, headers })).status).toBe(200)
    expect(await stamped()).toEqual({ ...fresh, updated_by: '1' })
  })

  test('are filled before the hook of a registration', async () => {
    const seen: unknown[] = []
    const { register, stamped } = await serve(isAsync, {
      ON_REGISTER: (user: { created_at: unknown }) => void seen.push(user.created_at),
    })
    expect((await register()).status).toBe(201)
    expect([seen, await stamped()]).toEqual([[expect.any(Date)], expect.objectContaining({ is_dated: 1 })])
  })
})
