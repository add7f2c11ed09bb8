import { expect, it } from 'vitest'
import { both, type Condition, everything } from '../../../src/entry/source.ts'
import { onEachDatabase } from './databases.ts'
import { all, Order, openShop } from './shop.ts'

onEachDatabase('entities', (open) => {
  it('are models with their properties, embedded ones, keys without a property, and join tables', async () => {
    const { source } = await openShop(await open())
    const fields = Object.fromEntries(
      source.models.map((model) => [model.name, model.fields.map(({ name }) => name).sort()]),
    )
    expect(fields).toEqual({
      Customer: ['addressCity', 'addressZip', 'id', 'name', 'password'],
      Order: [
        ...['createdAt', 'customerId', 'deletedAt', 'from', 'id', 'note', 'total', 'updatedAt', 'version'],
      ],
      Tag: ['id', 'name'],
      OrderTagsTag: ['orderId', 'tagId'],
    })
    const order = source.models.find(({ name }) => name === 'Order')
    const generated = order?.fields.filter((field) => field.generated).map(({ name }) => name)
    expect(generated?.sort()).toEqual(['createdAt', 'deletedAt', 'updatedAt', 'version'])
    expect(order?.fields.find(({ name }) => name === 'total')).toMatchObject({
      kind: 'decimal',
      form: 'number',
    })
    expect(order?.relations.map(({ name, model, kind }) => `${name}: ${kind} ${model}`).sort()).toEqual([
      'customer: to-one Customer',
      'orderTagsTags: to-many OrderTagsTag',
      'tags: to-many Tag',
    ])
  })

  it('select: false is written, but not read by clients', async () => {
    const { source, store } = await openShop(await open())
    const password = source.models
      .find(({ name }) => name === 'Customer')
      ?.fields.find(({ name }) => name === 'password')
    expect(password?.access).toBe('write-only')
    const made = await store('Customer').create({ name: 'Ann', password: 'x', addressCity: 'Rome' })
    expect(await store('Customer').read([made['id']], everything)).toMatchObject({
      ...{ name: 'Ann', addressCity: 'Rome', addressZip: null },
    })
  })

  it('properties with names of SQL words are conditions of writes', async () => {
    const { store } = await openShop(await open())
    const { id } = await store('Order').create({ total: 1, from: 'Ann' })
    const tagged: Condition = { op: 'related', relation: 'tags', condition: everything }
    const guard: Condition = { op: 'not', condition: tagged }
    const isAnn = { op: 'eq', field: 'from', value: 'Ann' } as const
    expect(await store('Order').update([id], { from: null }, both(guard, isAnn))).toMatchObject({
      from: null,
    })
    expect(await store('Order').remove([id], guard)).toBe(true)
  })

  it('records of a join table are made, found along the relation, and deleted', async () => {
    const { store } = await openShop(await open())
    const { id: orderId } = await store('Order').create({ total: 1 })
    const { id: tagId } = await store('Tag').create({ name: 'new' })
    expect(await store('OrderTagsTag').create({ orderId, tagId })).toEqual({ orderId, tagId })
    const isNew = { op: 'eq', field: 'name', value: 'new' } as const
    const tagged = { op: 'related', relation: 'tags', condition: isNew } as const
    expect(await store('Order').count(tagged, everything)).toBe(1)
    const to = { relation: 'tags', records: [[orderId]], guard: everything }
    const order = [{ field: 'id', direction: 'asc' }] as const
    expect(await store('Order').related?.(to, { ...all, order })).toEqual([[{ id: tagId, name: 'new' }]])
    expect(await store('OrderTagsTag').remove([orderId, tagId], everything)).toBe(true)
    expect(await store('Order').count(tagged, everything)).toBe(0)
  })

  it('are deleted softly if they have a date of deletion, and never seen again', async () => {
    const { dataSource, store } = await openShop(await open())
    const ann = await store('Customer').create({ name: 'Ann', password: 'x' })
    const first = await store('Order').create({ total: 1, customerId: ann['id'] })
    const second = await store('Order').create({ total: 2, customerId: ann['id'] })
    expect(await store('Order').remove([first['id']], everything)).toBe(true)
    expect(await store('Order').take([second['id']], everything)).toEqual(second)
    expect(await dataSource.getRepository(Order).count({ withDeleted: true })).toBe(2)
    for (const { id } of [first, second]) {
      expect(await store('Order').read([id], everything)).toBeUndefined()
      expect(await store('Order').update([id as number], { note: 'x' }, everything)).toBeUndefined()
      expect(await store('Order').remove([id], everything)).toBe(false)
      expect(await store('Order').take([id], everything)).toBeUndefined()
    }
    expect(await store('Order').count(everything, everything)).toBe(0)
    expect(await store('Order').list(all, everything)).toEqual([])
    const ordering = { op: 'related', relation: 'orders', condition: everything } as const
    expect(await store('Customer').count(ordering, everything)).toBe(0)
  })
})
