import { describe, expect, it } from 'vitest'
import { configureModel, type ModelConfig } from '../../src/model/setup/configure.ts'
import { describeModels } from '../../src/model/setup/describe.ts'
import { configureRelations } from '../../src/model/setup/relation-config.ts'
import { assertIncludes, usableRelations } from '../../src/model/usable-relations.ts'
import { startError } from '../http/start-error.ts'

const columns = (...names: readonly string[]) => names.map((name) => ({ name, kind: 'integer' as const }))
const capabilities = { exactText: true, literalContains: true, databaseDefaults: true }
const to = (model: string, field: string) => ({ fields: [field], model, references: ['id'] })

const described = describeModels(
  [
    { name: 'Customer', fields: columns('id', 'code'), primaryKey: ['id'], uniques: [['code']] },
    {
      name: 'Order',
      fields: columns('id', 'customerId', 'code'),
      primaryKey: ['id'],
      foreignKeys: [
        to('Customer', 'customerId'),
        {
          fields: ['code'],
          model: 'Customer',
          references: ['code'],
          name: 'byCode',
          inverse: 'ordersByCode',
        },
      ],
    },
    { name: 'Tag', fields: columns('id'), primaryKey: ['id'] },
    {
      name: 'OrderTag',
      fields: columns('orderId', 'tagId'),
      primaryKey: ['orderId', 'tagId'],
      foreignKeys: [to('Order', 'orderId'), to('Tag', 'tagId')],
    },
  ],
  capabilities,
)

type Configs = Readonly<Record<string, ModelConfig>>

const servedWith = (modelConfig: Configs, unserved: readonly string[] = []) => {
  const models = configureRelations(described, modelConfig, new Set())
    .filter(({ name }) => !unserved.includes(name))
    .map((model) => configureModel(model, modelConfig[model.name]))
  return { models, served: (name: string) => models.find((model) => model.name === name) }
}

const usable = (name: string, modelConfig: Configs = {}, unserved: readonly string[] = []) => {
  const { models, served } = servedWith(modelConfig, unserved)
  const model = models.find((each) => each.name === name)
  return model && usableRelations(model, served).map((relation) => relation.name)
}

describe('clients can use', () => {
  const all = ['customer', 'byCode', 'orderTags', 'tags']

  it.each<[string, Configs, readonly string[], readonly string[]]>([
    ['every relation', {}, [], all],
    ['none to a model that is not served', {}, ['Customer'], ['orderTags', 'tags']],
    ['those through a table that is not served', {}, ['OrderTag'], ['customer', 'byCode', 'tags']],
    ['none that is closed', { Order: { relations: { customer: false } } }, [], all.slice(1)],
    [
      'none by its former name',
      { Order: { relations: { tags: 'labels' } } },
      [],
      [...all.slice(0, 3), 'labels'],
    ],
    ['none over a hidden field', { Order: { hidden: ['customerId'] } }, [], all.slice(1)],
    ['none over a write-only field', { Order: { writeOnly: ['code'] } }, [], ['customer', ...all.slice(2)]],
    ['none to a hidden field', { Customer: { hidden: ['code'] } }, [], ['customer', ...all.slice(2)]],
  ])('%s', (_what, modelConfig, unserved, names) => {
    expect(usable('Order', modelConfig, unserved)).toEqual(names)
  })

  it('a relation of which only the other side is closed', () => {
    const modelConfig = { Customer: { relations: { customerOrders: false } } } as const
    expect(usable('Customer', modelConfig)).toEqual(['ordersByCode'])
    expect(usable('Order', modelConfig)).toEqual(all)
  })
})

describe('a default include', () => {
  const assert = (modelConfig: Configs, unserved: readonly string[] = []) => {
    const { models } = servedWith(modelConfig, unserved)
    return () => assertIncludes(models, true)
  }

  it('may be of any depth', () => {
    expect(assert({ Order: { include: ['customer', 'tags.orders.customer'] } })).not.toThrow()
  })

  it('needs a source that can find related records', () => {
    const { models } = servedWith({ Order: { include: ['customer'] } })
    expect(() => assertIncludes(models, false)).toThrow(startError('Order.include', 'customer', 'none'))
  })

  it('has the new names of relations', () => {
    const relations = { Customer: { relations: { customerOrders: 'purchases' } } } as const
    expect(assert({ ...relations, Order: { include: ['customer.purchases'] } })).not.toThrow()
    const start = assert({ ...relations, Order: { include: ['customer.customerOrders'] } })
    expect(start).toThrow(startError('Order.include', 'Customer', 'customerOrders', 'purchases'))
  })

  it.each<[string, Configs, readonly string[], readonly string[]]>([
    ['what does not exist', { Order: { include: ['items'] } }, [], ['Order.include', 'items', 'customer']],
    ['a field', { Order: { include: ['customerId'] } }, [], ['Order.include', 'customerId', 'customer']],
    ['what is unknown further on', { Order: { include: ['tags.tag'] } }, [], ['Tag', 'tag', 'orders']],
    ['nothing', { Order: { include: [''] } }, [], ['Order.include', 'customer']],
    ['a path that ends with a dot', { Order: { include: ['tags.'] } }, [], ['Tag', 'orders']],
    ['one twice', { Order: { include: ['tags', 'tags'] } }, [], ['Order.include', 'tags']],
    [
      'what is closed',
      { Order: { include: ['customer'], relations: { customer: false } } },
      [],
      ['Order.include', 'customer', 'tags'],
    ],
    ['a model that is not served', { Order: { include: ['customer'] } }, ['Customer'], ['customer', 'tags']],
  ])('is refused with %s', (_what, modelConfig, unserved, names) => {
    expect(assert(modelConfig, unserved)).toThrow(startError(...names))
  })
})
