import { describe, expect, it } from 'vitest'
import { action, HttpError } from '../../src/index.ts'
import { compile, wholeOf } from '../schema/ajv.ts'
import { answersIn, expectAsSaid, type ModelAccess, type Rights } from '../stage/access-answers.ts'
import type { Answer } from '../stage/requests.ts'
import type { Parts } from '../stage/service.ts'
import { open, type Shop, shops } from '../stage/shop.ts'
import { onSqlite as onLibrary } from './deleted/stage.ts'
import { startError } from './start-error.ts'

const userOf = (request: unknown): string | undefined => {
  const { headers } = request as { headers: Readonly<Record<string, string>> }
  return headers['x-user']
}

const isAdmin = (request: unknown): boolean => userOf(request) === 'admin'

const auth = {
  authenticate: (request: unknown) => {
    const id = userOf(request)
    return id === undefined ? null : { id, claims: {} }
  },
}

const parts: Readonly<Record<string, Parts>> = {
  Order: {
    permissions: {
      read: 'public',
      update: (request, record) => isAdmin(request) || record?.['title'] === 'one',
      delete: isAdmin,
      sum: 'authenticated',
      publish: (request, record) => isAdmin(request) && Object(record).tenant === 1,
    },
    actions: {
      close: action({ on: 'record', run: () => undefined }),
      publish: action({ on: 'record', run: () => undefined }),
      sum: action({ on: 'collection', run: () => undefined }),
    },
  },
  Item: {
    access: (request: unknown) =>
      isAdmin(request) ? {} : { read: { sku: false, productId: false }, write: ['price', 'orderId'] },
  } as Parts,
  Tag: { permissions: { read: isAdmin, create: isAdmin, update: isAdmin, delete: isAdmin } },
  Note: {
    permissions: {
      read: () => {
        throw new Error('away')
      },
      create: () => 1 as never,
      update: 'authenticated',
      delete: () => false,
    },
  },
}

/** Reads a record once others have had their turn. */
const later = async (record: object): Promise<unknown> => {
  await null
  return Object(record).title
}

const callers = [undefined, 'guest', 'admin'] as const

const start = () => open(shops.sqlite, { auth, parts, bulk: true } as never)

const asUser = (user: string | undefined) => ({ headers: user === undefined ? {} : { 'x-user': user } })

const saidTo = async ({ send }: Shop, user: string | undefined) => {
  const { json, status, headers } = await send('GET', '/access', asUser(user))
  expect([status, headers['cache-control']]).toEqual([200, 'private, no-store'])
  return json['models'] as Rights
}

describe('GET /access', () => {
  it('says what the caller may do with records and fields', async () => {
    const shop = await start()
    const guest = await saidTo(shop, 'guest')
    expect(guest['Order']).toEqual({
      operations: {
        ...{ list: 'allowed', get: 'allowed', create: 'allowed', update: 'depends', replace: 'depends' },
        ...{ delete: 'refused', updateMany: 'depends', deleteMany: 'refused', aggregate: 'allowed' },
      },
      actions: { close: 'depends', publish: 'refused', sum: 'allowed' },
      fields: { read: ['id', 'tenant', 'title'], write: ['tenant', 'title'] },
    })
    expect(guest['Item']?.fields).toEqual({
      read: ['id', 'orderId', 'tenant', 'price', 'quantity'],
      write: ['orderId', 'price'],
    })
    expect(guest).not.toHaveProperty('Tag')
    const admin = await saidTo(shop, 'admin')
    expect(admin['Order']).toMatchObject({
      operations: { update: 'allowed', delete: 'allowed' },
      actions: { close: 'allowed', publish: 'depends' },
    })
    expect(admin['Item']?.fields.read).toContain('sku')
    expect(admin['Tag']?.operations).toMatchObject({ list: 'allowed', delete: 'allowed' })
    const anyone = await saidTo(shop, undefined)
    expect(anyone['Order']).toMatchObject({
      operations: { list: 'allowed', get: 'allowed', create: 'refused', delete: 'refused' },
      actions: { sum: 'refused' },
    })
    expect(anyone).not.toHaveProperty('Item')
    expect(JSON.stringify(anyone)).not.toContain('sku')
  })

  it('tells what each request meets, also where a permission fails', async () => {
    const shop = await start()
    await shop.execute('insert into order_items (order_id, price) values (1, 10), (1, 20), (1, 30)')
    await shop.execute("insert into order_notes (order_id, line, text) values (1, 1, 'a')")
    for (const user of callers) {
      const answers = answersIn(shop.rest.openapi(), await saidTo(shop, user))
      const met = (id: string, reply: Answer): void =>
        expectAsSaid(`${user} ${id}`, answers.get(id) ?? expect.unreachable(id), reply)
      for (const [model, path, key, body] of records)
        for (const [name, ask] of Object.entries(requests)) {
          const id = shop.rest.openapi()['x-modelrest']?.models[model]?.operations[name]
          if (id !== undefined) met(id, await ask(shop, path, key, { ...asUser(user), body }))
        }
      for (const [id, path] of actions) met(id, await shop.send('POST', path, asUser(user)))
    }
  })

  it.each<[string, (record: object) => unknown]>([
    ['reads it when it is not awaited', (record) => void later(record)],
    ['reads it in a later turn', (record) => void setImmediate(() => String(Object(record).title))],
    ['destructures it', ({ title }: { title?: unknown }) => title === 'one'],
    ['asks for a field', (record) => 'title' in record],
    ['copies it', (record) => ({ ...record })],
    ['clones it', (record) => structuredClone(record)],
    ['writes it as JSON', (record) => JSON.stringify(record)],
    ['takes its fields', (record) => Object.keys(record).length > 0],
    ['reads a field of a field', (record) => Object(record).owner.id === 1],
  ])('keeps running, and says depends, where a permission %s', async (_what, use) => {
    const read = (_request: unknown, record?: object) => {
      if (record !== undefined) use(record)
      return true
    }
    const shop = await open(shops.sqlite, { parts: { Order: { permissions: { read } } } } as never)
    const { json } = await shop.send('GET', '/access')
    const models = json['models'] as Readonly<Record<string, ModelAccess>>
    const isLater = _what.includes('later') || _what.includes('awaited')
    expect(models['Order']?.operations['get']).toBe(isLater ? 'allowed' : 'depends')
    // What was not awaited has run.
    await new Promise((done) => setImmediate(done))
    expect((await shop.send('GET', '/access')).status).toBe(200)
  })

  it('leaves out a model whose hook throws, and logs that once', async () => {
    const failing = {
      access: (_request: unknown, { caller }: { caller: { id: string } }) => ({ read: [caller.id] }),
    }
    const refusing = {
      access: () => {
        throw new HttpError(403, 'No.')
      },
    }
    const shop = await open(shops.sqlite, { parts: { Order: failing, Tag: refusing } } as never)
    const { json, status } = await shop.send('GET', '/access')
    // All others lead to those two.
    expect([status, json['models']]).toEqual([200, {}])
    expect(shop.errors).toHaveLength(1)
    for (const path of ['/items/', '/products/']) expect((await shop.send('GET', path)).status).toBe(500)
  })

  it('refuses what other answers refuse: filters without lists, records that lack fields', async () => {
    const order = { permissions: { read: () => false, update: () => true, delete: () => true } }
    const item = { access: () => ({ write: ['quantity'] }) }
    const shop = await open(shops.sqlite, { auth, bulk: true, parts: { Order: order, Item: item } } as never)
    const said = await saidTo(shop, 'guest')
    expect(said['Order']?.operations).toMatchObject({ delete: 'allowed', deleteMany: 'refused' })
    expect((await shop.send('DELETE', '/orders/?title=one', asUser('guest'))).status).toBe(403)
    expect(said['Order']?.fields).toEqual({ read: [], write: ['tenant', 'title'] })
    expect(said['Item']?.operations).toMatchObject({ create: 'refused', update: 'allowed' })
    const body = { quantity: 1 }
    expect((await shop.send('POST', '/items/', { ...asUser('guest'), body })).status).toBe(403)
  })

  it('says who sees the trash, and who restores', async () => {
    const saidOf = async (permissions: object) => {
      const { send } = await onLibrary({ auth, parts: { Book: { permissions } } } as never)
      const { json } = await send('GET', '/access')
      const { operations, trash } = Object(json['models']).Book ?? {}
      const list = await send('GET', '/books/?deleted=only')
      return [trash, operations?.restore, list.status]
    }
    const open = { read: 'public', update: 'public', delete: 'public' }
    expect(await saidOf({ ...open, deleted: 'authenticated' })).toEqual(['refused', 'refused', 401])
    expect(await saidOf({ ...open, deleted: () => true })).toEqual(['allowed', 'allowed', 200])
    expect(await saidOf({ ...open, read: () => false, deleted: () => true })).toEqual([
      'refused',
      'allowed',
      401,
    ])
  })

  it('has models that only relations reach', async () => {
    const modelConfig = { Order: { bulk: true }, Item: { operations: ['related'] } }
    const { send } = await open(shops.sqlite, { modelConfig } as never)
    const { json } = await send('GET', '/access')
    const { operations, fields } = Object(json['models']).Item
    expect([operations, fields.read.includes('price'), fields.write]).toEqual([{}, true, []])
  })

  it('asks a permission once, however many operations have it', async () => {
    const asked: unknown[] = []
    const mayDo = (_request: unknown, record?: object) => asked.push(record === undefined) > 0
    const permissions = { read: mayDo, create: mayDo, update: mayDo, delete: mayDo }
    const { send } = await open(shops.sqlite, { parts: { Order: { permissions } }, bulk: true } as never)
    await send('GET', '/access')
    // Lists and creates have no record; one is read, updated and deleted.
    expect(asked.toSorted()).toEqual([false, false, false, true, true])
  })

  it('is what the document says, for typed clients', async () => {
    const shop = await start()
    const { success } = shop.rest.operations.find(({ id }) => id === 'getAccess') ?? expect.unreachable()
    const validate = compile(wholeOf(success.schema ?? expect.unreachable()))
    const { json } = await shop.send('GET', '/access', asUser('admin'))
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
    expect((await shop.send('GET', '/access?a=1')).status).toBe(400)
    expect((await shop.send('GET', '/access', { headers: { accept: 'text/html' } })).status).toBe(406)
  })

  it('allows everything without authentication', async () => {
    const { send } = await open(shops.sqlite)
    const { json } = await send('GET', '/access')
    const models = json['models'] as Readonly<Record<string, ModelAccess>>
    expect(Object.values(models).flatMap(({ operations }) => Object.values(operations))).toEqual(
      expect.not.arrayContaining(['refused']),
    )
  })

  it('takes the path of no model', async () => {
    await expect(open(shops.sqlite, { modelConfig: { Tag: { path: 'access' } } } as never)).rejects.toEqual(
      startError('Tag', '/access'),
    )
  })
})

const records = [
  ['Order', '/orders', 1, { title: 'x' }],
  ['Item', '/items', 1, { orderId: 1, price: 2 }],
  ['Tag', '/tags', 1, { name: 'x' }],
  ['Note', '/notes', '1,1', { text: 'x' }],
] as const

const actions = [
  ['sumOrders', '/orders/sum'],
  ['closeOrder', '/orders/1/close'],
  ['publishOrder', '/orders/1/publish'],
] as const

type Ask = (
  shop: Shop,
  path: string,
  key: unknown,
  sent: { readonly headers: object; readonly body: object },
) => Promise<Answer>

/** The last one changes which records there are. */
const requests: Readonly<Record<string, Ask>> = {
  list: ({ send }, path, _key, { headers }) => send('GET', `${path}/`, { headers } as never),
  get: ({ send }, path, key, { headers }) => send('GET', `${path}/${key}`, { headers } as never),
  aggregate: ({ send }, path, _key, { headers }) => send('GET', `${path}/aggregate`, { headers } as never),
  create: ({ send }, path, _key, sent) => send('POST', `${path}/`, sent as never),
  update: ({ send }, path, key, sent) => send('PATCH', `${path}/${key}`, sent as never),
  replace: ({ send }, path, key, sent) => send('PUT', `${path}/${key}`, sent as never),
}
