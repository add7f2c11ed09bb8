import { readFileSync } from 'node:fs'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { defineSettings } from '../../src/index.ts'
import { tablesOf } from '../query/page-tables.ts'
import { onFetch } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'

const tables = tablesOf(readFileSync('docs/queries.md', 'utf8'))
const rowsWith = (...columns: readonly string[]) =>
  tables
    .filter((table) => columns.every((column) => table.columns.includes(column)))
    .flatMap(({ rows }) => rows)

const products = sqliteTable('products', {
  id: integer().primaryKey(),
  status: text({ enum: ['live', 'draft', 'retired'] }).notNull(),
})

it('docs/queries.md shows the counts that lists give', async () => {
  const ddl = 'create table products (id integer primary key, status text not null)'
  const { client, models, close } = openSqlite({ products }, ddl)
  const insert = client.prepare('insert into products values (?, ?)')
  for (const { id, status } of rowsWith('id', 'status')) insert.run(id, status)
  const settings = defineSettings({ QUERY_COUNT_BOUND: 3 })
  const app = await onFetch({ models, settings }, { base: '' })
  const shown = rowsWith('query string', 'count', 'count_exact')
  expect(shown.length).toBeGreaterThan(5)
  for (const row of shown) {
    const reply = await app.ask(`/products?${row['query string']}`)
    const { count, count_exact } = (await reply.json()) as Record<string, unknown>
    expect({ ...row, count: String(count), count_exact: String(count_exact) }).toEqual(row)
  }
  await close()
})
