import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it, vi } from 'vitest'
import { defineSettings, type ServiceAuth, StartError } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { onFetch } from '../stage/apps.ts'
import { secret } from '../stage/auth-service.ts'
import { openSqlite } from '../stage/databases.ts'
import { senderTo } from '../stage/requests.ts'

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
  const more = column === undefined ? '' : `, "${column}" text not null`
  const users = sqliteTable('users', {
    id: integer().primaryKey({ autoIncrement: true }),
    email: text().notNull().unique(),
    name: text(),
    password: text().notNull(),
    ...(column !== undefined && { [column]: text().notNull() }),
  })
  const { models, rows } = openSqlite(
    { users },
    `create table users (id integer primary key autoincrement, email text not null unique, name text,
     password text not null${more})`,
  )
  const app = await onFetch(
    {
      ...{ models, auth: true, controllers: [] },
      settings: defineSettings({
        SECRET_KEY: secret,
        SERVICE_AUTH: { LOG_AUTH_EVENTS: false, ...serviceAuth },
      }),
    },
    { base: '' },
  )
  const send = senderTo(app)
  return async (body: object) => {
    const { status } = await send('POST', '/auth/register', { body })
    return { status, rows: await rows('select * from users') }
  }
}

const user = { email: 'new@example.com', password: 'correct horse battery' }

/** What start-up says of a column that nothing fills in, without its name. */
const refusalOf = async (name: string): Promise<string> => {
  const error = await start(name).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StartError)
  return (error as StartError).message.replaceAll(name, '')
}

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
    expect(await refusalOf(name)).not.toBe(await refusalOf(others[0] ?? ''))
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await start(name, { REGISTER_FIELDS: ['email', name] })
    const lines = written.mock.calls.map(([line]) => String(line))
    written.mockRestore()
    expect(lines.filter((line) => naming(`User.${name}`).test(line))).toHaveLength(1)
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
