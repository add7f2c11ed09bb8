import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { image } from '../../src/entry/drizzle-sqlite.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { defineSettings } from '../../src/index.ts'
import { storageKey } from '../../src/upload/keys.ts'
import { memoryStorage } from '../upload/memory-storage.ts'
import { samples } from '../upload/samples.ts'
import { secret } from './service.ts'

const users = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text().notNull().unique(),
  password: text().notNull(),
  portrait: image(),
})

const ann = { email: 'ann@example.com', password: 'correct horse battery' }

/** What the routes of authentication show of a user with a portrait. */
const portraitsIn = async (options: { exclude?: { app: null }; isAsync?: boolean }) => {
  const client = new Database(':memory:')
  client.exec(
    'create table users (id integer primary key autoincrement, email text not null unique, password text not null, portrait text)',
  )
  const storage = memoryStorage()
  const key = storageKey({ model: 'User', field: 'portrait', type: 'image/png' })
  await storage.put(
    key,
    (async function* () {
      yield samples.png
    })(),
  )
  const app = fetchApp({ base: '/api' })
  const models = drizzleModels(drizzle({ client }), { users })
  const settings = defineSettings({ SECRET_KEY: secret })
  await new ModelRest(app, { models, auth: true, storage, controllers: [], settings, ...options }).init()
  const send = (method: string, path: string, body?: object, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return app.fetch(new Request(`http://host${path}`, init))
  }
  const jsonOf = async (reply: Promise<Response>) => (await reply).json() as Promise<Record<string, never>>
  const registered = await jsonOf(send('POST', '/api/auth/register', ann))
  client.prepare('update users set portrait = ?').run(key)
  const { access = '', user } = await jsonOf(send('POST', '/api/auth/login', ann))
  const me = await jsonOf(send('GET', '/api/auth/me', undefined, access))
  const portraits = [registered['user'], user, me].map((shown) => Object(shown).portrait as unknown)
  return { portraits, get: (path: string) => send('GET', path), close: () => client.close() }
}

it.each([true, false])(
  'a user is shown with the signed URL of their own files, isAsync: %j',
  async (isAsync) => {
    const { portraits, get, close } = await portraitsIn({ exclude: { app: null }, isAsync })
    const url = expect.stringMatching(/^\/api\/media\/users\/1\/portrait\/\w+\.png\?expires=\d+&signature=/)
    expect(portraits).toEqual([null, url, url])
    expect((await get(String(portraits[1]))).status).toBe(200)
    close()
  },
)

it('a user is shown without files where users are not served, as nobody serves those', async () => {
  const { portraits, close } = await portraitsIn({})
  expect(portraits).toEqual([null, null, null])
  close()
})
