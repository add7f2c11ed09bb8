import { describe, expect, test } from 'vitest'
import { jsonSchemasOf } from '../../src/schema/json-schema.ts'
import { naming } from '../naming.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
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

  const withoutNul = { pattern: '^[^\\x00]*$' }

  test('of create', () => {
    expect(schemas.create.schema).toEqual({
      type: 'object',
      required: ['name', 'price', 'pin'],
      properties: {
        name: { type: 'string', maxLength: 100, ...withoutNul },
        price: {
          type: 'string',
          pattern: '^-?(?:0|[1-9]\\d{0,7})(?:\\.\\d{1,2})?$',
          description: expect.stringMatching(naming(8, 2)),
        },
        in_stock: { type: 'boolean', default: true },
        status: { anyOf: [{ $ref: '#/components/schemas/ProductStatusEnum' }, { type: 'null' }] },
        note: { type: ['string', 'null'], ...withoutNul },
        slug: { type: 'string', ...withoutNul },
        tags: { type: ['array', 'null'], items: { type: 'string', maxLength: 5, ...withoutNul } },
        api_key: { type: 'string', writeOnly: true, ...withoutNul },
        pin: { type: 'string', writeOnly: true, ...withoutNul },
      },
      additionalProperties: false,
    })
  })

  test('keep a nullable enum under a name, so that clients have it as a type', () => {
    expect(schemas.create.uses).toEqual([
      { name: 'ProductStatusEnum', schema: { type: 'string', enum: ['draft', 'live'] } },
    ])
  })

  test('let a body hold any JSON by a reference, and null where the column has none', () => {
    const details = fieldNamed('details', 'json', 'json', { nullable: true })
    const facts = fieldNamed('facts', 'json', 'json')
    const of = jsonSchemasOf(modelOf('Note', [details, facts]))
    const anyOf = [{ $ref: '#/components/schemas/AnyJson' }, { type: 'null' }]
    expect(of.update).toMatchObject({
      schema: { properties: { details: { anyOf }, facts: { anyOf, not: { type: 'null' } } } },
    })
    expect(of.update.uses?.map(({ name }) => name)).toEqual(['AnyJson', 'AnyJson'])
    expect(JSON.stringify(of.detail.schema)).not.toContain('AnyJson')
    expect(of.detail.uses).toEqual([])
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
