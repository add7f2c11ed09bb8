import { expect, test } from 'vitest'
import { z } from 'zod'
import { ValueError } from '../../../src/index.ts'
import { describeEach } from '../../needed-program.ts'
import { listOf, numbered, open, ownStatements, refusalOf, type Shop, stages } from './stage.ts'

describeEach(stages, 'an array of new records on %s', (start) => {
  const countOf = async ({ rows }: Shop, table: string): Promise<number> =>
    Number((await rows(`select count(*) as number from ${table}`))[0]?.['number'])

  test('is stored, and returned in its order', async () => {
    const own = await open(start)
    const sent = [
      { orderId: 1, sku: 'c', price: 3 },
      { orderId: 2, price: 1, quantity: 7 },
      { orderId: 1, sku: 'a', price: 2, productId: 1 },
    ]
    const reply = await own.send('POST', '/items/', { body: sent })
    expect(reply.status, reply.text).toBe(201)
    expect(reply.headers['location']).toBeUndefined()
    const first = Number(listOf(reply)[0]?.['id'])
    expect(listOf(reply)).toEqual([
      { id: first, orderId: 1, productId: null, tenant: 1, sku: 'c', price: 3, quantity: 1 },
      { id: first + 1, orderId: 2, productId: null, tenant: 1, sku: null, price: 1, quantity: 7 },
      { id: first + 2, orderId: 1, productId: 1, tenant: 1, sku: 'a', price: 2, quantity: 1 },
    ])
    const read = await own.send('GET', `/items/${first + 2}`)
    expect(read.json).toEqual(listOf(reply)[2])
    const labels = ['z', 'a', 'M'].map((code) => ({ code, text: code }))
    const chosen = await own.send('POST', '/labels/', { body: labels })
    expect(listOf(chosen).map(({ code, text }) => [code, text])).toEqual(
      labels.map(({ code, text }) => [code, text]),
    )
    const lines = [2, 1].map((line) => ({ orderId: 1, line, text: `t${line}` }))
    const composite = await own.send('POST', '/notes/', { body: lines })
    expect(listOf(composite)).toEqual(lines)
    const single = await own.send('POST', '/items/', { body: { orderId: 1, price: 9 } })
    expect([single.status, single.json['price']]).toEqual([201, 9])
  })

  test('of 1,000 takes at most 15 statements', async () => {
    const own = await open(start, {
      parts: {
        Item: {
          scope: () => ({ tenant: 1 }),
          beforeCreate: (_request: never, payload: { price: number }) => ({
            ...payload,
            price: payload.price + 1,
          }),
        },
        Order: { scope: () => ({ tenant: 1 }) },
      } as never,
    })
    own.takeStatements()
    const reply = await own.send('POST', '/items/', {
      body: numbered(1000, (at) => ({ orderId: 1 + (at % 2), sku: `s${at}`, price: at % 999 })),
    })
    expect(reply.status, reply.text.slice(0, 500)).toBe(201)
    expect(own.takeStatements().length).toBeLessThanOrEqual(15)
    expect(listOf(reply).map(({ sku }) => sku)).toEqual(numbered(1000, (at) => `s${at}`))
    expect(listOf(reply)[17]).toMatchObject({ price: 18, orderId: 2 })
    expect(await countOf(own, 'order_items')).toBe(1000)
  })

  test('stores none where one is refused, and says which', async () => {
    const own = await open(start)
    const { send, execute } = own
    await execute("insert into order_items (order_id, sku, price) values (1, 'taken', 1)")
    const good = (at: number) => ({ orderId: 1, sku: `s${at}`, price: 1 })
    const withOne = (bad: object) => numbered(30, (at) => (at === 17 ? { ...good(at), ...bad } : good(at)))
    const post = (bad: object) => send('POST', '/items/', { body: withOne(bad) })
    expect(refusalOf(await post({ price: 'x' }))).toEqual([422, 'invalid_body', '/17/price wrong_type'])
    expect(refusalOf(await post({ colour: 1 }))).toEqual([422, 'invalid_body', '/17/colour unknown_key'])
    expect(refusalOf(await post({ sku: 'taken' }))).toEqual([409, 'unique_conflict', '/17/sku taken'])
    expect(refusalOf(await post({ sku: 's3' }))).toEqual([409, 'unique_conflict', '/17/sku taken'])
    expect(refusalOf(await post({ orderId: 99 }))).toEqual([
      422,
      'invalid_body',
      '/17/orderId missing_reference',
    ])
    const [status, code, issue] = refusalOf(await post({ price: 5000 }))
    expect([status, code]).toEqual([422, 'invalid_body'])
    expect(issue).toMatch(/^\/17.* constraint$/)
    const labels = [{ code: 'ok' }, { code: '.' }]
    expect(refusalOf(await send('POST', '/labels/', { body: labels }))).toEqual([
      ...[422, 'invalid_body', '/1/code invalid_format'],
    ])
    const both = numbered(5, (at) => (at % 2 === 0 ? good(at) : { price: null }))
    expect(refusalOf(await send('POST', '/items/', { body: both }))).toEqual([
      422,
      'invalid_body',
      ...['/1/orderId required', '/1/price not_nullable', '/3/orderId required', '/3/price not_nullable'],
    ])
    expect(refusalOf(await send('POST', '/items/', { body: [good(1), 7, null, []] }))).toEqual([
      422,
      'invalid_body',
      ...['/1 wrong_type', '/2 not_nullable', '/3 wrong_type'],
    ])
    expect(await countOf(own, 'order_items')).toBe(1)
  })

  test('says which one a custom schema makes too long for its column', async () => {
    const longer = z.looseObject({ title: z.string() }).transform(({ title, ...rest }) => ({
      ...{ ...rest, title: title === 'long' ? 'x'.repeat(1000) : title },
    }))
    const { send } = await open(start, {
      customSchemas: { Order: { create: longer, update: longer } } as never,
    })
    const created = await send('POST', '/orders/', { body: [{ title: 'a' }, { title: 'long' }] })
    expect(refusalOf(created)).toEqual([422, 'invalid_body', '/1/title too_long'])
    const changes = [
      { id: 2, title: 'long' },
      { id: 1, title: 'b' },
    ]
    const changed = await send('PATCH', '/orders/', { body: changes })
    expect(refusalOf(changed)).toEqual([422, 'invalid_body', '/0/title too_long'])
  })

  test('runs hooks for each record, and stores none where a hook refuses', async () => {
    const events: string[] = []
    const own = await open(start, {
      parts: {
        Tag: {
          beforeCreate: (_request: never, payload: { name: string }) => {
            if (payload.name === 'no') throw new ValueError('no')
            return { ...payload, name: payload.name.toUpperCase() }
          },
          afterCreate: (_request: never, record: { name: string }) => {
            events.push(`after ${record.name}`)
            if (record.name === 'LATE') throw new Error('late')
            return { ...record, name: `${record.name}!` }
          },
          afterCommit: (_request: never, event: string, record: { name: string }) => {
            events.push(`${event} ${record.name}`)
          },
        },
      } as never,
    })
    const post = (...names: readonly string[]) =>
      own.send('POST', '/tags/', { body: names.map((name) => ({ name })) })
    const reply = await post('x', 'y')
    expect(reply.status, reply.text).toBe(201)
    expect(listOf(reply).map(({ name }) => name)).toEqual(['X!', 'Y!'])
    await expect.poll(() => events).toEqual(['after X', 'after Y', 'create X', 'create Y'])
    events.length = 0
    expect(refusalOf(await post('x', 'no'))).toEqual([400, 'rejected', '/1 rejected'])
    expect((await post('x', 'late', 'z')).status).toBe(500)
    expect(events).toEqual(['after X', 'after X', 'after LATE'])
    expect(await countOf(own, 'tags')).toBe(4 + 2)
  })

  test('is refused where it is empty, too long, or not opened', async () => {
    const own = await open(start, {
      modelConfig: { Product: { bulk: false } },
      settings: { BULK_MAX: 20 },
    } as never)
    const post = (body: unknown, path = '/tags/') => own.send('POST', path, { body })
    expect(refusalOf(await post([]))).toEqual([400, 'no_records'])
    own.takeStatements()
    expect(refusalOf(await post(numbered(21, () => ({ name: 'x' }))))).toEqual([400, 'too_many_records'])
    expect(refusalOf(await post(JSON.stringify(numbered(100_000, () => ({})))))).toEqual([
      400,
      'too_many_records',
    ])
    expect(refusalOf(await post('['.repeat(200) + ']'.repeat(200)))).toEqual([400, 'malformed_json'])
    expect(own.takeStatements()).toEqual([])
    expect((await post(numbered(20, () => ({ name: 'x' })))).status).toBe(201)
    expect(refusalOf(await post([{ name: 'x' }], '/products/'))).toEqual([422, 'invalid_body', ' wrong_type'])
    const wrong = refusalOf(
      await post(numbered(20, () => Object.fromEntries(numbered(50, (at) => [`k${at}`, 1])))),
    )
    expect(wrong.length).toBeLessThanOrEqual(2 + 100)
    expect(await countOf(own, 'tags')).toBe(4 + 20)
    expect(own.errors).toEqual([])
  })

  test('leaves none out of scope', async () => {
    const own = await open(start, {
      parts: {
        Tag: { scope: () => ({ tenant: [1, 3] }) },
        Item: { scope: () => ({ tenant: 1 }) },
        Product: { scope: () => ({ tenant: 1 }) },
      } as never,
    })
    const post = (path: string, body: object) => own.send('POST', path, { body })
    const tags = [{ name: 'x', tenant: 3 }, { name: 'y' }, { name: 'z', tenant: 2 }]
    expect(refusalOf(await post('/tags/', tags))).toEqual([403, 'forbidden', '/2 forbidden'])
    expect((await post('/tags/', tags.slice(0, 2))).status).toBe(201)
    expect(await countOf(own, 'tags')).toBe(4 + 2)
    const item = { orderId: 1, price: 1 }
    const items = [item, { ...item, productId: 1 }, { ...item, productId: 2 }]
    expect(refusalOf(await post('/items/', items))).toEqual([
      422,
      'invalid_body',
      '/2/productId missing_reference',
    ])
    expect((await post('/items/', items.slice(0, 2))).status).toBe(201)
    expect(await countOf(own, 'order_items')).toBe(2)
    expect(ownStatements(own.takeStatements()).length).toBeGreaterThan(0)
  })
})
