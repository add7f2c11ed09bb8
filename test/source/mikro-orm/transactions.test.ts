import { inspect } from 'node:util'
import type { EntityManager } from '@mikro-orm/core'
import { expect, it } from 'vitest'
import { everything } from '../../../src/entry/source.ts'
import { onEachDatabase } from './databases.ts'
import { execute } from './execute.ts'
import { Customer, Order, openShop, Tag } from './shop.ts'

onEachDatabase('transactions', (open) => {
  it('have the entity manager as their handle, and no other request joins them', async () => {
    const { source, store } = await openShop(open)
    const begun = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const failing = source.transaction(async ({ db }) => {
      const manager = db as EntityManager
      await manager.insert(Customer, { name: 'inside', password: 'x', address: {} } as never)
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

  it('save what a hook changed, and see their own writes', async () => {
    const { source, store } = await openShop(open)
    const { id } = await store('Tag').create({ name: 'one' })
    await source.transaction(async ({ db, store: storeIn }) => {
      const tag = await (db as EntityManager).findOneOrFail(Tag, { id: id as number })
      tag.name = 'two'
      const [model] = source.models.filter(({ name }) => name === 'Customer')
      if (model === undefined) throw new Error('No customers.')
      const made = await storeIn(model).create({ name: 'Ann', password: 'x' })
      expect(await (db as EntityManager).count(Customer, { id: made['id'] as number })).toBe(1)
    })
    expect(await store('Tag').read([id], everything)).toMatchObject({ name: 'two' })
    expect(await store('Customer').count(everything, everything)).toBe(1)
  })

  it('writes of several statements are whole', async () => {
    const { store } = await openShop(open, [
      {
        getSubscribedEntities: () => [Order],
        afterUpdate: async () => {
          throw new Error('never')
        },
      },
    ])
    const { id } = await store('Order').create({ total: 1, note: 'one' })
    const writes = Array.from({ length: 4 }, async (_, at) =>
      store('Order').update([id], { note: `${at}` }, everything),
    )
    const results = await Promise.allSettled(writes)
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    expect(await store('Order').read([id], everything)).toMatchObject({ note: 'one', version: 1 })
  })

  it('a record that is deleted meanwhile does not come back', async () => {
    const heard: string[] = []
    const subscriber = {
      getSubscribedEntities: () => [Order],
      beforeUpdate: async () => void heard.push('update'),
    }
    const { store } = await openShop(open, [subscriber])
    const { id } = await store('Order').create({ total: 1 })
    const [updated, removed] = await Promise.all([
      store('Order').update([id], { note: 'x' }, everything),
      store('Order').remove([id], everything),
    ])
    expect(removed).toBe(true)
    expect(heard).toHaveLength(updated === undefined ? 0 : 1)
    expect(await store('Order').count(everything, everything)).toBe(0)
  })

  it.each(['alone', 'with a subscriber'])('guards hold when others write, %s', async (how) => {
    const subscriber = { getSubscribedEntities: () => [Order], beforeUpdate: async () => {} }
    const { store } = await openShop(open, how === 'alone' ? [] : [subscriber])
    const { id } = await store('Order').create({ total: 1, note: 'free' })
    const guard = { op: 'eq', field: 'note', value: 'free' } as const
    const results = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => store('Order').update([id], { note: `taken ${at}` }, guard)),
    )
    expect(results.filter((row) => row !== undefined)).toHaveLength(1)
    expect(await store('Order').read([id], everything)).toMatchObject({ version: 2 })
  })
})

onEachDatabase('errors', (open) => {
  it('contain no values, also those of hooks', async () => {
    const { source, store, orm } = await openShop(open)
    await store('Tag').create({ name: 's3cret' })
    const insert = (manager: EntityManager) => manager.insert(Tag, { name: 's3cret' })
    const errors = [
      await errorOf(async () => store('Tag').create({ name: 's3cret' })),
      await errorOf(async () => source.transaction(async ({ db }) => insert(db as EntityManager))),
      new Error('mine', { cause: await errorOf(() => insert(orm.em.fork())) }),
      await errorOf(() => execute(orm.em.fork(), `select nothing from tag where name = 's3cret'`)),
      await errorOf(() => orm.em.fork().findOneOrFail(Tag, { name: 's3cret-other' })),
      await errorOf(async () => orm.em.fork().assign(new Object() as never, { name: 's3cret' } as never)),
    ]
    const incomplete = orm.em.fork()
    incomplete.create(Customer, { password: 's3cret', address: {} } as never)
    errors.push(await errorOf(() => incomplete.flush()))
    expect(errors[0]).toMatchObject({ kind: 'unique', fields: ['name'] })
    for (const error of errors) {
      expect(inspect(source.loggable?.(error), { depth: 10 })).not.toContain('s3cret')
      expect(printed(source.loggable?.(error))).not.toContain('s3cret')
    }
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
