import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exampleOf } from '../../src/schema/example.ts'
import { jsonSchemasOf } from '../../src/schema/json-schema.ts'
import { schemaNames } from '../../src/schema/members.ts'
import { schemasOf } from '../../src/schema/zod.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
import { compile } from './ajv.ts'
import { fieldAndValue, kindsOfFields } from './any-field.ts'
import { product } from './model.ts'

test.each(schemaNames)('the example of %s fits its schema', (which) => {
  const example = exampleOf(product, which)
  const validate = compile(jsonSchemasOf(product)[which])
  expect(validate(example), JSON.stringify(validate.errors)).toBe(true)
  expect(schemasOf(product)[which].safeParse(example).success).toBe(true)
})

test.each(kindsOfFields)('an example of any %s fits its schema', (kind) => {
  fc.assert(
    fc.property(
      fieldAndValue(kind),
      fc.constantFrom('value', 'email', 'homepage', 'first_name', 'latitude', 'name', 'year'),
      ({ field }, name) => {
        const model = modelOf('Sample', [{ ...field, nullable: false, name }], { primaryKey: [name] })
        const validate = compile(jsonSchemasOf(model).create)
        expect(validate(exampleOf(model, 'create')), JSON.stringify(validate.errors)).toBe(true)
      },
    ),
  )
})

test('the default of a field that nobody can read is no example', () => {
  expect(exampleOf(product, 'create')).toMatchObject({ api_key: 'Example api key' })
})

test('examples look like what their names say', () => {
  const customer = modelOf('Customer', [
    fieldNamed('id', 'integer', 'number'),
    fieldNamed('name', 'text', 'string'),
    fieldNamed('workEmail', 'text', 'string', { maxLength: 255 }),
    fieldNamed('country', 'text', 'string', { maxLength: 2 }),
    fieldNamed('website_url', 'text', 'string', { maxLength: 10 }),
    fieldNamed('balance', 'decimal', 'string', { precision: 10, scale: 2 }),
    fieldNamed('active', 'boolean', 'boolean', { hasDefault: true, default: false }),
    fieldNamed('createdAt', 'datetime', 'date', { fractionDigits: 3 }),
  ])
  expect(exampleOf(customer, 'detail')).toEqual({
    id: 1,
    name: 'Ada Lovelace',
    workEmail: 'ada@example.com',
    country: 'GB',
    website_url: 'https://ex',
    balance: '9.90',
    active: false,
    createdAt: '2026-01-31T09:30:00.000Z',
  })
  expect(exampleOf(product, 'detail')).toMatchObject({
    name: 'Example product',
    in_stock: true,
    slug: 'example-product',
  })
})
