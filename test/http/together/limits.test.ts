import { describe, expect, test } from 'vitest'
import { open, refusalOf, shops } from '../../stage/shop.ts'

const items = (count: number) => Array.from({ length: count }, (_, at) => ({ price: at }))

describe('a body with related records', () => {
  const start = shops.sqlite
  test('takes a number of statements for each of them', async () => {
    const { send, takeStatements } = await open(start)
    const countOf = async (method: string, path: string, body: object): Promise<number> => {
      takeStatements()
      const reply = await send(method, path, { body })
      expect(reply.status, reply.text).toBeLessThan(300)
      return takeStatements().filter((text) => !/^(begin|commit|savepoint|release)/i.test(text)).length
    }
    expect(await countOf('POST', '/orders/', { title: 'x', items: items(1) })).toBe(2 + 1)
    expect(await countOf('POST', '/orders/', { title: 'x', items: items(20) })).toBe(21 + 1)
    // Parent, lock, its own statement, the existing ones before and in the transaction, and those of the response.
    const all = [...((await send('GET', '/items/?q=orderId=4')).json['items'] as { id: number }[])]
    const put = { title: 'y', items: all.slice(0, 15).map(({ id }) => ({ id, price: 9 })) }
    expect(await countOf('PUT', '/orders/4', put)).toBe(6 + 15 + 5)
    const changes = { update: [{ id: all[0]?.id, price: 3 }], delete: [all[1]?.id], create: items(2) }
    expect(await countOf('PATCH', '/orders/4', { items: changes })).toBe(6 + 4)
    expect(await countOf('PATCH', '/orders/4', { tags: [1, 2, 3] })).toBe(6 + 3)
    expect(await countOf('PATCH', '/orders/4', { tags: [1, 2] })).toBe(6 + 1)
  })

  test('writes no more than WRITE_MAX_CHILDREN, in all of its relations and acts', async () => {
    const { send, itemsOf, execute } = await open(start, { settings: { WRITE_MAX_CHILDREN: 4 } } as never)
    const post = (body: object) => send('POST', '/orders/', { body: { title: 'x', ...body } })
    expect((await post({ items: items(2), tags: [1, 2] })).status).toBe(201)
    expect(refusalOf(await post({ items: items(3), tags: [1, 2] }))).toEqual([
      422,
      'invalid_body',
      '/tags too_long',
    ])
    expect(refusalOf(await post({ items: items(1000) }))).toEqual([422, 'invalid_body', '/items too_long'])
    const patch = (body: object) => send('PATCH', '/orders/1', { body: { items: body } })
    expect(refusalOf(await patch({ create: items(3), delete: [1, 2] }))[2]).toBe('/items too_long')
    // What a set leaves out counts as well.
    await execute('insert into order_items (order_id, price) values (1, 1), (1, 2), (1, 3)')
    const put = (count: number) => send('PUT', '/orders/1', { body: { title: 'x', items: items(count) } })
    expect(refusalOf(await put(2))[2]).toBe('/items too_long')
    expect(await itemsOf(1)).toHaveLength(3)
    expect((await put(1)).status).toBe(200)
    await execute(
      `insert into order_items (order_id, price) values ${items(4)
        .map(() => '(1, 1)')
        .join()}`,
    )
    expect(refusalOf(await put(0))).toEqual([422, 'invalid_body', '/items too_long'])
    expect(await itemsOf(1)).toHaveLength(5)
  })
})
