import { inspect } from 'node:util'
import type { EntityManager } from 'typeorm'
import { expect, it } from 'vitest'
import { everything } from '../../../src/entry/source.ts'
import { onEachDatabase } from './databases.ts'
import { Customer, Order, openShop } from './shop.ts'

onEachDatabase('transactions', (open) => {
  it('have the entity manager as their handle, and no other request joins them', async () => {
    const { source, store } = await openShop(await open())
    const begun = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const failing = source.transaction(async ({ db }) => {
      await (db as EntityManager).save(Customer, { name: 'inside', password: 'x', address: {} })
      begun.resolve()
      // A database with one connection writes what others write only after the transaction.
      await Promise.race([written.promise, new Promise((resolve) => setImmediate(resolve))])
      throw new Error('back')
    })
    await begun.promise
    const other = Promise.resolve(store('Customer').create({ name: 'other', password: 'x' }))
    void other.then(() => written.resolve())
    await expect(failing).rejects.toThrow('back')
    await other
    const names = await store('Customer').list(
      { filter: everything, order: [], limit: 9, offset: 0, fields: ['id', 'name'] },
      everything,
    )
    expect(names.map(({ name }) => name)).toEqual(['other'])
  })

  it('writes of several statements are whole', async () => {
    const { dataSource, store } = await openShop(await open())
    dataSource.subscribers.push({
      listenTo: () => Order,
      afterUpdate: () => {
        throw new Error('never')
      },
    })
    const { id } = await store('Order').create({ total: 1, note: 'one' })
    const writes = Array.from({ length: 4 }, (_, at) =>
      store('Order').update([id], { note: `${at}` }, everything),
    )
    const results = await Promise.allSettled(writes)
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    expect(await store('Order').read([id], everything)).toMatchObject({ note: 'one', version: 1 })
  })

  it('a record that is deleted meanwhile does not come back, and none is inserted twice', async () => {
    const { dataSource, store } = await openShop(await open())
    const heard: string[] = []
    dataSource.subscribers.push({ listenTo: () => Order, beforeUpdate: () => void heard.push('update') })
    const { id } = await store('Order').create({ total: 1 })
    const [updated, removed] = await Promise.all([
      store('Order').update([id], { note: 'x' }, everything),
      store('Order').remove([id], everything),
    ])
    expect(removed).toBe(true)
    expect(heard).toHaveLength(updated === undefined ? 0 : 1)
    expect(await dataSource.getRepository(Order).count({ withDeleted: true })).toBe(1)
    expect(await store('Order').count(everything, everything)).toBe(0)
  })
})

onEachDatabase('errors', (open) => {
  it('contain no values, also those of hooks', async () => {
    const { source, store, dataSource } = await openShop(await open())
    await store('Tag').create({ name: 's3cret' })
    const failing = () =>
      dataSource.createQueryBuilder().from('nowhere', 'n').where('n.x = :x', { x: 's3cret' }).getRawMany()
    const errors = [
      await errorOf(async () => store('Tag').create({ name: 's3cret' })),
      await errorOf(async () =>
        source.transaction(async ({ db }) => (db as EntityManager).insert('Tag', { name: 's3cret' })),
      ),
      new Error('mine', { cause: await errorOf(failing) }),
    ]
    expect(errors[0]).toMatchObject({ kind: 'unique', fields: ['name'] })
    expect(inspect(errors[0], { depth: 10 })).not.toMatch(/parameters|detail:|sql:/)
    const criteria = { where: { name: 's3cret-other' } }
    const search = async () => dataSource.getRepository('Tag').findOneOrFail(criteria)
    errors.push(await errorOf(search), new Error('mine', { cause: await errorOf(search) }))
    for (const error of errors)
      expect(inspect(source.loggable?.(error), { depth: 10 })).not.toContain('s3cret')
    for (const error of errors) expect(printed(source.loggable?.(error))).not.toContain('s3cret')
    expect(source.refusalOf?.(new Error('mine'))).toBeUndefined()
  })
})

const errorOf = (act: () => Promise<unknown>): Promise<unknown> =>
  act().then(
    () => expect.fail('It must fail.'),
    (error: unknown) => error,
  )

/** All that a log could print of an error. */
const printed = (error: unknown, depth = 0): string => {
  if (!(error instanceof Error) || depth > 5) return String(error)
  const own = Object.getOwnPropertyNames(error).map((name) => {
    const value: unknown = Reflect.get(error, name)
    return value instanceof Error ? printed(value, depth + 1) : JSON.stringify(value)
  })
  return [String(error), ...own].join('\n')
}
