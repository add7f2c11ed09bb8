import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { openSqlite } from '../stage/databases.ts'
import { serveModels } from '../stage/serve-models.ts'

const seats = sqliteTable('seats', { room: text(), place: text(), note: text() }, ({ room, place }) => [
  primaryKey({ columns: [room, place] }),
])

const ddl =
  'create table seats (room text not null, place text not null, note text, primary key (room, place))'

/** Texts that encoding changes, once or twice. */
const texts = ['a,b', 'a%2Cb', 'a%252Cb', '50%', '%', ',', '/', ' ', 'é', '']

test('a key names one record, whether or not a client encodes all of it', async () => {
  const { send, rest } = await serveModels(openSqlite({ seats }, ddl))
  expect(rest.operations.map(({ path }) => path)).toContain('/seats/{id}')
  const keys = texts.map((room) => [room, 'c,d'])
  for (const [room, place] of keys) expect((await send('POST', '/seats/', { room, place }))[0]).toBe(201)
  for (const [room = '', place = ''] of keys) {
    const key = `${encodeURIComponent(room)},${encodeURIComponent(place)}`
    const found = [200, { room, place, note: null }]
    expect([key, await send('GET', `/seats/${key}`)]).toEqual([key, found])
    expect([key, await send('GET', `/seats/${encodeURIComponent(key)}`)]).toEqual([key, found])
  }
})

test('a key that is encoded as a whole deletes no other record', async () => {
  const { send } = await serveModels(openSqlite({ seats }, ddl))
  for (const room of ['a,b', 'a%2Cb']) await send('POST', '/seats/', { room, place: 'c' })
  // The key in the `Location` of the first record, as a generated client sends it.
  expect((await send('DELETE', `/seats/${encodeURIComponent('a%2Cb,c')}`))[0]).toBe(204)
  expect((await send('GET', '/seats/a%2Cb,c'))[0]).toBe(404)
  expect((await send('GET', '/seats/a%252Cb,c'))[0]).toBe(200)
})

test.each(['a', 'a%2Cb%2Cc', 'a%252Cb', '%252C', '%25%2Ca', '%2C%25', '%25E0%2Ca'])(
  'what cannot be a key of two parts is not found: %s',
  async (key) => {
    const { send } = await serveModels(openSqlite({ seats }, ddl))
    expect((await send('GET', `/seats/${key}`))[0]).toBe(404)
  },
)
