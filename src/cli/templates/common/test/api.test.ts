import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestRequests, testClient } from 'modelrest/testing'
import { app } from './application.ts'

interface DemoItem {
  readonly id: number
  readonly name: string
  readonly slug: string
}

describe('/api/demo-items/', () => {
  const anyone = testClient(app, { base: '/api' })
  let client: TestRequests = anyone

  // With `auth: true` in src/settings.ts, requests need the token of a user.
  before(async () => {
    const { options } = await import('../src/settings.ts')
    if (options.auth === true) client = await anyone.as({ email: 'ada@example.com' })
  })
  after(() => app.close())

  test('creates, reads and deletes a record', async () => {
    const created = await client.post<DemoItem>('/api/demo-items/', { name: 'First demo item' })
    assert.equal(created.status, 201)
    assert.equal(created.json.slug, 'first-demo-item')

    const { id } = created.json
    const read = await client.get<DemoItem>(`/api/demo-items/${id}`)
    assert.equal(read.status, 200)
    assert.equal(read.json.name, 'First demo item')

    const deleted = await client.delete(`/api/demo-items/${id}`)
    assert.equal(deleted.status, 204)
  })

  test('refuses a name without letters and digits', async () => {
    const { status } = await client.post('/api/demo-items/', { name: '...' })
    assert.equal(status, 400)
  })
})
