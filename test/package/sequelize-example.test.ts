import { afterAll, expect, test } from 'vitest'
import { createDatabase, onPostgres, type TestDatabase } from '../servers/test-database.ts'
import { ormExample } from './orm-example.ts'
import { succeed } from './shell.ts'

let database: TestDatabase | undefined
// After the server, which the example ends: the last `afterAll` runs first.
afterAll(() => database?.drop())

const example = ormExample('sequelize', (path) => succeed('npm run build', path))

onPostgres('the example of Sequelize', () =>
  test('serves its models, with hooks and paranoid deletes', async () => {
    database = await createDatabase('example')
    const { ask } = await example().start('dist/server.js', { DATABASE_URL: database.url })
    expect(await ask('POST', '/customers/', { name: 'Ann' })).toMatchObject({ status: 201, json: { id: 1 } })
    const order = { note: ' two lamps ', total: '12.50', customerId: 1 }
    expect(await ask('POST', '/orders/', order)).toMatchObject({
      ...{ status: 201, json: { note: 'two lamps', total: '12.50', customerId: 1, deletedAt: null } },
    })
    expect(await ask('POST', '/orders/', { ...order, customerId: 2 })).toMatchObject({ status: 422 })
    expect(await ask('POST', '/orders/', { ...order, total: '-1.00' })).toMatchObject({ status: 422 })
    expect((await ask('GET', '/customers/1?include=orders')).json).toMatchObject({
      orders: [{ note: 'two lamps' }],
    })
    expect(
      (await ask('GET', '/orders/?q=customer.name==Ann&sort=customer.name&order=desc')).json,
    ).toMatchObject({
      count: 1,
    })
    expect(await ask('PATCH', '/orders/1', { note: ' one ' })).toMatchObject({ json: { note: 'one' } })
    expect((await ask('DELETE', '/orders/1')).status).toBe(204)
    expect((await ask('GET', '/orders/1')).status).toBe(404)
    expect((await ask('GET', '/orders/')).json).toMatchObject({ count: 0 })
  }),
)
