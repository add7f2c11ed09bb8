import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { app } from './application.ts'

describe('/api/demo-items/', () => {
  const headers: Record<string, string> = {}

  // With `auth: true` in src/settings.ts, requests need the token of a user. Without, this is a 404.
  before(async () => {
    const registered = await app.inject({
      method: 'POST',
      url: '/api/auth/register',
      payload: { email: `${randomUUID()}@example.com`, password: 'a lamp for every desk' },
    })
    if (registered.statusCode === 201) headers['authorization'] = `Bearer ${registered.json().access}`
  })
  after(() => app.close())

  test('creates, reads and deletes a record', async () => {
    const created = await app.inject({
      method: 'POST',
      url: '/api/demo-items/',
      headers,
      payload: { name: 'Desk lamp', price: '9.90' },
    })
    assert.equal(created.statusCode, 201)
    const { id, slug } = created.json()
    assert.equal(slug, 'desk-lamp')

    const read = await app.inject({ url: `/api/demo-items/${id}`, headers })
    assert.equal(read.statusCode, 200)
    assert.equal(read.json().price, '9.90')

    const deleted = await app.inject({ method: 'DELETE', url: `/api/demo-items/${id}`, headers })
    assert.equal(deleted.statusCode, 204)
  })

  test('refuses a name without letters and digits', async () => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/api/demo-items/',
      headers,
      payload: { name: '...' },
    })
    assert.equal(statusCode, 400)
  })
})
