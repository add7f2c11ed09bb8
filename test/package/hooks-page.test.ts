import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, inject, test } from 'vitest'
import { hookNames } from '../../src/controller/hooks.ts'
import { tableUnder } from '../structure/markdown-table.ts'
import { pageProject } from './page-project.ts'

const page = readFileSync('docs/hooks.md', 'utf8')

/** Sends requests to the application of the page, and prints what each answered. */
const visitor = `import { app } from './app.ts'
const send = async (method, path, body, headers = {}) => {
  const reply = await app.inject({ method, url: path, headers, ...(body && { payload: body }) })
  console.log(reply.statusCode + ' ' + reply.body)
}
await send('POST', '/articles/', { title: 'On Lamps' })
await send('POST', '/articles/', { title: 'Draft' })
await send('POST', '/articles/', { title: 'x', slug: 'own' })
await send('GET', '/articles/')
await send('GET', '/articles/', undefined, { 'x-editor': 'yes' })
await send('PATCH', '/articles/1', { published: true })
await send('PATCH', '/articles/1', { title: 'On Desks' })
await send('DELETE', '/articles/1')
await app.close()
`

describe('docs/hooks.md', () => {
  test('lists every hook', () => {
    const listed = tableUnder(page, 'All hooks').map(([hook]) => /^`(\w+)\(/.exec(hook ?? '')?.[1])
    expect(listed.toSorted()).toEqual([...hookNames].sort())
  })

  test('has an example that runs the hooks in their order', async () => {
    const project = await pageProject('docs/hooks.md', inject('unpacked'), { 'visitor.ts': visitor })
    const { folder } = project
    try {
      const database = new Database(join(folder.path, 'blog.db'))
      const { out } = await project.start('visitor.ts')
      const article = '"id":1,"title":"On Lamps","slug":"on-lamps","published":false'
      const lines = out.trim().split('\n')
      expect(lines.filter((line) => /^(create|update)/.test(line))).toEqual([
        'create On Lamps',
        'update On Lamps',
      ])
      const replies = lines.filter((line) => /^\d/.test(line))
      expect(replies.map((line) => line.slice(0, 3))).toEqual([
        '201',
        '400',
        '422',
        '200',
        '200',
        '200',
        '400',
        '403',
      ])
      expect(replies[0]).toContain(article)
      expect(replies[1]).toContain('Draft is not a title.')
      expect(replies[3]).toContain('"items":[],"count":0')
      expect(replies[4]).toContain(`{${article},"url":"https://blog.example/on-lamps"}`)
      expect(replies[6]).toContain('The title of a published article cannot change.')
      expect(replies[7]).toContain('A published article cannot be deleted.')
      expect(database.prepare('select what from audits').pluck().all()).toEqual(['created On Lamps'])
      database.close()
    } finally {
      folder.remove()
    }
  })
})
