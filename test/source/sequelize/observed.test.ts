import { QueryTypes } from 'sequelize'
import { expect, it } from 'vitest'
import { expectEachObserved } from '../each-observed.ts'
import { onEachDatabase } from './databases.ts'
import { openShop } from './shop.ts'

onEachDatabase('observers', (open) => {
  it('learn of each statement, and not of those of hooks', async () => {
    const logged: string[] = []
    const logging = (text: string) => logged.push(text)
    const { sequelize, source, Order } = await openShop(open, { logging })
    const plain = await expectEachObserved(source, 'Order', { total: 1 }, logged)
    const writes = plain.filter(({ operation }) => operation !== 'select')
    expect(new Set(writes.map(({ model }) => model))).toEqual(new Set(['Order']))
    const own: string[] = []
    Order.addHook('beforeCreate', async (_record, { transaction }) => {
      await sequelize.query('select 4713 as own', {
        type: QueryTypes.SELECT,
        transaction: transaction ?? null,
      })
      own.push(...logged.splice(-1))
    })
    Order.addHook('beforeUpdate', () => undefined)
    Order.addHook('beforeDestroy', () => undefined)
    Order.addHook('afterFind', () => undefined)
    await expectEachObserved(source, 'Order', { total: 1 }, logged)
    expect(own.length).toBeGreaterThan(1)
  })
})
