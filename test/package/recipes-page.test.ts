import { expect, inject, test } from 'vitest'
import { pageProject } from './page-project.ts'

/** Sends requests to the application of the page, and prints what each answered. */
const visitor = `import { app } from './app.ts'
import { client } from './models.ts'
const found = []
const send = async (token, method, url, payload, headers = {}) => {
  const authorization = token && { authorization: 'Bearer ' + token }
  const response = await app.inject({ method, url, payload, headers: { ...authorization, ...headers } })
  if (!url.startsWith('/auth/')) found.push([method, url, response.statusCode])
  return response.body === '' ? {} : response.json()
}
const register = async (email) => (await send('', 'POST', '/auth/register', { email, password: 'correct horse battery' })).access
const member = await register('ada@example.com')
const admin = await register('grace@example.com')
client.exec("update users set role = 'admin' where email = 'grace@example.com'")
const ticket = await send(member, 'POST', '/tickets/', { subject: 'Lamp' })
await send(member, 'POST', '/tickets/', { subject: 'Lamp', author_id: 2 })
await send(member, 'PATCH', '/tickets/1', { subject: 'First' }, { 'if-match': '"1"' })
await send(admin, 'PATCH', '/tickets/1', { subject: 'Second' }, { 'if-match': '"1"' })
await send(admin, 'PATCH', '/tickets/1', { subject: 'Second' }, { 'if-match': 'W/"2"' })
await send(admin, 'PATCH', '/tickets/1', {}, { 'if-match': '"2"' })
await send(admin, 'PATCH', '/tickets/1', {}, { 'if-match': '*' })
const writes = []
for (const subject of ['Second', 'Third']) writes.push(send(admin, 'PATCH', '/tickets/1', { subject }, { 'if-match': '"2"' }))
await Promise.all(writes)
await send('', 'DELETE', '/tickets/1')
await send('', 'POST', '/tickets/1/restore')
await send(member, 'DELETE', '/tickets/1', undefined, { 'if-match': '"2"' })
await send(member, 'DELETE', '/tickets/1', undefined, { 'if-match': '"3"' })
await send(member, 'DELETE', '/tickets/1')
await send(member, 'GET', '/tickets/1')
await send(member, 'GET', '/tickets/?deleted=only')
await send(member, 'POST', '/tickets/1/restore')
const { items: trash } = await send(admin, 'GET', '/tickets/?deleted=only')
await send(admin, 'POST', '/tickets/1/restore', undefined, { 'if-match': '"3"' })
await send(admin, 'POST', '/tickets/1/restore', undefined, { 'if-match': '"4"' })
const kept = await send(member, 'GET', '/tickets/1')
const { id } = await send(member, 'POST', '/tickets/', { subject: 'Desk' })
await send(member, 'DELETE', '/tickets/' + id)
await send(member, 'DELETE', '/trash')
await send(admin, 'DELETE', '/trash')
await send(admin, 'POST', '/tickets/' + id + '/restore')
const audits = client.prepare('select user_id, what from audits').raw().all()
console.log(JSON.stringify({ ticket, found, trash, kept, audits }))
await app.close()
`

test('docs/recipes.md has an application that does what the page says', async () => {
  const { folder, start } = await pageProject('docs/recipes.md', inject('unpacked'), {
    'visitor.ts': visitor,
  })
  try {
    const { out } = await start('visitor.ts')
    const { ticket, found, trash, kept, audits } = JSON.parse(out)
    expect(ticket).toEqual({ id: 1, subject: 'Lamp', author_id: 1, version: 1 })
    expect(found).toEqual([
      ['POST', '/tickets/', 201],
      ['POST', '/tickets/', 422],
      ['PATCH', '/tickets/1', 200],
      ['PATCH', '/tickets/1', 412],
      ['PATCH', '/tickets/1', 412],
      ['PATCH', '/tickets/1', 200],
      ['PATCH', '/tickets/1', 200],
      ['PATCH', '/tickets/1', 200],
      ['PATCH', '/tickets/1', 412],
      ['DELETE', '/tickets/1', 401],
      ['POST', '/tickets/1/restore', 401],
      ['DELETE', '/tickets/1', 412],
      ['DELETE', '/tickets/1', 204],
      ['DELETE', '/tickets/1', 404],
      ['GET', '/tickets/1', 404],
      ['GET', '/tickets/?deleted=only', 403],
      ['POST', '/tickets/1/restore', 403],
      ['GET', '/tickets/?deleted=only', 200],
      ['POST', '/tickets/1/restore', 412],
      ['POST', '/tickets/1/restore', 200],
      ['GET', '/tickets/1', 200],
      ['POST', '/tickets/', 201],
      ['DELETE', '/tickets/2', 204],
      ['DELETE', '/trash', 403],
      ['DELETE', '/trash', 204],
      ['POST', '/tickets/2/restore', 404],
    ])
    expect(trash).toMatchObject([{ id: 1, subject: 'Second', version: 4 }])
    expect(kept).toMatchObject({ subject: 'Second', version: 5 })
    expect(audits).toEqual([
      [1, 'created ticket 1'],
      [1, 'updated ticket 1'],
      [2, 'updated ticket 1'],
      [2, 'updated ticket 1'],
      [2, 'updated ticket 1'],
      [1, 'trashed ticket 1'],
      [2, 'restored ticket 1'],
      [1, 'created ticket 2'],
      [1, 'trashed ticket 2'],
      [2, 'emptied the trash'],
    ])
  } finally {
    folder.remove()
  }
})
