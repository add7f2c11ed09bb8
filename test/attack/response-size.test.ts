import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  controllerFor,
  defineSettings,
  type ModelRestOptions,
  type ModelSource,
  type Settings,
} from '../../src/index.ts'
import { naming } from '../naming.ts'
import { onFetch } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { type BodyServer, startBodyServer } from './body-client.ts'

const MEGABYTE = 1_000_000

describe.each(['fastify', 'fetch'] as const)('many large records, on %s', (host) => {
  let server: BodyServer
  beforeAll(async () => {
    server = await startBodyServer(host)
    for (const name of ['text', 'json'])
      for (let count = 0; count < 30; count++) {
        const long = 'a'.repeat(MEGABYTE)
        const record = name === 'text' ? { name, about: long } : { name, data: [long] }
        await server.send('POST', '/things/', JSON.stringify(record))
      }
  })
  afterAll(() => server.stop())

  it.each(['text', 'json'])('are refused as one page, and come in smaller ones: %s', async (name) => {
    const all = await server.send('GET', `/things/?name==${name}&limit=1000`)
    expect([all.status, all.problem.code]).toEqual([400, 'page_too_large'])
    expect(all.problem.detail).toMatch(naming('limit', 'fields'))
    expect(all.size).toBeLessThan(1000)
    // Half a second for 30 MB that are read, and half of them written; a quarter is usual.
    expect(all.cpu).toBeLessThan(500)
    const some = await server.send('GET', `/things/?name==${name}&limit=5`)
    expect([some.status, JSON.parse(some.text).items.length]).toEqual([200, 5])
    const short = await server.send('GET', `/things/?name==${name}&limit=1000&fields=id,name`)
    expect([short.status, JSON.parse(short.text).items.length]).toEqual([200, 30])
  })

  it('cost a HEAD no more than a single record', async () => {
    const head = await server.send('HEAD', '/things/?limit=1000')
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', null])
    expect(head.headers.get('content-type')).toBe('application/json')
    expect(head.cpu).toBeLessThan(100)
  })
})

describe('many records of JSON that grows in memory', () => {
  let server: BodyServer
  beforeAll(async () => {
    server = await startBodyServer('fetch', { RESPONSE_MAX_BYTES: 6 * MEGABYTE })
    // Each of a megabyte takes twenty of them once it is parsed.
    const grows = JSON.stringify({
      name: 'grows',
      data: Array.from({ length: MEGABYTE / 3 - 20 }, () => ({})),
    })
    for (let count = 0; count < 10; count++)
      expect((await server.send('POST', '/things/', grows)).status).toBe(201)
  })
  afterAll(() => server.stop())

  it('are refused before they are parsed, and come in smaller pages', async () => {
    const before = await server.memory()
    for (const query of ['limit=20', 'limit=1000&sort=name', 'limit=20&fields=data']) {
      const { status, problem } = await server.send('GET', `/things/?${query}`)
      expect([status, problem.code]).toEqual([400, 'page_too_large'])
    }
    expect((await server.memory()) - before).toBeLessThan(100 * MEGABYTE)
    const some = await server.send('GET', '/things/?limit=2')
    expect([some.status, JSON.parse(some.text).items.length]).toEqual([200, 2])
    const short = await server.send('GET', '/things/?limit=1000&fields=id')
    expect([short.status, JSON.parse(short.text).items.length]).toEqual([200, 10])
  })
})

describe('a page', () => {
  const things = sqliteTable('things', {
    id: integer().primaryKey({ autoIncrement: true }),
    about: text().notNull(),
    data: text({ mode: 'json' }).notNull(),
  })
  const ddl = 'create table things (id integer primary key, about text not null, data text not null)'
  const closing: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const close of closing) await close()
  })

  const start = async (
    settings: Settings,
    more: Partial<ModelRestOptions> = {},
    sourceOf = (source: ModelSource): ModelSource => source,
  ) => {
    const { client, models, close } = openSqlite({ things }, ddl)
    closing.push(close)
    const insert = client.prepare('insert into things (about, data) values (?, ?)')
    for (const about of ['plain', 'é€😀', '"\\\n\u0001', 'x'.repeat(300)])
      insert.run(about, JSON.stringify({ about }))
    const app = await onFetch(
      { models: sourceOf(models), settings: defineSettings(settings), ...more },
      { base: '' },
    )
    return async (query: string) => {
      const response = await app.ask(`/things/?${query}`)
      return { status: response.status, json: JSON.parse(await response.text()) }
    }
  }
  const bytesOf = (items: readonly unknown[]): number => Buffer.byteLength(JSON.stringify(items))

  it.each(['', 'fields=about'])(
    'may have as many bytes as the setting says, and not one more: %s',
    async (query) => {
      const { json } = await (await start({}))(query)
      const bytes = bytesOf(json.items)
      const met = await (await start({ RESPONSE_MAX_BYTES: bytes }))(query)
      expect(met).toEqual({ status: 200, json })
      const exceeded = await (await start({ RESPONSE_MAX_BYTES: bytes - 1 }))(query)
      expect([exceeded.status, exceeded.json.code]).toEqual([400, 'page_too_large'])
    },
  )

  it('with one record is always sent, so that every record can be reached', async () => {
    const ask = await start({ RESPONSE_MAX_BYTES: 1 })
    expect((await ask('')).json.code).toBe('page_too_large')
    for (const offset of [0, 1, 2, 3])
      expect((await ask(`limit=1&offset=${offset}`)).json.items).toEqual([
        expect.objectContaining({ id: offset + 1 }),
      ])
    expect((await ask('limit=0')).json).toEqual({ items: [], count: 4, count_exact: true })
    expect((await ask('id=99')).json.items).toEqual([])
  })

  it('is bounded where a hook shows it', async () => {
    const shown = (_request: unknown, records: readonly object[]) =>
      records.map((record) => ({ ...record, more: 'y'.repeat(1000) }))
    const more = { controllers: [controllerFor('Thing', { afterList: shown })] }
    expect((await (await start({ RESPONSE_MAX_BYTES: 3000 }, more))('')).json.code).toBe('page_too_large')
    expect((await (await start({ RESPONSE_MAX_BYTES: 30_000 }, more))('')).status).toBe(200)
  })

  it('of a source that tells no sizes is bounded as text', async () => {
    const silent = (source: ModelSource): ModelSource => ({
      ...source,
      store: (model) => {
        const store = source.store(model)
        return { ...store, list: (selection, guard) => store.list(selection, guard) }
      },
    })
    const { json } = await (await start({}, {}, silent))('')
    const bytes = bytesOf(json.items)
    expect((await (await start({ RESPONSE_MAX_BYTES: bytes }, {}, silent))('')).status).toBe(200)
    const exceeded = await (await start({ RESPONSE_MAX_BYTES: bytes - 1 }, {}, silent))('')
    expect(exceeded.json.code).toBe('page_too_large')
  })

  it('of a fixed size is only told to choose fields', async () => {
    const ask = await start({ RESPONSE_MAX_BYTES: 100 }, { paginationType: 'page-number' })
    const { json } = await ask('page=1')
    expect(json).toMatchObject({ code: 'page_too_large', detail: expect.stringMatching(naming('fields')) })
    expect(json.detail).not.toMatch(naming('limit'))
    expect((await ask('page=1&fields=id')).status).toBe(200)
  })

  it('behind a cursor is bounded too', async () => {
    const ask = await start({ RESPONSE_MAX_BYTES: 200 }, { paginationType: 'cursor' })
    expect((await ask('')).json.code).toBe('page_too_large')
    expect((await ask('limit=2&fields=id')).json.items).toEqual([{ id: 1 }, { id: 2 }])
    // The record that says whether another page follows does not count.
    expect((await ask('limit=3&fields=about')).json.items).toHaveLength(3)
    const last = 'sort=id&order=desc&fields=id,about'
    expect((await ask(`limit=1&${last}`)).json.items).toEqual([{ id: 4, about: 'x'.repeat(300) }])
    expect((await ask(`limit=2&${last}`)).json.code).toBe('page_too_large')
  })

  it('is held to the bound before its records are decoded, also for a hook', async () => {
    const seen: number[] = []
    const afterList = (_request: unknown, records: readonly object[]) => {
      seen.push(records.length)
      return records
    }
    const more = { controllers: [controllerFor('Thing', { afterList })] }
    const ask = await start({ RESPONSE_MAX_BYTES: 300 }, more)
    expect((await ask('fields=id')).json.code).toBe('page_too_large')
    expect(seen).toEqual([])
    expect((await ask('limit=3&fields=id')).json.items).toHaveLength(3)
    expect(seen).toEqual([3])
  })
})
