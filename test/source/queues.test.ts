import type { DataSourceOptions } from 'typeorm'
import { expect, it } from 'vitest'
import { everything, type ModelSource } from '../../src/entry/source.ts'

import { onEachDatabase as onEachMikroOrm } from './mikro-orm/databases.ts'
import { openShop as openMikroOrm } from './mikro-orm/shop.ts'
import { onEachDatabase as onEachSequelize } from './sequelize/databases.ts'
import { openShop as openSequelize } from './sequelize/shop.ts'
import { onEachDatabase as onEachTypeorm } from './typeorm/databases.ts'
import { openShop as openTypeorm } from './typeorm/shop.ts'

/** Asserts that a source whose pool has one connection tells how long statements wait for it. */
const expectWaiting = async (source: ModelSource, hasPool: boolean): Promise<void> => {
  if (!hasPool) return expect(source.queues).toEqual([])
  const [queue, ...others] = source.queues ?? []
  const [model] = source.models
  if (queue === undefined || model === undefined) expect.fail('The source has no queue or no model.')
  expect(others).toEqual([])
  const store = source.store(model)
  await store.count(everything, everything)
  expect(queue.waited()).toBe(0)
  const passed = queue.passed()
  expect(passed).toBeGreaterThan(0)
  let waiting: unknown
  await source.transaction(async (inside) => {
    waiting = store.count(everything, everything)
    await inside.store(model).count(everything, everything)
    expect(queue.waited()).toBeGreaterThan(0)
    expect(queue.passed()).toBe(passed + 1)
  })
  expect(await waiting).toBe(0)
  expect([queue.waited(), queue.passed()]).toEqual([0, passed + 2])
}

const tells = 'tells how long statements wait for a connection'

onEachTypeorm('TypeORM', (open) => {
  it(tells, async () => {
    const options = { ...(await open()), poolSize: 1 } as DataSourceOptions
    const { source } = await openTypeorm(options)
    await expectWaiting(source, options.type !== 'better-sqlite3')
  })
})

onEachSequelize('Sequelize', (open) => {
  it(tells, async () => {
    const { source, sequelize } = await openSequelize(open, { pool: { max: 1 } })
    await expectWaiting(source, sequelize.getDialect() !== 'sqlite')
  })
})

onEachMikroOrm('MikroORM', (open) => {
  it(tells, async () => {
    const { source, orm } = await openMikroOrm((options) => open({ ...options, pool: { max: 1 } }))
    await expectWaiting(source, orm.config.get('dbName') !== ':memory:')
  })
})
