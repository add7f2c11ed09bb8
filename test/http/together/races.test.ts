import { describe, expect, test } from 'vitest'
import { after } from '../../../src/model/objects.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { onMariaDb } from '../../servers/test-mysql.ts'
import type { Parts } from '../../stage/service.ts'
import { bothShops, open, refusalOf, type Shop, type StartShop, shops } from '../../stage/shop.ts'
import { executeWith } from '../hooked.ts'

const rows = `insert into order_items (order_id, price) values (1, 1), (1, 2);
  insert into order_notes (order_id, line, text) values (1, 1, 'x');
  insert into order_tags (order_id, tag_id, weight) values (1, 1, 7), (1, 2, 8)`

describe.each(bothShops)(
  'while a body with related records is checked and written, on %s',
  (_name, start) => {
    /** Another request writes after the body was checked and before the transaction. */
    const meanwhile = async (
      statement: string,
      parts: Readonly<Record<string, Parts>> = {},
    ): Promise<Shop> => {
      const opened = await open(start, {
        parts: {
          ...parts,
          Order: {
            beforeUpdate: (_request, _record, _payload, _schema, { db }) =>
              after(executeWith(db, statement), () => undefined),
          },
        } satisfies Readonly<Record<string, Parts>>,
      } as never)
      await opened.execute(rows)
      return opened
    }

    test('a child is moved: it is not changed, and nothing is stored', async () => {
      const { send, itemsOf } = await meanwhile('update order_items set order_id = 2 where id = 1')
      const body = {
        title: 'x',
        items: {
          update: [
            { id: 2, price: 20 },
            { id: 1, price: 10 },
          ],
        },
      }
      expect(refusalOf(await send('PATCH', '/orders/1', { body }))).toEqual([
        ...[422, 'invalid_body', '/items/update/1 missing_reference'],
      ])
      expect(await itemsOf(2)).toMatchObject([{ id: 1, price: 1 }])
      expect(await itemsOf(1)).toMatchObject([{ id: 2, price: 2 }])
      expect((await send('GET', '/orders/1')).json['title']).toBe('one')
    })

    test('a child is created: a set that does not have it deletes it', async () => {
      const { send, itemsOf } = await meanwhile('insert into order_items (order_id, price) values (1, 3)')
      expect(
        (await send('PUT', '/orders/1', { body: { title: 'x', items: [{ id: 1, price: 9 }] } })).status,
      ).toBe(200)
      expect(await itemsOf(1)).toMatchObject([{ id: 1, price: 9 }])
    })

    test('links are made and deleted: the set is the one that is wanted', async () => {
      const { send, tagsOf } = await meanwhile(
        'update order_tags set tag_id = 3, weight = 9 where order_id = 1 and tag_id = 1',
      )
      expect((await send('PATCH', '/orders/1', { body: { tags: [1, 2] } })).status).toBe(200)
      expect(await tagsOf(1)).toEqual([1, [2, 8]])
    })

    test.each([
      ['is created', "insert into order_notes (order_id, line, text) values (1, 2, 'new')"],
      ['is deleted', 'delete from order_notes where line = 1'],
    ])('a child whose key clients choose %s: the request may be repeated', async (_what, statement) => {
      const { send, itemsOf } = await meanwhile(statement)
      const notes = [
        { line: 1, text: 'a' },
        { line: 2, text: 'b' },
      ]
      const put = await send('PUT', '/orders/1', { body: { title: 'x', items: [], notes } })
      expect(refusalOf(put)).toEqual([503, 'write_conflict'])
      expect(await itemsOf(1)).toHaveLength(2)
    })

    test('a child changes so that its permission refuses', async () => {
      const small = (_request: unknown, record: { price: number }) => record.price < 5
      const { send, itemsOf } = await meanwhile('update order_items set price = 50 where id = 1', {
        Item: { permissions: { update: small, delete: small } },
      } as never)
      const patch = (items: object) => send('PATCH', '/orders/1', { body: { items } })
      expect(refusalOf(await patch({ update: [{ id: 1, quantity: 2 }] }))[2]).toBe(
        '/items/update/0 unauthenticated',
      )
      expect(
        refusalOf(await send('PUT', '/orders/1', { body: { title: 'x', items: [{ id: 2, price: 3 }] } }))[2],
      ).toBe('/items unauthenticated')
      expect(await itemsOf(1)).toMatchObject([{ price: 50, quantity: 1 }, { price: 2 }])
    })

    test('the record is deleted: the request is a 404', async () => {
      const { send } = await meanwhile('delete from orders where id = 2')
      expect((await send('PATCH', '/orders/2', { body: { tags: [1] } })).status).toBe(404)
    })
  },
)

const atOnce = (start: StartShop): void => {
  const pick = <T>(from: readonly T[], seed: number): T[] => from.filter((_, at) => (seed >> at) & 1)

  test('sets of one record that are written at once leave one of them', async () => {
    const { send, tagsOf, itemsOf, execute, rows: read } = await open(start)
    await execute(rows)
    for (let round = 0; round < 6; round += 1) {
      const wanted = [1, 2, 3, 4].map((at) => {
        const seed = 1 + ((round * 5 + at * 7) % 15)
        return {
          tags: pick([1, 2, 3, 4], seed),
          prices: pick([11, 12, 13, 14], seed),
          lines: pick([1, 2, 3, 4], seed),
        }
      })
      const replies = await Promise.all(
        wanted.map(({ tags, prices, lines }, at) =>
          send('PUT', '/orders/1', {
            body: {
              title: `${at}`,
              ...{ tags, items: prices.map((price) => ({ price })) },
              notes: lines.map((line) => ({ line, text: `${at}` })),
            },
          }),
        ),
      )
      const stored = await Promise.all([
        tagsOf(1).then((tags) => tags.flat().filter((tag) => Number(tag) < 5)),
        itemsOf(1).then((items) => items.map(({ price }) => price).sort()),
        read('select line, text from order_notes where order_id = 1 order by line'),
        send('GET', '/orders/1').then(({ json }) => Number(json['title'])),
      ])
      const [tags, prices, notes, last] = stored
      expect(
        replies.map(({ status }) => status).filter((status) => status !== 200 && status !== 503),
      ).toEqual([])
      expect(replies[last]?.status).toBe(200)
      expect({ tags, prices }).toEqual({ tags: wanted[last]?.tags, prices: wanted[last]?.prices })
      expect(notes).toEqual(wanted[last]?.lines.map((line) => ({ line, text: `${last}` })))
    }
  })

  test('links of one record that are changed at once are never refused', async () => {
    const { send, tagsOf } = await open(start)
    const sets = [
      [1, 2],
      [2, 3],
      [3, 4],
      [1, 4],
    ]
    const replies = await Promise.all(sets.map((tags) => send('PATCH', '/orders/1', { body: { tags } })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(sets).toContainEqual(await tagsOf(1))
  })
}

onPostgres('at once on PostgreSQL', () =>
  describe('related records on PostgreSQL', () => atOnce(shops.postgres)),
)
onMariaDb('at once on MariaDB', () => describe('related records on MariaDB', () => atOnce(shops.mariadb)))
