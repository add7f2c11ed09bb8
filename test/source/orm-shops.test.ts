import { expect, it } from 'vitest'
import { type Condition, everything } from '../../src/entry/source.ts'
import { type Listeners, ormShops } from './orm-shops.ts'

const isNote = (value: string): Condition => ({ op: 'eq', field: 'note', value })
const page = { filter: everything, order: [], limit: 9, offset: 0 } as const

/** Those who listen, and what they hear. */
const listening = () => {
  const heard: string[] = []
  const listeners: Listeners = {
    create: ({ note }) => void heard.push(`create ${note}`),
    update: ({ note }, before) => void heard.push(`update ${before} ${note}`),
    remove: ({ note }) => void heard.push(`remove ${note}`),
  }
  return { heard, listeners }
}

for (const [orm, { onEachDatabase, version }] of Object.entries(ormShops)) {
  onEachDatabase(`listeners of ${orm}`, (open) => {
    it('hear writes, with the record as it was', async () => {
      const { heard, listeners } = listening()
      const orders = (await open(listeners)).store('Order')
      const { id } = await orders.create({ total: 1, note: 'one' })
      expect(await orders.update([id], { note: 'two', total: 2.5 }, everything)).toMatchObject({
        ...{ note: 'two', total: 2.5, version: version + 1 },
      })
      expect(await orders.take([id], everything)).toMatchObject({ note: 'two' })
      expect(heard).toEqual(['create one', 'update one two', 'remove two'])
      expect(await orders.count(everything, everything)).toBe(0)
    })

    it('hear no write that the guard excludes', async () => {
      const { heard, listeners } = listening()
      const orders = (await open(listeners)).store('Order')
      const { id } = await orders.create({ total: 1, note: 'one' })
      heard.length = 0
      expect(await orders.update([id], { note: 'two' }, isNote('other'))).toBeUndefined()
      expect(await orders.remove([id], isNote('other'))).toBe(false)
      expect(await orders.take([id], isNote('other'))).toBeUndefined()
      expect(heard).toEqual([])
      expect(await orders.read([id], everything)).toMatchObject({ note: 'one', version })
    })

    it('change what is stored and what is shown, and can refuse', async () => {
      const { store } = await open({
        create: (order) => {
          order.note = order.note?.trim() ?? null
        },
        update: ({ note }) => {
          if (note === 'never') throw new Error('never')
        },
        load: (order) => {
          if (typeof order.note === 'string') order.note = order.note.toUpperCase()
        },
      })
      const orders = store('Order')
      const { id } = await orders.create({ total: 1, note: ' one ' })
      expect(await orders.list(page, everything)).toMatchObject([{ note: 'ONE', total: 1 }])
      await expect(orders.update([id], { note: 'never' }, everything)).rejects.toThrow('never')
      expect(await orders.count(isNote('one'), everything)).toBe(1)
    })

    it('of loaded records say what reads and writes show', async () => {
      const { store } = await open({
        load: (order) => {
          order.note = '***'
        },
      })
      const orders = store('Order')
      const { id, note } = await orders.create({ total: 1, note: 'a' })
      expect(note).toBe('***')
      const many = await orders.createMany?.([{ total: 2, note: 'b' }])
      if (many !== undefined) expect(many).toMatchObject([{ note: '***' }])
      expect(await orders.update([id], { total: 3 }, everything)).toMatchObject({ note: '***', total: 3 })
      expect(await orders.read([id], everything)).toMatchObject({ note: '***', total: 3 })
      expect(await orders.count(isNote('a'), everything)).toBe(1)
      expect(await orders.take([id], everything)).toMatchObject({ note: '***' })
    })

    it.each([undefined, listening().listeners])('leave foreign keys as they are (%#)', async (listeners) => {
      const { store } = await open(listeners)
      const { id: customerId } = await store('Customer').create({ name: 'Ann', password: 'x' })
      const orders = store('Order')
      const { id } = await orders.create({ total: 12.5, customerId })
      expect(await orders.read([id], everything)).toMatchObject({ total: 12.5, customerId, version })
      const isOwned = { op: 'eq', field: 'customerId', value: customerId } as const
      expect(await orders.count(isOwned, everything)).toBe(1)
      expect(await orders.update([id], { customerId: null }, isOwned)).toMatchObject({ customerId: null })
      expect(await orders.update([id], { note: 'x' }, isOwned)).toBeUndefined()
      expect(await orders.update([id], { customerId }, everything)).toMatchObject({ customerId })
    })
  })

  onEachDatabase(`transactions of ${orm}`, (open) => {
    it('have what the ORM does with their handle, and no other request joins them', async () => {
      const { source, store, createTag } = await open()
      const begun = Promise.withResolvers<void>()
      const written = Promise.withResolvers<void>()
      const failing = source.transaction(async ({ db }) => {
        await createTag('inside', db)
        begun.resolve()
        // A database with one connection writes what others write only after the transaction.
        await Promise.race([written.promise, new Promise((resolve) => setImmediate(resolve))])
        throw new Error('back')
      })
      await begun.promise
      const other = Promise.resolve(store('Tag').create({ name: 'other' }))
      void other.then(() => written.resolve())
      await expect(failing).rejects.toThrow('back')
      await other
      const tags = await store('Tag').list(page, everything)
      expect(tags.map(({ name }) => name)).toEqual(['other'])
    })

    it('make writes of several statements whole', async () => {
      const { store } = await open({
        updated: () => {
          throw new Error('never')
        },
      })
      const orders = store('Order')
      const { id } = await orders.create({ total: 1, note: 'one' })
      const writes = Array.from({ length: 4 }, async (_, at) =>
        orders.update([id], { note: `${at}` }, everything),
      )
      const results = await Promise.allSettled(writes)
      expect(results.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
      expect(await orders.read([id], everything)).toMatchObject({ note: 'one', version })
    })

    it('let no record come back that is deleted meanwhile', async () => {
      const { heard, listeners } = listening()
      const orders = (await open(listeners)).store('Order')
      const { id } = await orders.create({ total: 1 })
      heard.length = 0
      const [updated, removed] = await Promise.all([
        orders.update([id], { note: 'x' }, everything),
        orders.remove([id], everything),
      ])
      expect(removed).toBe(true)
      expect(heard).toHaveLength(updated === undefined ? 1 : 2)
      expect(await orders.count(everything, everything)).toBe(0)
    })

    it.each([undefined, listening().listeners])('hold guards when others write (%#)', async (listeners) => {
      const orders = (await open(listeners)).store('Order')
      const { id } = await orders.create({ total: 1, note: 'free' })
      const writes = Array.from({ length: 6 }, async (_, at) =>
        orders.update([id], { note: `taken ${at}` }, isNote('free')),
      )
      const results = await Promise.allSettled(writes)
      expect(
        results.filter((result) => result.status === 'fulfilled' && result.value !== undefined),
      ).toHaveLength(1)
      expect(await orders.read([id], everything)).toMatchObject({ version: version + 1 })
    })
  })
}
