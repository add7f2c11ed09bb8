import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { testClient } from 'modelrest/testing'
import { app } from './application.ts'

interface DemoItem {
  readonly id: number
  readonly slug: string
  readonly price: string
}

const client = testClient(app, { base: '/api' })

describe('/api/demo-items/', () => {
  after(() => app.close())

  test('creates, reads and deletes a record', async () => {
    const created = await client.post<DemoItem>('/api/demo-items/', { name: 'Desk lamp', price: '9.90' })
    assert.equal(created.status, 201)
    assert.equal(created.json.slug, 'desk-lamp')

    const { id } = created.json
    const read = await client.get<DemoItem>(`/api/demo-items/${id}`)
    assert.equal(read.status, 200)
    assert.equal(read.json.price, '9.90')

    const deleted = await client.delete(`/api/demo-items/${id}`)
    assert.equal(deleted.status, 204)
  })

  test('refuses a name without letters and digits', async () => {
    const { status } = await client.post('/api/demo-items/', { name: '...' })
    assert.equal(status, 400)
  })
})
