import { readFileSync } from 'node:fs'
import { expect, inject, onTestFinished, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { folderWithPackage } from './folders.ts'
import { start } from './in-process.ts'
import { asking } from './orm-example.ts'

const blocks = fencedBlocks(readFileSync('docs/write-a-sql-source.md', 'utf8'))
const textOf = (name: string): string => `${blocks.find(({ file }) => file === name)?.text}\n`

test.each(['over-better-sqlite3.ts', 'over-node-sqlite.ts', 'over-pg.ts', 'over-mysql2.ts'])(
  '%s of docs/write-a-sql-source.md passes the suite of sources',
  (name) => {
    const tested = readFileSync(`test/source/sql/${name}`, 'utf8')
    expect(textOf(name)).toBe(`// ${name}\n${tested.replace('../../../src/entry/sql.ts', 'modelrest/sql')}`)
  },
)

test('the program of docs/write-a-sql-source.md serves its tables', async () => {
  const files = ['over-better-sqlite3.ts', 'server.ts']
  const folder = folderWithPackage(
    inject('unpacked'),
    Object.fromEntries(files.map((name) => [name, textOf(name)])),
  )
  onTestFinished(folder.remove)
  const server = await start(folder.path, 'server.ts')
  onTestFinished(server.close)
  const ask = asking(`${server.origin}/api`)
  expect(await ask('POST', '/customers/', { email: 'ann@example.com' })).toMatchObject({ status: 201 })
  expect(await ask('POST', '/customers/', { email: 'ann@example.com' })).toMatchObject({ status: 409 })
  const created = await ask('POST', '/orders/', { customerId: 1, total: '12.50' })
  expect(created).toMatchObject({ status: 201, json: { id: 1, total: '12.50' } })
  expect(created.json.placedAt).toMatch(/^\d{4}-.*Z$/)
  expect((await ask('GET', '/customers/1?include=orders')).json).toMatchObject({ orders: [{ id: 1 }] })
})
