import { describe, expect, it } from 'vitest'
import { configureModel, type ModelConfig } from '../../../src/model/setup/configure.ts'
import { describeModels } from '../../../src/model/setup/describe.ts'
import { pureJoins } from '../../../src/model/setup/pure-joins.ts'

type Table = Parameters<typeof describeModels>[0][number]
type Facts = Table['fields'][number]

const capabilities = { exactText: true, literalContains: true, databaseDefaults: true }
const id: Facts = { name: 'id', kind: 'integer', hasDefault: true }
const to = (model: string, field: string) => ({ fields: [field], model, references: ['id'] })
const ends: readonly Table[] = ['Order', 'Tag'].map((name) => ({ name, fields: [id], primaryKey: ['id'] }))
const keys: readonly Facts[] = ['orderId', 'tagId'].map((name) => ({ name, kind: 'integer' }))
const foreignKeys = [to('Order', 'orderId'), to('Tag', 'tagId')]

const isPure = (
  more: readonly Facts[],
  {
    config = {},
    controlled = [],
    softDelete,
    ...table
  }: Partial<Table> & {
    readonly config?: ModelConfig
    readonly controlled?: readonly string[]
    readonly softDelete?: string
  } = {},
): boolean => {
  const join: Table = {
    ...{ name: 'OrderTag', fields: [...keys, ...more], primaryKey: ['orderId', 'tagId'], foreignKeys },
    ...table,
  }
  const models = describeModels([...ends, join], capabilities).map((model) =>
    model.name === 'OrderTag'
      ? { ...configureModel(model, config), ...(softDelete !== undefined && { softDelete }) }
      : model,
  )
  const modelConfig = { OrderTag: config }
  return pureJoins(models, { modelConfig, controlled: new Set(controlled) }).has('OrderTag')
}

const time = { kind: 'datetime', hasDefault: true } as const
const across = {
  primaryKey: ['id'],
  foreignKeys: [
    { ...to('Order', 'orderId'), across: [{ name: 'tags', fields: ['tagId'] }] },
    to('Tag', 'tagId'),
  ],
}

describe('a join table needs no permission of its own', () => {
  it.each<readonly [string, boolean]>([
    ['with two keys', isPure([])],
    ['with a key of its own', isPure([id], across)],
    ['with the time of its creation', isPure([{ name: 'createdAt', ...time }])],
    ['with the time that the ORM sets', isPure([{ name: 'at', kind: 'localdatetime', generated: true }])],
    [
      'with stamps',
      isPure(
        [
          { name: 'by', kind: 'text' },
          { name: 'at', kind: 'datetime' },
        ],
        {
          config: { stamps: { by: 'caller on create', at: 'now' } },
        },
      ),
    ],
    ['with options of another kind', isPure([], { config: { internal: true, description: 'Links.' } })],
    ['beside models with a controller', isPure([], { controlled: ['Order', 'Tag'] })],
  ])('%s', (_what, found) => {
    expect(found).toBe(true)
  })
})

describe('a join table keeps its permission', () => {
  it.each<readonly [string, boolean]>([
    ['with another column', isPure([{ name: 'weight', kind: 'integer', nullable: true }])],
    [
      'with another column that has a default',
      isPure([{ name: 'weight', kind: 'integer', hasDefault: true }]),
    ],
    ['with a time that clients set', isPure([{ name: 'until', kind: 'datetime', nullable: true }])],
    [
      'with a time that is the same for all',
      isPure([{ name: 'until', ...time, default: '2026-01-01T00:00:00Z' }]),
    ],
    ['with a key that clients send', isPure([{ ...id, hasDefault: false }], across)],
    [
      'with a third foreign key',
      isPure([{ name: 'byId', kind: 'integer' }], {
        foreignKeys: [...foreignKeys, to('Tag', 'byId')],
      }),
    ],
    ['with soft deletion', isPure([{ name: 'deletedAt', ...time }], { softDelete: 'deletedAt' })],
    ['if the ORM hides records', isPure([], { hidesRecords: true })],
    ['with a controller', isPure([], { controlled: ['OrderTag'] })],
    ['with operations', isPure([], { config: { operations: ['list'] } })],
    ['if it is public', isPure([], { config: { public: 'read' } })],
    ['if it is expressly not public', isPure([], { config: { public: false } })],
  ])('%s', (_what, found) => {
    expect(found).toBe(false)
  })
})
