import { expect, test } from 'vitest'
import { ormExample } from './orm-example.ts'
import { succeed } from './shell.ts'

const example = ormExample('typeorm', (path) => succeed('npm run build', path))

test('serves its entities, with listeners and soft deletes', async () => {
  const { ask } = await example().start('dist/server.js', { DATABASE: 'test.db' })
  expect(await ask('POST', '/customers/', { name: 'Ann' })).toMatchObject({ status: 201, json: { id: 1 } })
  const order = { note: ' two lamps ', total: '12.50', customerId: 1 }
  expect(await ask('POST', '/orders/', order)).toMatchObject({
    ...{ status: 201, json: { note: 'two lamps', total: '12.50', customerId: 1, deletedAt: null } },
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
  expect((await ask('DELETE', '/orders/1')).status).toBe(204)
  expect((await ask('GET', '/orders/1')).status).toBe(404)
  expect((await ask('GET', '/orders/')).json).toMatchObject({ count: 0 })
})
