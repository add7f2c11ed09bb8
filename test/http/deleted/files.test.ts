import { expect, test } from 'vitest'
import { counted, maybe, text } from '../../stage/columns.ts'
import { inTest, startsOf } from '../../stage/service.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'

const { sqlite } = startsOf({
  papers: { id: counted, title: text(), scan: maybe('file'), deleted_at: maybe('time') },
})

const form = [
  '--x\r\ncontent-disposition: form-data; name="title"\r\n\r\nA\r\n',
  '--x\r\ncontent-disposition: form-data; name="scan"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nscanned\r\n',
  '--x--\r\n',
].join('')

test('the files of a deleted record stay, are served to no caller, and come back with it', async () => {
  const { send, rest } = await inTest(
    sqlite({
      ...{ storage: memoryStorage(), modelConfig: { Paper: { softDelete: 'deleted_at' } } as never },
      parts: { Paper: { permissions: { deleted: () => true } } },
    }),
  )
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const created = await send('POST', '/papers/', { headers, body: form })
  expect([created.status, created.json]).toMatchObject([201, { title: 'A' }])
  const url = String(created.json['scan'])
  expect((await send('GET', url)).text).toBe('scanned')
  expect((await send('DELETE', '/papers/1')).status).toBe(204)
  expect((await send('GET', url)).status).toBe(404)
  expect((await send('GET', '/papers/1?deleted=only')).json).toMatchObject({ scan: url })
  expect((await send('GET', url)).status).toBe(404)
  expect(await rest.cleanFiles({ olderThan: 0 })).toEqual([])
  expect((await send('POST', '/papers/1/restore')).json).toMatchObject({ scan: url })
  expect((await send('GET', url)).text).toBe('scanned')
})
