import { readFileSync } from 'node:fs'
import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { action, type OpenApiDocument } from '../../src/index.ts'
import { operators } from '../../src/query/operators.ts'
import type { Vocabulary } from '../../src/schema/vocabulary.ts'
import { compile } from '../schema/ajv.ts'
import { onSqlite, softDelete } from './deleted/stage.ts'
import { onShop } from './relations/stage.ts'
import { startError } from './start-error.ts'

const schema = JSON.parse(readFileSync('docs/x-modelrest.schema.json', 'utf8'))
const validate = compile({ name: 'x-modelrest', schema })

const vocabularyIn = (document: OpenApiDocument): Vocabulary => {
  const said = document['x-modelrest'] ?? expect.unreachable('The document has no x-modelrest.')
  expect(validate(said), JSON.stringify(validate.errors)).toBe(true)
  return said
}

const signs = operators.map(({ sign }) => sign)

type Options = NonNullable<Parameters<typeof onShop>[0]>

const withShop = async (
  options: Options,
  hooks: Parameters<typeof onShop>[1],
  use: (shop: Awaited<ReturnType<typeof onShop>>, said: Vocabulary) => Promise<void>,
): Promise<void> => {
  const shop = await onShop(options, hooks)
  await use(shop, vocabularyIn(shop.api.rest.openapi())).finally(shop.stop)
}

const modelConfig = {
  Order: { write: ['order_items'], include: ['customer'], bulk: true, label: 'Sale', title: 'status' },
  Customer: { hidden: ['tenant'], writeOnly: ['secret'], label: { one: 'Kunde', many: 'Kunden' } },
} as NonNullable<Options['modelConfig']>

describe('x-modelrest', () => {
  it('says what people call records, their keys, kinds, relations and operations', () =>
    withShop(
      { modelConfig },
      { Order: { actions: { close: action({ on: 'record', run: () => undefined }) } } },
      async ({ api }, said) => {
        expect(said.models['Order']).toMatchObject({
          label: { one: 'Sale', many: 'Sales' },
          ...{ path: 'orders', key: ['id'], title: 'status', include: ['customer'], createsMany: true },
          fields: { id: 'integer', customer_id: 'integer', status: 'text' },
          operations: { list: 'listOrders', updateMany: 'updateManyOrders', aggregate: 'aggregateOrders' },
          relations: {
            customer: { model: 'Customer', kind: 'to-one', fields: ['customer_id'], references: ['id'] },
            order_items: { model: 'OrderItem', kind: 'to-many', write: true, list: expect.any(String) },
          },
          actions: { close: { operation: 'closeOrder', on: 'record', input: false } },
        })
        expect(said.models['OrderItem']).toMatchObject({ label: { one: 'Order item', many: 'Order items' } })
        const ids = new Set(api.rest.operations.map(({ id }) => id))
        const named = Object.values(said.models).flatMap(({ operations, relations, actions = {} }) => [
          ...Object.values(operations),
          ...Object.values(relations).flatMap(({ list, create }) => [list ?? [], create ?? []].flat()),
          ...Object.values(actions).map(({ operation }) => operation),
        ])
        expect(named.filter((id) => !ids.has(id))).toEqual([])
        const others = api.rest.operations.filter(({ id }) => !named.includes(id))
        expect(others.map(({ id }) => id)).toEqual(['getCustomerFile', 'getAccess'])
      },
    ))

  it('names operators that the fields have, and no others', () =>
    withShop({}, {}, async ({ api }, { models, operators: groups }) => {
      for (const { path, conditions, operations } of Object.values(models))
        for (const [group, fields] of Object.entries(conditions))
          for (const field of fields)
            for (const sign of signs) {
              const isTaken = groups[group]?.some((one) => one.sign === sign)
              const q = encodeURIComponent(`${field}${sign}zz`)
              const { json } = await api.get(`/${path}/?q=${q}`)
              const { code } = json as { readonly code?: string }
              const found = [path, field, sign, code !== 'invalid_operator']
              expect(found).toEqual([path, field, sign, isTaken === true && operations['list'] !== undefined])
            }
    }))

  it('is the example of its page', () => {
    const [, example = ''] = /```json\n(.+?)```/s.exec(readFileSync('docs/vocabulary.md', 'utf8')) ?? []
    expect(validate(JSON.parse(example)['x-modelrest']), JSON.stringify(validate.errors)).toBe(true)
  })

  it('is equal for all callers, and does not know what is hidden', () =>
    withShop({ modelConfig }, {}, async (_shop, said) => {
      expect(JSON.stringify(said)).not.toMatch(/tenant/)
      const { fields, conditions, sort, search } = said.models['Customer'] ?? expect.unreachable()
      expect(fields).toMatchObject({ secret: 'text', photo: 'image' })
      expect(JSON.stringify([conditions, sort, search])).not.toMatch(/secret/)
    }))

  it('says the trash and the version, and which field is which where clients can read it', async () => {
    const saidOf = async (config: object) => {
      const { send } = await onSqlite({ modelConfig: { Book: config } as never })
      const { json } = await send('GET', '/openapi.json')
      return vocabularyIn(json as never).models['Book']
    }
    expect(await saidOf({})).toMatchObject({ trash: true, deletedAt: softDelete })
    const hidden = await saidOf({ hidden: [softDelete] })
    expect(hidden).toMatchObject({ trash: true, operations: { restore: 'restoreBook' } })
    expect(JSON.stringify(hidden)).not.toContain(softDelete)
  })

  it('has the names of the envelope and the limits', () =>
    withShop({ envelope: { items: 'data', count: false } }, {}, async (_shop, said) => {
      expect(said.envelope).toEqual({ items: 'data', next: 'next' })
      expect(said.limits).toMatchObject({ pageSize: 100, maxPageSize: 1000, bulk: 1000 })
    }))

  it.each([
    [{ Order: { title: 'nothing' } }, ['Order.title', 'nothing']],
    [{ Customer: { title: 'photo' } }, ['Customer.title', 'photo']],
    [{ Customer: { title: 'name', hidden: ['name'] } }, ['Customer.title', 'name']],
    [{ Order: { label: '' } }, ['Order.label']],
    [{ Order: { label: { one: 'Box' } } }, ['Order.label']],
    [{ Order: { label: { one: 'Box', many: 'Boxes', few: 'x' } } }, ['Order.label']],
  ])('is refused: %j', async (config, words) => {
    await expect(onShop({ modelConfig: config as never })).rejects.toEqual(startError(...words))
  })

  it('says whether an action has a body', () =>
    withShop(
      {},
      {
        Order: {
          actions: {
            note: action({ on: 'record', input: type({ text: 'string' }), run: () => undefined }),
            sum: action({ on: 'collection', run: () => undefined }),
          },
        },
      },
      async (_shop, said) => {
        expect(said.models['Order']?.actions).toEqual({
          note: { operation: 'noteOrder', on: 'record', input: true },
          sum: { operation: 'sumOrders', on: 'collection', input: false },
        })
      },
    ))
})
