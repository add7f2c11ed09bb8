import { inspect } from 'node:util'
import type { EntityManager } from 'typeorm'
import { expect, it } from 'vitest'
import { errorOf, printed } from '../errors.ts'
import { onEachDatabase } from './databases.ts'
import { openShop } from './shop.ts'

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
