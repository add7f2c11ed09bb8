import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { isRecord } from '../../src/error/record.ts'
import type { Field } from '../../src/model/model.ts'
import { toOpenApi } from '../../src/openapi/document.ts'
import type { OpenApiDocument, OperationObject, ResponseObject } from '../../src/openapi/openapi-document.ts'
import type { Operation } from '../../src/operation/operation.ts'
import { jsonSchemasOf, type NamedSchema } from '../../src/schema/json-schema.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
import { lint } from './lint.ts'
import { getProduct } from './samples.ts'

const operationOf = (schema: NamedSchema, at: number): Operation => {
  const { example: _example, ...success } = getProduct.success
  return { ...getProduct, id: `get${at}`, path: `/${at}/{id}`, success: { ...success, schema } }
}
const documentOf = (schemas: readonly NamedSchema[]): OpenApiDocument =>
  toOpenApi(schemas.map(operationOf), { base: '' }, [])

type Definitions = ReadonlyMap<string, NamedSchema>
const prefix = '#/components/schemas/'

/** A schema with every reference replaced by what it refers to. */
const whole = (value: unknown, find: (name: string) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((inner) => whole(inner, find))
  if (!isRecord(value)) return value
  const ref = value['$ref']
  const { $ref: _ref, ...rest } = value
  const here = Object.entries(rest).map(([name, inner]) => [name, whole(inner, find)])
  return {
    ...Object.fromEntries(here),
    ...(typeof ref === 'string' && { of: find(ref.slice(prefix.length)) }),
  }
}

/** As the schema means it: a name is that of a schema that it uses, or that the one uses which refers to it. */
const meant = (named: NamedSchema, outer: Definitions = new Map()): unknown => {
  const known = new Map([...outer, ...(named.uses ?? []).map((used) => [used.name, used] as const)])
  return whole(named.schema, (name) => meant(known.get(name) ?? expect.unreachable(name), known))
}

const shownBy = ({ paths, components }: OpenApiDocument, at: number): unknown => {
  const schemas: Readonly<Record<string, unknown>> = components.schemas
  const find = (name: string): unknown => whole(schemas[name] ?? expect.unreachable(name), find)
  const operation = paths[`/${at}/{id}`]?.get as OperationObject
  const { content } = operation.responses['200'] as ResponseObject
  return Object(whole(content?.['application/json']?.schema, find)).of
}

const choice = (name: string, values: readonly string[]): Field =>
  fieldNamed(name, 'enum', 'string', { values, nullable: true })

test('every schema is shown as it is meant, whatever models and fields are called', () => {
  const words = ['Order', 'Item', 'Create', 'Update', 'List', 'Page', 'Detail', 'Form', 'Status', 'Enum', '2']
  const modelName = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('').replace(/^\d+/, 'N'))
  const fieldName = fc
    .tuple(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }), fc.constantFrom('', '_', '-'))
    .map(([parts, between]) => parts.join(between))
  const fields = fc
    .uniqueArray(fc.tuple(fieldName, fc.constantFrom('a', 'b', 'c')), {
      selector: ([name]) => name,
      maxLength: 4,
    })
    .map((pairs) => [
      fieldNamed('id', 'integer', 'number'),
      ...pairs.map(([name, value]) => choice(name, [value])),
    ])
  const models = fc.uniqueArray(fc.tuple(modelName, fields), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(models, (given) => {
      const schemas = given.flatMap(([name, own]) => {
        const { list, detail, create, update, replace } = jsonSchemasOf(modelOf(name, own))
        const page: NamedSchema = {
          name: `${name}Page`,
          schema: { type: 'array', items: { $ref: prefix + list.name } },
          uses: [list],
        }
        return [page, detail, create, update, replace]
      })
      const document = documentOf(schemas)
      expect(schemas.map((_, at) => shownBy(document, at))).toEqual(schemas.map((named) => meant(named)))
    }),
    { numRuns: 300 },
  )
})

test('a number that another schema has is passed over, and the first keeps its name', () => {
  const named = (name: string, type: string): NamedSchema => ({ name, schema: { type } })
  const { components } = documentOf([
    named('A', 'string'),
    named('A', 'number'),
    named('A', 'boolean'),
    named('A', 'string'),
    named('A2', 'null'),
  ])
  const { Problem: _problem, ProblemIssue: _issue, ...schemas } = components.schemas
  expect(schemas).toEqual({
    A: { type: 'string' },
    A3: { type: 'number' },
    A4: { type: 'boolean' },
    A2: { type: 'null' },
  })
})

test('the error schema keeps its name', () => {
  const document = documentOf([{ name: 'Problem', schema: { type: 'string' } }])
  expect(shownBy(document, 0)).toEqual({ type: 'string' })
  expect(Object.keys(document.components.schemas)).toEqual(['Problem', 'ProblemIssue', 'Problem2'])
})

test('definitions that refer to each other and to the whole keep doing so', () => {
  const definition: NamedSchema = {
    name: 'ACreatePage',
    schema: { type: 'object', properties: { next: { $ref: `${prefix}ACreateLeaf` } } },
  }
  const custom: NamedSchema = {
    name: 'ACreate',
    schema: { type: 'object', properties: { page: { $ref: `${prefix}ACreatePage` } } },
    uses: [definition, { name: 'ACreateLeaf', schema: { type: 'integer' } }],
  }
  const document = documentOf([{ name: 'ACreatePage', schema: { type: 'array' } }, custom])
  expect(shownBy(document, 1)).toEqual(meant(custom))
  expect(document.components.schemas).toHaveProperty('ACreatePage2')
})

test('an application whose enums have one name is documented', async () => {
  const orders = sqliteTable('orders', {
    id: integer().primaryKey(),
    item_status: text({ enum: ['new', 'sent'] }),
  })
  const orderItems = sqliteTable('order_items', {
    id: integer().primaryKey(),
    status: text({ enum: ['packed', 'lost'] }),
  })
  const database = new Database(':memory:')
  database.exec(
    'create table orders (id integer primary key, item_status text); create table order_items (id integer primary key, status text)',
  )
  const client = drizzle({ client: database })
  const rest = new ModelRest(fetchApp(), { models: drizzleModels(client, { shop: { orders, orderItems } }) })
  await rest.init()
  const document = rest.openapi() as OpenApiDocument
  const { OrderItemStatusEnum: first, OrderItemStatusEnum2: second } = document.components.schemas
  expect([first, second]).toMatchObject([{ enum: ['new', 'sent'] }, { enum: ['packed', 'lost'] }])
  expect(await lint(document)).toEqual([])
  await rest.close()
  database.close()
})
