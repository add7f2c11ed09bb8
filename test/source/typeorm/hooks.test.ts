import type { EntitySubscriberInterface } from 'typeorm'
import { expect, it } from 'vitest'
import { everything, type Row } from '../../../src/entry/source.ts'
import { onEachDatabase } from './databases.ts'
import { all, Order, openShop, type Shop } from './shop.ts'

/** Says what a subscriber of orders hears. */
const listening = ({ dataSource }: Shop, more: EntitySubscriberInterface<Order> = {}): string[] => {
  const heard: string[] = []
  const hears =
    (event: string) =>
    ({
      entity,
      databaseEntity,
    }: {
      entity?: Partial<Order> | undefined
      databaseEntity?: Order | undefined
    }): void => {
      heard.push([event, databaseEntity?.note, entity?.note].filter((part) => part !== undefined).join(' '))
    }
  dataSource.subscribers.push({
    listenTo: () => Order,
    beforeInsert: hears('insert'),
    afterUpdate: hears('update'),
    beforeSoftRemove: hears('soft-remove'),
    ...more,
  })
  return heard
}

onEachDatabase('subscribers', (open) => {
  it('hear writes, with the entity as it was', async () => {
    const shop = await openShop(await open())
    const heard = listening(shop)
    const orders = shop.store('Order')
    const { id } = await orders.create({ total: 1, note: 'one' })
    expect(await orders.update([id], { note: 'two', total: 2.5 }, everything)).toMatchObject({
      ...{ note: 'two', total: 2.5, version: 2 },
    })
    expect(await orders.take([id], everything)).toMatchObject({ note: 'two' })
    expect(heard).toEqual(['insert one', 'update one two', 'soft-remove two two'])
    expect(await orders.count(everything, everything)).toBe(0)
  })

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
    listening(shop)
    const orders = shop.store('Order')
    const { id } = await orders.create({ total: 1, note: 'one' })
    const raise = (values: Row): Promise<unknown> =>
      Promise.resolve(orders.update([id], { ...values, version: undefined }, everything))
    expect(await raise({})).toMatchObject({ note: 'one', version: 2 })
    expect(await raise({ note: 'one' })).toMatchObject({ note: 'one', version: 3 })
    expect(await raise({ note: 'two' })).toMatchObject({ note: 'two', version: 4 })
  })

  it('hear no write that the guard excludes', async () => {
    const shop = await openShop(await open())
    const orders = shop.store('Order')
    const { id } = await orders.create({ total: 1, note: 'one' })
    const heard = listening(shop)
    const guard = { op: 'eq', field: 'note', value: 'other' } as const
    expect(await orders.update([id], { note: 'two' }, guard)).toBeUndefined()
    expect(await orders.remove([id], guard)).toBe(false)
    expect(await orders.take([id], guard)).toBeUndefined()
    expect(heard).toEqual([])
    expect(await orders.read([id], everything)).toMatchObject({ note: 'one', version: 1 })
  })

  it('change what is stored and what is shown, and can refuse', async () => {
    const shop = await openShop(await open())
    listening(shop, {
      beforeInsert: ({ entity }) => {
        entity.note = entity.note?.trim() ?? null
      },
      beforeUpdate: ({ entity }) => {
        if (entity?.['note'] === 'never') throw new Error('never')
      },
      afterLoad: (entity) => {
        if (entity.note !== undefined) entity.note = entity.note?.toUpperCase() ?? null
      },
    })
    const orders = shop.store('Order')
    const { id } = await orders.create({ total: 1, note: ' one ' })
    expect(await orders.list(all, everything)).toMatchObject([{ note: 'ONE', total: 1 }])
    await expect(orders.update([id], { note: 'never' }, everything)).rejects.toThrow('never')
    const [stored] = await shop.dataSource
      .getRepository(Order)
      .createQueryBuilder('o')
      .select('o.note', 'note')
      .getRawMany()
    expect(stored).toMatchObject({ note: 'one' })
  })

  it('of loaded entities say what reads and writes show', async () => {
    const { dataSource, store } = await openShop(await open())
    const mask = (entity: { note?: string }): void => {
      entity.note = '***'
    }
    dataSource.subscribers.push({ listenTo: () => Order, afterLoad: mask })
    const orders = store('Order')
    const { id, note } = await orders.create({ total: 1, note: 'a' })
    expect(note).toBe('***')
    const many = await orders.createMany?.([{ total: 2, note: 'b' }])
    expect(many).toMatchObject([{ note: '***' }])
    expect(await orders.update([id], { total: 3 }, everything)).toMatchObject({ note: '***', total: 3 })
    expect(await orders.read([id], everything)).toMatchObject({ note: '***', total: 3 })
    expect(await orders.take([id], everything)).toMatchObject({ note: '***' })
    const stored = dataSource.createQueryBuilder(Order, 'o').select('o.note', 'note').withDeleted()
    expect(await stored.orderBy('o.note').getRawMany()).toEqual([{ note: 'a' }, { note: 'b' }])
  })

  it('foreign keys without a property are written by entities too', async () => {
    const shop = await openShop(await open())
    listening(shop)
    const ann = await shop.store('Customer').create({ name: 'Ann', password: 'x' })
    const { id } = await shop.store('Order').create({ total: 1, customerId: ann['id'] })
    const orders = shop.store('Order')
    expect(await orders.read([id], everything)).toMatchObject({ customerId: ann['id'] })
    expect(await orders.update([id], { customerId: null }, everything)).toMatchObject({ customerId: null })
    expect(await orders.update([id], { customerId: ann['id'] }, everything)).toMatchObject({
      customerId: ann['id'],
    })
  })
})
