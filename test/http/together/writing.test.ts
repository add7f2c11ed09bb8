import { describe, expect, test } from 'vitest'
import { describeEach } from '../../needed-program.ts'
import { everyShop, open, refusalOf, type StartShop } from '../../stage/shop.ts'

const suite = (start: StartShop): void => {
  test('POST creates a record, its children and its links', async () => {
    const { send, itemsOf, tagsOf, rows } = await open(start)
    const body = {
      title: 'new',
      items: [
        { price: 3, sku: 'x' },
        { price: 4, quantity: 2, productId: 1 },
      ],
      notes: [{ line: 7, text: 'hi' }],
      labels: [{ code: 'A' }],
      tags: [3, 1],
    }
    const created = await send('POST', '/orders/', { body })
    expect(created.status, created.text).toBe(201)
    expect(created.json).toMatchObject({ id: 3, title: 'new' })
    expect(await itemsOf(3)).toMatchObject([
      { sku: 'x', price: 3, quantity: 1, product_id: null },
      { sku: null, price: 4, quantity: 2, product_id: 1 },
    ])
    expect(await tagsOf(3)).toEqual([1, 3])
    expect(await rows('select order_id, line, text from order_notes')).toEqual([
      { order_id: 3, line: 7, text: 'hi' },
    ])
    expect(await rows('select * from order_labels')).toEqual([{ code: 'A', order_id: 3, text: null }])
  })

  test('PUT makes the sets those of the body', async () => {
    const { send, itemsOf, tagsOf, rows, execute } = await open(start)
    await execute(`insert into order_items (order_id, sku, price, quantity) values (1, 'a', 1, 9), (1, 'b', 2, 9), (2, 'c', 3, 9);
      insert into order_notes (order_id, line, text) values (1, 1, 'x'), (1, 2, 'y'), (2, 1, 'z');
      insert into order_labels (code, order_id, text) values ('A', 1, 'a'), ('B', 1, 'b'), ('C', 2, 'c');
      insert into order_tags (order_id, tag_id, weight) values (1, 1, 7), (1, 2, 8), (2, 2, 9)`)
    const body = {
      title: 'changed',
      items: [
        { price: 5, sku: 'b' },
        { id: 1, orderId: 1, price: 10 },
      ],
      notes: [
        { line: 2, text: 'Y' },
        { line: 3, text: 'new' },
      ],
      labels: [{ code: 'B' }, { code: 'D', text: 'd' }],
      tags: [2, 3],
    }
    const changed = await send('PUT', '/orders/1', { body })
    expect(changed.status, changed.text).toBe(200)
    expect(changed.json).toMatchObject({ id: 1, title: 'changed' })
    expect(await itemsOf(1)).toEqual([
      { id: 1, product_id: null, sku: null, price: 10, quantity: 1 },
      { id: 4, product_id: null, sku: 'b', price: 5, quantity: 1 },
    ])
    expect(await rows('select * from order_notes order by order_id, line')).toEqual([
      { order_id: 1, line: 2, text: 'Y' },
      { order_id: 1, line: 3, text: 'new' },
      { order_id: 2, line: 1, text: 'z' },
    ])
    expect(await rows('select * from order_labels order by code')).toEqual([
      { code: 'B', order_id: 1, text: null },
      { code: 'C', order_id: 2, text: 'c' },
      { code: 'D', order_id: 1, text: 'd' },
    ])
    expect(await tagsOf(1)).toEqual([[2, 8], 3])
    expect(await tagsOf(2)).toEqual([[2, 9]])
    expect(await itemsOf(2)).toMatchObject([{ sku: 'c' }])
  })

  test('a member that is missing changes nothing, an empty one deletes all', async () => {
    const { send, itemsOf, tagsOf, execute } = await open(start)
    await execute(`insert into order_items (order_id, price) values (1, 1);
      insert into order_tags (order_id, tag_id) values (1, 1)`)
    expect((await send('PUT', '/orders/1', { body: { title: 'x' } })).status).toBe(200)
    expect([await itemsOf(1), await tagsOf(1)]).toMatchObject([[{ price: 1 }], [1]])
    expect((await send('PATCH', '/orders/1', { body: { tags: [] } })).status).toBe(200)
    expect([await itemsOf(1), await tagsOf(1)]).toMatchObject([[{ price: 1 }], []])
    expect((await send('PUT', '/orders/1', { body: { title: 'x', items: [] } })).status).toBe(200)
    expect(await itemsOf(1)).toEqual([])
  })

  test('PATCH creates, changes and deletes the children that it names', async () => {
    const { send, itemsOf, tagsOf, rows, execute } = await open(start)
    await execute(`insert into order_items (order_id, sku, price, quantity) values (1, 'a', 1, 9), (1, 'b', 2, 9), (1, 'c', 3, 9);
      insert into order_notes (order_id, line, text) values (1, 1, 'x'), (1, 2, 'y');
      insert into order_tags (order_id, tag_id) values (1, 1)`)
    const body = {
      items: {
        create: [{ price: 7, sku: 'a' }],
        update: [{ id: 2, orderId: 1, price: 20 }],
        delete: [1],
      },
      notes: { update: [{ line: 1, text: 'X' }], delete: [2], create: [{ line: 3, text: 'n' }] },
      tags: [2],
    }
    const changed = await send('PATCH', '/orders/1', { body })
    expect(changed.status, changed.text).toBe(200)
    expect(await itemsOf(1)).toEqual([
      { id: 2, product_id: null, sku: 'b', price: 20, quantity: 9 },
      { id: 3, product_id: null, sku: 'c', price: 3, quantity: 9 },
      { id: 4, product_id: null, sku: 'a', price: 7, quantity: 1 },
    ])
    expect(await rows('select * from order_notes order by line')).toEqual([
      { order_id: 1, line: 1, text: 'X' },
      { order_id: 1, line: 3, text: 'n' },
    ])
    expect(await tagsOf(1)).toEqual([2])
  })

  describe('refuses, and stores nothing of the request:', () => {
    const cases: readonly (readonly [string, string, object, readonly unknown[]])[] = [
      [
        'all mistakes at once',
        'POST',
        { items: [{ price: 1 }, { price: 'x' }, 7], tags: ['y'] },
        [
          422,
          'invalid_body',
          '/title required',
          '/items/1/price wrong_type',
          '/items/2 wrong_type',
          '/tags/0 wrong_type',
        ],
      ],
      [
        'a foreign key in a new child',
        'POST',
        { title: 'x', items: [{ price: 1, orderId: 1 }] },
        [422, 'invalid_body', '/items/0/orderId read_only'],
      ],
      [
        'a generated key in a new child',
        'POST',
        { title: 'x', items: [{ price: 1, id: 1 }] },
        [422, 'invalid_body', '/items/0/id read_only'],
      ],
      [
        'a unique value',
        'POST',
        { title: 'x', items: [{ price: 1 }, { price: 1, sku: 'c' }] },
        [409, 'unique_conflict', '/items/1/sku taken'],
      ],
      [
        'a constraint',
        'POST',
        { title: 'x', items: [{ price: 1 }, { price: 1000 }] },
        [422, 'invalid_body', '/items/1 constraint'],
      ],
      [
        'a missing tag',
        'POST',
        { title: 'x', tags: [1, 99] },
        [422, 'invalid_body', '/tags/1 missing_reference'],
      ],
      ['a tag twice', 'PATCH', { tags: [1, 2, 1] }, [422, 'invalid_body', '/tags/2 repeated']],
      [
        'a child of another parent',
        'PUT',
        { title: 'x', items: [{ id: 3, price: 1 }] },
        [422, 'invalid_body', '/items/0/id missing_reference'],
      ],
      [
        'a child without existence',
        'PUT',
        { title: 'x', items: [{ id: 99, price: 1 }] },
        [422, 'invalid_body', '/items/0/id missing_reference'],
      ],
      [
        'a child twice',
        'PUT',
        {
          title: 'x',
          items: [
            { id: 1, price: 1 },
            { id: 1, price: 2 },
          ],
        },
        [422, 'invalid_body', '/items/1 repeated'],
      ],
      [
        'a child moved elsewhere',
        'PUT',
        { title: 'x', items: [{ id: 1, price: 1, orderId: 2 }] },
        [422, 'invalid_body', '/items/0/orderId read_only'],
      ],
      [
        'another child of another parent',
        'PATCH',
        { items: { update: [{ id: 3, price: 1 }], delete: [99, 1] } },
        [422, 'invalid_body', '/items/update/0/id missing_reference', '/items/delete/0 missing_reference'],
      ],
      [
        'update and delete of a child',
        'PATCH',
        { items: { update: [{ id: 1 }], delete: [1] } },
        [422, 'invalid_body', '/items/delete/0 repeated'],
      ],
      [
        'a child without its key',
        'PATCH',
        { items: { update: [{ price: 1 }] } },
        [422, 'invalid_body', '/items/update/0/id required'],
      ],
      ['a set in a PATCH', 'PATCH', { items: [{ price: 1 }] }, [422, 'invalid_body', '/items wrong_type']],
      [
        'an unknown act',
        'PATCH',
        { items: { replace: [] } },
        [422, 'invalid_body', '/items/replace unknown_key'],
      ],
      [
        'null',
        'PUT',
        { title: 'x', items: null, tags: null },
        [422, 'invalid_body', '/items not_nullable', '/tags not_nullable'],
      ],
      [
        'a relation of a child',
        'POST',
        { title: 'x', items: [{ price: 1, product: {} }] },
        [422, 'invalid_body', '/items/0/product unknown_key'],
      ],
      [
        'too many',
        'POST',
        { title: 'x', tags: [1, 2], items: Array.from({ length: 99 }, () => ({ price: 1 })) },
        [422, 'invalid_body', '/tags too_long'],
      ],
    ]
    test.each(cases)('%s', async (_name, method, body, expected) => {
      const { send, rows, execute } = await open(start)
      await execute(`insert into order_items (order_id, sku, price) values (1, 'a', 1), (1, 'b', 2), (2, 'c', 3);
        insert into order_tags (order_id, tag_id) values (1, 1)`)
      const before = [
        await rows('select * from orders order by id'),
        await rows('select * from order_items order by id'),
        await rows('select * from order_tags'),
      ]
      const path = method === 'POST' ? '/orders/' : '/orders/1'
      const refusal = refusalOf(await send(method, path, { body }))
      expect(refusal.map((each) => String(each).replace('/price constraint', ' constraint'))).toEqual(
        expected.map(String),
      )
      expect([
        await rows('select * from orders order by id'),
        await rows('select * from order_items order by id'),
        await rows('select * from order_tags'),
      ]).toEqual(before)
    })
  })
}

describeEach(everyShop, 'written together on %s', suite)
