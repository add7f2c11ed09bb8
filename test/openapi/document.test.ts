import { expect, test } from 'vitest'
import { type ProblemCode, problemCodes } from '../../src/error/codes.ts'
import { toOpenApi } from '../../src/openapi/document.ts'
import type { OpenApiDocument, OperationObject } from '../../src/openapi/openapi-document.ts'
import type { Operation } from '../../src/operation/operation.ts'
import { naming } from '../naming.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
import { lint } from './lint.ts'
import { createProduct, deleteProduct, getProduct, listProducts, samples, updateProduct } from './samples.ts'

const base = '/api'
const documentOf = (...operations: readonly Operation[]): OpenApiDocument =>
  toOpenApi(operations, { base }, [])
const shown = (document: OpenApiDocument, path: string, method: 'get' | 'post' | 'patch' | 'delete') =>
  document.paths[path]?.[method] as OperationObject

test('the document is clean: linter, OpenAPI 3.1 schema, JSON Schema', async () => {
  expect(await lint(toOpenApi(samples, { base }, []))).toEqual([])
})

test('an example that does not fit its schema is not clean', async () => {
  const wrong: Operation = { ...getProduct, success: { ...getProduct.success, example: { id: 'one' } } }
  const findings = await lint(documentOf(wrong))
  expect(findings.join('\n')).toContain('no-invalid-media-type-examples')
})

test('a schema that refers to one that is not there is not clean', async () => {
  const { uses, ...alone } = listProducts.success.schema ?? expect.unreachable()
  expect(uses).toBeDefined()
  const findings = await lint(
    documentOf({ ...listProducts, success: { ...listProducts.success, schema: alone } }),
  )
  expect(findings.join('\n')).toContain('no-unresolved-refs')
})

test('the head has defaults', () => {
  const { openapi, info, servers, security } = toOpenApi(samples, { base }, [])
  expect({ openapi, info, servers, security }).toEqual({
    openapi: '3.1.0',
    info: { title: 'API', version: '1.0.0' },
    servers: [{ url: '/api' }],
    security: [],
  })
})

test('the head is what the options say', () => {
  const servers = [{ url: 'https://api.shop.test/v2', description: 'The real one.' }]
  const head = {
    ...{ title: 'Shop', version: '2.4.0', description: 'All of *it*.', servers },
    termsOfService: 'https://shop.test/terms',
    contact: { name: 'Ada', email: 'ada@shop.test' },
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  }
  const document = toOpenApi(samples, { base, ...head }, [])
  expect({ ...document.info, servers: document.servers }).toEqual(head)
})

test('an application at the root is served at /', () => {
  expect(toOpenApi(samples, { base: '' }, []).servers).toEqual([{ url: '/' }])
})

test('each operation stands at its path and method, under its id and tag', () => {
  const document = documentOf(...samples)
  const { paths, tags } = document
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map(
      (method) => `${shown(document, path, method as 'get').operationId} ${method} ${path}`,
    ),
  )
  expect(found).toEqual([
    'listProducts get /products/',
    'createProduct post /products/',
    'getProduct get /products/{id}',
    'updateProduct patch /products/{id}',
    'deleteProduct delete /products/{id}',
  ])
  expect(tags).toEqual([{ name: 'Product', description: expect.stringMatching(naming('Products')) }])
})

test('the tag of a model says its key and how it hangs together with others, as far as callers may know', () => {
  const relation = (name: string, kind: 'to-one' | 'to-many', model: string, fields: readonly string[]) => ({
    ...{ name, kind, model, fields },
    inverse: 'x',
    references: kind === 'to-one' ? ['id'] : ['product_id'],
  })
  const field = (name: string, access: 'read-write' | 'hidden' = 'read-write') =>
    fieldNamed(name, 'integer', 'number', { access })
  const models = [
    modelOf('Product', [field('id'), field('maker_id'), field('owner_id', 'hidden')], {
      description: 'What we sell.',
      relations: [
        relation('maker', 'to-one', 'Maker', ['maker_id']),
        relation('owner', 'to-one', 'Maker', ['owner_id']),
        relation('secret', 'to-one', 'NotServed', ['maker_id']),
        relation('reviews', 'to-many', 'Review', ['id']),
      ],
    }),
    modelOf('Maker', [field('id')]),
    modelOf('Review', [field('id'), field('product_id')], { readOnly: true }),
  ]
  const { tags } = toOpenApi([{ ...getProduct, tag: 'Product' }], { base, models }, [])
  expect(tags.map((tag) => tag['x-references'])).toEqual([[{ model: 'Maker', fields: ['maker_id'] }]])
  const tagsOf = (name: string) =>
    toOpenApi([{ ...getProduct, tag: name }], { base, models }, []).tags.map(({ description }) => description)
  const [product = ''] = tagsOf('Product')
  expect(product).toMatch(naming('What we sell.', '`id`', 'Maker', '`maker_id`', 'Review', '`product_id`'))
  expect(product).not.toMatch(/owner|NotServed|secret/)
  expect(tagsOf('Review')).toEqual([expect.stringMatching(naming('Read-only', '`id`'))])
})

test('an operation without a tag is not shown, nor are its schemas', () => {
  const { tag, ...untagged } = createProduct
  expect(tag).toBeDefined()
  const document = documentOf(getProduct, untagged)
  expect(Object.keys(document.paths)).toEqual(['/products/{id}'])
  expect(document.components.schemas).not.toHaveProperty('ProductCreate')
})

test('summary, description and deprecation are told, and left out where there are none', () => {
  const document = documentOf(...samples)
  expect(shown(document, '/products/', 'get')).toMatchObject({
    summary: 'List Products',
    description: 'Filters are written as `field=value`.',
  })
  expect(shown(document, '/products/{id}', 'patch').deprecated).toBe(true)
  expect(shown(document, '/products/{id}', 'get')).not.toHaveProperty('deprecated')
  expect(shown(document, '/products/{id}', 'get')).not.toHaveProperty('description')
})

test('parameters stand inline, arrays and objects in the query with their style', () => {
  const document = documentOf(listProducts, getProduct)
  expect(shown(document, '/products/', 'get').parameters).toEqual([
    listProducts.parameters[0],
    { ...listProducts.parameters[1], style: 'form', explode: true },
  ])
  expect(shown(document, '/products/{id}', 'get').parameters).toEqual(getProduct.parameters)
  const [, sort] = listProducts.parameters
  const joined = {
    ...listProducts,
    parameters: sort === undefined ? [] : [{ ...sort, explode: false as const }],
  }
  expect(shown(documentOf(joined), '/products/', 'get').parameters).toEqual([
    { ...sort, style: 'form', explode: false },
  ])
  const filter = {
    ...sort,
    name: 'filter',
    schema: { type: 'object' },
  } as (typeof listProducts.parameters)[0]
  expect(
    shown(documentOf({ ...listProducts, parameters: [filter] }), '/products/', 'get').parameters,
  ).toEqual([{ ...filter, style: 'form', explode: true }])
})

test('parameters that several operations have stand once', () => {
  const [q, sort] = listProducts.parameters
  if (q === undefined || sort === undefined) throw new Error('There are no parameters.')
  const below = { ...listProducts, id: 'listBelow', path: '/shops/{id}/products/' }
  const other = { ...listProducts, id: 'listOther', path: '/others/', model: 'Other', parameters: [q] }
  const changed = { ...sort, description: 'Another one.' }
  const more = ['listMore', 'listAll'].map((id) => ({ ...other, id, path: `/${id}/`, parameters: [changed] }))
  const document = documentOf(
    { ...listProducts, model: 'Product' },
    { ...below, model: 'Product' },
    other,
    ...more,
  )
  const reference = (name: string) => ({ $ref: `#/components/parameters/${name}` })
  const own = [reference('Q'), reference('ProductSort')]
  expect(shown(document, '/products/', 'get').parameters).toEqual(own)
  expect(shown(document, '/shops/{id}/products/', 'get').parameters).toEqual(own)
  expect(shown(document, '/others/', 'get').parameters).toEqual([reference('Q')])
  expect(shown(document, '/listAll/', 'get').parameters).toEqual([reference('OtherSort')])
  expect(document.components.parameters).toEqual({
    Q: q,
    ProductSort: { ...sort, style: 'form', explode: true },
    OtherSort: { ...changed, style: 'form', explode: true },
  })
})

test('a body is told in each of its media types, the canonical one first', () => {
  const { requestBody } = shown(documentOf(updateProduct), '/products/{id}', 'patch')
  const media = { schema: { $ref: '#/components/schemas/ProductUpdate' }, example: { price: '9.50' } }
  expect(requestBody).toEqual({
    description: expect.stringMatching(naming('1 MiB')),
    required: false,
    content: { 'application/json': media, 'application/merge-patch+json': media },
  })
  expect(Object.keys(requestBody?.content ?? {})[0]).toBe('application/json')
  expect(shown(documentOf(getProduct), '/products/{id}', 'get')).not.toHaveProperty('requestBody')
})

test('a 201 requires its Location', () => {
  expect(shown(documentOf(createProduct), '/products/', 'post').responses['201']).toEqual({
    description: createProduct.success.description,
    headers: {
      Location: { description: expect.any(String), required: true, schema: { type: 'string' } },
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ProductDetail' },
        example: createProduct.success.example,
      },
    },
  })
})

test('a 204 has no content', () => {
  expect(shown(documentOf(deleteProduct), '/products/{id}', 'delete').responses['204']).toEqual({
    description: deleteProduct.success.description,
  })
})

test('errors are grouped by status and tell their codes', () => {
  const { responses } = shown(documentOf(listProducts), '/products/', 'get')
  expect(Object.keys(responses)).toEqual(['200', '400', '500', '503'])
  expect(responses['400']).toEqual({
    $ref: '#/components/responses/Problem400',
    description: expect.stringMatching(naming('`malformed_query`', '`unknown_field`')),
  })
  expect(responses['400']?.description).not.toMatch(naming('invalid_body'))
})

test('all operations share one response for each status, with an example of each code', () => {
  const { responses, examples } = documentOf(...samples).components
  const codes = Object.keys(examples) as ProblemCode[]
  const statuses = new Set(codes.map((code) => problemCodes[code].status))
  expect(Object.keys(responses)).toEqual([...statuses].map((status) => `Problem${status}`))
  const badRequests = codes.filter((code) => problemCodes[code].status === 400)
  expect(badRequests.length).toBeGreaterThan(2)
  expect(responses['Problem400']).toEqual({
    description: expect.stringMatching(naming(...badRequests.map((code) => `\`${code}\``))),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          badRequests.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  })
})

test('every operation tells all its codes in one enum, and can fail with internal_error', () => {
  expect(shown(documentOf(listProducts), '/products/', 'get')['x-problem-codes']).toEqual({
    type: 'string',
    enum: ['malformed_query', 'unknown_field', 'internal_error', 'unavailable'],
  })
})

test('there is one schema for all errors, and each code has an example of its own', () => {
  const { components } = documentOf(...samples)
  expect(Object.keys(components.schemas)).toEqual([
    'Problem',
    'ProblemIssue',
    'ProductPage',
    'ProductDetail',
    'ProductCreate',
    'ProductUpdate',
  ])
  expect(components.examples['invalid_body']).toEqual({
    summary: 'invalid_body',
    value: {
      type: 'urn:modelrest:problem:invalid_body',
      title: problemCodes.invalid_body.title,
      status: 422,
      detail: expect.any(String),
      instance: '/',
      code: 'invalid_body',
      errors: [{ pointer: '/name', code: 'required', detail: expect.any(String) }],
    },
  })
  expect(components.examples).not.toHaveProperty('query_too_long')
})

test.each([
  ['unauthenticated', '401', 'WWW-Authenticate'],
  ['method_not_allowed', '405', 'Allow'],
  ['unsupported_media_type', '415', 'Accept'],
  ['too_many_requests', '429', 'Retry-After'],
  ['unavailable', '503', 'Retry-After'],
] as const)('%s tells its header', (code, status, header) => {
  const document = documentOf({ ...getProduct, problems: [code] })
  expect(shown(document, '/products/{id}', 'get').responses[status]).toHaveProperty('$ref')
  expect(Object.keys(document.components.responses[`Problem${status}`]?.headers ?? {})).toEqual([header])
})

test('the order of codes in an operation changes nothing', () => {
  const problems: readonly ProblemCode[] = ['unavailable', 'not_found', 'unknown_field', 'malformed_query']
  const one = documentOf({ ...getProduct, problems })
  const other = documentOf({ ...getProduct, problems: problems.toReversed() })
  expect(JSON.stringify(one)).toBe(JSON.stringify(other))
})

test('the document is plain JSON', () => {
  const document = documentOf(...samples)
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
})

test('one schema under one name may come twice', () => {
  const schema = structuredClone(getProduct.success.schema ?? expect.unreachable())
  const again: Operation = {
    ...getProduct,
    id: 'again',
    path: '/again',
    success: { ...getProduct.success, schema },
  }
  expect(Object.keys(documentOf(getProduct, again).components.schemas)).toContain('ProductDetail')
})
