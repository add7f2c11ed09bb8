import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { describe, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { camelName } from '../../../src/error/settings.ts'
import type { ModelConfig } from '../../../src/index.ts'
import { allowedOptions } from '../../../src/query/include.ts'
import { querySettings } from '../../../src/query/settings.ts'
import { testApi } from '../../../src/testing/index.ts'
import { tablesOf } from '../../query/page-tables.ts'
import { ddl, tables as schema } from './page-shop.ts'

const page = ['relations', 'write-together'].map((name) => readFileSync(`docs/${name}.md`, 'utf8')).join('\n')
const rowsWith = (...columns: readonly string[]) =>
  tablesOf(page)
    .filter((table) => columns.every((column) => table.columns.includes(column)))
    .flatMap(({ rows }) => rows)

/** The records of the page: each table after a line such as `orders`: */
const insertRecords = (client: Database.Database): number => {
  let inserted = 0
  for (const [, name = '', text = ''] of page.matchAll(/^`(\w+)`:\n\n((?:\|.+\n)+)/gm)) {
    const [table] = tablesOf(text)
    const insert = client.prepare(`insert into ${name} values (${table?.columns.map(() => '?')})`)
    for (const row of table?.rows ?? []) {
      insert.run(...Object.values(row).map((cell) => (cell === 'null' ? null : cell)))
      inserted += 1
    }
  }
  return inserted
}

const onPage = async () => {
  const client = new Database(':memory:')
  client.exec(ddl)
  expect(insertRecords(client)).toBe(18)
  const modelConfig: Record<string, ModelConfig> = {
    Order: { relations: { order_items: 'items', order_tags: false }, write: ['items', 'tags'] },
  }
  const api = await testApi<unknown>({
    ...{ models: drizzleModels(drizzle({ client }), schema), modelConfig },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  return {
    api,
    async stop() {
      await api.close()
      client.close()
    },
  }
}

/** `GET /orders/1`, an empty line, and the JSON of the response. */
const exchanges = [...page.matchAll(/```text\n(GET|POST|PATCH) (\S+)(?: ([^\n]+))?\n\n(.+?)```/gs)]

describe('docs/relations.md and docs/write-together.md', () => {
  it('shows the responses of its requests', async () => {
    const { api, stop } = await onPage()
    expect(exchanges).toHaveLength(8)
    for (const [, method = '', path = '', body = '', response = ''] of exchanges) {
      const send = { GET: api.get, POST: api.post, PATCH: api.patch }[method] ?? expect.unreachable()
      const { status, json } = await send(path, body === '' ? undefined : JSON.parse(body))
      expect([path, status, json]).toEqual([path, method === 'POST' ? 201 : 200, JSON.parse(response)])
    }
    await stop()
  })

  it('finds what its tables say', async () => {
    const { api, stop } = await onPage()
    const rows = rowsWith('query string', 'finds')
    expect(rows.length).toBeGreaterThan(15)
    for (const { 'query string': query, finds } of rows) {
      const { json } = await api.get(`/orders/?fields=id&${query}`)
      const { items = [] } = json as { readonly items?: readonly { readonly id: number }[] }
      expect([query, items.map(({ id }) => id).join(', ') || 'none']).toEqual([query, finds])
    }
    await stop()
  })

  it('shows the codes of refusals', async () => {
    const { api, stop } = await onPage()
    const rows = rowsWith('query string', 'code')
    expect(rows.length).toBeGreaterThan(10)
    for (const { 'query string': query, code } of rows) {
      const { status, problem } = await api.get(`/orders/?${query}`)
      expect([query, status, problem.code]).toEqual([query, 400, code])
    }
    await stop()
  })

  it('lists the options of include', () => {
    const shown = rowsWith('option').map(({ option }) => option)
    expect(new Set(shown)).toEqual(new Set(allowedOptions['to-many']))
  })

  it('lists the limits with their defaults', () => {
    const shown = rowsWith('setting', 'default').map(({ setting, default: value }) => [setting, value])
    const all = Object.entries(querySettings).filter(([name]) => name.startsWith('INCLUDE_'))
    expect(shown).toEqual(all.map(([name, row]) => [camelName(name, row), String(row.default)]))
  })
})
