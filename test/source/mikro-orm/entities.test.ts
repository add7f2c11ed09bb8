import { RequestContext } from '@mikro-orm/core'
import { expect, it } from 'vitest'
import { type Condition, DEFAULT, everything } from '../../../src/entry/source.ts'
import { onEachDatabase } from './databases.ts'
import { all, Order, openShop } from './shop.ts'

onEachDatabase('entities', (open) => {
  it('are models with their properties, embedded ones, keys of relations, and pivot tables', async () => {
    const { source } = await openShop(open)
    const fields = Object.fromEntries(
      source.models.map((model) => [model.name, model.fields.map(({ name }) => name).sort()]),
    )
    expect(fields).toEqual({
      Customer: ['addressCity', 'addressZip', 'billing', 'bio', 'id', 'name', 'password'],
      Order: ['createdAt', 'customerId', 'deletedAt', 'id', 'note', 'total', 'updatedAt', 'version'],
      Tag: ['id', 'name'],
      OrdersTag: ['orderId', 'tagId'],
    })
    const order = source.models.find(({ name }) => name === 'Order')
    const generated = order?.fields.filter((field) => field.generated).map(({ name }) => name)
    expect(generated?.sort()).toEqual(['updatedAt', 'version'])
    expect(order?.relations.map(({ name, model, kind }) => `${name}: ${kind} ${model}`).sort()).toEqual([
      'customer: to-one Customer',
      'ordersTags: to-many OrdersTag',
      'tags: to-many Tag',
    ])
    const tag = source.models.find(({ name }) => name === 'Tag')
    expect(tag?.relations.map(({ name }) => name).sort()).toEqual(['orders', 'ordersTags'])
    expect(source.notes).toHaveLength(1)
  })

  it('hidden properties are written, but not read by clients', async () => {
    const { source, store } = await openShop(open)
    const customer = source.models.find(({ name }) => name === 'Customer')
    expect(customer?.fields.find(({ name }) => name === 'password')?.access).toBe('write-only')
    const given = { name: 'Ann', password: 'x', bio: 'lazy', addressCity: 'Rome', billing: { city: 'Oslo' } }
    const made = await store('Customer').create(given)
    expect(await store('Customer').read([made['id']], everything)).toMatchObject({
      ...given,
      addressZip: null,
    })
  })

  it('a foreign key is read, filtered and written', async () => {
    const { store } = await openShop(open)
    const ann = await store('Customer').create({ name: 'Ann', password: 'x' })
    const order = await store('Order').create({ total: 12.5, customerId: ann['id'] })
    expect(order).toMatchObject({ total: 12.5, customerId: ann['id'], version: 1, deletedAt: null })
    expect(order['updatedAt']).toEqual(new Date(0))
    const filter = { op: 'eq', field: 'customerId', value: ann['id'] } as const
    expect(await store('Order').count(filter, everything)).toBe(1)
    const freed = await store('Order').update([order['id']], { customerId: null }, filter)
    expect(freed).toMatchObject({ customerId: null, version: 2 })
    expect(freed?.['updatedAt']).not.toEqual(new Date(0))
    expect(await store('Order').update([order['id']], { note: 'x' }, filter)).toBeUndefined()
    const early = new Date('2020-01-01T00:00:00.000Z')
    const set = await store('Order').update([order['id']], { createdAt: early }, everything)
    expect(set).toMatchObject({ createdAt: early, version: 3 })
    const reset = await store('Order').update([order['id']], { createdAt: DEFAULT }, everything)
    expect(reset?.['createdAt']).not.toEqual(early)
  })

  it('records of a pivot table are made, found along the relation, and deleted', async () => {
    const { store } = await openShop(open)
    const { id: orderId } = await store('Order').create({ total: 1 })
    const { id: tagId } = await store('Tag').create({ name: 'new' })
    expect(await store('OrdersTag').create({ orderId, tagId })).toEqual({ orderId, tagId })
    const isNew = { op: 'eq', field: 'name', value: 'new' } as const
    const tagged = { op: 'related', relation: 'tags', condition: isNew } as const
    expect(await store('Order').count(tagged, everything)).toBe(1)
    const to = { relation: 'tags', records: [[orderId]], guard: everything }
    const order = [{ field: 'id', direction: 'asc' }] as const
    expect(await store('Order').related?.(to, { ...all, order })).toEqual([[{ id: tagId, name: 'new' }]])
    expect(await store('OrdersTag').remove([orderId, tagId], everything)).toBe(true)
    expect(await store('Order').count(tagged, everything)).toBe(0)
  })

  it('that a filter hides are not seen, written or found along relations', async () => {
    const { orm, store } = await openShop(open)
    const { id: customerId } = await store('Customer').create({ name: 'Ann', password: 'x' })
    const { id } = await store('Order').create({ total: 1, customerId })
    const deletedAt = new Date('2026-01-31T10:00:00.000Z')
    expect(await store('Order').update([id], { deletedAt }, everything)).toMatchObject({ id, deletedAt })
    expect(await store('Order').read([id], everything)).toBeUndefined()
    expect(await store('Order').update([id], { note: 'x' }, everything)).toBeUndefined()
    expect(await store('Order').remove([id], everything)).toBe(false)
    expect(await store('Order').take([id], everything)).toBeUndefined()
    expect(await store('Order').list(all, everything)).toEqual([])
    const ordering = { op: 'related', relation: 'orders', condition: everything } as const
    expect(await store('Customer').count(ordering, everything)).toBe(0)
    expect(await store('Customer').update([customerId], { name: 'x' }, ordering)).toBeUndefined()
    expect(await orm.em.fork().count(Order, {}, { filters: false })).toBe(1)
  })

  it('filters of a request and those on related entities hold', async () => {
    const { orm, source, store } = await openShop(open)
    for (const name of ['Ann', 'Bob']) {
      const { id: customerId } = await store('Customer').create({ name, password: 'x' })
      await store('Order').create({ total: 1, note: name, customerId })
    }
    orm.em.addFilter({
      ...{ name: 'own', entity: Order, default: true },
      cond: ({ name }: { name: string }) => ({ customer: { name } }),
    } as never)
    await RequestContext.create(orm.em, async () => {
      orm.em.setFilterParams('own', { name: 'Ann' })
      expect(await store('Order').list(all, everything)).toMatchObject([{ note: 'Ann' }])
      const other: Condition = { op: 'eq', field: 'note', value: 'Bob' }
      expect(await store('Order').count(other, everything)).toBe(0)
      expect(await store('Order').update([2], { note: 'x' }, everything)).toBeUndefined()
      expect(await store('Order').update([1], { note: 'x' }, everything)).toMatchObject({ note: 'x' })
      expect(await store('Order').remove([2], everything)).toBe(false)
      expect(await store('Order').remove([1], everything)).toBe(true)
    })
    expect(source.capabilities.sharedReads).toBe(false)
  })

  it('a condition for queries of the application is one of MikroORM', async () => {
    const { orm, source, store } = await openShop(open)
    const { id: customerId } = await store('Customer').create({ name: 'Ann?', password: 'x' })
    await store('Order').create({ total: 1, customerId })
    await store('Order').create({ total: 2 })
    const [model] = source.models.filter(({ name }) => name === 'Order')
    if (model === undefined) throw new Error('No orders.')
    const condition = { op: 'eq', field: 'name', value: 'Ann?' } as const
    const scope = source.conditionOf?.(model, { op: 'related', relation: 'customer', condition })
    const isSmall = { total: { $lt: 9 } }
    expect(await orm.em.fork().find(Order, { $and: [scope as object, isSmall] })).toHaveLength(1)
    for (const note of ['a?', "\\?'", '??', '[::alias::]', ':a $1', 'é\\']) {
      await store('Order').create({ total: 3, note })
      const named = { op: 'eq', field: 'note', value: note } as const
      expect(await orm.em.fork().find(Order, source.conditionOf?.(model, named) as object)).toMatchObject([
        { note },
      ])
      const others = source.conditionOf?.(model, { op: 'not', condition: named }) as object
      expect(await orm.em.fork().count(Order, { $and: [others, { note }] })).toBe(0)
      expect(await orm.em.fork().find(Order, others)).not.toContainEqual(expect.objectContaining({ note }))
    }
    const [customer] = source.models.filter(({ name }) => name === 'Customer')
    const ordering = { op: 'related', relation: 'orders', condition: everything } as const
    expect(() => customer && source.conditionOf?.(customer, ordering)).toThrow('filters')
  })
})
