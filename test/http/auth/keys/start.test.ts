import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { usersTable } from '../../../../src/entry/drizzle-sqlite.ts'
import type { ServiceAuth } from '../../../../src/index.ts'
import { onFastify } from '../../../stage/apps.ts'
import { serviceOn, startFastify } from '../../../stage/auth-service.ts'
import { openSqlite } from '../../../stage/databases.ts'
import { inTest } from '../../../stage/service.ts'
import { startError } from '../../start-error.ts'
import { serveKeys } from './stage.ts'

const columns = {
  ...{ id: integer().primaryKey({ autoIncrement: true }), user_id: text().notNull(), name: text().notNull() },
  ...{ hash: text().notNull().unique(), access: text().notNull(), account: text() },
  ...{ created_at: integer({ mode: 'timestamp' }).notNull(), expires_at: integer({ mode: 'timestamp' }) },
  last_used_at: integer({ mode: 'timestamp' }),
}

const starting = (change: object, auth: ServiceAuth = {}) => {
  const apiKeys = sqliteTable('api_keys', { ...columns, ...change })
  const database = openSqlite({ users: usersTable, apiKeys } as never, '')
  return serviceOn(onFastify, database, { settings: { SERVICE_AUTH: { API_KEYS: true, ...auth } } })
}

describe('API keys refuse to start', () => {
  it.each([
    ['without a key of its own', { id: integer() }, ['primary key']],
    ['with the hash as its key', { id: integer(), hash: text().primaryKey() }, ['primary key']],
    ['with a hash that need not be unique', { hash: text().notNull() }, ['hash', 'unique']],
    ['with a name that is too short', { name: text({ length: 20 }) }, ['name', '100']],
    ['with access of one kind', { access: text({ enum: ['read'] }).notNull() }, ['access', 'write']],
    ['with a required account', { account: text().notNull() }, ['account', 'nullable']],
    [
      'with users of another kind',
      { user_id: integer({ mode: 'boolean' }).notNull() },
      ['user_id', 'boolean'],
    ],
    ['with a column that nothing sets', { team: text().notNull() }, ['team', 'default']],
  ] as const)('a table %s', async (_title, change, names) => {
    await expect(starting(change)).rejects.toEqual(startError('ApiKey', ...names))
  })

  it.each([
    [{ API_KEY_MODEL: 'app.Other' }, ['API_KEY_MODEL', 'Other']],
    [{ API_KEY_PREFIX: 'a_b' }, ['API_KEY_PREFIX']],
    [{ API_KEYS: false, API_KEY_MODEL: 'app.ApiKey' }, ['API_KEY_MODEL', 'API_KEYS']],
  ] as const)('settings that cannot be: %o', async (auth, names) => {
    await expect(serveKeys(auth)).rejects.toEqual(startError(...names))
  })

  it('without a table, or if it opens other operations', async () => {
    const settings = { SERVICE_AUTH: { API_KEYS: true } }
    await expect(startFastify({ settings })).rejects.toEqual(startError('API_KEYS', 'apiKeysTable'))
    const modelConfig = { ApiKey: { internal: false, operations: ['create'] } } as never
    await expect(serveKeys({}, { modelConfig })).rejects.toEqual(startError('ApiKey', 'operations'))
  })
})

describe('a table of users without a primary key', () => {
  const open = () => {
    const users = sqliteTable('users', { email: text().notNull(), password: text().notNull() })
    return openSqlite({ users } as never, 'create table users (email text not null, password text not null)')
  }

  it('is no obstacle to own authentication', async () => {
    const auth = { authenticate: () => ({ id: 1, claims: {} }) }
    const { send } = await inTest(serviceOn(onFastify, open(), { auth }))
    expect((await send('GET', '/api/openapi.json')).status).toBe(200)
  })

  it('is refused by auth: true', async () => {
    await expect(serviceOn(onFastify, open())).rejects.toEqual(startError('User', 'primary key'))
  })
})
