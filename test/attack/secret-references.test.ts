import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { defineSettings } from '../../src/index.ts'
import { onFetch } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { senderTo } from '../stage/requests.ts'

const sessions = sqliteTable('sessions', { sessionToken: text('session_token').primaryKey() })
const users = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text().notNull().unique(),
  password: text().notNull(),
  current: text().references(() => sessions.sessionToken),
})
const codes = sqliteTable('codes', { code: text().primaryKey() })

const serve = async () => {
  const { client, models } = openSqlite(
    { sessions, users, codes },
    `create table sessions (session_token text primary key);
    create table users (id integer primary key autoincrement, email text not null unique, password text not null, current text);
    create table codes (code text primary key not null)`,
  )
  const settings = defineSettings({ SECRET_KEY: 'a secret of the tests, with 32 bytes or more' })
  const app = await onFetch(
    {
      ...{ models, settings, auth: true, controllers: [] },
      modelConfig: { User: { internal: false }, Code: { public: true } },
    },
    { base: '' },
  )
  const ask = senderTo(app)
  const send = async (method: string, path: string, body?: object, token?: string) => {
    const { status, text, json } = await ask(method, path, { body, ...(token !== undefined && { token }) })
    return { status, told: text, json }
  }
  return { database: client, send }
}

test('a reference to a secret key is shown by no route', async () => {
  const { database, send } = await serve()
  const user = { email: 'ada@example.com', password: 'correct horse battery' }
  const registered = await send('POST', '/auth/register', user)
  expect(registered.status).toBe(201)
  database.exec("insert into sessions values ('verysecret'); update users set current = 'verysecret'")
  const login = await send('POST', '/auth/login', user)
  const { access } = login.json as { access?: string }
  const me = await send('GET', '/auth/me', undefined, access)
  const record = await send('GET', '/users/1', undefined, access)
  expect([login.status, me.status, record.status]).toEqual([200, 200, 200])
  for (const { told } of [registered, login, me, record]) expect(told).not.toMatch(/verysecret|current/)
})

test('a key that is empty is refused: it would have the URL of the list', async () => {
  const { send } = await serve()
  const refused = await send('POST', '/codes/', { code: '' })
  expect([refused.status, refused.json['errors']]).toEqual([
    422,
    [expect.objectContaining({ pointer: '/code', code: 'too_short' })],
  ])
  expect((await send('GET', '/codes/')).json['count']).toBe(0)
})
