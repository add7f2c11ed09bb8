import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serving, sqliteFile } from '../serve/stage.ts'
import { fencedBlocks } from './fenced-blocks.ts'

/** The database of the README. */
const shop = [
  'create table customers (id integer primary key, name text not null)',
  'create table orders (id integer primary key, customer_id integer not null references customers, total decimal(10, 2))',
  "insert into customers values (1, 'Ada')",
  'insert into orders values (1, 1, 9.5)',
]

test('the database that is served without code answers as printed', async () => {
  const blocks = fencedBlocks(readFileSync('README.md', 'utf8'))
  const at = blocks.findIndex(({ text }) => text.includes('localhost:4000'))
  const [, path = ''] = /localhost:4000([^']+)'/.exec(blocks[at]?.text ?? '') ?? []
  const { get } = await serving({ database: sqliteFile(...shop) })
  const { status, json } = await get(path)
  expect([status, json]).toEqual([200, JSON.parse(blocks[at + 1]?.text ?? '')])
})
