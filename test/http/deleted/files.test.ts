import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, onTestFinished, test } from 'vitest'
import { file } from '../../../src/entry/drizzle-sqlite.ts'
import { controllerFor } from '../../../src/index.ts'
import { onFastify } from '../../stage/apps.ts'
import { openSqlite } from '../../stage/databases.ts'
import { senderTo } from '../../stage/requests.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'

const papers = sqliteTable('papers', {
  id: integer().primaryKey(),
  title: text().notNull(),
  scan: file(),
  deleted_at: integer({ mode: 'timestamp' }),
})

const ddl = 'create table papers (id integer primary key, title text not null, scan text, deleted_at integer)'

const form = [
  '--x\r\ncontent-disposition: form-data; name="title"\r\n\r\nA\r\n',
  '--x\r\ncontent-disposition: form-data; name="scan"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nscanned\r\n',
  '--x--\r\n',
].join('')

test('the files of a deleted record stay, are served to no caller, and come back with it', async () => {
  const database = openSqlite({ papers }, ddl)
  onTestFinished(database.close)
  const storage = memoryStorage()
  const app = await onFastify(
    {
      ...{ models: database.models, storage, modelConfig: { Paper: { softDelete: 'deleted_at' } } },
      controllers: [controllerFor('Paper', { permissions: { deleted: () => true } })],
    },
    { base: '' },
  )
  onTestFinished(app.stop)
  const send = senderTo(app)
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const created = await send('POST', '/papers/', { headers, body: form })
  expect([created.status, created.json]).toMatchObject([201, { title: 'A' }])
  const url = String(created.json['scan'])
  expect((await send('GET', url)).text).toBe('scanned')
  expect((await send('DELETE', '/papers/1')).status).toBe(204)
  expect((await send('GET', url)).status).toBe(404)
  expect((await send('GET', '/papers/1?deleted=only')).json).toMatchObject({ scan: url })
  expect((await send('GET', url)).status).toBe(404)
  expect(await app.rest.cleanFiles({ olderThan: 0 })).toEqual([])
  expect((await send('POST', '/papers/1/restore')).json).toMatchObject({ scan: url })
  expect((await send('GET', url)).text).toBe('scanned')
})
