import { describe, expect, test } from 'vitest'
import { controllerFor, type ModelSource } from '../../src/index.ts'
import type { Session } from '../../src/source/source.ts'
import { bothStages, numbered, open, refusalOf, type Shop } from '../http/bulk/stage.ts'
import { startError } from '../http/start-error.ts'
import { onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { senderTo } from '../stage/requests.ts'
import { shops, shopTables } from '../stage/shop.ts'

describe.each(bothStages)('one request about many records on %s', (name, start) => {
  const find = (q: string, rest = ''): string => `/labels/?q=${encodeURIComponent(q)}${rest}`
  const insertLabels = (own: Shop, length: number, text: string): Promise<void> =>
    own.execute(
      `insert into order_labels (code, text) values ${numbered(length, (at) => `('c${at}', '${text}')`).join()}`,
    )

  test('does not choose by a filter what clients cannot list', async () => {
    const operations = ['create', 'update', 'delete']
    const own = await open(start, { modelConfig: { Label: { operations } } } as never)
    await insertLabels(own, 3, 'secret')
    for (const [method, sent] of [
      ['PATCH', { body: {} }],
      ['DELETE', {}],
    ] as const)
      for (const q of ['text=secret', 'text=other'])
        expect((await own.send(method, find(q, '&dry_run=true'), sent)).status).toBe(
          method === 'PATCH' ? 400 : 405,
        )
    const told = await own.send('PATCH', '/labels/', { body: { text: 'x' } })
    expect(refusalOf(told)).toEqual([422, 'invalid_body', ' wrong_type'])
    expect((await own.send('PATCH', '/labels/', { body: [{ code: 'c1', text: 'x' }] })).status).toBe(200)
    const { paths, components } = (await own.send('GET', '/openapi.json')).json as never as Documented
    expect(Object.keys(paths['/labels/'] ?? {}).sort()).toEqual(['patch', 'post'])
    expect(paths['/labels/']?.['patch']?.parameters ?? []).toEqual([])
    expect(components.schemas['LabelUpdateMany']).toMatchObject({ type: 'array' })
  })

  test('reads and writes no more than a page may have', async () => {
    // A transaction of a synchronous driver keeps all others waiting.
    const RESPONSE_MAX_BYTES = name.includes('better-sqlite3') ? 8 * 3000 : 3000
    const own = await open(start, { settings: { RESPONSE_MAX_BYTES } } as never)
    await insertLabels(own, 100, 'x')
    const stored = () => own.rows('select code, text, order_id from order_labels order by code')
    const text = 'y'.repeat(40)
    const all = find('code!=zz')
    const refused = [400, 'page_too_large']
    expect((await own.send('PATCH', all, { body: { text: 'z' } })).json).toEqual({
      count: 100,
      dry_run: false,
    })
    const before = await stored()
    for (const rest of ['', '&dry_run=true'])
      expect(refusalOf(await own.send('PATCH', `${all}${rest}`, { body: { text } }))).toEqual(refused)
    expect(await stored()).toEqual(before)
    await own.execute(`update order_labels set text = '${text}'`)
    expect(refusalOf(await own.send('PATCH', all, { body: { orderId: 1 } }))).toEqual(refused)
    expect(await stored()).toEqual(before.map((row) => ({ ...row, text })))
    // Nothing needs more than the keys of what is deleted.
    expect((await own.send('DELETE', all)).json).toMatchObject({ count: 100 })
  })
})

test('a hook that fails for many records is logged ten times, and how often it failed', async () => {
  const afterCommit = () => {
    throw new Error('no')
  }
  const { send, errors } = await open(shops.sqlite, { bulk: true, parts: { Tag: { afterCommit } } })
  const body = numbered(50, (at) => ({ name: `t${at}` }))
  expect((await send('POST', '/tags/', { body })).status).toBe(201)
  await expect.poll(() => errors.at(-1)).toContain('40 more')
  expect(errors).toHaveLength(11)
})

interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: unknown }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

/** A source that stores records one by one. */
const oneByOne = (source: ModelSource): ModelSource => {
  const without =
    (session: Session): Session['store'] =>
    (model) => {
      const { createMany: _, ...store } = session.store(model)
      return store
    }
  return Object.freeze({
    ...source,
    store: without(source),
    transaction: (work) => source.transaction((session) => work({ db: session.db, store: without(session) })),
  } satisfies ModelSource)
}

test('new records whose hook runs are stored by a source that stores them one by one', async () => {
  const { models, close } = openSqlite(shopTables.sqlite.tables, shopTables.sqlite.ddl)
  const beforeCreate = (_request: unknown, payload: object) => ({ ...payload, tenant: 7 })
  const app = await onFastify(
    {
      models: oneByOne(models),
      controllers: [controllerFor('Tag', { beforeCreate } as never)],
      modelConfig: { Tag: { bulk: true } },
    } as never,
    { base: '', logger: false },
  )
  const reply = await senderTo(app)('POST', '/tags/', { body: [{ name: 'x' }, { name: 'y' }] })
  expect([reply.status, JSON.parse(reply.text)]).toMatchObject([201, [{ tenant: 7 }, { name: 'y' }]])
  await app.stop()
  await close()
})

test.each([
  {
    what: 'a filter without a list',
    modelConfig: { Tag: { bulk: true, operations: ['delete'] } },
    words: ['Tag.bulk', 'list'],
  },
  {
    what: 'children whose changes need If-Match',
    modelConfig: { Order: { write: ['items'] }, Item: { requireIfMatch: true } },
    words: ['Order.write', 'items', 'Item.requireIfMatch'],
  },
])('$what: refused at start', async ({ modelConfig, words }) => {
  const { models, close } = openSqlite(shopTables.sqlite.tables, shopTables.sqlite.ddl)
  await expect(onFastify({ models, modelConfig } as never)).rejects.toEqual(startError(...words))
  await close()
})
