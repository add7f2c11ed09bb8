import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { conditionOf } from '../../src/controller/scope.ts'
import { telling } from '../http/scope/cases.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
import { tableUnder } from '../structure/markdown-table.ts'

const page = readFileSync('docs/scope.md', 'utf8')

const order = modelOf('Order', [fieldNamed('tenantId', 'integer', 'number')])
const item = modelOf(
  'Item',
  [
    fieldNamed('tenantId', 'integer', 'number'),
    fieldNamed('draft', 'boolean', 'boolean'),
    fieldNamed('note', 'text', 'string', { nullable: true }),
  ],
  {
    relations: [
      {
        name: 'order',
        kind: 'to-one',
        model: 'Order',
        fields: ['orderId'],
        references: ['id'],
        inverse: 'x',
      },
    ],
  },
)

describe('docs/scope.md', () => {
  it('shows scopes that are some', () => {
    const scopes = tableUnder(page, 'Scope').map(([scope = '']) => scope.replaceAll('`', ''))
    const evaluated = scopes.map((scope) => new Function(`return ${scope}`)() as unknown)
    const is = (field: string, value: unknown) => ({ op: 'eq', field, value })
    expect(evaluated.map((scope) => conditionOf(scope, item, () => order))).toEqual([
      is('tenantId', 7),
      { op: 'and', conditions: [is('tenantId', 7), is('draft', false)] },
      { op: 'in', field: 'tenantId', values: [7, 8] },
      { op: 'is-null', field: 'note' },
      { op: 'related', relation: 'order', condition: is('tenantId', 7) },
      { op: 'or', conditions: [is('tenantId', 7), is('draft', false)] },
      { op: 'and', conditions: [] },
      { op: 'or', conditions: [] },
    ])
  })

  it('lists what a database must tell', () => {
    const listed = tableUnder(page, 'What the database still reveals').map(([what]) => what)
    expect(listed).toEqual(expect.arrayContaining([...new Set(telling.map(({ what }) => what))]))
  })
})
