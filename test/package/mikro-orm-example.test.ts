import { expect, test } from 'vitest'
import { ormExample } from './orm-example.ts'
import { succeed } from './shell.ts'

const example = ormExample('mikro-orm', (path) => succeed('npm run build', path))

test('serves its entities, with hooks and filters', async () => {
  const { ask } = await example().start('dist/server.js', { DATABASE: 'test.db' })
  expect(await ask('POST', '/customers/', { name: 'Ann' })).toMatchObject({ status: 201, json: { id: 1 } })
  const order = { note: ' two lamps ', total: '12.50', customerId: 1 }
  expect(await ask('POST', '/orders/', order)).toMatchObject({
    ...{ status: 201, json: { note: 'two lamps', total: '12.50', customerId: 1, archivedAt: null } },
  })
  expect(await ask('POST', '/orders/', { ...order, customerId: 2 })).toMatchObject({ status: 422 })
  expect((await ask('GET', '/customers/1?include=orders')).json).toMatchObject({
    orders: [{ note: 'two lamps' }],
  })
  expect(
    (await ask('GET', '/orders/?q=customer.name==Ann&sort=customer.name&order=desc')).json,
  ).toMatchObject({
    count: 1,
  })
  expect(await ask('PATCH', '/orders/1', { note: ' one ' })).toMatchObject({ json: { note: 'one' } })
  const archived = { archivedAt: '2026-01-31T10:00:00.000Z' }
  expect(await ask('PATCH', '/orders/1', archived)).toMatchObject({ status: 200, json: archived })
  expect((await ask('GET', '/orders/1')).status).toBe(404)
  expect((await ask('GET', '/orders/')).json).toMatchObject({ count: 0 })
  expect((await ask('DELETE', '/customers/1')).status).toBe(409)
})
