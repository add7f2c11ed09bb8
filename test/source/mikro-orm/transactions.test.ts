import { inspect } from 'node:util'
import type { EntityManager } from '@mikro-orm/core'
import { expect, it } from 'vitest'
import { everything } from '../../../src/entry/source.ts'
import { errorOf, printed } from '../errors.ts'
import { onEachDatabase } from './databases.ts'
import { execute } from './execute.ts'
import { Customer, openShop, Tag } from './shop.ts'

onEachDatabase('transactions', (open) => {
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
