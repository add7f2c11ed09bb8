import { afterEach, expect, test } from 'vitest'
import type { OpenApiDocument } from '../../../src/openapi/openapi-document.ts'
import { naming } from '../../naming.ts'
import { lint } from '../../openapi/lint.ts'
import { type Shop, stages } from './stage.ts'

let shop: Shop | undefined
afterEach(async () => {
  await shop?.stop()
  shop = undefined
})
const [[, start]] = stages as [(typeof stages)[number]]

test('the document describes bulk requests only where they are open', async () => {
  shop = await start({ modelConfig: { Product: { bulk: false } } } as never)
  const document = (await shop.send('GET', '/openapi.json')).json as unknown as OpenApiDocument
  expect(await lint(document)).toEqual([])
  const { schemas } = document.components
  expect(schemas['TagCreateOrMany']).toMatchObject({
    oneOf: [
      { $ref: '#/components/schemas/TagCreate' },
      { type: 'array', items: { $ref: '#/components/schemas/TagCreate' }, minItems: 1, maxItems: 1000 },
    ],
  })
  expect(schemas['NoteUpdateElement']).toMatchObject({ required: ['orderId', 'line'] })
  // Generated clients leave out what is read-only, also a key.
  const element = schemas['TagUpdateElement'] as {
    properties: Record<string, object>
    required: readonly string[]
  }
  expect(element.required).toEqual(['id'])
  expect(element.properties['id']).not.toHaveProperty('readOnly')
  const { post, patch } = document.paths['/tags/'] ?? {}
  expect(post?.description).toMatch(naming('array', 1000))
  expect(patch?.description).toMatch(naming('array', 1000))
  // Not a condition that all records meet: clients delete with it, too.
  expect(JSON.stringify(document)).not.toContain('id!=null')
  expect(Object.keys(document.paths['/tags/'] ?? {}).sort()).toEqual(['delete', 'get', 'patch', 'post'])
  expect(Object.keys(document.paths['/products/'] ?? {}).sort()).toEqual(['get', 'post'])
  expect(
    Object.keys(schemas).filter((name) => name.startsWith('Product') && /Many|Element/.test(name)),
  ).toEqual([])
})
