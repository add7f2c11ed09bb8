import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildShop, type Shop } from '../../examples/shop/app.ts'
import { lint } from './lint.ts'

let shop: Shop

beforeAll(async () => {
  shop = await buildShop({ database: ':memory:', products: 100 })
})

afterAll(() => shop.app.close())

test('the document of the example is clean, and all examples in it fit their schemas', async () => {
  const reply = await shop.app.inject('/api/openapi.json')
  const document = reply.json()
  expect(document).toEqual(JSON.parse(JSON.stringify(shop.rest.openapi())))
  expect(Object.keys(document.paths)).toContain('/products/{id}')
  expect(await lint(document, true)).toEqual([])
})
