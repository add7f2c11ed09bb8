import { describe, expect, it } from 'vitest'
import { type Condition, everything } from '../../src/query/ast.ts'
import type { JsonComparison, JsonScalar, JsonStep } from '../../src/query/json-path.ts'
import type { ListRules } from '../../src/query/settings.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
import { encoded, filterOf, read } from './read.ts'
import { product } from './sample.ts'

const contains = (field: string, value: string): Condition => ({ op: 'contains', field, value })
const eq = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })

const inside = (path: readonly JsonStep[], is: JsonComparison, value: JsonScalar): Condition => ({
  ...{ op: 'json', field: 'data' },
  ...{ path, is, value },
})

describe('a condition', () => {
  it.each<[string, Condition]>([
    ['name=lamp', contains('name', 'lamp')],
    ['name=lamp shade ', contains('name', 'lamp shade ')],
    ['name=foo (bar)|x', contains('name', 'foo (bar)|x')],
    ['name=5" tv', contains('name', '5" tv')],
    ['name=a=b', contains('name', 'a=b')],
    ['name==lamp', eq('name', 'lamp')],
    ['name==', eq('name', '')],
    ['name==a,b,c', { op: 'in', field: 'name', values: ['a', 'b', 'c'] }],
    ['name=="a,b",c', { op: 'in', field: 'name', values: ['a,b', 'c'] }],
    ['name=a,b', contains('name', 'a,b')],
    ['name="a & b, \\"c\\" \\\\"', contains('name', 'a & b, "c" \\')],
    ['name="null"', contains('name', 'null')],
    ['name=="null"', eq('name', 'null')],
    ['note=null', { op: 'is-null', field: 'note' }],
    ['note==null', { op: 'is-null', field: 'note' }],
    ['note!=null', { op: 'is-not-null', field: 'note' }],
    ['note==a,null', { op: 'or', conditions: [eq('note', 'a'), { op: 'is-null', field: 'note' }] }],
    ['name!=lamp', { op: 'ne', field: 'name', value: 'lamp' }],
    ['name!=a,b', { op: 'not', condition: { op: 'in', field: 'name', values: ['a', 'b'] } }],
    ['name^=Lamp', { op: 'starts-with', field: 'name', value: 'Lamp' }],
    ['name^==a', { op: 'starts-with', field: 'name', value: '=a' }],
    ['name^="null"', { op: 'starts-with', field: 'name', value: 'null' }],
    ['name^=a,b|c', { op: 'starts-with', field: 'name', value: 'a,b|c' }],
    ['maker~=ACME', { op: 'equals-ignoring-case', field: 'maker', value: 'ACME' }],
    ['data.color==red', inside(['color'], 'eq', 'red')],
    ['data.size>=10', inside(['size'], 'ge', 10)],
    ['data.0.a=-1.5e3', inside([0, 'a'], 'matches', -1500)],
    ['data."0"==01', inside(['0'], 'eq', '01')],
    ['data."a.b=c&d)"."$"=true', inside(['a.b=c&d)', '$'], 'matches', true)],
    ['data.a=="true"', inside(['a'], 'eq', 'true')],
    ['data.a<"5"', inside(['a'], 'lt', '5')],
    ['data.a==', inside(['a'], 'eq', '')],
    ['data.a=null', { op: 'json-null', field: 'data', path: ['a'] }],
    ['data.a!=null', { op: 'not', condition: { op: 'json-null', field: 'data', path: ['a'] } }],
    ['data.a!=1', { op: 'not', condition: inside(['a'], 'eq', 1) }],
    [
      'data.a==1,x,null',
      {
        op: 'or',
        conditions: [
          inside(['a'], 'eq', 1),
          inside(['a'], 'eq', 'x'),
          { op: 'json-null', field: 'data', path: ['a'] },
        ],
      },
    ],
    ['price>10', { op: 'gt', field: 'price', value: '10.00' }],
    ['price>=9.9', { op: 'ge', field: 'price', value: '9.90' }],
    ['price<10', { op: 'lt', field: 'price', value: '10.00' }],
    ['price<=10', { op: 'le', field: 'price', value: '10.00' }],
    ['price=10', eq('price', '10.00')],
    ['in_stock=true', eq('in_stock', true)],
    ['status=live', eq('status', 'live')],
    ['maker=acme', eq('maker', 'acme')],
    ['code=0B5F3F0E-0000-4000-8000-00000000000A', eq('code', '0b5f3f0e-0000-4000-8000-00000000000a')],
    ['address=10.0.0.1', eq('address', '10.0.0.1')],
    ['thumb=AAE=', eq('thumb', Buffer.from([0, 1]))],
    ['opens>=09:30:00', { op: 'ge', field: 'opens', value: '09:30:00' }],
    ['day<2024-02-29', { op: 'lt', field: 'day', value: '2024-02-29' }],
    ['weight=1e-3', eq('weight', 0.001)],
    ['tags!=null', { op: 'is-not-null', field: 'tags' }],
    ['data==null,null', { op: 'is-null', field: 'data' }],
    ['name=""', contains('name', '')],
    ['name>a,b', { op: 'gt', field: 'name', value: 'a,b' }],
    ['name!=', { op: 'ne', field: 'name', value: '' }],
    ['name==a,', { op: 'in', field: 'name', values: ['a', ''] }],
    ['name== a , b ', { op: 'in', field: 'name', values: [' a ', ' b '] }],
    ['name==null,"null"', { op: 'or', conditions: [eq('name', 'null'), { op: 'is-null', field: 'name' }] }],
    [
      'note!=a,null',
      {
        op: 'not',
        condition: { op: 'or', conditions: [eq('note', 'a'), { op: 'is-null', field: 'note' }] },
      },
    ],
    ['((name=a))', contains('name', 'a')],
    ['!((id=1|id=2))', { op: 'not', condition: { op: 'or', conditions: [eq('id', 1), eq('id', 2)] } }],
    ['(name=foo (bar)', contains('name', 'foo (bar')],
    ['stock=9223372036854775807', eq('stock', 9223372036854775807n)],
    ['released>2026-01-31', { op: 'gt', field: 'released', value: new Date('2026-01-31T00:00:00Z') }],
    ['data=null', { op: 'is-null', field: 'data' }],
    [
      '(name=a|price>2)',
      { op: 'or', conditions: [contains('name', 'a'), { op: 'gt', field: 'price', value: '2.00' }] },
    ],
    ['!(id=3)', { op: 'not', condition: eq('id', 3) }],
    ['(name="a)|b")', contains('name', 'a)|b')],
    [
      '(id=1|id=2&name=x)&!(id=3)',
      {
        op: 'and',
        conditions: [
          {
            op: 'or',
            conditions: [eq('id', 1), { op: 'and', conditions: [eq('id', 2), contains('name', 'x')] }],
          },
          { op: 'not', condition: eq('id', 3) },
        ],
      },
    ],
  ])('%s', (q, condition) => {
    expect(filterOf(encoded(q))).toEqual(condition)
  })

  it('means the same however it is written', () => {
    const both: Condition = {
      op: 'and',
      conditions: [eq('in_stock', true), { op: 'gt', field: 'price', value: '10.00' }],
    }
    for (const query of [
      'q=in_stock=true&price>10',
      'q=in_stock%3Dtrue%26price%3E10',
      'in_stock=true&price%3E10',
      'q=in_stock=true&q=price>10',
      '&in_stock=true&&q=price%3E10%26&q=',
    ]) {
      expect(filterOf(query)).toEqual(both)
    }
  })

  it('is text that is compared as a whole where it is a key', () => {
    const model = { ...product, primaryKey: ['name'] }
    expect(read('name=lamp', { model }).selection.filter).toEqual(eq('name', 'lamp'))
    expect(read('name="lamp"', { model }).selection.filter).toEqual(eq('name', 'lamp'))
  })

  it('is about the longest name that a field has', () => {
    const model = modelOf('Price', [
      ...['price', 'price~', 'limit'].map((name) => fieldNamed(name, 'text', 'string')),
    ])
    const readAs = (query: string) => read(query, { model }).selection.filter
    expect(readAs('price~=a')).toEqual(contains('price~', 'a'))
    expect(readAs('price~~=a')).toEqual({ op: 'equals-ignoring-case', field: 'price~', value: 'a' })
    expect(readAs('price^=a')).toEqual({ op: 'starts-with', field: 'price', value: 'a' })
    expect(readAs('q=limit^=a')).toEqual({ op: 'starts-with', field: 'limit', value: 'a' })
  })

  it('is about a field, then a relation, then what is inside JSON', () => {
    const target = modelOf('Target', [fieldNamed('b', 'integer', 'number')])
    const json = (name: string) => fieldNamed(name, 'json', 'json', { jsonPaths: true })
    const model = modelOf('Model', [json('a'), json('a.b'), json('r'), fieldNamed('a.c', 'text', 'string')], {
      relations: [
        { name: 'r', kind: 'to-one', model: 'Target', fields: ['a.c'], references: ['b'], inverse: 'x' },
      ],
    })
    const relationsOf: ListRules['relationsOf'] = ({ relations }) =>
      new Map(relations.map((relation) => [relation.name, { relation, target }]))
    const readAs = (query: string) => read(query, { model, relationsOf }).selection.filter
    const path = (field: string, ...steps: readonly JsonStep[]): Condition => ({
      ...{ op: 'json', field, is: 'eq', value: 1 },
      path: steps,
    })
    expect(readAs('a.c==1')).toEqual(eq('a.c', '1'))
    expect(readAs('a.b.c==1')).toEqual(path('a.b', 'c'))
    expect(readAs('a.d.c==1')).toEqual(path('a', 'd', 'c'))
    expect(readAs('a."b".c==1')).toEqual(path('a', 'b', 'c'))
    expect(readAs('r.b==1')).toEqual({ op: 'related', relation: 'r', condition: eq('b', 1) })
    expect(() => readAs('r.c==1')).toThrow()
  })

  it('may be missing', () => {
    for (const query of ['', '&', '&&', 'q', 'q=', 'q=&q=', 'q=%26', 'q=%26%26', 'limit=5']) {
      expect(filterOf(query)).toBe(everything)
    }
  })

  it('is frozen, with all that it is made of', () => {
    const filter = filterOf(encoded('(id==1,2|!(name=a&note==b,null))&price>1'))
    const isFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isFrozen))
    expect(isFrozen(filter)).toBe(true)
  })

  it('is one segment where it is no q', () => {
    expect(filterOf('name=a%26b')).toEqual(contains('name', 'a&b'))
    expect(filterOf('name=a+b%2Bc')).toEqual(contains('name', 'a b+c'))
    expect(filterOf('name=a%2526b')).toEqual(contains('name', 'a%26b'))
    expect(filterOf('name=a+T1')).toEqual(contains('name', 'a T1'))
    expect(filterOf('name=%F0%9F%98%80%C3%A9')).toEqual(contains('name', '😀é'))
  })

  it('keeps the plus of an offset, typed as it is or encoded', () => {
    const instant: Condition = { op: 'ge', field: 'released', value: new Date('2023-12-31T22:00:00Z') }
    expect(filterOf('released>=2024-01-01T00:00:00+02:00')).toEqual(instant)
    expect(filterOf('q=released>=2024-01-01T00:00:00.0+02:00')).toEqual(instant)
    expect(filterOf('released%3E%3D2024-01-01T00%3A00%3A00%2B02%3A00')).toEqual(instant)
    expect(filterOf('q=released%3E%3D2024-01-01T00%3A00%3A00+02%3A00')).toEqual(instant)
    expect(filterOf(encoded('(released>=2024-01-01T00:00:00+02:00)'))).toEqual(instant)
    expect(filterOf('released==2024-01-01,2024-01-01T00:00:00+02:00')).toMatchObject({ op: 'in' })
  })

  it('reaches a field that is named like a parameter inside q', () => {
    expect(filterOf('q=limit%3E5')).toEqual({ op: 'gt', field: 'limit', value: 5 })
  })
})
