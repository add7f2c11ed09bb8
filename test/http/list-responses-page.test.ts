import { readFileSync } from 'node:fs'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decimal } from '../../src/entry/drizzle-sqlite.ts'
import { defineSettings, type EnvelopeOptions, type ModelRestOptions } from '../../src/index.ts'
import { tablesOf } from '../query/page-tables.ts'
import { type App, onFetch } from '../stage/apps.ts'
import { openSqlite, type SqliteDatabase } from '../stage/databases.ts'

const envelope = {
  items: 'data',
  count: 'total',
  count_exact: false,
  page: 'page',
  page_size: 'pageSize',
  page_count: 'pageCount',
} as const satisfies EnvelopeOptions

const makers = sqliteTable('makers', { id: integer().primaryKey(), name: text().notNull() })
const products = sqliteTable('products', {
  id: integer().primaryKey(),
  name: text().notNull(),
  price: decimal({ precision: 8, scale: 2 }).notNull(),
  note: text(),
  maker_id: integer().references(() => makers.id),
})

const ddl = `create table makers (id integer primary key, name text not null);
  create table products (id integer primary key, name text not null, price integer not null, note text,
    maker_id integer references makers);
  insert into makers values (1, 'Lumen'), (2, 'Oakly');`

const pageOf = (name: string) => {
  const page = readFileSync(name, 'utf8')
  const rowsWith = (...columns: readonly string[]) =>
    tablesOf(page)
      .filter((table) => columns.every((column) => table.columns.includes(column)))
      .flatMap(({ rows }) => rows)
  const [, path = '', shown = ''] = /```text\nGET (\S+)\n\n(.+?)```/s.exec(page) ?? []
  return { page, rowsWith, path, shown }
}

/** What a text of a page says in JSON, or a plain text. */
const valueIn = (text = ''): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const served = (options: Partial<ModelRestOptions>, records: readonly object[]) => {
  let [database, app]: [SqliteDatabase | undefined, App | undefined] = [undefined, undefined]
  beforeAll(async () => {
    database = openSqlite({ makers, products }, ddl)
    const settings = defineSettings({ SECRET_KEY: 'a secret of the tests, with 32 bytes or more' })
    app = await onFetch({ models: database.models, settings, ...options }, { base: '' })
    for (const record of records) {
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'POST', body: JSON.stringify(record), headers }
      expect((await app.ask('/products', sent)).status).toBe(201)
    }
  })
  afterAll(async () => {
    await app?.stop()
    await database?.close()
  })
  return async (path: string) => {
    const response = await (app ?? expect.unreachable()).ask(path)
    expect(response.status, path).toBe(200)
    return (await response.json()) as Readonly<Record<string, unknown>>
  }
}

describe('docs/list-responses.md', () => {
  const { page, rowsWith, path, shown } = pageOf('docs/list-responses.md')
  const names = ['Desk lamp', 'Lamp shade', 'Chair', 'Table', 'Stool']
  const records = names.map((name) => ({ name, price: '1.00' }))
  const get = served({ envelope, paginationType: ['limit-offset', 'page-number', 'cursor'] }, records)

  it('shows the response of its first request, with the options that it shows', async () => {
    for (const [member, name] of Object.entries(envelope))
      expect(page).toContain(`${member}: ${name === false ? 'false' : `'${name}'`}`)
    expect(await get(path)).toEqual(JSON.parse(shown))
  })

  it('names every member, and those that are there by default', () => {
    const rows = rowsWith('member', 'name by default').map((row) => [row['member'], row['name by default']])
    expect(rows.map(([member]) => member).toSorted()).toEqual([...Object.keys(envelope), 'next'].toSorted())
    for (const [member, name] of rows) expect(['left out', member]).toContain(name)
  })

  it.each(rowsWith('query string', 'pageCount'))('$0 has these numbers', async (row) => {
    const found = await get(`/products/?${row['query string']}`)
    for (const name of ['page', 'pageSize', 'pageCount'])
      expect([name, name in found ? found[name] : 'absent']).toEqual([name, valueIn(row[name])])
  })

  it('has examples', () => expect(rowsWith('query string', 'pageCount')).toHaveLength(9))
})

describe('docs/from-nestjsx-crud.md', () => {
  const { rowsWith, path, shown } = pageOf('docs/from-nestjsx-crud.md')
  const records = rowsWith('id', 'name', 'price', 'maker_id').map(({ id: _id, name, price, ...row }) => ({
    ...{ name, price, note: valueIn(row['note']), maker_id: valueIn(row['maker_id']) },
  }))
  const { page_size: _left, ...own } = envelope
  const get = served({ envelope: own, paginationType: ['limit-offset', 'page-number'] }, records)
  const queries = rowsWith('@nestjsx/crud', 'modelrest', 'finds').filter(({ finds }) => finds !== '')

  it('shows the response of its first request', async () => {
    expect(await get(path)).toEqual(JSON.parse(shown))
  })

  it.each(queries)('$modelrest finds $finds', async ({ modelrest = '', finds }) => {
    const { data } = await get(`/products/?${modelrest}`)
    expect((data as readonly { readonly id: number }[]).map(({ id }) => id).join(', ')).toBe(finds)
  })

  it('has examples, and records', () => expect([queries.length, records.length]).toEqual([24, 4]))
})
