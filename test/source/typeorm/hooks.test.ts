import type { EntitySubscriberInterface } from 'typeorm'
import { expect, it } from 'vitest'
import { everything, type Row } from '../../../src/entry/source.ts'
import { onEachDatabase } from './databases.ts'
import { Order, openShop, type Shop } from './shop.ts'

const listening = ({ dataSource }: Shop, subscriber: EntitySubscriberInterface<Order>): void =>
  void dataSource.subscribers.push({ listenTo: () => Order, ...subscriber })

onEachDatabase('subscribers', (open) => {
  it('hear each of many new records, with the key that it gets', async () => {
    const options = await open()
    const shop = await openShop(options)
    const heard: string[] = []
    listening(shop, {
      beforeInsert: ({ entity }) => {
        entity.note = entity.note?.toUpperCase() ?? null
      },
      afterInsert: ({ entity: { id, note } }) => {
        heard.push(`${id} ${note}`)
      },
    })
    const given = ['b', 'a', 'c'].map((note) => ({ total: 1, note }))
    const { model, rows, isMany } = await shop.source.transaction(async (inside) => {
      const found = shop.source.models.find(({ name }) => name === 'Order') ?? expect.fail('No orders.')
      const orders = inside.store(found)
      const made: Row[] = []
      if (orders.createMany === undefined) for (const values of given) made.push(await orders.create(values))
      else made.push(...(await orders.createMany(given)))
      return { model: found, rows: made, isMany: orders.createMany !== undefined }
    })
    // Without RETURNING, TypeORM may tell keys of other records.
    expect(isMany).toBe(options.type === 'postgres' || options.type === 'mariadb')
    expect(rows.map(({ note, version }) => [note, version])).toEqual(['B', 'A', 'C'].map((note) => [note, 1]))
    expect(heard).toEqual(rows.map(({ id, note }) => `${id} ${note}`))
    for (const row of rows) expect(await shop.source.store(model).read([row['id']], everything)).toEqual(row)
  })

  it('leave a version that is asked for to be raised once', async () => {
    const shop = await openShop(await open())
    listening(shop, { beforeInsert: () => undefined, afterUpdate: () => undefined })
    const orders = shop.store('Order')
    const { id } = await orders.create({ total: 1, note: 'one' })
    const raise = (values: Row): Promise<unknown> =>
      Promise.resolve(orders.update([id], { ...values, version: undefined }, everything))
    expect(await raise({})).toMatchObject({ note: 'one', version: 2 })
    expect(await raise({ note: 'one' })).toMatchObject({ note: 'one', version: 3 })
    expect(await raise({ note: 'two' })).toMatchObject({ note: 'two', version: 4 })
  })

  it('are not shown what leaves the guard while it is read', async () => {
    const shop = await openShop(await open())
    const { id } = await shop.store('Order').create({ total: 1, note: 'a' })
    let queries = Number.NEGATIVE_INFINITY
    const noting = async (note: string): Promise<void> => {
      queries = Number.NEGATIVE_INFINITY
      await shop.dataSource.getRepository(Order).update({ id: Number(id) }, { note })
    }
    listening(shop, {
      afterLoad: () => undefined,
      async beforeQuery() {
        queries += 1
        if (queries === 2) await noting('b')
      },
    })
    const guard = { op: 'eq', field: 'note', value: 'a' } as const
    expect(await shop.store('Order').read([id], guard)).toMatchObject({ note: 'a' })
    queries = 0
    expect(await shop.store('Order').read([id], guard)).toBeUndefined()
  })
})
