import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { app } from './application.ts'

describe('/api/demo-items/', () => {
  after(() => app.close())

  test('creates, reads and deletes a record', async () => {
    const created = await app.inject({
      method: 'POST',
      url: '/api/demo-items/',
      payload: { name: 'Desk lamp', price: '9.90' },
    })
    assert.equal(created.statusCode, 201)
    const { id, slug } = created.json()
    assert.equal(slug, 'desk-lamp')

    const read = await app.inject(`/api/demo-items/${id}`)
    assert.equal(read.statusCode, 200)
    assert.equal(read.json().price, '9.90')

    const deleted = await app.inject({ method: 'DELETE', url: `/api/demo-items/${id}` })
    assert.equal(deleted.statusCode, 204)
  })

  test('refuses a name without letters and digits', async () => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/api/demo-items/',
      payload: { name: '...' },
    })
    assert.equal(statusCode, 400)
  })
})
