import { readFileSync } from 'node:fs'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decimal } from '../../src/entry/drizzle-sqlite.ts'
import { aggregateParameterNames } from '../../src/query/aggregate.ts'
import { tablesOf } from '../query/page-tables.ts'
import { onFetch } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'

const page = readFileSync('docs/aggregates.md', 'utf8')
const rowsWith = (...columns: readonly string[]) =>
  tablesOf(page)
    .filter((table) => columns.every((column) => table.columns.includes(column)))
    .flatMap(({ rows }) => rows)

const customers = sqliteTable('customers', {
  id: integer().primaryKey(),
  name: text().notNull(),
  city: text().notNull(),
})

const sales = sqliteTable('sales', {
  id: integer().primaryKey(),
  status: text().notNull(),
  total: decimal({ precision: 8, scale: 2 }).notNull(),
  quantity: integer(),
  sold_at: integer({ mode: 'timestamp' }).notNull(),
  customer_id: integer().references(() => customers.id),
})

const ddl = `create table customers (id integer primary key, name text not null, city text not null);
  create table sales (id integer primary key, status text not null, total integer not null, quantity integer,
    sold_at integer not null, customer_id integer references customers);
  insert into customers values (1, 'Ada', 'Berlin'), (2, 'Bob', 'Paris');`

/** The sales of the page, through the API. */
const records = rowsWith('id', 'total', 'sold_at').map(({ id: _id, quantity, customer_id, ...row }) => ({
  ...row,
  quantity: JSON.parse(quantity ?? ''),
  customer_id: JSON.parse(customer_id ?? ''),
}))

describe('docs/aggregates.md', () => {
  const database = openSqlite({ customers, sales }, ddl)
  let app: Awaited<ReturnType<typeof onFetch>>
  const get = async (path: string) => {
    const response = await app.ask(path)
    return { status: response.status, json: (await response.json()) as Readonly<Record<string, unknown>> }
  }
  beforeAll(async () => {
    app = await onFetch({ models: database.models }, { base: '' })
    for (const record of records) {
      const body = JSON.stringify(record)
      const headers = { 'content-type': 'application/json' }
      expect((await app.ask('/sales', { method: 'POST', body, headers })).status).toBe(201)
    }
  })
  afterAll(() => database.close())

  it('does not take conditions on groups for conditions on records', async () => {
    for (const [query, count] of [
      ['id>4', 1],
      ['having=count>4', 5],
      ['id>4', 1],
    ] as const)
      expect((await get(`/sales/aggregate?${query}`)).json['items']).toEqual([{ count }])
  })

  it('shows the response of its first request', async () => {
    const [, path = '', shown = ''] = /```text\nGET (\S+)\n\n(.+?)```/s.exec(page) ?? []
    expect(await get(path)).toEqual({ status: 200, json: JSON.parse(shown) })
  })

  it('lists the parameters', () => {
    const listed = rowsWith('parameter', 'meaning').map(({ parameter = '' }) => parameter.replaceAll('`', ''))
    expect(listed.toSorted()).toEqual(aggregateParameterNames.names.toSorted())
  })

  it.each(rowsWith('query string', 'items'))('$0 gives $items', async (row) => {
    const { json } = await get(`/sales/aggregate?${row['query string']}`)
    expect(json['items']).toEqual(JSON.parse(row['items'] ?? ''))
  })

  it.each(rowsWith('group=', 'member').slice(0, -1))('names the member $member', async (row) => {
    const { json } = await get(`/sales/aggregate?group=${row['group=']}&limit=1`)
    expect(Object.keys(Object(json['items'])[0])).toEqual([row['member'], 'count'])
  })

  it.each(rowsWith('aggregate=', 'member'))('names the member $member', async (row) => {
    const { json } = await get(`/sales/aggregate?aggregate=${row['aggregate=']}`)
    expect(Object.keys(Object(json['items'])[0])).toEqual([row['member']])
  })

  it.each(rowsWith('query string', 'code'))('refuses: $code', async (row) => {
    const { status, json } = await get(`/sales/aggregate?${row['query string']}`)
    expect([status, json['code']]).toEqual([400, row['code']])
  })

  it('has examples', () => {
    const shown = ['items', 'code', 'member'].map((column) => rowsWith(column).length)
    expect([records.length, ...shown]).toEqual([5, 19, 12, 15])
  })
})
