import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it, vi } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { defineSettings, type ServiceAuth, StartError } from '../../src/index.ts'
import { secret } from '../auth/service.ts'

/** Required columns that a user may not choose, whether their name says so or not. */
const powers = [
  ...[
    'is_owner',
    'account_type',
    'customer_id',
    'owner',
    'type',
    'access',
    'manager',
    'employee',
    'vip',
    'quota',
  ],
  ...[
    'discount',
    'points',
    'feature',
    'features',
    'entitlement',
    'confirmed',
    'banned',
    'customer',
    'blocked',
  ],
  ...['role', 'isStaff', 'plan', 'premium', 'subscriptionLevel', 'disabled', 'suspended', 'department'],
]
const others = ['occupation', 'colour', 'slug', 'legacy_number', 'flags', 'stripe_ref']

const start = async (column: string | undefined, serviceAuth: ServiceAuth = {}) => {
  const client = new Database(':memory:')
  const more = column === undefined ? '' : `, "${column}" text not null`
  client.exec(
    `create table users (id integer primary key autoincrement, email text not null unique, name text,
     password text not null${more})`,
  )
  const users = sqliteTable('users', {
    id: integer().primaryKey({ autoIncrement: true }),
    email: text().notNull().unique(),
    name: text(),
    password: text().notNull(),
    ...(column !== undefined && { [column]: text().notNull() }),
  })
  const app = fetchApp({ clientAddress: () => '127.0.0.1' })
  await new ModelRest(app, {
    ...{ models: drizzleModels(drizzle({ client }), { users }), auth: true, controllers: [] },
    settings: defineSettings({
      SECRET_KEY: secret,
      SERVICE_AUTH: { LOG_AUTH_EVENTS: false, ...serviceAuth },
    }),
  } as never).init()
  return async (body: object) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const response = await app.fetch(new Request('http://localhost/auth/register', init))
    return { status: response.status, rows: client.prepare('select * from users').all() }
  }
}

const user = { email: 'new@example.com', password: 'correct horse battery' }

describe('a required column', () => {
  it.each([...powers, ...others])(
    '%s is not filled in by registration: start-up says what to write',
    async (name) => {
      const error = await start(name).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(StartError)
      const { message } = error as StartError
      expect(message).toContain(name)
      const written = /REGISTER_FIELDS: (\[[^\]]*\])/.exec(message)?.[1] ?? '[]'
      const REGISTER_FIELDS = JSON.parse(written.replaceAll("'", '"')) as string[]
      expect(REGISTER_FIELDS).toEqual(['email', 'name', name])

      const register = await start(name, { REGISTER_FIELDS })
      const { status, rows } = await register({ ...user, [name]: 'x' })
      expect([status, rows]).toEqual([201, [expect.objectContaining({ [name]: 'x' })]])
    },
  )

  it.each(powers)('%s gives a user power, and start-up says so', async (name) => {
    await expect(start(name)).rejects.toThrow('may give a user power')
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await start(name, { REGISTER_FIELDS: ['email', name] })
    const lines = written.mock.calls.map(([line]) => String(line))
    written.mockRestore()
    expect(lines.filter((line) => line.startsWith(`User.${name} may give a user power`))).toHaveLength(1)
  })

  it.each(['first_name', 'lastName', 'fullName', 'surname', 'nickname', 'phone', 'username'])(
    '%s is filled in by registration',
    async (name) => {
      const register = await start(name)
      expect((await register(user)).status).toBe(422)
      expect((await register({ ...user, [name]: 'x' })).status).toBe(201)
    },
  )
})

it('a user without one registers as before', async () => {
  const register = await start(undefined)
  expect((await register({ ...user, name: 'New' })).status).toBe(201)
})
