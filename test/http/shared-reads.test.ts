import { char, integer, jsonb, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pglite'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ControllerClass, controllerFor } from '../../src/index.ts'
import type { Model } from '../../src/model/model.ts'
import { defineSource } from '../../src/source/define.ts'
import { drizzleModels } from '../../src/source/drizzle/index.ts'
import type { ModelSource } from '../../src/source/source.ts'
import { memorySource } from '../../src/testing/memory-source.ts'
import { onFastify } from '../stage/apps.ts'
import { startPglite } from '../stage/pglite.ts'
import { senderTo } from '../stage/requests.ts'
import { startError } from './start-error.ts'

const notes = pgTable('notes', {
  id: serial().primaryKey(),
  tenant: integer().notNull(),
  text: text().notNull(),
})
const lists = pgTable('lists', { id: serial().primaryKey(), names: jsonb().$type<string[]>().notNull() })
const items = pgTable('items', {
  id: serial().primaryKey(),
  note_id: integer()
    .notNull()
    .references(() => notes.id),
  list_id: integer()
    .notNull()
    .references(() => lists.id),
})
const codes = pgTable('codes', { code: char({ length: 4 }).primaryKey(), value: integer().notNull() })

const create = `
  create table notes (id serial primary key, tenant integer not null, text text not null);
  create table codes (code char(4) primary key, value integer not null);
  create table lists (id serial primary key, names jsonb not null);
  create table items (id serial primary key, note_id integer not null references notes, list_id integer not null references lists);
  insert into lists (names) values ('["a"]');
  insert into notes (tenant, text) select i % 3, 'note ' || i from generate_series(1, 60) as i;
  insert into items (note_id, list_id) select i, 1 from generate_series(1, 60) as i;
  insert into codes (code, value) values ('a', 1), ('bb', 2), ('cccc', 4)`

const scoped = (controllerFor as (model: string, parts: object) => ControllerClass)('Note', {
  scope: ({ headers }: { headers: Record<string, string> }) => ({ tenant: Number(headers['x-tenant']) }),
})

/** Changes what it gets. */
const naming = (controllerFor as (model: string, parts: object) => ControllerClass)('List', {
  permissions: {
    read: async ({ headers }: { headers: Record<string, string> }, record?: { names: string[] }) => {
      record?.names.push(`${headers['x-tenant']}`)
      await new Promise((resolve) => setImmediate(resolve))
      return true
    },
  },
})

/** Changes what it gets of those that are included. */
const including = (controllerFor as (model: string, parts: object) => ControllerClass)('List', {
  afterList: async ({ headers }: { headers: Record<string, string> }, records: { names: string[] }[]) => {
    for (const { names } of records) names.push(`${headers['x-tenant']}`)
    await new Promise((resolve) => setImmediate(resolve))
    return records
  },
})

/** Changes what it gets before it shows it. */
const changing = (controllerFor as (model: string, parts: object) => ControllerClass)('List', {
  afterRead: async ({ headers }: { headers: Record<string, string> }, record: { names: string[] }) => {
    record.names.push(`${headers['x-tenant']}`)
    await new Promise((resolve) => setImmediate(resolve))
    return record
  },
})

const client = await startPglite()
afterAll(() => client.close())

const serve = async (
  controllers: readonly ControllerClass[] = [],
  source: { sharedReads?: boolean } = {},
  wrapped = (models: ModelSource): ModelSource => models,
) => {
  await client.exec(`drop table if exists items, notes, codes, lists; ${create}`)
  const statements: string[] = []
  const db = drizzle({ client, logger: { logQuery: (query) => statements.push(query) } })
  const models = wrapped(drizzleModels(db, { notes, codes, lists, items }, source))
  const app = await onFastify({ models, controllers: [...controllers] }, { base: '' })
  onTestFinished(app.stop)
  const send = senderTo(app)
  statements.length = 0
  return {
    send,
    statements,
    get: async (path: string, tenant = 0) => {
      const { status, json } = await send('GET', path, { headers: { 'x-tenant': `${tenant}` } })
      return [status, json] as const
    },
    all: <T>(count: number, ask: (at: number) => Promise<T>) =>
      Promise.all(Array.from({ length: count }, (_, at) => ask(at))),
  }
}

const noteOf = (id: number) => ({ id, tenant: id % 3, text: `note ${id}` })

describe('concurrent requests', () => {
  it('share statements of reads by key, and each gets its own record', async () => {
    const { get, all, statements } = await serve()
    const answers = await all(100, (at) => get(`/notes/${1 + (at % 70)}`))
    expect(answers.map(([status]) => status)).toEqual(answers.map((_, at) => (at % 70 < 60 ? 200 : 404)))
    expect(answers.flatMap(([status, json]) => (status === 200 ? [json] : []))).toEqual(
      answers.flatMap((_, at) => (at % 70 < 60 ? [noteOf(1 + (at % 70))] : [])),
    )
    expect(statements.length).toBeLessThan(40)
  })

  it('share the statement of equal lists', async () => {
    const { get, all, statements } = await serve()
    const lists = await all(50, () => get('/notes/?limit=2&count=none'))
    const expected = { items: [noteOf(1), noteOf(2)], count: null, count_exact: false }
    expect(lists).toEqual(lists.map(() => [200, expected]))
    expect(statements.length).toBeLessThan(20)
  })

  it('share the statement of what different lists and records include', async () => {
    const { get, all, statements } = await serve()
    const ways = [
      (id: number) => `/items/${id}?include=note`,
      (id: number) => `/items/?id==${id}&include=note`,
    ]
    const answers = await all(60, (at) => get(ways[at % 2]?.(1 + at) ?? ''))
    const items = answers.map(([, json]) => (json['items'] as readonly object[] | undefined)?.[0] ?? json)
    expect(items.map((item) => Reflect.get(item, 'note'))).toEqual(answers.map((_, at) => noteOf(1 + at)))
    expect(statements.filter((sql) => sql.includes('"notes"')).length).toBeLessThan(40)
  })

  it('do not share what they include across scopes, or with hooks', async () => {
    const { get, all } = await serve([scoped, including])
    const answers = await all(60, (at) => get(`/items/${1 + at}?include=note`, at % 3))
    expect(answers.map(([status, { note }]) => [status, note])).toEqual(
      answers.map((_, at) => [200, (1 + at) % 3 === at % 3 ? noteOf(1 + at) : null]),
    )
    const lists = await all(20, (at) => get(`/items/${1 + at}?include=list`, at))
    expect(lists.map(([, { list }]) => Reflect.get(Object(list), 'names'))).toEqual(
      lists.map((_, at) => ['a', `${at}`]),
    )
  })

  it('read what a page includes from the replica of the page', async () => {
    let replicaReads = 0
    const { get, all } = await serve([], {}, (primary) => ({
      ...primary,
      store: (model, use) => {
        const { related, ...store } = primary.store(model)
        if (use !== 'page' || related === undefined) return primary.store(model)
        const counted: typeof related = (...asked) => {
          replicaReads += 1
          return related(...asked)
        }
        return { ...store, related: counted }
      },
    }))
    await all(20, (at) => get(`/items/?id==${1 + at}&include=note`))
    expect(replicaReads).toBe(20)
  })

  it('do not share other lists of the same model', async () => {
    const { get, all } = await serve()
    const queries = ['limit=1', 'limit=1&sort=id&order=desc', 'limit=1&id=7', 'limit=2&offset=3']
    const asked = Array.from({ length: 40 }, (_, at) => `/notes/?${queries[at % queries.length]}&count=none`)
    const alone: unknown[] = []
    for (const path of asked.slice(0, queries.length)) alone.push(await get(path))
    expect(await all(asked.length, (at) => get(asked[at] ?? ''))).toEqual(
      asked.map((_, at) => alone[at % queries.length]),
    )
  })

  it('do not share across scopes', async () => {
    const { get, all } = await serve([scoped])
    const reads = await all(90, (at) => get(`/notes/${1 + (at % 30)}`, at % 3))
    expect(reads.map(([status]) => status)).toEqual(
      reads.map((_, at) => ((1 + (at % 30)) % 3 === at % 3 ? 200 : 404)),
    )
    const lists = await all(30, (at) => get('/notes/?limit=1', at % 3))
    expect(lists.map(([, { items, count }]) => [items, count])).toEqual(
      lists.map((_, at) => [[noteOf(at % 3 === 0 ? 3 : at % 3)], 20]),
    )
  })

  it('get a record whose key the database stores in another form', async () => {
    const { get, all } = await serve()
    const asked = ['a', 'a   ', 'bb', 'cccc', 'zz', 'bb  ']
    const alone: unknown[] = []
    for (const code of asked) alone.push(await get(`/codes/${encodeURIComponent(code)}`))
    const together = await all(60, (at) => get(`/codes/${encodeURIComponent(asked[at % 6] ?? '')}`))
    expect(together).toEqual(together.map((_, at) => alone[at % 6]))
    expect(together.filter(([status]) => status === 200).length).toBeGreaterThanOrEqual(30)
  })

  it('read what was written before they were sent', async () => {
    const { send, get, all } = await serve()
    const read = async (id: number, way: number) => {
      const [, json] = await get(
        ['/notes/?limit=20', `/notes/${id}`, '/notes/?limit=20&count=none'][way % 3] ?? '',
      )
      const records = (json['items'] ?? [json]) as readonly { id: number; text: string }[]
      return records.find((record) => record.id === id)?.text
    }
    await all(40, async (client) => {
      for (let round = 0; round < 5; round += 1) {
        // Half of the clients only read, so that others may join their statements.
        const id = 1 + (client % 20)
        const text = `${client} in round ${round}`
        if (client < 20) await send('PATCH', `/notes/${id}`, { body: { text } })
        const found = await read(id, client + round)
        if (client < 20) expect(found).toBe(text)
      }
    })
  })

  it.each([
    ['a permission', naming],
    ['a hook', changing],
  ])('do not share what %s has changed', async (_what, controller) => {
    const { get, all } = await serve([controller])
    const answers = await all(20, (at) => get('/lists/1', at))
    expect(answers).toEqual(answers.map((_, at) => [200, { id: 1, names: ['a', `${at}`] }]))
  })

  it('run as many statements as before after a list of no records', async () => {
    const { get, all, statements } = await serve()
    await get('/notes/?limit=0&count=none')
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const query = vi.spyOn(client, 'query')
    onTestFinished(() => query.mockRestore())
    query.mockImplementation(async () => {
      await opened
      throw new Error('too late')
    })
    const answers = all(20, (at) => get(`/notes/${1 + at}`))
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(statements.length).toBeGreaterThanOrEqual(8)
    open()
    await answers
  })

  it('do not share if the option is false', async () => {
    const { get, all, statements } = await serve([], { sharedReads: false })
    await all(20, (at) => get(`/notes/${1 + at}`))
    await all(20, () => get('/notes/?limit=1'))
    // A list and its count.
    expect(statements).toHaveLength(20 + 2 * 20)
  })
})

it('a synchronous source does not share, so that requests can end in one tick', async () => {
  const memory = memorySource([
    { name: 'Task', fields: [{ name: 'id', kind: 'integer' }], primaryKey: ['id'] },
  ])
  const row = { id: 1 }
  const store = {
    ...memory.store(memory.models[0] as Model),
    ...{ list: () => [row], count: () => 1, read: () => row },
  }
  const capabilities = { ...memory.capabilities, synchronous: true, sharedReads: true }
  const models = defineSource({ ...memory, capabilities, store: () => store })
  const app = await onFastify({ models, isAsync: false }, { base: '' })
  onTestFinished(app.stop)
  const send = senderTo(app)
  const answers = await Promise.all(['/tasks/1', '/tasks/'].map((path) => send('GET', path)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

it('drizzleModels refuses sharedReads other than a boolean', async () => {
  await expect(serve([], { sharedReads: 'no' as never })).rejects.toThrow(
    startError('sharedReads', 'true', 'false'),
  )
})
