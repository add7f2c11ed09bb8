import {
  Cascade,
  defineEntity,
  type EntityManager,
  type EventArgs,
  type EventSubscriber,
  p,
} from '@mikro-orm/core'
import { expect, it } from 'vitest'
import { everything } from '../../../src/entry/source.ts'
import { onEachDatabase } from './databases.ts'
import { all, openShop, shopOf, Tag } from './shop.ts'

onEachDatabase('subscribers', (open) => {
  it('hear of flushes, whatever the entity', async () => {
    const heard: string[] = []
    const shop = await openShop(open, [
      {
        onFlush: async ({ uow }) => {
          heard.push(...uow.getChangeSets().map(({ type, meta }) => `${type} ${meta.className}`))
        },
      },
    ])
    const tags = shop.store('Tag')
    const { id } = await tags.create({ name: 'one' })
    await tags.update([id], { name: 'two' }, everything)
    expect(await tags.remove([id], everything)).toBe(true)
    expect(heard).toEqual(['create Tag', 'update Tag', 'delete Tag'])
  })
})

const Note = defineEntity({
  name: 'Note',
  properties: {
    id: p.string().length(20).primary(),
    text: p.string().nullable(),
    version: p.integer().version(),
  },
})

onEachDatabase('hooks', (open) => {
  it('may change keys', async () => {
    const subscriber: EventSubscriber<{ id: string }> = {
      beforeCreate: async ({ entity }) => void Object.assign(entity, { id: `x${entity.id}` }),
      beforeUpdate: async ({ entity }) => void Object.assign(entity, { id: `${entity.id}y` }),
    }
    const { store } = shopOf(await open({ entities: [Note], subscribers: [subscriber as EventSubscriber] }))
    expect(await store('Note').create({ id: 'a' })).toMatchObject({ id: 'xa' })
    expect(await store('Note').update(['xa'], { text: 'q' }, everything)).toMatchObject({
      ...{ id: 'xay', text: 'q' },
    })
  })

  it('say what reads and writes show, once for each record', async () => {
    const isShared = { ...{ relation: 'tags', guard: everything }, most: 9 }
    const shop = await openShop(open, [
      {
        getSubscribedEntities: () => [Tag],
        onLoad: async ({ entity }) => void Reflect.set(entity, 'name', `<${Reflect.get(entity, 'name')}>`),
      },
    ])
    const tags = shop.store('Tag')
    const { id, name } = await tags.create({ name: 'a' })
    expect(name).toBe('<a>')
    expect(await tags.createMany?.([{ name: 'b' }, { name: 'c' }])).toMatchObject([
      { name: '<b>' },
      { name: '<c>' },
    ])
    expect(await tags.update([id], { name: 'd' }, everything)).toEqual({ id, name: '<d>' })
    expect(await tags.read([id], everything)).toEqual({ id, name: '<d>' })
    const joins = shop.store('OrdersTag')
    const records: (readonly unknown[])[] = []
    for (const total of [1, 2]) {
      const { id: orderId } = await shop.store('Order').create({ total })
      await joins.create({ orderId, tagId: id })
      records.push([orderId])
    }
    expect(await shop.store('Order').related?.({ ...isShared, records }, all)).toEqual([
      [{ id, name: '<d>' }],
      [{ id, name: '<d>' }],
    ])
    expect(await tags.take([2], everything)).toMatchObject({ name: '<b>' })
  })

  it('get no record from a cache', async () => {
    const subscriber: EventSubscriber = { beforeUpdate: async () => {}, onLoad: async () => {} }
    const resultCache = { global: 60_000 }
    const { store } = shopOf(await open({ entities: [Note], subscribers: [subscriber], resultCache }))
    await store('Note').create({ id: 'a', text: 'one' })
    const list = () => store('Note').list(all, everything)
    expect(await list()).toMatchObject([{ text: 'one' }])
    await store('Note').update(['a'], { text: 'two' }, everything)
    expect(await list()).toMatchObject([{ text: 'two' }])
    await store('Note').update(['a'], { text: 'one' }, everything)
    expect(await list()).toMatchObject([{ text: 'one' }])
  })

  it('that save what another write has changed are contended', async () => {
    const { source, store } = shopOf(await open({ entities: [Note] }))
    await store('Note').create({ id: 'a' })
    const [model] = source.models
    if (model === undefined) throw new Error('No notes.')
    const saving = source.transaction(async ({ db, store: storeIn }) => {
      const note = await (db as EntityManager).findOneOrFail(Note, { id: 'a' })
      await storeIn(model).update(['a'], { text: 'b' }, everything)
      note.text = 'c'
    })
    await expect(saving).rejects.toMatchObject({ kind: 'contended' })
    expect(await store('Note').read(['a'], everything)).toMatchObject({ text: null })
  })

  it('get all fields of a list, of which a client sees those that it asked for', async () => {
    const heard: unknown[] = []
    const onLoad = async ({ entity }: EventArgs<object>) => void heard.push(Reflect.get(entity, 'text'))
    const { store } = shopOf(await open({ entities: [Note], subscribers: [{ onLoad }] }))
    await store('Note').create({ id: 'a', text: 'one' })
    heard.length = 0
    expect(await store('Note').list({ ...all, fields: ['id'] }, everything)).toEqual([{ id: 'a' }])
    expect(heard).toEqual(['one'])
  })

  it.each([[], [{ beforeDelete: async () => {} }]])(
    'or none: a record is deleted with what its relation removes (%#)',
    async (...subscribers) => {
      const Lock = defineEntity({ name: 'Lock', properties: { id: p.integer().primary() } })
      const Door = defineEntity({
        name: 'Door',
        properties: { id: p.integer().primary(), lock: () => p.manyToOne(Lock).cascade(Cascade.REMOVE) },
      })
      const { store } = shopOf(await open({ entities: [Lock, Door], subscribers }))
      const { id: lockId } = await store('Lock').create({})
      const { id } = await store('Door').create({ lockId })
      expect(await store('Door').remove([id], everything)).toBe(true)
      expect(await store('Lock').count(everything, everything)).toBe(0)
    },
  )
})

class Account {
  declare id: number
  declare name: string
  declare slug: string
  declare state: string
  declare touched: string | null

  constructor() {
    this.state = 'new'
  }
}

const AccountSchema = defineEntity({
  class: Account,
  properties: {
    id: p.integer().primary(),
    name: p.string(),
    slug: p.string().onCreate((account: Account) => account.name.toLowerCase()),
    state: p.string(),
    touched: p
      .string()
      .nullable()
      .onUpdate((account: Account) => `${account.name}!`),
  },
})

/** Its constructor keeps no secret as it is given. */
class Login {
  declare id: number
  declare name: string
  declare secret: string
  declare at: Date

  constructor(name: string, secret: string, at: Date) {
    this.name = name
    this.secret = [...secret].reverse().join('')
    this.at = at
  }
}

const LoginSchema = defineEntity({
  class: Login,
  properties: { id: p.integer().primary(), name: p.string(), secret: p.string(), at: p.datetime(3) },
})

onEachDatabase('entities with classes', (open) => {
  it('have what their constructors, onCreate and onUpdate set', async () => {
    const { orm, store } = shopOf(await open({ entities: [AccountSchema] }))
    const { id } = await store('Account').create({ name: 'Ann' })
    const stored = await orm.em.fork().findOneOrFail(Account, { id: id as number })
    expect(stored).toMatchObject({ name: 'Ann', slug: 'ann', state: 'new', touched: null })
    expect(stored).toBeInstanceOf(Account)
    expect(await store('Account').update([id], { name: 'Bob' }, everything)).toMatchObject({
      ...{ name: 'Bob', slug: 'ann', state: 'new', touched: 'Bob!' },
    })
  })

  it('have what their constructors make of the values that they take', async () => {
    for (const subscribers of [[], [{ beforeCreate: async () => {} }]]) {
      const { store } = shopOf(await open({ entities: [LoginSchema], subscribers }))
      const given = { name: 'Ann', secret: 'open', at: new Date('2026-01-31T12:30:00.125Z') }
      const made = { ...given, secret: 'nepo' }
      expect(await store('Login').create(given)).toMatchObject(made)
      expect(await store('Login').createMany?.([given, { ...given, name: 'Bob' }])).toMatchObject([
        made,
        { ...made, name: 'Bob' },
      ])
    }
  })
})
