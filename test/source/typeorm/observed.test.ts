import { expect, it } from 'vitest'
import { expectEachObserved } from '../each-observed.ts'
import { onEachDatabase } from './databases.ts'
import { Order, openShop } from './shop.ts'

onEachDatabase('observers', (open) => {
  it('learn of each statement, and not of those of subscribers', async () => {
    const logged: string[] = []
    const log = () => undefined
    const logger = {
      logQuery: (text: string) => logged.push(text),
      ...{ logQueryError: log, logQuerySlow: log, logSchemaBuild: log, logMigration: log, log },
    }
    const { dataSource, source } = await openShop({ ...(await open()), logger })
    const plain = await expectEachObserved(source, 'Order', { total: 1 }, logged)
    const writes = plain.filter(({ operation }) => operation !== 'select')
    expect(new Set(writes.map(({ model }) => model))).toEqual(new Set(['Order']))
    const own: string[] = []
    dataSource.subscribers.push({
      listenTo: () => Order,
      beforeInsert: async ({ manager }) => {
        await manager.query('select 4713 as own')
        own.push(...logged.splice(-1))
      },
      afterLoad: () => undefined,
      beforeUpdate: () => undefined,
      beforeSoftRemove: () => undefined,
    })
    await expectEachObserved(source, 'Order', { total: 1 }, logged)
    expect(own.length).toBeGreaterThan(1)
  })
})
