import { expect, test } from 'vitest'
import type { OpenApiDocument } from '../../../src/openapi/openapi-document.ts'
import { lint } from '../../openapi/lint.ts'
import { open, shops } from '../../stage/shop.ts'

const exampleOf = (document: OpenApiDocument, path: string, method: 'post' | 'put' | 'patch'): object => {
  const operation = document.paths[path]?.[method] as {
    requestBody: { content: Record<string, { example: object }> }
  }
  return operation.requestBody.content['application/json']?.example ?? expect.unreachable()
}

test('the document describes bodies with related records, flat and named, with examples that work', async () => {
  const { send, execute, itemsOf, tagsOf } = await open(shops.sqlite)
  const document = (await send('GET', '/openapi.json')).json as unknown as OpenApiDocument
  expect(await lint(document)).toEqual([])
  const { schemas } = document.components
  expect(schemas['OrderCreate']).toMatchObject({
    properties: {
      items: { type: 'array', items: { $ref: '#/components/schemas/OrderItemsCreate' }, maxItems: 100 },
      tags: { type: 'array', items: { type: 'integer' }, maxItems: 100 },
    },
  })
  expect(schemas['OrderReplace']).toMatchObject({
    properties: { items: { items: { $ref: '#/components/schemas/OrderItemsReplace' } } },
  })
  expect(schemas['OrderUpdate']).toMatchObject({
    properties: { items: { $ref: '#/components/schemas/OrderItemsChanges' } },
  })
  const membersOf = (name: string) => [
    Object.keys(Object(schemas[name]?.['properties'])),
    schemas[name]?.['required'],
  ]
  expect(membersOf('OrderItemsCreate')).toEqual([
    ['productId', 'tenant', 'sku', 'price', 'quantity'],
    ['price'],
  ])
  expect(membersOf('OrderItemsReplace')).toEqual([
    ['id', 'productId', 'tenant', 'sku', 'price', 'quantity'],
    ['price'],
  ])
  expect(membersOf('OrderItemsUpdate')).toEqual([
    ['id', 'productId', 'tenant', 'sku', 'price', 'quantity'],
    ['id'],
  ])
  expect(membersOf('OrderItemsChanges')).toEqual([['create', 'update', 'delete'], undefined])
  expect(membersOf('OrderNotesReplace')).toEqual([
    ['line', 'text'],
    ['line', 'text'],
  ])
  // The models themselves stay as they are.
  expect(membersOf('ItemCreate')[0]).toContain('orderId')

  const created = await send('POST', '/orders/', { body: exampleOf(document, '/orders/', 'post') })
  expect(created.status, created.text).toBe(201)
  expect([await itemsOf(3), await tagsOf(3)]).toMatchObject([[{ id: 1 }], [1]])
  await execute('delete from order_items; delete from order_labels')
  const replaced = await send('PUT', '/orders/1', { body: exampleOf(document, '/orders/{id}', 'put') })
  expect(replaced.status, replaced.text).toBe(200)
  await execute('delete from order_items; delete from order_notes; delete from order_labels')
  const changed = await send('PATCH', '/orders/1', { body: exampleOf(document, '/orders/{id}', 'patch') })
  expect(changed.status, changed.text).toBe(200)
  expect(await itemsOf(1)).toHaveLength(1)
})

test('without the option nothing of it is there', async () => {
  const { send } = await open(shops.sqlite, { modelConfig: { Order: { write: undefined } } } as never)
  const text = (await send('GET', '/openapi.json')).text
  expect(text).not.toMatch(/OrderItems/)
  const refused = await send('POST', '/orders/', { body: { title: 'x', items: [] } })
  expect([refused.status, refused.json['errors']]).toMatchObject([
    422,
    [{ pointer: '/items', code: 'unknown_key' }],
  ])
})
