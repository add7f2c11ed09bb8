import { ModelRest, nodeApp } from 'modelrest/node'
import { testClient } from 'modelrest/testing'
import { DataTypes, type Model, Sequelize } from 'sequelize'
import { expect, it, onTestFinished } from 'vitest'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { controllerFor, defineSettings } from '../../../src/index.ts'
import { onEachDatabase } from './databases.ts'
import { openShop, transactionOf } from './shop.ts'

onEachDatabase('requests to models of Sequelize', (open) => {
  it('include, filter and sort along associations, and keep versions, scopes and paranoid deletes', async () => {
    const { source, Tag } = await openShop(open)
    const app = nodeApp()
    await new ModelRest(app, { models: source, controllers: [] }).init()
    const client = testClient(app)
    const post = async (path: string, body: object) => (await client.post(path, body)).json as { id: number }
    const ann = await post('/customers/', { name: 'Ann', email: 'ann@example.com' })
    expect(ann).not.toHaveProperty('password')
    const order = await post('/orders/', { note: 'two lamps', total: '12.50', customerId: ann.id })
    const tag = await Tag.create({ name: 'new' })
    await post('/order-tags/', { OrderId: order.id, TagId: tag.get('id') })
    const found = await client.get(
      '/orders/?q=buyer.name==Ann%26labels.name==new&sort=buyer.name&include=buyer,labels',
    )
    expect(found.json).toMatchObject({
      items: [{ total: '12.50', buyer: { name: 'Ann' }, labels: [{ name: 'new' }] }],
    })
    const sum = await client.get('/orders/aggregate?group=customerId&aggregate=sum(total),count')
    expect(sum.json).toMatchObject({ items: [{ sum_total: '12.50', count: 1 }] })
    expect((await client.post('/customers/', { name: 'Bob', email: 'no' })).status).toBe(422)
    const twice = await client.post('/customers/', { name: 'Bob', email: 'ann@example.com' })
    expect([twice.status, twice.problem.errors?.[0]?.pointer]).toEqual([409, '/email'])
    expect((await client.patch(`/orders/${order.id}`, { note: 'one' })).json).toMatchObject({ version: 1 })
    expect((await client.request('DELETE', `/orders/${order.id}`)).status).toBe(204)
    expect((await client.get(`/orders/${order.id}`)).status).toBe(404)
    expect((await client.get('/orders/')).json).toMatchObject({ count: 0 })
  })

  it('roll back what hooks wrote through context.db', async () => {
    const { source, Tag } = await openShop(open)
    const app = nodeApp()
    const controller = controllerFor('Order', {
      async afterCreate(_request, order, { db }) {
        await Tag.create({ name: 'made' }, { transaction: transactionOf(db) })
        if (order['note'] === 'bad') throw new Error('refused')
      },
    })
    await new ModelRest(app, { models: source, controllers: [controller] }).init()
    const client = testClient(app)
    expect((await client.post('/orders/', { note: 'bad', total: '1.00' })).status).toBe(500)
    expect(await Tag.count()).toBe(0)
    expect((await client.post('/orders/', { note: 'good', total: '1.00' })).status).toBe(201)
    expect(await Tag.count()).toBe(1)
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

  it('keep their status with hooks, default scopes and keys of clients', async () => {
    const { source, Order } = await openShop(open)
    Order.addHook('afterFind', (found) => {
      for (const order of [found].flat()) (order as Model | null)?.set('note', 'masked')
    })
    const app = nodeApp()
    await new ModelRest(app, { models: source, controllers: [] }).init()
    const client = testClient(app)
    const order = (await client.post('/orders/', { note: 'a', total: '1.00' })).json as { id: number }
    const count = await client.get('/orders/aggregate?aggregate=count')
    expect([count.status, count.json]).toMatchObject([200, { items: [{ count: 1 }] }])
    expect((await client.patch(`/orders/${order.id}`, { total: '2.00' })).json).toMatchObject({
      note: 'masked',
    })
    expect(await Order.findOne({ hooks: false, raw: true } as object)).toMatchObject({ note: 'a' })
    const moved = await client.post('/customers/', { name: 'Ann', tenant: 'b' })
    expect([moved.status, moved.json]).toMatchObject([201, { name: 'Ann', tenant: 'b' }])
    const { id } = (await client.post('/customers/', { name: 'Bob' })).json as { id: number }
    const left = await client.patch(`/customers/${id}`, { tenant: 'b' })
    expect([left.status, left.json]).toMatchObject([200, { id, tenant: 'b' }])
    expect((await client.get(`/customers/${id}`)).status).toBe(404)
    for (const name of ["it's", '$1', '\\', `' or 1=1 -- `]) {
      const found = await client.get(`/customers/?q=${encodeURIComponent(`name==${JSON.stringify(name)}`)}`)
      expect([found.status, found.json], name).toMatchObject([200, { count: 0 }])
    }
  })

  it('let users register and log in', async () => {
    const sequelize = new Sequelize({ ...(await open()), logging: false })
    onTestFinished(() => sequelize.close())
    const Member = sequelize.define(
      'Member',
      {
        email: { type: DataTypes.STRING(200), allowNull: false, unique: true },
        password: { type: DataTypes.STRING(255), allowNull: false },
      },
      { defaultScope: { attributes: { exclude: ['password'] } } },
    )
    await sequelize.sync()
    const app = nodeApp()
    const settings = defineSettings({
      ...{ SECRET_KEY: 'k'.repeat(64), AUTH_USER_MODEL: 'app.Member' },
    })
    await new ModelRest(app, {
      ...{ models: sequelizeModels(sequelize, { Member }), controllers: [], auth: true, settings },
    }).init()
    const client = testClient(app)
    const credentials = { email: 'ann@example.com', password: 'correct horse battery staple' }
    const registered = await client.post('/auth/register', credentials)
    expect([registered.status, registered.text]).toMatchObject([201, expect.not.stringContaining('argon2')])
    expect((await client.post('/auth/login', { ...credentials, password: 'wrong' })).status).toBe(401)
    expect((await client.post('/auth/login', credentials)).status).toBe(200)
  })
})
