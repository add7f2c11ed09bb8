import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../../src/entry/fetch.ts'
import { defineSettings, hashPassword } from '../../../src/index.ts'
import { testClient } from '../../../src/testing/index.ts'
import { ada, describeServices, loggedIn, secret } from '../../stage/auth-service.ts'

describeServices('REGISTRATION: false', (serve) => {
  it('checklist 37: leaves no route, and no trace in the document', async () => {
    const { send, rest, execute } = await serve({ REGISTRATION: false })
    const reply = await send('POST', '/api/auth/register', { body: ada })
    expect(reply.status).toBe(404)
    expect(Object.keys(rest.openapi().paths ?? {})).not.toContain('/auth/register')
    expect(rest.operations.map(({ id }) => id)).not.toContain('register')
    expect(JSON.stringify(rest.openapi())).not.toMatch(/RegisterRequest|Registration/)
    const hash = await hashPassword(ada.password)
    await execute(`insert into users (email, password) values ('${ada.email}', '${hash}')`)
    expect((await loggedIn({ send })).status).toBe(200)
  })
})

describe('a user model that registration cannot fill', () => {
  const users = sqliteTable('users', {
    id: integer().primaryKey({ autoIncrement: true }),
    email: text().notNull().unique(),
    role: text().notNull(),
    password: text({ length: 255 }).notNull(),
  })
  const start = async (REGISTRATION: boolean) => {
    const client = new Database(':memory:')
    client.exec(
      'create table users (id integer primary key autoincrement, email text not null unique, role text not null, password text not null)',
    )
    const app = fetchApp({ base: '/api' })
    const models = drizzleModels(drizzle({ client }), { users })
    const settings = defineSettings({ SECRET_KEY: secret, auth: { REGISTRATION } })
    await new ModelRest(app, { models, auth: true, controllers: [], settings }).init()
    return { app, client }
  }

  it('needs no defaults where there is no registration', async () => {
    await expect(start(true)).rejects.toThrow('role')
    const { app, client } = await start(false)
    const hash = await hashPassword(ada.password)
    client.prepare('insert into users (email, role, password) values (?, ?, ?)').run(ada.email, 'admin', hash)
    const { email, password } = ada
    const tests = testClient(app, { base: '/api' })
    const user = await tests.as({ email, password })
    expect((await user.get('/api/auth/me')).status).toBe(200)
    await expect(tests.as({ email, password: 'another' })).rejects.toThrow('could not be')
  })
})
