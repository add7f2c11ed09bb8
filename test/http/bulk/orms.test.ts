import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { controllerFor } from '../../../src/index.ts'
import { type App, onFastify } from '../../stage/apps.ts'
import { type Send, senderTo } from '../../stage/requests.ts'
import { orms } from '../declared-orms.ts'
import { onEachKind, openPlace, type Place } from '../orm-places.ts'
import { executeWithOrm } from '../orm-things.ts'
import { ddlOf, shop } from './orm-shops.ts'
import { listOf, numbered, refusalOf } from './stage.ts'

describe.each(Object.entries(orms))('many records of %s', (orm, open) => {
  onEachKind(`many records of ${orm}`, (kind) => {
    let place: Place
    let app: App
    let send: Send
    let end: () => Promise<unknown>
    let statements: string[] = []
    beforeAll(async () => {
      place = await openPlace(kind, ddlOf(kind))
      const { models, ...opened } = await open(place, shop, (text) => statements.push(text))
      end = opened.end
      const bulk = { bulk: true } as const
      app = await onFastify(
        {
          ...{ models, modelConfig: { Item: bulk, Label: bulk, Note: bulk } as never },
          controllers: [controllerFor('Item', { beforeCreate: countingBy3 } as never)],
        },
        { base: '' },
      )
      send = senderTo(app)
    })
    beforeEach(async () => {
      for (const table of ['items', 'labels', 'notes']) await place.rows(`delete from ${table}`)
      statements = []
    })
    afterAll(async () => {
      await app?.stop()
      await end?.()
      await place?.drop()
    })
    /** As in a cluster of several servers that write. */
    const countingBy3 = async (
      { headers }: { readonly headers: Readonly<Record<string, unknown>> },
      payload: object,
      _schema: unknown,
      { db }: { readonly db: unknown },
    ): Promise<object> => {
      if (headers['x-counting'] === '3') await executeWithOrm(db, 'set session auto_increment_increment = 3')
      return payload
    }
    const stored = (): Promise<readonly unknown[]> => place.rows('select sku, price from items order by id')

    test('are stored in their order, with their defaults and generated keys', async () => {
      const reply = await send('POST', '/items/', {
        body: [
          { sku: 'c', price: 3 },
          { price: 1, quantity: 7 },
          { sku: 'a', price: 2 },
        ],
      })
      expect(reply.status, reply.text).toBe(201)
      const items = listOf(reply)
      expect(items.map(({ id: _id, ...item }) => item)).toEqual([
        { sku: 'c', price: 3, quantity: 1 },
        { sku: null, price: 1, quantity: 7 },
        { sku: 'a', price: 2, quantity: 1 },
      ])
      for (const item of items) expect((await send('GET', `/items/${item['id']}`)).json).toEqual(item)
      const labels = ['z', 'a', 'M'].map((code) => ({ code, text: `${code}'$1\\"?:x` }))
      expect(listOf(await send('POST', '/labels/', { body: labels }))).toEqual(labels)
      const notes = [2, 1, 3].map((line) => ({ page: 1, line, text: null }))
      expect(listOf(await send('POST', '/notes/', { body: notes }))).toEqual(notes)
    })

    if (kind === 'mysql' || kind === 'mariadb')
      test('have the keys that the database counts', async () => {
        const body = numbered(5, (at) => ({ sku: `s${at}`, price: at }))
        const reply = await send('POST', '/items/', { body, headers: { 'x-counting': '3' } })
        const items = listOf(reply)
        const ids = items.map(({ id }) => Number(id))
        expect(ids).toEqual(ids.map((_, at) => (ids[0] ?? 0) + 3 * at))
        expect(items.map(({ sku }) => sku)).toEqual(body.map(({ sku }) => sku))
        expect(await place.rows('select id from items order by id')).toEqual(ids.map((id) => ({ id })))
      })

    test('are stored in few statements', async () => {
      const body = numbered(1000, (at) => ({ price: at % 999, ...(at % 3 === 0 && { sku: `s${at}` }) }))
      const sorted = [...body].sort((one, other) => Number('sku' in one) - Number('sku' in other))
      const reply = await send('POST', '/items/', { body: sorted })
      expect(reply.status, reply.text.slice(0, 500)).toBe(201)
      expect(statements.length, statements.map((text) => text.slice(0, 60)).join('\n')).toBeLessThanOrEqual(
        15,
      )
      expect(listOf(reply).map(({ price, sku }) => [price, sku])).toEqual(
        sorted.map((item) => [item.price, Reflect.get(item, 'sku') ?? null]),
      )
    })

    test('are not stored if one is refused', async () => {
      await place.rows("insert into items (sku, price) values ('taken', 1)")
      const post = (bad: object) =>
        send('POST', '/items/', {
          body: numbered(20, (at) => ({ sku: `s${at}`, price: 1, ...(at === 17 && bad) })),
        })
      expect(refusalOf(await post({ price: 'x' }))).toEqual([422, 'invalid_body', '/17/price wrong_type'])
      expect(refusalOf(await post({ sku: 'taken' }))).toEqual([409, 'unique_conflict', '/17/sku taken'])
      expect(refusalOf(await post({ sku: 's3' }))).toEqual([409, 'unique_conflict', '/17/sku taken'])
      const [status, code, issue] = refusalOf(await post({ price: 5000 }))
      expect([status, code]).toEqual([422, 'invalid_body'])
      expect(issue).toMatch(/^\/17.* constraint$/)
      expect(await stored()).toEqual([{ sku: 'taken', price: 1 }])
    })

    test('are changed and deleted, all or none', async () => {
      const body = numbered(10, (at) => ({ sku: `s${at}`, price: at }))
      const made = listOf(await send('POST', '/items/', { body }))
      const ids = made.map(({ id }) => id)
      const changed = await send('PATCH', '/items/', {
        body: [
          { id: ids[9], price: 90 },
          { id: ids[1], sku: null },
        ],
      })
      expect(listOf(changed).map(({ sku, price }) => [sku, price])).toEqual([
        ['s9', 90],
        [null, 1],
      ])
      const before = await stored()
      const refused = await send('PATCH', '/items/', {
        body: [
          { id: ids[0], price: 5 },
          { id: ids[2], sku: 's3' },
        ],
      })
      expect(refusalOf(refused)).toEqual([409, 'unique_conflict', '/1/sku taken'])
      expect(await stored()).toEqual(before)
      const find = (q: string): string => `/items/?q=${encodeURIComponent(q)}`
      expect((await send('PATCH', find('price<3'), { body: { quantity: 9 } })).json).toMatchObject({
        count: 3,
      })
      expect(await place.rows('select id from items where quantity = 9')).toHaveLength(3)
      expect((await send('PATCH', find('price<3'), { body: { price: 5000 } })).status).toBe(422)
      expect((await send('DELETE', find('price>2'))).json).toMatchObject({ count: 7 })
      expect(await stored()).toHaveLength(3)
    })
  })
})
