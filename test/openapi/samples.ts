import type { Operation } from '../../src/operation/operation.ts'
import { wait } from '../../src/operation/steps.ts'
import type { NamedSchema } from '../../src/schema/json-schema.ts'

/** Operations made by hand, one for each thing that an operation can say. */
const record = { id: 1, name: 'Lamp', price: '9.90', in_stock: true }

const properties = {
  name: { type: 'string', maxLength: 100 },
  price: { type: 'string', pattern: '^-?\\d{1,8}(\\.\\d{1,2})?$' },
  in_stock: { type: 'boolean' },
}

export const detail: NamedSchema = {
  name: 'ProductDetail',
  schema: {
    type: 'object',
    required: ['id', 'name', 'price', 'in_stock'],
    properties: { id: { type: 'integer' }, ...properties },
    additionalProperties: true,
  },
}

const create: NamedSchema = {
  name: 'ProductCreate',
  schema: {
    type: 'object',
    required: ['name', 'price'],
    properties: { ...properties, in_stock: { type: 'boolean', default: true } },
    additionalProperties: false,
  },
}

const update: NamedSchema = {
  name: 'ProductUpdate',
  schema: { type: 'object', properties, additionalProperties: false },
}

const page: NamedSchema = {
  name: 'ProductPage',
  uses: [detail],
  schema: {
    type: 'object',
    required: ['items', 'count', 'count_exact'],
    properties: {
      items: { type: 'array', items: { $ref: '#/components/schemas/ProductDetail' } },
      count: { type: ['integer', 'null'] },
      count_exact: { type: 'boolean' },
    },
    additionalProperties: true,
  },
}

const id = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Its key.',
  schema: { type: 'integer' },
  example: 1,
} as const

const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Operation['run'] => {
  const reply = {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
  return () => wait(reply)
}

export const listProducts: Operation = {
  id: 'listProducts',
  method: 'GET',
  path: '/products/',
  tag: 'Product',
  summary: 'List Products',
  description: 'Filters are written as `field=value`.',
  parameters: [
    {
      name: 'q',
      in: 'query',
      required: false,
      description: 'Filter expressions.',
      schema: { type: 'string' },
      example: 'in_stock=true',
    },
    {
      name: 'sort',
      in: 'query',
      required: false,
      description: 'Fields to sort by.',
      schema: { type: 'array', items: { type: 'string', enum: ['name', 'price'] } },
      example: ['price'],
    },
  ],
  success: {
    status: 200,
    description: 'One page of records.',
    mediaType: 'application/json',
    schema: page,
    example: { items: [record], count: 1, count_exact: true },
  },
  problems: ['unknown_field', 'malformed_query', 'unavailable'],
  run: json(200, { items: [record], count: 1, count_exact: true }),
}

export const createProduct: Operation = {
  id: 'createProduct',
  method: 'POST',
  path: '/products/',
  tag: 'Product',
  summary: 'Create a Product',
  parameters: [],
  body: {
    mediaTypes: ['application/json'],
    required: true,
    schema: create,
    example: { name: 'Lamp', price: '9.90' },
    limit: 1_048_576,
    timeout: 30_000,
  },
  success: {
    status: 201,
    description: 'The record as it is stored.',
    mediaType: 'application/json',
    schema: detail,
    example: record,
    headers: { Location: 'Its path.' },
  },
  problems: [
    'malformed_json',
    'unauthenticated',
    'unique_conflict',
    'unsupported_media_type',
    'invalid_body',
    'too_many_requests',
    'internal_error',
  ],
  run: json(201, record, { location: '/api/products/1' }),
}

export const getProduct: Operation = {
  id: 'getProduct',
  method: 'GET',
  path: '/products/{id}',
  tag: 'Product',
  summary: 'Get a Product',
  parameters: [id],
  success: {
    status: 200,
    description: 'The record.',
    mediaType: 'application/json',
    schema: detail,
    example: record,
  },
  problems: ['not_found', 'method_not_allowed', 'unrepresentable_value'],
  run: json(200, record),
}

export const updateProduct: Operation = {
  id: 'updateProduct',
  method: 'PATCH',
  path: '/products/{id}',
  tag: 'Product',
  summary: 'Update a Product',
  deprecated: true,
  parameters: [id],
  body: {
    mediaTypes: ['application/json', 'application/merge-patch+json'],
    required: false,
    schema: update,
    example: { price: '9.50' },
    limit: 1_048_576,
    timeout: 30_000,
  },
  success: {
    status: 200,
    description: 'The record.',
    mediaType: 'application/json',
    schema: detail,
    example: record,
  },
  problems: ['not_found', 'invalid_body'],
  run: json(200, record),
}

export const deleteProduct: Operation = {
  id: 'deleteProduct',
  method: 'DELETE',
  path: '/products/{id}',
  tag: 'Product',
  summary: 'Delete a Product',
  parameters: [id],
  success: { status: 204, description: 'It is gone.' },
  problems: ['not_found', 'still_referenced'],
  run: json(204, undefined),
}

export const samples: readonly Operation[] = [
  listProducts,
  createProduct,
  getProduct,
  updateProduct,
  deleteProduct,
]
