import { Buffer } from 'node:buffer'
import { ModelRest, nodeApp } from 'modelrest/node'
import { testClient } from 'modelrest/testing'
import { DataTypes, type Model, Op, type Sequelize } from 'sequelize'
import { expect, it } from 'vitest'
import { type Condition, everything, type Row } from '../../../src/entry/source.ts'
import { onEachDatabase, openModels } from './databases.ts'
import { all, openShop } from './shop.ts'

const eq = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })

const masking = (found: Model | readonly Model[] | null): void => {
  for (const record of [found].flat()) (record as Model | null)?.set('note', 'masked')
}

const isMysql = (sequelize: Sequelize): boolean => /mysql|mariadb/.test(sequelize.getDialect())

onEachDatabase('hooks', (open) => {
  it('of finds change what is shown, but neither what is stored nor sums', async () => {
    const { store, Order } = await openShop(open)
    Order.addHook('afterFind', masking as never)
    const orders = store('Order')
    const { id } = await orders.create({ note: 'a', total: 1 })
    expect(await orders.update([id], { total: 2 }, everything)).toMatchObject({ note: 'masked', total: 2 })
    expect(await Order.findOne({ hooks: false, raw: true } as object)).toMatchObject({ note: 'a' })
    const aggregation = {
      ...{ filter: everything, groups: [], aggregates: [{ fn: 'count' }] as const },
      ...{ order: [], limit: 1, timezone: 'UTC' },
    }
    expect(await orders.aggregate?.(aggregation, everything)).toEqual([{ count: 1 }])
    Order.addHook('beforeFind', (options) => {
      options.where = { ...options.where, note: 'b' }
    })
    expect(await orders.aggregate?.(aggregation, everything)).toEqual([{ count: 0 }])
    expect(await orders.list(all, everything)).toEqual([])
  })

  it('and getters do not show what leaves the guard while it is read', async () => {
    const { store, sequelize } = await openShop(open)
    const { id: customerId } = await store('Customer').create({ name: 'Ann' })
    await store('Order').create({ note: 'b', total: 1 })
    const { id } = await store('Order').create({ note: 'a', total: 1, customerId })
    const guard = eq('note', 'a')
    const first = { ...all, order: [{ field: 'id', direction: 'asc' }], limit: 1 } as const
    expect(await store('Order').list(first, guard)).toMatchObject([{ id }])
    let queries = 0
    const noting = async (note: string): Promise<void> => {
      queries = Number.NEGATIVE_INFINITY
      const orders = isMysql(sequelize) ? '`Orders`' : '"Orders"'
      await sequelize.query(`update ${orders} set note = ?`, { replacements: [note] })
    }
    sequelize.addHook('beforeQuery', async () => {
      queries += 1
      if (queries === 2) await noting('b')
    })
    const to = { relation: 'purchases', records: [[customerId]], guard }
    const reads: readonly (readonly [() => unknown, unknown])[] = [
      [() => store('Order').list(all, guard), []],
      [() => store('Order').read([id], guard), undefined],
      [() => store('Customer').related?.(to, all), [[]]],
    ]
    for (const [read, nothing] of reads) {
      await noting('a')
      expect(await read()).not.toEqual(nothing)
      queries = 0
      expect(await read()).toEqual(nothing)
    }
  })

  it('of new records are heard, so that each is stored by itself', async () => {
    const opened = await openModels(await open(), (created) =>
      created.define('Part', {
        id: { type: DataTypes.UUID, defaultValue: DataTypes.UUIDV4, primaryKey: true },
        text: { type: DataTypes.STRING(50), defaultValue: 'x', validate: { len: [1, 20] } },
        ...{
          meta: DataTypes.JSON,
          bytes: DataTypes.BLOB,
          at: DataTypes.DATE(3),
          sum: DataTypes.DECIMAL(9, 2),
        },
        isNew: { type: DataTypes.BOOLEAN, allowNull: false, defaultValue: true },
      }),
    )
    const { source, sequelize } = opened
    const part = source.models.find(({ name }) => name === 'Part') ?? expect.fail('No parts.')
    const createMany = async (rows: readonly Row[]): Promise<readonly Row[] | undefined> =>
      source.transaction(async (inside) => inside.store(part).createMany?.(rows))
    const at = new Date('2026-01-31T12:30:00.125Z')
    const given = [
      { text: `'"\\\n$1 :a ?`, meta: { a: [`'"\\`] }, bytes: Buffer.from("\0\xff'", 'latin1'), isNew: false },
      { at, sum: '1.50' },
      { text: null },
    ]
    const rows = (await createMany(given)) ?? []
    expect(rows).toMatchObject([
      { ...given[0], bytes: expect.anything(), at: null },
      { at, text: 'x', isNew: true, bytes: null },
      { text: null, meta: null, isNew: true },
    ])
    expect(Buffer.from(rows[0]?.['bytes'] as Uint8Array)).toEqual(given[0]?.bytes)
    for (const row of rows) expect(await source.store(part).read([row['id']], everything)).toEqual(row)
    await expect(createMany([{}, { text: 'far too long, as a validator says' }])).rejects.toMatchObject({
      ...{ kind: 'check', fields: ['text'] },
    })
    expect(await source.store(part).count(everything, everything)).toBe(3)
    sequelize.model('Part').addHook('beforeCreate', () => undefined)
    expect(await createMany(given)).toBeUndefined()
  })

  it('that replace the attributes of a find are refused', async () => {
    const { store, Tag } = await openShop(open)
    await store('Tag').create({ name: 'a' })
    Tag.addHook('beforeFind', (options) => {
      options.attributes = ['name']
    })
    await expect((async () => store('Tag').list(all, everything))()).rejects.toThrow('Tag')
  })

  it('that replace conditions of a find cannot replace those of a request', async () => {
    const { store, Order } = await openShop(open)
    const orders = store('Order')
    await orders.create({ note: 'a', total: 1 })
    const { id } = await orders.create({ note: 'b', total: 2 })
    const replacing = (options: object): void => {
      const found = Reflect.get(options, 'where')
      Reflect.set(options, 'where', { ...found, [Op.and]: [{ version: { [Op.gte]: 0 } }] })
    }
    Order.addHook('beforeFind', replacing)
    Order.addHook('beforeCount', replacing)
    expect(await orders.read([id], everything)).toMatchObject({ note: 'b' })
    expect(await orders.list(all, eq('note', 'b'))).toMatchObject([{ note: 'b' }])
    expect(await orders.count(everything, eq('note', 'b'))).toBe(1)
    expect(await orders.update([id], { note: 'c' }, eq('note', 'a'))).toBeUndefined()
    expect(await orders.update([id], { note: 'c' }, eq('note', 'b'))).toMatchObject({ id, note: 'c' })
    expect(await Order.findAll({ hooks: false, raw: true, order: ['id'] } as object)).toMatchObject([
      { note: 'a' },
      { note: 'c' },
    ])
  })

  it('leave lists the values of related records by which they are sorted, as cursors need them', async () => {
    const { store, Order } = await openShop(open)
    for (const name of ['Ann', 'Bob']) {
      const { id: customerId } = await store('Customer').create({ name })
      await store('Order').create({ total: 1, note: name, customerId })
    }
    Order.addHook('beforeFind', (options) => {
      options.where = { ...options.where, version: 0 }
    })
    const via = [{ relation: 'buyer' }]
    const order = [{ field: 'name', direction: 'desc', via }] as const
    const sorted = [
      { note: 'Bob', 'buyer.name': 'Bob' },
      { note: 'Ann', 'buyer.name': 'Ann' },
    ]
    expect(await store('Order').list({ ...all, order }, everything)).toMatchObject(sorted)
    const fields = ['note']
    expect(await store('Order').list({ ...all, order, fields }, everything)).toMatchObject(sorted)
  })

  it('that add attributes or load other records change no values', async () => {
    const { store, Customer, Order, Tag } = await openShop(open)
    await store('Tag').create({ name: 'a' })
    Tag.addHook('beforeFind', ({ attributes }) => void (attributes as string[]).unshift('name'))
    expect(await store('Tag').list(all, everything)).toEqual([{ id: 1, name: 'a' }])
    const { id: customerId } = await store('Customer').create({ name: 'Ann' })
    for (const total of [1, 2]) await store('Order').create({ total, customerId })
    Customer.addHook('beforeFind', (options) => {
      options.include = [{ model: Order, as: 'purchases' }]
    })
    const order = [{ field: 'name', direction: 'asc' }] as const
    expect(await store('Customer').list({ ...all, order }, everything)).toMatchObject([{ name: 'Ann' }])
    const aggregation = {
      ...{ filter: everything, groups: [], aggregates: [{ fn: 'count' }] as const },
      ...{ order: [], limit: 9, timezone: 'UTC' },
    }
    expect(await store('Customer').aggregate?.(aggregation, everything)).toEqual([{ count: 1 }])
  })

  it('and methods findAll of a model hide and change records', async () => {
    const { store, Tag } = await openShop(open)
    const tags = store('Tag')
    await tags.create({ name: 'hidden' })
    const { id } = await tags.create({ name: 'shown' })
    const { findAll } = Tag
    Tag.findAll = async function (this: typeof Tag, ...about: never[]) {
      const found = (await Reflect.apply(findAll, this, about)) as Model[]
      const shown = found.filter((tag) => Reflect.get(tag, 'name') !== 'hidden')
      for (const tag of shown) Reflect.set(tag, 'name', 'masked')
      return shown as never
    }
    expect(await tags.list(all, everything)).toEqual([{ id, name: 'masked' }])
    expect(await tags.update([id], { name: 'other' }, everything)).toEqual({ id, name: 'masked' })
    expect(await tags.create({ name: 'new' })).toMatchObject({ name: 'masked' })
  })

  it('of validation have the whole record in an update', async () => {
    const { store, sequelize } = await openModels(await open(), (created) =>
      created.define('Part', { code: DataTypes.STRING, kind: DataTypes.STRING }, { timestamps: false }),
    )
    sequelize.model('Part').addHook('beforeValidate', (part) => {
      part.set('code', `${part.get('kind')}-${String(part.get('code')).at(-1)}`)
    })
    const { id } = await store('Part').create({ code: '1', kind: 'a' })
    expect(await store('Part').update([id], { code: '2' }, everything)).toMatchObject({ code: 'a-2' })
  })

  it('may ask for the hooks of each record, and remove values', async () => {
    const { store, Tag } = await openShop(open)
    const heard: string[] = []
    const individually = (options: object): void => {
      heard.push('bulk')
      Reflect.set(options, 'individualHooks', true)
    }
    Tag.addHook('beforeBulkUpdate', individually)
    Tag.addHook('beforeBulkDestroy', individually)
    const tags = store('Tag')
    const { id } = await tags.create({ name: `it's $1` })
    const other = await tags.create({ name: 'other' })
    const isIts = eq('name', `it's $1`)
    expect(await tags.update([id], { name: 'b' }, eq('name', 'x'))).toBeUndefined()
    expect(await tags.update([id], { name: 'b' }, isIts)).toMatchObject({ name: 'b' })
    expect(await tags.update([id], { name: 'b' }, everything)).toMatchObject({ name: 'b' })
    expect(await tags.remove([id], isIts)).toBe(false)
    Tag.addHook('beforeBulkUpdate', (options) => void Reflect.set(options, 'attributes', {}))
    expect(await tags.update([id], { name: 'c' }, everything)).toMatchObject({ name: 'b' })
    expect(await tags.remove([id], eq('name', 'b'))).toBe(true)
    expect(await tags.list(all, everything)).toEqual([other])
    expect(heard.length).toBeGreaterThan(3)
  })

  it('keep create if a hook of the ORM may set what clients cannot send', async () => {
    const { source, Customer } = await openShop(open)
    const post = async (): Promise<number> => {
      const app = nodeApp()
      const modelConfig = { Customer: { readOnly: ['name'] } }
      await new ModelRest(app, { models: source, controllers: [], modelConfig } as never).init()
      return (await testClient(app).post('/customers/', { email: 'ann@example.com' })).status
    }
    expect(await post()).toBe(405)
    Customer.addHook('beforeValidate', (customer) => {
      customer.set('name', 'Ann')
    })
    expect(await post()).toBe(201)
  })
})
