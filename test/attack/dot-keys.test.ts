import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { onFastify, onFetch } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { senderTo } from '../stage/requests.ts'

const tags = sqliteTable('tags', { name: text().primaryKey() })

describe.each([
  ['Fastify', onFastify],
  ['fetch', onFetch],
] as const)('a key that no client can send in a path, on %s', (_name, host) => {
  it('is refused: its record could be neither read nor deleted', async () => {
    const { models, close } = openSqlite({ tags }, 'create table tags (name text primary key)')
    const app = await host({ models, controllers: [] })
    const send = senderTo(app)
    for (const name of ['.', '..']) {
      const { status, json } = await send('POST', '/api/tags/', { body: { name } })
      expect([status, json['errors']]).toEqual([
        422,
        [expect.objectContaining({ pointer: '/name', code: 'invalid_format' })],
      ])
    }
    for (const name of ['...', '. ', '.a', '%2e', '/']) {
      const made = await send('POST', '/api/tags/', { body: { name } })
      expect(made.status).toBe(201)
      expect((await send('GET', String(made.headers['location']))).json).toEqual({ name })
    }
    await app.stop()
    await close()
  })
})
