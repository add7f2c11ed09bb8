import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, onTestFinished, test } from 'vitest'
import { fetchApp } from '../../../src/entry/fetch.ts'
import { controllerFor, defineSettings, HttpError, registerAuthRoutes } from '../../../src/index.ts'
import { onFastify } from '../../stage/apps.ts'
import { secret } from '../../stage/auth-service.ts'
import { openSqlite } from '../../stage/databases.ts'
import { senderTo } from '../../stage/requests.ts'

const users = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text({ length: 100 }).notNull().unique(),
  username: text({ length: 100 }).unique(),
  password: text({ length: 255 }).notNull(),
  manager_id: integer(),
  deleted_at: integer({ mode: 'timestamp' }),
})
const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  author_id: integer().references(() => users.id),
})
const ddl = `create table users (id integer primary key autoincrement, email text not null unique, username text unique, password text not null, manager_id integer, deleted_at integer);
create table notes (id integer primary key, author_id integer references users (id))`
const modelConfig = { User: { internal: false, softDelete: 'deleted_at' } } as const
const ada = { email: 'ada@example.com', password: 'correct horse battery' }

const serve = async (serviceAuth: object = {}) => {
  const database = openSqlite({ users, notes }, ddl)
  const app = await onFastify(
    {
      ...{ models: database.models, auth: true, modelConfig },
      controllers: [controllerFor('User', { permissions: { deleted: 'authenticated' } })],
      settings: defineSettings({ SERVICE_AUTH: { JWT_SECRET: secret, ...serviceAuth } }),
    },
    { base: '' },
  )
  onTestFinished(database.close)
  onTestFinished(app.stop)
  const send = senderTo(app)
  const register = async () =>
    (await send('POST', '/auth/register', { body: ada })).json as {
      readonly access: string
      readonly refresh: string
    }
  return { send, register, rows: database.rows }
}

test.each([{ STATEFUL: false }, { STATEFUL: true }])(
  'a deleted user cannot log in or refresh, with %o',
  async (given) => {
    const { send, register, rows } = await serve(given)
    const { access: token, refresh } = await register()
    expect((await send('POST', '/notes/', { body: { author_id: 1 }, token })).status).toBe(201)
    expect((await send('DELETE', '/users/1', { token })).status).toBe(204)
    expect((await send('POST', '/auth/login', { body: ada })).status).toBe(401)
    expect((await send('POST', '/auth/refresh', { body: { refresh } })).status).toBe(401)
    expect((await send('GET', '/auth/me', { token })).status).toBe(401)
    expect((await send('POST', '/auth/register', { body: ada })).status).toBe(409)
    expect(await rows('select email from users where deleted_at is not null')).toEqual([{ email: ada.email }])
  },
)

test('another user cannot refer to a deleted one, but to any other', async () => {
  const { send, register } = await serve()
  const { access: gone } = await register()
  const other = { email: 'bob@example.com', password: ada.password }
  const token = String((await send('POST', '/auth/register', { body: other })).json['access'])
  expect((await send('POST', '/notes/', { body: { author_id: 1 }, token })).status).toBe(201)
  await send('DELETE', '/users/1', { token: gone })
  expect((await send('POST', '/notes/', { body: { author_id: 1 }, token })).status).toBe(422)
  expect((await send('POST', '/notes/', { body: { author_id: 2 }, token })).status).toBe(201)
  const list = await send('GET', '/users/?deleted=with', { token })
  expect(list.json['items']).toMatchObject([{ id: 2 }])
})

test('the user name of a deleted user is not free for the address of another', async () => {
  const { send } = await serve({ REGISTER_FIELDS: ['username', 'email'] })
  const first = { ...ada, username: 'bob@example.com' }
  const token = String((await send('POST', '/auth/register', { body: first })).json['access'])
  await send('DELETE', '/users/1', { token })
  const taken = await send('POST', '/auth/register', { body: { ...ada, email: 'bob@example.com' } })
  expect(taken.status).toBe(409)
})

test('a registration that a hook refuses leaves no user', async () => {
  const ON_REGISTER = () => {
    throw new HttpError(403, 'No.')
  }
  const { send, rows } = await serve({ ON_REGISTER })
  expect((await send('POST', '/auth/register', { body: ada })).status).toBe(403)
  expect(await rows('select id from users')).toEqual([])
})

test('routes of authentication alone refuse a deleted user', async () => {
  const { models, execute, close } = openSqlite({ users }, ddl)
  onTestFinished(close)
  const app = fetchApp({ base: '', clientAddress: () => '127.0.0.1' } as never)
  await registerAuthRoutes(app, {
    models,
    modelConfig: { User: { softDelete: 'deleted_at' } },
    settings: defineSettings({ SERVICE_AUTH: { JWT_SECRET: secret } }),
  })
  const post = (path: string) =>
    app.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(ada),
      }),
    )
  expect((await post('/auth/register')).status).toBe(201)
  expect((await post('/auth/login')).status).toBe(200)
  await execute('update users set deleted_at = 1')
  expect((await post('/auth/login')).status).toBe(401)
})
