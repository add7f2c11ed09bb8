import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { image } from '../../../src/entry/drizzle-sqlite.ts'
import { defineSettings } from '../../../src/index.ts'
import { storageKey } from '../../../src/upload/keys.ts'
import { onFetch } from '../../stage/apps.ts'
import { secret } from '../../stage/auth-service.ts'
import { openSqlite } from '../../stage/databases.ts'
import { senderTo } from '../../stage/requests.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { samples } from '../../upload/samples.ts'

const users = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text().notNull().unique(),
  password: text().notNull(),
  portrait: image(),
})

const ann = { email: 'ann@example.com', password: 'correct horse battery' }

/** What the routes of authentication show of a user with a portrait. */
const portraitsIn = async (options: { exclude?: { app: null }; isAsync?: boolean }) => {
  const { client, models, close } = openSqlite(
    { users },
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
  const settings = defineSettings({ SECRET_KEY: secret })
  const app = await onFetch({ models, auth: true, storage, controllers: [], settings, ...options })
  const send = senderTo(app)
  const registered = (await send('POST', '/api/auth/register', { body: ann })).json
  client.prepare('update users set portrait = ?').run(key)
  const { access, user } = (await send('POST', '/api/auth/login', { body: ann })).json
  const me = (await send('GET', '/api/auth/me', { token: String(access) })).json
  const portraits = [registered['user'], user, me].map((shown) => Object(shown).portrait as unknown)
  return { portraits, get: (path: string) => app.ask(path), close }
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
