import { describe, expect, it } from 'vitest'
import type { CommitEvent } from '../../src/index.ts'
import { controllerFor } from '../../src/index.ts'
import { memorySource } from '../../src/testing/index.ts'
import { serveModels } from '../stage/serve-models.ts'
import { inTest } from '../stage/service.ts'
import { bothShops } from '../stage/shop.ts'
import { type Hooked, startThings, type ThingHooks } from './hooked.ts'

interface Seen {
  readonly hook: string
  readonly before: unknown
  readonly after: unknown
}

/** The names that hooks get: of the record as it was, and as it is. */
const watching = (seen: Seen[]): ThingHooks => {
  const note =
    (hook: string) =>
    (_request: unknown, record: { name?: unknown }, context: object): void => {
      const before: { name?: unknown } | undefined = Reflect.get(context, 'before')
      seen.push({ hook, before: before?.name, after: record.name })
    }
  return {
    beforeUpdate: (request, record, _payload, _schema, context) =>
      note('beforeUpdate')(request, record, context),
    afterCreate: note('afterCreate') as never,
    afterUpdate: note('afterUpdate') as never,
    afterDelete: note('afterDelete'),
    afterCommit: (request, event: CommitEvent, record, context) =>
      note(`afterCommit ${event}`)(request, record, context),
  }
}

describe('the record as it was', () => {
  const start = startThings
  const serve = (...given: Parameters<typeof startThings>): Promise<Hooked> => inTest(start(...given))
  it('comes to the hooks that follow a change or a deletion', async () => {
    const seen: Seen[] = []
    const { send, rest } = await serve(watching(seen))
    await send('POST', '/things/', { name: 'first' })
    await send('PATCH', '/things/1', { name: 'second' })
    await send('PUT', '/things/1', { name: 'third' })
    await send('DELETE', '/things/1')
    await rest.close()
    const inOrder = seen.filter(({ hook }) => !hook.startsWith('afterCommit'))
    expect(inOrder).toEqual([
      { hook: 'afterCreate', before: undefined, after: 'first' },
      { hook: 'beforeUpdate', before: undefined, after: 'first' },
      { hook: 'afterUpdate', before: 'first', after: 'second' },
      { hook: 'beforeUpdate', before: undefined, after: 'second' },
      { hook: 'afterUpdate', before: 'second', after: 'third' },
      { hook: 'afterDelete', before: 'third', after: 'third' },
    ])
    expect(seen.filter(({ hook }) => hook.startsWith('afterCommit'))).toEqual([
      { hook: 'afterCommit create', before: undefined, after: 'first' },
      { hook: 'afterCommit update', before: 'first', after: 'second' },
      { hook: 'afterCommit update', before: 'second', after: 'third' },
      { hook: 'afterCommit delete', before: 'third', after: 'third' },
    ])
  })

  it('is whole, and each hook has its own', async () => {
    const seen: unknown[] = []
    const { send, rest, execute } = await serve({
      afterUpdate: (_request, _record, { before }) => {
        seen.push({ ...before })
        Object.assign(before, { name: 'changed by a hook' })
      },
      afterCommit: (_request, _event, _record, { before }) => void seen.push(before),
    })
    await execute(`insert into things (name, slug, password) values ('a', 's', 'secret')`)
    await send('PATCH', '/things/1', { name: 'b' })
    await rest.close()
    const whole = { id: 1, name: 'a', slug: 's', password: 'secret' }
    expect(seen).toEqual([whole, whole])
  })

  it('is what the change replaced, if requests change it at the same time', async () => {
    const chain: (readonly [unknown, unknown])[] = []
    const { send, rest, execute } = await serve({
      afterCommit: (_request, _event, { name }, { before }) => void chain.push([before?.['name'], name]),
    })
    await execute(`insert into things (name) values ('start')`)
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(names.map((name) => send('PATCH', '/things/1', { name })))
    await rest.close()
    const next = new Map(chain)
    const walked: unknown[] = []
    for (let at: unknown = 'start'; next.has(at); at = next.get(at)) walked.push(next.get(at))
    expect(walked.toSorted()).toEqual(names)
  })

  it('is read by no hook of a request that finds nothing', async () => {
    const seen: Seen[] = []
    const { send, rest } = await serve({ afterCommit: watching(seen).afterCommit as never })
    expect((await send('PATCH', '/things/9', { name: 'x' })).status).toBe(404)
    expect((await send('DELETE', '/things/9')).status).toBe(404)
    await rest.close()
    expect(seen).toEqual([])
  })
})

describe.each(bothShops)('the record as it was, written together with another one, on %s', (_name, start) => {
  it('is that of each', async () => {
    const seen: unknown[] = []
    const shop = await start({
      parts: {
        Order: {
          afterUpdate: (_request, record, { before }) => void seen.push([before['title'], record['title']]),
        },
        Item: {
          afterUpdate: (_request, record, { before }) => void seen.push([before['price'], record['price']]),
          afterDelete: (_request, _record, { before }) => void seen.push(before['price']),
        },
      },
    })
    try {
      const { send } = shop
      await send('POST', '/orders/', { body: { title: 'x', items: [{ price: 5 }, { price: 6 }] } })
      seen.length = 0
      await send('PATCH', '/orders/3', {
        body: { title: 'y', items: { update: [{ id: 1, price: 7 }], delete: [2] } },
      })
      expect(seen).toEqual([6, [5, 7], ['x', 'y']])
    } finally {
      await shop.stop()
    }
  })
})

it.each(['transactions', 'rowLocks'] as const)(
  'comes after the commit of a source without %s',
  async (lacking) => {
    const facts = {
      name: 'Ticket',
      fields: [
        { name: 'id', kind: 'integer', hasDefault: true },
        { name: 'name', kind: 'text', maxLength: 50 },
      ],
      primaryKey: ['id'],
    } as const
    const models = memorySource([facts], { without: [lacking], records: { Ticket: [{ name: 'a' }] } })
    const seen: unknown[] = []
    const controller = controllerFor('Ticket', {
      afterCommit: (_request, event, _record, { before }) => void seen.push([event, before?.['name']]),
    })
    const served = await serveModels({ models, close: () => undefined } as never, {
      controllers: [controller],
    })
    await served.send('PATCH', '/tickets/1', { name: 'b' })
    await served.send('DELETE', '/tickets/1')
    await served.rest.close()
    expect(seen).toEqual([
      ['update', 'a'],
      ['delete', 'b'],
    ])
  },
)
