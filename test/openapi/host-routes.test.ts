import { expect, test } from 'vitest'
import { toOpenApi } from '../../src/openapi/document.ts'
import type { OpenApiDocument } from '../../src/openapi/openapi-document.ts'
import { openApiOperations } from '../../src/openapi/operations.ts'
import type { HostRoute } from '../../src/operation/operation.ts'
import { lint } from './lint.ts'
import { createProduct, getProduct, listProducts, samples } from './samples.ts'

const route = (method: string, path: string, operation: HostRoute['operation'] = {}): HostRoute => ({
  method,
  path,
  operation,
})
const withRoutes = (...routes: readonly HostRoute[]): OpenApiDocument =>
  toOpenApi(samples, { base: '/api' }, routes)

const documented = {
  summary: 'Say hello',
  responses: {
    200: { description: 'Hello.', content: { 'text/plain': { schema: { type: 'string' } } } },
    404: { description: 'Nobody has that name.' },
  },
}

test('a document with routes of the host is clean, also where they ask for a scheme that it cannot hold', async () => {
  const secured = { ...documented, security: [{ bearer: [] }] }
  expect(await lint(withRoutes(route('GET', '/api/hello/{name}', secured)))).toEqual([])
})

test('of a route that says nothing, only the missing errors are not clean', async () => {
  const findings = await lint(withRoutes(route('GET', '/api/hello/{name}'), route('POST', '/api/ping')))
  expect(findings.map((finding) => finding.split(':')[0])).toEqual([
    'operation-4xx-response',
    'operation-4xx-response',
  ])
})

test('a route stands below the base, completed to what OpenAPI asks for', () => {
  const { paths, tags } = withRoutes(route('get', '/api/hello/{name}'))
  expect(paths['/hello/{name}']).toEqual({
    get: {
      operationId: 'getHelloName',
      summary: 'GET /hello/{name}',
      tags: ['other'],
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
      responses: { default: { description: expect.any(String) } },
    },
  })
  expect(tags.map(({ name }) => name)).toEqual(['Product', 'other'])
})

test('what the host says of its route is kept', () => {
  const parameters = [
    { name: 'loud', in: 'query', schema: { type: 'boolean' } },
    { name: 'name', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } },
  ]
  const { paths } = withRoutes(
    route('GET', '/api/hello/{name}', { ...documented, operationId: 'hello', parameters }),
  )
  expect(paths['/hello/{name}']?.get).toEqual({
    ...documented,
    operationId: 'hello',
    tags: ['other'],
    parameters: [parameters[1], parameters[0]],
  })
})

test('routes outside of the base are not part of the document', () => {
  const { paths } = withRoutes(route('GET', '/ping'), route('GET', '/apiary'), route('PUT', '/products/'))
  expect(paths).toEqual(withRoutes().paths)
})

test.each(['/api/products/', '/api/products'])('a generated operation is never replaced: GET %s', (path) => {
  expect(withRoutes(route('GET', path, { operationId: 'mine' })).paths).toEqual(withRoutes().paths)
})

test('another method at a generated path stands beside it, with the names of its parameters', () => {
  const parameters = [{ name: 'slug', in: 'path', required: true, schema: { type: 'string' } }]
  const { paths } = withRoutes(route('PUT', '/api/products/{slug}', { ...documented, parameters }))
  expect(Object.keys(paths)).toEqual(['/products/', '/products/{id}'])
  expect(paths['/products/{id}']?.get).toEqual(withRoutes().paths['/products/{id}']?.get)
  expect(paths['/products/{id}']?.put).toMatchObject({
    operationId: 'putProductsSlug',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  })
})

test('ids do not clash, with ours or with one another', () => {
  const { paths } = withRoutes(
    route('GET', '/api/a', { operationId: 'getProduct' }),
    route('GET', '/api/b', { operationId: 'getProduct' }),
    route('GET', '/api/c-d'),
    route('GET', '/api/c/d'),
  )
  const ids = ['/a', '/b', '/c-d', '/c/d'].map((path) => paths[path]?.get?.operationId)
  expect(ids).toEqual(['getProduct2', 'getProduct3', 'getCD', 'getCD2'])
})

test('HEAD, and methods that OpenAPI has no place for, are not listed', () => {
  expect(withRoutes(route('HEAD', '/api/a'), route('PROPFIND', '/api/b')).paths).toEqual(withRoutes().paths)
})

test('our own routes without a tag are not listed, although the host tells them', () => {
  const operations = [
    listProducts,
    createProduct,
    getProduct,
    ...openApiOperations(() => expect.unreachable()),
  ]
  const routes = [
    route('GET', '/api/docs'),
    route('GET', '/api/docs/{asset}'),
    route('GET', '/api/openapi.json/'),
  ]
  const { paths } = toOpenApi(operations, { base: '/api' }, routes)
  expect(Object.keys(paths)).toEqual(['/products/', '/products/{id}'])
})

test('an application at the root has its routes below it', () => {
  const { paths } = toOpenApi(samples, { base: '' }, [route('GET', '/hello')])
  expect(Object.keys(paths)).toContain('/hello')
})

test('of two routes of the host in one place, the first stands', () => {
  const { paths } = withRoutes(
    route('GET', '/api/hello/{name}', { summary: 'First' }),
    route('GET', '/api/hello/{who}/', { summary: 'Second' }),
  )
  expect(paths['/hello/{name}']?.get).toMatchObject({ summary: 'First' })
  expect(paths).not.toHaveProperty('/hello/{who}/')
})
