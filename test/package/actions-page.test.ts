import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { tableUnder } from '../structure/markdown-table.ts'
import { folderWithPackage } from './folders.ts'
import { start } from './in-process.ts'

const page = readFileSync('docs/actions.md', 'utf8')
const files = Object.fromEntries(
  fencedBlocks(page)
    .filter(({ file }) => ['models.ts', 'controllers/ticket.ts', 'app.ts'].includes(file ?? ''))
    .map(({ file, text }) => [file, `${text}\n`]),
)

/** Sends the requests of the table, and prints what each answered. */
const visitor = `import { app, rest } from './app.ts'
const send = async (path, body) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) }
  const reply = await app.fetch(new Request('http://host' + path, body ? init : { method: 'POST' }))
  const text = await reply.text()
  console.log(JSON.stringify([reply.status, JSON.parse(text)]))
}
await send('/tickets/1/close', { reason: ' Solved. ' })
await send('/tickets/1/close', { reason: 'Solved.' })
await send('/tickets/1/close', {})
await send('/tickets/9/close', { reason: 'Solved.' })
await send('/tickets/1/reopen')
await send('/tickets/import-all', { titles: ['Lamp', 'Desk'] })
await rest.close()
`

test('the example of docs/actions.md does what the page says', async () => {
  expect(Object.keys(files).toSorted()).toEqual(['app.ts', 'controllers/ticket.ts', 'models.ts'])
  expect(tableUnder(page, 'Actions')).toHaveLength(6)
  const folder = folderWithPackage(inject('unpacked'), { ...files, 'visitor.ts': visitor })
  try {
    const database = new Database(join(folder.path, 'desk.db'))
    database.exec(
      `create table tickets (id integer primary key, title text not null, status text not null default 'open', reason text);
       insert into tickets (title) values ('Chair')`,
    )
    const { out } = await start(folder.path, 'visitor.ts')
    const lines = out.trim().split('\n')
    const ticket = { id: 1, title: 'Chair' }
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      [200, { ...ticket, status: 'closed', reason: 'Solved.' }],
      [403, expect.objectContaining({ code: 'forbidden' })],
      [422, expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/reason' })] })],
      [404, expect.objectContaining({ code: 'not_found' })],
      [200, { ...ticket, status: 'open', reason: null }],
      [200, { count: 2 }],
    ])
    expect(database.prepare('select title from tickets').pluck().all()).toEqual(['Chair', 'Lamp', 'Desk'])
    database.close()
  } finally {
    folder.remove()
  }
})
