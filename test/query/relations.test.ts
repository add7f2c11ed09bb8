import { describe, expect, it, test } from 'vitest'
import { type Condition, everything } from '../../src/query/ast.ts'
import { holds } from '../../src/query/evaluate.ts'
import { parseListRequest } from '../../src/query/list-query.ts'
import type { ListRules } from '../../src/query/settings.ts'
import { naming } from '../naming.ts'
import { evaluationOf, type Records, rulesOf } from './graph.ts'
import { encoded, refusal as refusalOf } from './read.ts'

const of = (relation: string, condition: Condition = everything): Condition => ({
  ...{ op: 'related', relation, condition },
})
const not = (condition: Condition): Condition => ({ op: 'not', condition })
const eq = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })
const gt = (field: string, value: unknown): Condition => ({ op: 'gt', field, value })
const has = (field: string, value: unknown): Condition => ({ op: 'contains', field, value })
const and = (...conditions: readonly Condition[]): Condition => ({ op: 'and', conditions })
const or = (...conditions: readonly Condition[]): Condition => ({ op: 'or', conditions })

const read = (query: string, more: Partial<ListRules> = {}) => parseListRequest(query, rulesOf('Order', more))
const refusal = (query: string, more: Partial<ListRules> = {}) => refusalOf(query, rulesOf('Order', more))

describe('a condition on a related record', () => {
  test.each<[string, Condition]>([
    ['customer.age=5', of('customer', eq('age', 5))],
    ['customer.data=null', of('customer', { op: 'is-null', field: 'data' })],
    ['items.product.name=lamp', of('items', of('product', has('name', 'lamp')))],
    ['tags.name==a,b', of('tags', { op: 'in', field: 'name', values: ['a', 'b'] })],
    ['parent.parent.id!=3', of('parent', of('parent', { op: 'ne', field: 'id', value: 3 }))],
    ['line.region==n', of('line', eq('region', 'n'))],
    ['items=null', not(of('items'))],
    ['items==null', not(of('items'))],
    ['items!=null', of('items')],
    ['customer=null', not(of('customer'))],
    ['parent.items=null', of('parent', not(of('items')))],
    ['!(items.price>10)', not(of('items', gt('price', 10)))],
    ['items(price>10)', of('items', gt('price', 10))],
    ['items((price>10))', of('items', gt('price', 10))],
    ['items(price>10&quantity=2)', of('items', and(gt('price', 10), eq('quantity', 2)))],
    ['items(price>10|quantity=2)', of('items', or(gt('price', 10), eq('quantity', 2)))],
    [
      'items(!(price>10|id=1)&product.name=x)',
      of('items', and(not(or(gt('price', 10), eq('id', 1))), of('product', has('name', 'x')))),
    ],
    [
      'children.items(price>1&product(name==a|id=2))',
      of('children', of('items', and(gt('price', 1), of('product', or(eq('name', 'a'), eq('id', 2)))))),
    ],
    ['items(price>1)&id=2', and(of('items', gt('price', 1)), eq('id', 2))],
    ['(items(price>1)|customer.age=1)', or(of('items', gt('price', 1)), of('customer', eq('age', 1)))],
    ['items(product=null)', of('items', not(of('product')))],
    ['items(order=x)', of('items', has('order', 'x'))],
    ['items(limit=x&a;b==")")', of('items', and(has('limit', 'x'), eq('a;b', ')')))],
    // The fields of the order precede relations.
    ['customer.name==x', eq('customer.name', 'x')],
    ['group(1==x', eq('group(1', 'x')],
    ['customer(name==x)', of('customer', eq('name', 'x'))],
  ])('%s', (text, expected) => {
    expect(read(encoded(text)).filter).toEqual(expected)
    if (!text.includes('&') && !text.startsWith('limit')) expect(read(text).filter).toEqual(expected)
    expect(read(`q=${encodeURIComponent(`(${text})`)}`).filter).toEqual(expected)
  })

  it('may contain & in a separate segment if it is encoded', () => {
    expect(read('items(price>10%26quantity=2)&id=1').filter).toEqual(
      and(of('items', and(gt('price', 10), eq('quantity', 2))), eq('id', 1)),
    )
  })
})

const records: Records = {
  Order: [
    { id: 1, customer_id: 1, parent_id: null, line_region: 'n', line_number: 1 },
    { id: 2, customer_id: 2, parent_id: 1, line_region: 'n', line_number: null },
    { id: 3, customer_id: null, parent_id: 2, line_region: null, line_number: null },
  ],
  Customer: [
    { id: 1, name: 'Ann', age: 5 },
    { id: 2, name: null, age: 6 },
  ],
  Item: [
    { id: 1, order_id: 1, price: 20, quantity: 1 },
    { id: 2, order_id: 1, price: 5, quantity: 2 },
    { id: 3, order_id: 2, price: 20, quantity: 2 },
  ],
  Line: [{ region: 'n', number: 1, name: 'x' }],
  Tag: [{ id: 1, name: 'red' }],
  OrderTag: [{ order_id: 2, tag_id: 1, rank: 7 }],
}

const found = (q: string): readonly unknown[] => {
  const { filter } = read(encoded(q))
  return (records['Order'] ?? [])
    .filter((row) => holds(filter, row, evaluationOf('Order', records)))
    .map(({ id }) => id)
}

describe('a record without a related record', () => {
  test.each<[string, readonly number[]]>([
    ['items.price>10&items.quantity=2', [1, 2]],
    ['items(price>10&quantity=2)', [2]],
    ['!(items.price>10)', [3]],
    ['items=null', [3]],
    ['items!=null', [1, 2]],
    ['customer.age!=5', [2]],
    ['!(customer.age=5)', [2, 3]],
    ['customer(name=null)', [2]],
    ['customer=null', [3]],
    ['parent.customer.age=5', [2]],
    ['line.name=x', [1]],
    ['line=null', [2, 3]],
    ['tags.name=red', [2]],
    ['order_tags.rank=7', [2]],
    ['tags=null', [1, 3]],
    ['children.items!=null', [1]],
  ])('%s finds %j', (q, ids) => {
    expect(found(q)).toEqual(ids)
  })
})

type Names = readonly (string | number)[]

describe('a name that is not a relation path', () => {
  test.each<[string, string, string, Names]>([
    ['customer.nam=x', 'unknown_field', 'customer.nam', ['"customer.nam"', 'customer.name', 'customer.age']],
    ['custmer.name=x', 'unknown_field', 'custmer.name', ['"custmer.name"', 'customer']],
    ['customer.secret=x', 'unknown_field', 'customer.secret', ['"customer.secret"', 'customer.age']],
    ['audit.name=x', 'unknown_field', 'audit.name', ['"audit.name"', 'customer']],
    ['audit=null', 'unknown_field', 'audit', ['audit', 'customer']],
    ['items.product.nme=x', 'unknown_field', 'items.product.nme', ['items.product.name']],
    ['customer.=x', 'unknown_field', 'customer.', ['customer.age']],
    ['.=x', 'unknown_field', '.', ['"."']],
    ['items.order.id=1', 'unknown_field', 'items.order.id', ['items.of']],
    [encoded('itms(price>1)'), 'unknown_field', 'q', ['itms', 'items']],
    [encoded('customer.itms(price>1)'), 'unknown_field', 'q', ['"customer.itms"', 'customer.orders']],
    [encoded('items(prise>1)'), 'unknown_field', 'q', ['prise', 'price']],
    [encoded('title(x=1)'), 'unknown_field', 'q', ['title', 'customer']],
    ['items=5', 'invalid_operator', 'items', ['items=', 'items=null', 'items!=null', 'items.id']],
    ['items="null"', 'invalid_operator', 'items', ['items=null']],
    ['items==null,5', 'invalid_operator', 'items', ['items=null']],
    ['items>null', 'invalid_operator', 'items', ['items=null']],
    ['customer.data=1', 'invalid_operator', 'customer.data', ['customer.data=', '=null']],
    ['customer.age=x', 'invalid_value', 'customer.age', ['customer.age=', 'x']],
    ['customer.age>null', 'invalid_value', 'customer.age', ['customer.age=null']],
    ['customer.age=', 'invalid_value', 'customer.age', ['customer.age=', 'customer.age=null']],
    [encoded('customer.name'), 'malformed_query', 'q', ['"customer.name"', '==']],
    [encoded('items()'), 'malformed_query', 'q', ['==']],
    [encoded('items(price>1'), 'malformed_query', 'q', ['%26']],
    ['items(price>1&quantity=2)', 'malformed_query', 'items', ['%26']],
    [encoded('items(price>1)x'), 'malformed_query', 'q', ['x', '&']],
    [encoded('!items(price>1)'), 'malformed_query', 'q', ['!(a=1)']],
    ['sort=customer.nam', 'unknown_field', 'sort', ['"customer.nam"', 'customer.name']],
    ['sort=-customer.age', 'unknown_field', 'sort', ['sort=customer.age&order=desc']],
    ['sort=audit.name', 'unknown_field', 'sort', ['"audit.name"', 'customer']],
    ['sort=customer', 'invalid_operator', 'sort', ['customer', 'customer.…']],
    ['sort=items.price', 'invalid_operator', 'sort', ['"items.price"', 'items', 'customer.…'].slice(1)],
    ['sort=customer.orders.id', 'invalid_operator', 'sort', ['orders']],
    ['sort=customer.data', 'invalid_operator', 'sort', ['customer.data', 'JSON']],
    ['sort=customer.age&sort=customer.age', 'malformed_query', 'sort', ['customer.age']],
  ])('%s', (query, code, parameter, names) => {
    const error = refusal(query)
    expect(error).toMatchObject({ status: 400, code, errors: [{ parameter }] })
    expect(error.detail).toMatch(naming(...names))
  })

  it('is answered in the same way, whether it is hidden, not served or not there', () => {
    const without = (names: readonly string[]): Partial<ListRules> => {
      const { model, relationsOf } = rulesOf('Order')
      const stripped = ({ fields, relations, ...rest }: typeof model) => ({
        ...rest,
        fields: fields.filter(({ name }) => !names.includes(name)),
        relations: relations.filter(({ name }) => !names.includes(name)),
      })
      const targets: ListRules['relationsOf'] = (from) =>
        new Map(
          [...relationsOf(from)].map(([name, { relation, target }]) => [
            name,
            { relation, target: stripped(target) },
          ]),
        )
      return { model: stripped(model), relationsOf: targets }
    }
    const answer = (query: string, more?: Partial<ListRules>) => {
      const { code, detail, errors } = refusal(query, more)
      return { code, detail, errors }
    }
    for (const [query, name] of [
      ['customer.secret=x', 'secret'],
      [encoded('customer(secret=x)'), 'secret'],
      ['sort=customer.secret', 'secret'],
      ['include=customer(fields=secret)', 'secret'],
      ['include=items(sort=secret)', 'secret'],
      ['include=items(q=product.secret=1)', 'secret'],
      ['audit=null', 'audit'],
      ['audit.name=x', 'audit'],
      [encoded('audit(name=x)'), 'audit'],
      ['sort=audit.name', 'audit'],
      ['include=audit', 'audit'],
    ] as const)
      expect(answer(query)).toEqual(answer(query, without([name])))
  })
})

describe('a sort key of a related record', () => {
  it('has the relations that lead to it, and is not the key of the model', () => {
    const { order } = read('sort=parent.customer.age&sort=line.region&sort=customer.id&order=desc')
    expect(order).toEqual([
      { field: 'age', direction: 'desc', via: [{ relation: 'parent' }, { relation: 'customer' }] },
      { field: 'region', direction: 'asc', via: [{ relation: 'line' }] },
      { field: 'id', direction: 'asc', via: [{ relation: 'customer' }] },
      { field: 'id', direction: 'asc' },
    ])
  })

  it('is not one that a row has a hidden field of the same name for', () => {
    const order = rulesOf('Order')
    const fields = order.model.fields.map((field) =>
      field.name === 'customer.name' ? { ...field, access: 'hidden' as const } : field,
    )
    const error = refusalOf('sort=customer.name', { ...order, model: { ...order.model, fields } })
    expect(error).toMatchObject({ code: 'unknown_field', errors: [{ parameter: 'sort' }] })
  })
})

describe('the models that a query string leads to', () => {
  it('are those of conditions, sort keys and includes, with join tables', () => {
    const { uses } = read(
      `customer.age=1&${encoded('items(product.name=x)&tags=null')}&sort=parent.line.name&include=items.product`,
    )
    expect(uses).toEqual([
      { parameter: 'customer.age', path: 'customer', model: 'Customer' },
      { parameter: 'q', path: 'items', model: 'Item' },
      { parameter: 'q', path: 'items.product', model: 'Product' },
      { parameter: 'q', path: 'tags', model: 'Tag' },
      { parameter: 'q', path: 'tags', model: 'OrderTag', from: 'Order' },
      { parameter: 'sort', path: 'parent', model: 'Order' },
      { parameter: 'sort', path: 'parent.line', model: 'Line' },
      { parameter: 'include', path: 'items', model: 'Item' },
      { parameter: 'include', path: 'items.product', model: 'Product' },
    ])
  })
})

describe('a limit', () => {
  const deep = (levels: number) => `${'parent.'.repeat(levels)}id=1`
  const isFine = (query: string, more?: Partial<ListRules>) => expect(() => read(query, more)).not.toThrow()
  const isLimited = (query: string, parameter: string, limit: number, more?: Partial<ListRules>) => {
    const error = refusal(query, more)
    expect(error).toMatchObject({ code: 'malformed_query', errors: [{ parameter }] })
    expect(error.detail).toMatch(naming(limit))
  }

  it('of depth counts relations like groups', () => {
    isFine(deep(10))
    isLimited(deep(11), deep(11).split('=')[0]?.slice(0, 60).concat('…') ?? '', 10)
    isFine(encoded(`(((((${deep(5)})))))`))
    isLimited(encoded(`((((((${deep(5)}))))))`), 'q', 10)
    isFine(encoded(`${'parent('.repeat(10)}id=1${')'.repeat(10)}`))
    isLimited(encoded(`${'parent('.repeat(11)}id=1${')'.repeat(11)}`), 'q', 10)
    isFine(`sort=${'parent.'.repeat(10)}id`)
    isLimited(`sort=${'parent.'.repeat(11)}id`, 'sort', 10)
  })

  it('of conditions counts each relation of a name, also in sort and include', () => {
    const conditions = (count: number) => Array.from({ length: count }, () => 'customer.age=1').join('&')
    isFine(conditions(25))
    isLimited(`${conditions(25)}&id=1`, 'id', 50)
    isLimited(`${conditions(24)}&sort=parent.parent.parent.id`, 'sort', 50)
    isFine(`${conditions(24)}&include=items(q=price=1%26quantity=1)`)
    isLimited(`${conditions(25)}&include=items(q=price=1)`, 'include', 50)
  })

  it('of to-many relations counts each subquery, wherever it stands', () => {
    const several = (count: number) => Array.from({ length: count }, (_, at) => `items.price=${at}`)
    const alternatives = (count: number) => encoded(`(${several(count).join('|')})`)
    isFine(several(4).join('&'))
    isLimited(several(5).join('&'), 'items.price', 4)
    isFine(alternatives(20))
    isFine(encoded(`!(${several(20).join('|')})`))
    isLimited(encoded(`!(${several(5).join('&')})`), 'q', 4)
    isFine(encoded(`(${several(20).join('|')})&tags=null&children!=null&items=null`))
    isLimited(`${alternatives(20)}&tags=null&children!=null&items=null&!(tags.id=1)&tags.id=2`, 'tags.id', 4)
    isFine(encoded('tags.orders.tags.orders.id=1'))
    isLimited(encoded('tags.orders.tags.orders.tags.id=1'), 'q', 4)
    isFine(`${several(3).join('&')}&include=children(q=tags.id=1)`)
    isLimited(`${several(3).join('&')}&include=children(q=tags.orders.id=1)`, 'include', 4)
    isFine(encoded(Array.from({ length: 20 }, () => 'customer.age=1').join('&')))
    isLimited('items=null&tags=null', 'tags', 1, { maxToMany: 1 })
  })

  it('of substrings counts those of related records', () => {
    isFine('items.product.name=x&title=x', { maxContains: 2 })
    isLimited('items.product.name=x&title=x', 'title', 1, { maxContains: 1 })
    isLimited('title=x&include=items.product,items(q=product.name=x)', 'include', 1, { maxContains: 1 })
  })
})
