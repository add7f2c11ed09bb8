import { expect, inject, test } from 'vitest'
import type { Block } from '../readme/fenced-blocks.ts'
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
await send(admin, 'PATCH', '/tickets/1', { subject: 'Second' }, { 'if-match': '1' })
await send('', 'POST', '/tickets/1/trash')
await send(member, 'POST', '/tickets/1/trash')
await send(member, 'GET', '/tickets/1')
await send(member, 'POST', '/tickets/1/restore')
const kept = await send(member, 'GET', '/tickets/1')
await send(member, 'DELETE', '/tickets/1')
await send(admin, 'DELETE', '/tickets/1')
const audits = client.prepare('select user_id, what from audits').raw().all()
console.log(JSON.stringify({ ticket, found, kept, audits }))
await app.close()
`

const lineOf = (blocks: readonly Block[], start: string): string =>
  blocks.flatMap(({ text }) => text.split('\n')).find((line) => line.startsWith(start)) ?? ''

test('docs/recipes.md has an application that does what the page says', async () => {
  const { folder, run, ...project } = await pageProject('docs/recipes.md', inject('unpacked'), {
    'visitor.ts': visitor,
  })
  try {
    const printed = await run('node visitor.ts')
    const { ticket, found, kept, audits } = JSON.parse(printed.slice(printed.indexOf('{"ticket"')))
    expect(ticket).toEqual({ id: 1, subject: 'Lamp', author_id: 1, version: 1 })
    expect(found).toEqual([
      ['POST', '/tickets/', 201],
      ['POST', '/tickets/', 422],
      ['PATCH', '/tickets/1', 200],
      ['PATCH', '/tickets/1', 412],
      ['POST', '/tickets/1/trash', 401],
      ['POST', '/tickets/1/trash', 204],
      ['GET', '/tickets/1', 404],
      ['POST', '/tickets/1/restore', 204],
      ['GET', '/tickets/1', 200],
      ['DELETE', '/tickets/1', 403],
      ['DELETE', '/tickets/1', 204],
    ])
    expect(kept).toMatchObject({ subject: 'First' })
    expect(audits).toEqual([
      [1, 'created ticket 1'],
      [1, 'updated ticket 1'],
      [1, 'trashed ticket 1'],
      [1, 'restored ticket 1'],
      [2, 'deleted ticket 1'],
    ])
    await run('rm desk.db')
    await run(lineOf(project.blocks, 'npx drizzle-kit push '))
    const [answer, ...more] = await project.answers('/docs')
    expect(more).toEqual([])
    expect(answer?.printed).toBe(answer?.shown)
    await run(lineOf(project.blocks, 'npx node -e '))
    const role = `console.log(new (require('better-sqlite3'))('desk.db').prepare('select role from users').pluck().get())`
    expect(await run(`node -e "${role}"`)).toBe('admin\n')
  } finally {
    folder.remove()
  }
})
