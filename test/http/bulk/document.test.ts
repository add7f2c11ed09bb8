import { afterEach, expect, test } from 'vitest'
import type { OpenApiDocument } from '../../../src/openapi/openapi-document.ts'
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
  expect(Object.keys(document.paths['/tags/'] ?? {}).sort()).toEqual(['delete', 'get', 'patch', 'post'])
  expect(Object.keys(document.paths['/products/'] ?? {}).sort()).toEqual(['get', 'post'])
  expect(
    Object.keys(schemas).filter((name) => name.startsWith('Product') && /Many|Element/.test(name)),
  ).toEqual([])
})
