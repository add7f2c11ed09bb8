import { inspect } from 'node:util'
import { DataTypes, type Model, Op, type Transaction } from 'sequelize'
import { expect, it } from 'vitest'
import { everything, SourceError } from '../../../src/entry/source.ts'
import { errorOf } from '../errors.ts'
import { onEachDatabase, openModels } from './databases.ts'
import { openShop } from './shop.ts'

const secret = 's3cret-4711'

onEachDatabase('errors', (open) => {
  it('of calls in hooks have no values in logs', async () => {
    const { source, sequelize, Customer, Tag } = await openShop(open)
    await Customer.create({ name: 'Ann', email: `${secret}@example.com` })
    const ended = (end: 'commit' | 'rollback') =>
      source.transaction(async ({ db }) => {
        const transaction = db as Transaction
        await transaction[end]()
        await Tag.findAll({ where: { name: secret }, transaction })
      })
    const invalid = [{ name: 'Ann', email: secret }]
    const acts = [
      () => Customer.bulkCreate(invalid, { validate: true }),
      () => Customer.bulkCreate([{ name: 'Bob', email: `${secret}@example.com` }]),
      () => Promise.any([Customer.create({ name: 'Ann', email: secret })]),
      () => Tag.findOne({ where: { name: secret }, rejectOnEmpty: true }),
      () => Tag.findAll({ where: { nope: secret } }),
      () => sequelize.query(`select '${secret}' from nowhere`),
      () => Tag.findAll({ where: { name: { [Op.gt]: { name: secret } } } }),
      () => Tag.create({ name: [secret] }),
      () => ended('commit'),
      () => ended('rollback'),
    ]
    for (const [at, act] of acts.entries()) {
      const error = await errorOf(act)
      for (const logged of [error, new Error('mine', { cause: error })]) {
        const text = inspect(source.loggable?.(logged), { depth: 10, showHidden: true })
        expect(text, `${at}`).not.toContain(secret)
        expect(text, `${at}`).not.toMatch(/\[?(sql|parameters)\]?: '/)
      }
    }
  })

  it('of the source show neither statements nor parameters', async () => {
    const { store } = await openModels(await open(), (sequelize) => {
      const Box = sequelize.define('Box', { name: DataTypes.STRING }, { timestamps: false })
      const Item = sequelize.define(
        'Item',
        { code: { type: DataTypes.STRING(20), unique: true }, meta: DataTypes.JSON },
        { timestamps: false },
      )
      Item.belongsTo(Box, { as: 'box', foreignKey: 'boxId' })
    })
    const items = store('Item')
    const { id } = await items.create({ code: secret })
    for (const [act, kind] of [
      [() => items.create({ code: secret }), 'unique'],
      [() => items.update([id], { boxId: 4711 }, everything), 'missing-reference'],
      [() => items.create({ code: { $gt: secret } }), 'value'],
    ] as const) {
      const error = await errorOf(act)
      expect(error).toBeInstanceOf(SourceError)
      expect(error).toMatchObject({ kind })
      expect(inspect(error, { depth: 10 })).not.toMatch(/sql:|parameters|detail:/)
    }
  })

  it('of foreign keys are found out with one connection, also in transactions', async () => {
    const { source, store, Order } = await openShop(open, { pool: { max: 1, acquire: 3000 } })
    const model = source.models.find(({ name }) => name === 'Order')
    if (model === undefined) throw new Error('no model')
    const order = { customerId: 99, total: 1 }
    const refused = { kind: 'missing-reference', fields: ['customerId'] }
    const inside = (async () => source.transaction((place) => place.store(model).create(order)))()
    await expect(inside).rejects.toMatchObject(refused)
    await expect((async () => store('Order').create(order))()).rejects.toMatchObject(refused)
    Order.addHook('beforeUpdate', (_record: Model) => undefined)
    const { id } = await store('Order').create({ total: 1 })
    const update = (async () => store('Order').update([id], order, everything))()
    await expect(update).rejects.toMatchObject(refused)
  })
})
