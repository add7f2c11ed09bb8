import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, onTestFinished, test } from 'vitest'
import { fetchApp } from '../../../src/entry/fetch.ts'
import { defineSettings, registerAuthRoutes } from '../../../src/index.ts'
import { secret } from '../../stage/auth-service.ts'
import { openSqlite } from '../../stage/databases.ts'
import { startError } from '../start-error.ts'

const users = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text({ length: 100 }).notNull().unique(),
  password: text({ length: 255 }).notNull(),
  revision: integer().notNull(),
})
const ddl =
  'create table users (id integer primary key autoincrement, email text not null unique, password text not null, revision integer not null)'

const serve = async (version: string) => {
  const { models, rows, close } = openSqlite({ users }, ddl)
  onTestFinished(close)
  const app = fetchApp({ base: '', clientAddress: () => '127.0.0.1' } as never)
  await registerAuthRoutes(app, {
    models,
    modelConfig: { User: { version } } as never,
    settings: defineSettings({ SERVICE_AUTH: { JWT_SECRET: secret, PASSWORD_CHANGE: true } }),
  })
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const reply = await app.fetch(
      new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    )
    const sent = await reply.text()
    return { status: reply.status, json: sent === '' ? {} : JSON.parse(sent) }
  }
  return { post, rows }
}

test('routes of authentication alone raise the versions of users', async () => {
  const { post, rows } = await serve('revision')
  const ada = { email: 'ada@example.com', password: 'correct horse battery' }
  const { status, json } = await post('/auth/register', ada)
  expect(status).toBe(201)
  expect(await rows('select revision from users')).toEqual([{ revision: 1 }])
  const change = { old_password: ada.password, new_password: 'battery horse correct' }
  const changed = await post('/auth/password/change', change, String(Reflect.get(Object(json), 'access')))
  expect([changed.status, await rows('select revision from users')]).toEqual([200, [{ revision: 2 }]])
})

test('routes of authentication alone refuse a version that is none', async () => {
  await expect(serve('email')).rejects.toThrow(startError('modelConfig.User.version'))
})
