import { Validator } from '@seriousme/openapi-schema-validator'
import { memorySource } from 'modelrest/testing'
import { expect, test } from 'vitest'
import { fetchApp } from '../../src/host/fetch/index.ts'
import { ModelRest } from '../../src/index.ts'
import { mergeOpenApi } from '../../src/openapi/merge.ts'

const models = memorySource([
  {
    name: 'Product',
    fields: [
      { name: 'id', kind: 'integer', hasDefault: true },
      { name: 'name', kind: 'text' },
    ],
    primaryKey: ['id'],
  },
])

const rest = new ModelRest(fetchApp({ base: '/api' }), {
  models,
  controllers: [],
  auth: { authenticate: () => null },
  modelConfig: {},
})
await rest.init()
const ours = rest.openapi()

const response = { 200: { description: 'Ok.' } }
const id = { name: 'product', in: 'path', required: true, schema: { type: 'integer' } }

const theirs = {
  openapi: '3.0.0',
  info: { title: 'Shop', version: '2' },
  servers: [],
  tags: [{ name: 'Product', description: 'Theirs.' }],
  security: [{ own: [] }],
  paths: {
    '/reports': { get: { operationId: 'listProducts', tags: ['Reports'], responses: response } },
    '/api/products/{product}': { get: { operationId: 'own', parameters: [id], responses: response } },
  },
  components: {
    schemas: {
      ProductDetail: { type: 'object', properties: { theirs: { type: 'string' } } },
    },
    securitySchemes: {
      ...Object.fromEntries(
        Object.keys(ours.components.securitySchemes ?? {}).map((name) => [
          name,
          { type: 'http', scheme: 'basic' },
        ]),
      ),
      own: { type: 'http', scheme: 'basic' },
    },
  },
}

const merged = JSON.parse(JSON.stringify(mergeOpenApi(theirs, rest)))

test('a merged document is valid, and keeps what the application says', async () => {
  expect(await new Validator().validate(merged)).toMatchObject({ valid: true })
  expect(merged).toMatchObject({
    openapi: '3.1.0',
    info: theirs.info,
    servers: [],
    security: theirs.security,
  })
  expect(merged.paths['/reports']).toEqual(theirs.paths['/reports'])
  expect(merged.components.schemas).toMatchObject(theirs.components.schemas)
  expect(merged.tags.filter(({ name }: { name: string }) => name === 'Product')).toEqual(theirs.tags)
})

test('names that are taken get a number, with all references to them', () => {
  expect(merged.components.schemas.ProductDetail2).toEqual(ours.components.schemas['ProductDetail'])
  const text = JSON.stringify(merged.paths['/api/products/'].post)
  expect(text.includes('"#/components/schemas/ProductDetail"')).toBe(false)
  expect(text.includes('"#/components/schemas/ProductDetail2"')).toBe(true)
  expect(merged.paths['/api/products/'].get.operationId).toBe('listProducts2')
  const [scheme = ''] = Object.keys(ours.components.securitySchemes ?? {})
  expect(merged.components.securitySchemes[`${scheme}2`]).toEqual(ours.components.securitySchemes?.[scheme])
  expect(merged.paths['/api/products/'].get.security).toContainEqual({ [`${scheme}2`]: [] })
})

test('an operation of the application stays, and its path names the parameters', () => {
  expect(merged.paths).not.toHaveProperty('/api/products/{id}')
  const item = merged.paths['/api/products/{product}']
  expect(item.get.operationId).toBe('own')
  expect(item.delete.operationId).toBe('deleteProduct')
  expect(item.delete.parameters[0]).toMatchObject({ name: 'product', in: 'path' })
})

test('equal components stay one if they refer to no others', () => {
  const { ProductDetail, Problem } = ours.components.schemas
  const components = { schemas: { ProductDetail, Problem } }
  const again = mergeOpenApi({ openapi: '3.1.0', info: theirs.info, paths: {}, components }, rest)
  const names = Object.keys(again.components.schemas)
  expect(names.filter((name) => /2$/.test(name))).toEqual(['Problem2'])
})
