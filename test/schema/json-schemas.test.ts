import { describe, expect, test } from 'vitest'
import { jsonSchemasOf } from '../../src/schema/json-schemas.ts'
import { compile } from './ajv.ts'
import { product } from './model.ts'

const schemas = jsonSchemasOf(product)

describe('the JSON Schemas of a model', () => {
  test('have flat names with a suffix', () => {
    expect(Object.values(schemas).map(({ name }) => name)).toEqual([
      'ProductList',
      'ProductDetail',
      'ProductCreate',
      'ProductUpdate',
      'ProductReplace',
    ])
  })

  test('of create', () => {
    expect(schemas.create.schema).toEqual({
      type: 'object',
      required: ['name', 'price', 'pin'],
      properties: {
        name: { type: 'string', maxLength: 100 },
        price: {
          type: 'string',
          pattern: '^-?(?:0|[1-9]\\d{0,7})(?:\\.\\d{1,2})?$',
          description: 'A decimal number with at most 8 digits before the point, 2 after it, as a string.',
        },
        in_stock: { type: 'boolean', default: true },
        status: { anyOf: [{ $ref: '#/components/schemas/ProductStatusEnum' }, { type: 'null' }] },
        note: { type: ['string', 'null'] },
        slug: { type: 'string' },
        tags: { type: ['array', 'null'], items: { type: 'string', maxLength: 5 } },
        api_key: { type: 'string', writeOnly: true },
        pin: { type: 'string', writeOnly: true },
      },
      additionalProperties: false,
    })
  })

  test('keep a nullable enum under a name, so that clients have it as a type', () => {
    expect(schemas.create.uses).toEqual([
      { name: 'ProductStatusEnum', schema: { type: 'string', enum: ['draft', 'live'] } },
    ])
  })

  test('of update ask for nothing and have no default', () => {
    expect(schemas.update.schema).not.toHaveProperty('required')
    expect(JSON.stringify(schemas.update.schema)).not.toContain('default')
    expect(schemas.update.schema['additionalProperties']).toBe(false)
  })

  test('of replace leave out what cannot be read', () => {
    expect(schemas.replace.schema['required']).toEqual(['name', 'price'])
    expect(schemas.replace.schema).toHaveProperty('properties.in_stock.default', true)
  })

  test('of replies are open, complete, and mark what cannot be written', () => {
    const { schema } = schemas.detail
    const properties = Object(schema['properties']) as Record<string, { readOnly?: boolean }>
    expect(schema['required']).toEqual(Object.keys(properties))
    expect(schema['additionalProperties']).toBe(true)
    expect(Object.keys(properties).filter((name) => properties[name]?.readOnly)).toEqual([
      'id',
      'search',
      'created_at',
    ])
    expect(JSON.stringify(schemas)).not.toContain('internal')
    expect(JSON.stringify(schemas.detail)).not.toMatch(/api_key|default/)
  })

  test('are valid to a validator in its strictest mode', () => {
    for (const schema of Object.values(schemas)) expect(compile(schema)).toBeTypeOf('function')
  })

  test('are made when they are asked for, and once', () => {
    expect(jsonSchemasOf(product)).toBe(schemas)
    expect(schemas.create.schema).toBe(schemas.create.schema)
  })

  test('show a constant default as it is sent', () => {
    const [id, , price] = product.fields
    const model = {
      ...product,
      fields: [id, { ...price, default: 5, hasDefault: true }].filter((field) => field !== undefined),
    }
    expect(jsonSchemasOf(model as typeof product).create.schema).toHaveProperty(
      'properties.price.default',
      '5.00',
    )
  })
})
