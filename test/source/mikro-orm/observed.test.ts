import type { EventSubscriber } from '@mikro-orm/core'
import { expect, it } from 'vitest'
import { expectEachObserved } from '../each-observed.ts'
import { onEachDatabase } from './databases.ts'
import { Order, openShop, shopOf } from './shop.ts'

onEachDatabase('observers', (open) => {
  it('learn of each statement', async () => {
    const logged: string[] = []
    const options = {
      debug: ['query' as const],
      colors: false,
      logger: (line: string) => void logged.push(line),
    }
    const shop = await openShop((given) => open({ ...given, ...options }))
    const plain = await expectEachObserved(shop.source, 'Order', { total: 1 }, logged)
    const writes = plain.filter(({ operation }) => operation !== 'select')
    expect(new Set(writes.map(({ model, table }) => `${model} ${table}`))).toEqual(new Set(['Order orders']))
    const heard: string[] = []
    const hears = (event: string) => (): void => void heard.push(event)
    const subscriber: EventSubscriber = {
      getSubscribedEntities: () => [Order],
      ...{ onLoad: hears('load'), beforeCreate: hears('create'), beforeUpdate: hears('update') },
      beforeDelete: hears('delete'),
    }
    shop.orm.em.getEventManager().registerSubscriber(subscriber)
    await expectEachObserved(shopOf(shop.orm).source, 'Order', { total: 1 }, logged)
    expect(new Set(heard)).toEqual(new Set(['load', 'create', 'update', 'delete']))
  })
})
