import { describe, expect, it } from 'vitest'
import type { ListRules } from '../../src/query/settings.ts'
import { naming } from '../naming.ts'
import { encoded, filterOf, read, refusal } from './read.ts'
import { rules } from './sample.ts'

type Names = readonly (string | number)[]

/** Query, code, parameter, what the detail names, and the code of the entry in `errors` where it is another one. */
type Refusal = [query: string, code: string, parameter: string, names: Names, issue?: string]

const operators: Names = ['==', '!=', '>=', '<=']
const ofAnyList: Names = ['q', 'search', 'sort', 'order', 'fields', 'include', 'count']
/** It is one of those allowed, and stands before them as well. */
const suggested = (name: string): Names => [name, name]

const pageMode: Partial<ListRules> = { paging: ['page-number'], perPage: 25 }

const check = ([query, code, parameter, names, issue = code]: Refusal, more?: Partial<ListRules>): void => {
  const error = refusal(query, more)
  expect(error).toMatchObject({
    status: 400,
    code,
    errors: [{ parameter, code: issue, detail: error.detail }],
  })
  expect(error.detail).toMatch(naming(...names))
}

describe('alternatives outside of a group', () => {
  it.each<Refusal>([
    [encoded('name=a|name=b'), 'malformed_query', 'q', ['(name=a|name=b)']],
    [encoded('name==a || price>5'), 'malformed_query', 'q', ['(name==a|price>5)']],
    [encoded('id=1&name!=a|(price=1|id=2)'), 'malformed_query', 'q', ['(name!=a|(price=1|id=2))']],
    [encoded('name==x,a|name==b'), 'malformed_query', 'q', ['(name==x,a|name==b)']],
    ['name=a|name=b', 'malformed_query', 'name', ['(name=a|name=b)']],
    ['price=1|price=2', 'malformed_query', 'price', ['(price=1|price=2)']],
    ['data.a=x|data.b=y', 'malformed_query', 'data.a', ['(data.a=x|data.b=y)']],
  ])('%s', (...row) => check(row))

  it('is a text, if no condition follows, or in quotes', () => {
    for (const query of [
      'name=a|b',
      'name=a|colour=b',
      'name="a|name=b"',
      '(name=a|name=b)',
      encoded('name=a|b'),
    ])
      expect(() => read(query)).not.toThrow()
  })
})

describe('a field that is not there', () => {
  it.each<Refusal>([
    ['colour=red', 'unknown_field', 'colour', ['colour', 'name', 'price']],
    ['ofset=5', 'unknown_field', 'ofset', ['ofset', ...suggested('offset')]],
    ['Price>5', 'unknown_field', 'Price', ['Price', ...suggested('price')]],
    [encoded('colour=red'), 'unknown_field', 'q', ['colour', 'name', 'price']],
    [encoded('(id=1|colour=red)'), 'unknown_field', 'q', ['colour', 'price']],
    [encoded('id=1& price>1'), 'unknown_field', 'q', ['" price"', 'price', ...suggested('price')]],
    [encoded('maker.name=x'), 'unknown_field', 'q', ['"maker.name"', 'price']],
    [encoded('=5'), 'unknown_field', 'q', ['""', 'price']],
    ['__proto__=1', 'unknown_field', '__proto__', ['__proto__', 'price']],
    ['constructor>1', 'unknown_field', 'constructor', ['constructor', 'price']],
    ['password=x', 'unknown_field', 'password', ['password', 'price']],
    ['internal=x', 'unknown_field', 'internal', ['internal', 'price']],
    ['sort=password', 'unknown_field', 'sort', ['sort', 'password', 'price']],
    ['sort=-price', 'unknown_field', 'sort', ['sort', '"-price"', 'sort=price&order=desc']],
    ['sort=%2Bprice', 'unknown_field', 'sort', ['"+price"', 'sort=price&order=asc']],
    ['sort=+price', 'unknown_field', 'sort', ['" price"', 'sort=price&order=asc']],
    ['sort=price+DESC', 'unknown_field', 'sort', ['"price DESC"', 'sort=price&order=desc']],
    ['sort=price:asc', 'unknown_field', 'sort', ['"price:asc"', 'sort=price&order=asc']],
    ['sort=price.desc', 'unknown_field', 'sort', ['"price.desc"', 'sort=price&order=desc']],
    [
      'sort=name,-price',
      'unknown_field',
      'sort',
      ['"name,-price"', 'sort=name&order=asc&sort=price&order=desc'],
    ],
    [
      'sort=name&order=desc&sort=-price',
      'unknown_field',
      'sort',
      ['"-price"', 'sort=name&order=desc&sort=price&order=desc'],
    ],
    [`sort=${'-price,'.repeat(9)}name`, 'unknown_field', 'sort', ['sort', 'name', 'price']],
    ['sort=-prise', 'unknown_field', 'sort', ['"-prise"', ...suggested('price')]],
    ['sort=-password', 'unknown_field', 'sort', ['"-password"', 'name', 'price']],
    ['sort=', 'unknown_field', 'sort', ['sort', '""', 'price']],
  ])('%s', (...row) => check(row))

  it.each(['x', '😀', 'a😀'])('is named in few characters, however long it is: %s', (character) => {
    const long = character.repeat(400)
    for (const query of [
      `${long}=1`,
      `sort=${long}`,
      `id=${long}`,
      `limit=${long}`,
      encoded(`(id=1)${long}`),
    ]) {
      const { detail, errors } = refusal(query)
      expect(detail).toContain(`${[...long].slice(0, 50).join('')}`)
      expect(detail).not.toContain([...long].slice(0, 61).join(''))
      expect(`${detail} ${errors[0]?.parameter}`).not.toMatch(/\p{Surrogate}|\\ud/u)
      expect([...(errors[0]?.parameter ?? '')].length).toBeLessThan(62)
    }
  })
})

describe('a condition that cannot be read', () => {
  it.each<Refusal>([
    ['price', 'malformed_query', 'price', ['price', ...operators, '=', '>', '<']],
    ['price!5', 'malformed_query', 'price', ['price', ...operators]],
    [encoded('price'), 'malformed_query', 'q', ['price', ...operators]],
    [encoded('id=1&foo&id=2'), 'malformed_query', 'q', ['foo', ...operators]],
    [encoded('!id=1'), 'malformed_query', 'q', ['!"id=1"', '!(a=1)', '!=']],
    [encoded('!!(id=1)'), 'malformed_query', 'q', ['!(a=1)', '!=']],
    ['name=%zz', 'malformed_query', 'name', ['name', 'UTF-8', '%25']],
    ['name=%ff', 'malformed_query', 'name', ['%25']],
    ['name=%ed%a0%80', 'malformed_query', 'name', ['%25']],
    ['name=%c0%80', 'malformed_query', 'name', ['%25']],
    ['limit=%', 'malformed_query', 'limit', ['%25']],
    ['%=1', 'malformed_query', '%', ['%25']],
    ['=%', 'malformed_query', 'q', ['%25']],
  ])('%s', (...row) => check(row))
})

describe('an operator that the field does not have', () => {
  it.each<Refusal>([
    ['in_stock>true', 'invalid_operator', 'in_stock', ['in_stock>', '=', '==', '!=']],
    ['status>=live', 'invalid_operator', 'status', ['status', '=', '==', '!=']],
    ['code<1', 'invalid_operator', 'code', ['code', '=', '==', '!=']],
    ['thumb>AA==', 'invalid_operator', 'thumb', ['thumb', '=', '==', '!=']],
    ['address>a', 'invalid_operator', 'address', ['address', '=', '==', '!=']],
    ['data=1', 'invalid_operator', 'data', ['data=', 'JSON', '=null', '!=null']],
    ['data="null"', 'invalid_operator', 'data', ['data', '=null', '!=null']],
    ['data==null,1', 'invalid_operator', 'data', ['data', '=null', '!=null']],
    ['data>null', 'invalid_operator', 'data', ['data', '=null', '!=null']],
    ['tags==a', 'invalid_operator', 'tags', ['tags', '=null', '!=null']],
    ['sort=data', 'invalid_operator', 'sort', ['sort', 'data', 'id', 'price']],
    ['price^=1', 'invalid_operator', 'price', ['price^=', '=', '==', '!=', '>']],
    ['status~=live', 'invalid_operator', 'status', ['status~=', '=', '==', '!=']],
    ['data^=a', 'invalid_operator', 'data', ['data^=', '=null', '!=null']],
    ['data.a^=a', 'invalid_operator', 'data.a', ['data.a^=', '=', '==', '!=']],
    ['sort=data.a', 'unknown_field', 'sort', ['data.a']],
    ['data.a=1&sort=data.a', 'unknown_field', 'sort', ['data.a']],
    ['tags.0=a', 'unknown_field', 'tags.0', ['tags.0']],
    ['internal.a=1', 'unknown_field', 'internal.a', ['internal.a']],
    ['data.=1', 'malformed_query', 'data.', ['data.color']],
    ['data..a=1', 'malformed_query', 'data..a', ['data.color']],
    ['data."a=1', 'malformed_query', 'data."a', []],
    ['data."a\\"=1', 'malformed_query', 'data."a\\"', []],
    ['data."a%00"=1', 'malformed_query', 'data."a\0"', []],
    ['data."a"b=1', 'malformed_query', 'data."a"b', []],
    ['data.4294967296=1', 'malformed_query', 'data.4294967296', []],
  ])('%s', (...row) => check(row))
})

describe('a path inside JSON', () => {
  it('counts as often as the text that is searched there', () => {
    const query = encoded(`data.a="${'x'.repeat(101)}"`)
    expect(read(query, { maxContains: 3 }).selection.filter).toMatchObject({ op: 'json' })
    expect(refusal(query, { maxContains: 2 }).code).toBe('malformed_query')
    expect(refusal(encoded('data.a=1&data.b==x&data.c>1'), { maxContains: 2 }).code).toBe('malformed_query')
  })

  it('has as many steps as queries are deep', () => {
    const asked = (steps: number) => encoded(`data${'.0'.repeat(steps)}=1`)
    expect(filterOf(asked(rules.maxDepth))).toMatchObject({ op: 'json' })
    expect(refusal(asked(rules.maxDepth + 1)).code).toBe('malformed_query')
  })

  it('has no key that a database could not quote', () => {
    for (const key of ['', 'a\\', '\\"', 'a\n', '\u0085'])
      expect(refusal(encoded(`data."${key}"=1`)).code).toBe('malformed_query')
  })
})

describe('a value that the field does not have', () => {
  it.each<Refusal>([
    ['price=', 'invalid_value', 'price', ['price=', 'price=null']],
    ['data.a=', 'invalid_value', 'data.a', ['data.a=', 'data.a==', 'data.a=null']],
    ['data.a>true', 'invalid_value', 'data.a', ['data.a>true']],
    ['data.a<null', 'invalid_value', 'data.a', ['data.a<null']],
    ['data.a=1e999', 'invalid_value', 'data.a', ['data.a=', '1e999'], 'out_of_range'],
    ['data.a="%00"', 'invalid_value', 'data.a', ['data.a='], 'invalid_format'],
    ['name^=', 'invalid_value', 'name', ['name^=', 'name==', 'name=null']],
    ['name~=""', 'invalid_value', 'name', ['name~=', 'name==', 'name=null']],
    ['name^=null', 'invalid_value', 'name', ['name^=', 'name=null', '"null"']],
    ['name=', 'invalid_value', 'name', ['name=', 'name=null', 'name==']],
    ['name>', 'invalid_value', 'name', ['name>']],
    [encoded('(name=|id=1)'), 'invalid_value', 'q', ['name=', 'name==']],
    ['id==', 'invalid_value', 'id', ['id==', '""'], 'invalid_format'],
    ['id==1,', 'invalid_value', 'id', ['id==', '""'], 'invalid_format'],
    ['id=1,2', 'invalid_value', 'id', ['id=', '"1,2"'], 'invalid_format'],
    ['id=9007199254740992', 'invalid_value', 'id', ['id=', 9007199254740991], 'out_of_range'],
    ['id= 1', 'invalid_value', 'id', ['id=', '" 1"'], 'invalid_format'],
    ['price>cheap', 'invalid_value', 'price', ['price>', 8, 2, 'cheap'], 'invalid_format'],
    ['price>1.234', 'invalid_value', 'price', ['price>', 8, 2, '1.234'], 'out_of_range'],
    ['price>null', 'invalid_value', 'price', ['price>null', 'price=null', 'price!=null']],
    ['name<null', 'invalid_value', 'name', ['name<null', 'name=null', 'name!=null']],
    ['in_stock=yes', 'invalid_value', 'in_stock', ['in_stock=', 'true', 'false', 'yes'], 'invalid_format'],
    ['in_stock=TRUE', 'invalid_value', 'in_stock', ['in_stock=', 'true', 'false', 'TRUE'], 'invalid_format'],
    ['status!=gone', 'invalid_value', 'status', ['status!=', 'draft', 'live', 'gone'], 'not_in_enum'],
    ['code=1', 'invalid_value', 'code', ['code=', 'UUID', 1], 'invalid_format'],
    ['released>yesterday', 'invalid_value', 'released', ['released>', 'yesterday'], 'invalid_format'],
    [
      'released>2024-01-01T00:00:00%2002:00',
      'invalid_value',
      'released',
      ['released>', '2024-01-01T00:00:00 02:00'],
      'invalid_format',
    ],
    ['name=%00', 'invalid_value', 'name', ['name=', 'U+0000'], 'invalid_format'],
    ['name=%22%00%22', 'invalid_value', 'name', ['name=', 'U+0000'], 'invalid_format'],
  ])('%s', (...row) => check(row))
})

describe('a quoted value', () => {
  const cut = ['name', '&', '%26']
  it.each<Refusal>([
    ['q=name="a&b"', 'malformed_query', 'q', cut],
    ['name="a & b"', 'malformed_query', 'name', cut],
    ['name==a,"b&c"', 'malformed_query', 'name', cut],
    [encoded('name="'), 'malformed_query', 'q', cut],
    [encoded('name="a\\'), 'malformed_query', 'q', cut],
    [encoded('name="a\\"'), 'malformed_query', 'q', cut],
    [encoded('(name="a)'), 'malformed_query', 'q', cut],
    [encoded('name="a" b'), 'malformed_query', 'q', ['name=', '" b"', '\\"']],
    [encoded('name=="a"b,c'), 'malformed_query', 'q', ['name==', 'b', '\\"']],
    [encoded('name="C:\\temp"'), 'malformed_query', 'q', ['name=', '\\\\']],
  ])('%s', (...row) => check(row))
})

describe('a group', () => {
  const open = ['&', '%26']
  const deep = (depth: number) => `${'('.repeat(depth)}id=1${')'.repeat(depth)}`
  it.each<Refusal>([
    [encoded('(name=a'), 'malformed_query', 'q', open],
    ['q=(name=a&id=1)', 'malformed_query', 'q', open],
    ['(name=a&id=1)', 'malformed_query', 'q', open],
    [encoded('((name=a)'), 'malformed_query', 'q', open],
    [encoded('()'), 'malformed_query', 'q', operators],
    [encoded('(id=1&)'), 'malformed_query', 'q', operators],
    [encoded('(|id=1)'), 'malformed_query', 'q', operators],
    [encoded('(id=1)x'), 'malformed_query', 'q', ['x', '&', 'q']],
    [encoded('(id=1))'), 'malformed_query', 'q', ['")"', '&', 'q']],
    [encoded('(id=1)|(id=2)'), 'malformed_query', 'q', ['"|(id=2)"', '(a=1|b=2)']],
    [encoded('((id=1)x)'), 'malformed_query', 'q', ['x', '&', '|', ')']],
    [encodeURIComponent('(id=1)&id=2'), 'malformed_query', 'q', ['"&id=2"', '&', 'q']],
    [encoded(deep(11)), 'malformed_query', 'q', [10]],
    [encoded(`!(${deep(10)})`), 'malformed_query', 'q', [10]],
  ])('%s', (...row) => check(row))
})

describe('a parameter', () => {
  it('has no operators of text', () => {
    for (const query of ['limit^=5', 'sort~=name']) expect(refusal(query).code).toBe('unknown_parameter')
  })

  it.each<Refusal>([
    ['limit=1&limit=2', 'malformed_query', 'limit', ['limit']],
    ['count=none&count=none', 'malformed_query', 'count', ['count']],
    ['limit=1001', 'invalid_value', 'limit', ['limit', 0, 1000, 1001], 'out_of_range'],
    ['limit=-1', 'invalid_value', 'limit', ['limit', 0, 1000, '-1'], 'out_of_range'],
    ['limit=1e2', 'invalid_value', 'limit', ['limit', 0, 1000, '1e2'], 'invalid_format'],
    ['limit=1.0', 'invalid_value', 'limit', ['limit', 0, 1000, '1.0'], 'invalid_format'],
    ['limit=+1', 'invalid_value', 'limit', ['limit', 0, 1000, '" 1"'], 'invalid_format'],
    ['limit=many', 'invalid_value', 'limit', ['limit', 0, 1000, 'many'], 'invalid_format'],
    ['limit=', 'invalid_value', 'limit', ['limit', 0, 1000, '""'], 'invalid_format'],
    ['limit', 'invalid_value', 'limit', ['limit', 0, 1000, '""'], 'invalid_format'],
    ['offset=-1', 'invalid_value', 'offset', ['offset', 0, 9007199254740991], 'out_of_range'],
    [
      'offset=99999999999999999999',
      'invalid_value',
      'offset',
      ['offset', 0, 9007199254740991],
      'out_of_range',
    ],
    ['offset=1e300', 'invalid_value', 'offset', ['offset', 0, 9007199254740991, '1e300'], 'invalid_format'],
    ['limit>5', 'unknown_parameter', 'limit', ['limit', 'limit=', 'q']],
    ['page=1', 'unknown_parameter', 'page', ['page', 'limit-offset', ...ofAnyList, 'limit', 'offset']],
    ['count=some', 'invalid_value', 'count', ['count', 'exact', 'none', 'some'], 'not_in_enum'],
    ['count=estimated', 'invalid_value', 'count', ['count', 'exact', 'none', 'estimated'], 'not_in_enum'],
    ['order=asc', 'malformed_query', 'order', ['order', 1, 'sort', 0]],
    ['sort=id&order=asc&order=asc', 'malformed_query', 'order', ['order', 2, 'sort', 1]],
    ['sort=id&order=up', 'invalid_value', 'order', ['order', 'asc', 'desc', 'up'], 'not_in_enum'],
    ['sort=id&order=DESC', 'invalid_value', 'order', ['order', 'asc', 'desc', 'DESC'], 'not_in_enum'],
    ['sort=name&sort=id&sort=name', 'malformed_query', 'sort', ['name']],
  ])('%s', (...row) => check(row))

  it.each<Refusal>([
    ['page=0', 'invalid_value', 'page', ['page', 1, 360287970189639, 0], 'out_of_range'],
    ['page=-1', 'invalid_value', 'page', ['page', 1, 360287970189639], 'out_of_range'],
    ['page=1e300', 'invalid_value', 'page', ['page', 1, 360287970189639, '1e300'], 'invalid_format'],
    [
      'page=360287970189640',
      'invalid_value',
      'page',
      ['page', 1, 360287970189639, 360287970189640],
      'out_of_range',
    ],
    ['limit=5', 'unknown_parameter', 'limit', ['limit', 'page-number', ...ofAnyList, 'page']],
    ['offset=5', 'unknown_parameter', 'offset', ['offset', 'page-number', ...ofAnyList, 'page']],
    ['cursor=x', 'unknown_parameter', 'cursor', ['cursor', 'page-number', ...ofAnyList, 'page']],
  ])('by pages: %s', (...row) => check(row, pageMode))

  it.each([
    ['page', {}, ['cursor']],
    ['limit', pageMode, ['offset', 'cursor']],
  ])('of another paging names none of another either: %s', (name, mode, others) => {
    for (const other of others) expect(refusal(`${name}=1`, mode).detail).not.toMatch(naming(other))
  })

  it.each(['distinct', 'aggregate'])('that is reserved: %s', (name) => {
    for (const query of [`${name}=x`, `${name}==x`, `${name}>x`, name]) {
      check([query, 'unknown_parameter', name, [name, ...ofAnyList, 'limit', 'offset']])
    }
  })
})

describe('a limit', () => {
  const conditions = (count: number) => Array.from({ length: count }, () => 'id=1').join('&')
  it('of bytes', () => {
    const longest = `name=${'x'.repeat(8187)}`
    expect(() => refusal(longest)).toThrow('was accepted')
    for (const query of [`${longest}x`, `name=${'é'.repeat(4094)}`]) {
      const { status, code, detail } = refusal(query)
      expect([status, code, detail]).toEqual([400, 'query_too_long', expect.stringMatching(naming(8192))])
    }
  })

  it('of conditions, wherever they stand', () => {
    for (const query of [
      encoded(conditions(51)),
      conditions(51),
      `${conditions(50)}&q=id=1`,
      encoded(`(${conditions(25)})&!(${conditions(26)})`),
    ]) {
      expect(refusal(query)).toMatchObject({
        code: 'malformed_query',
        detail: expect.stringMatching(naming(50)),
      })
    }
    expect(() => refusal(conditions(50))).toThrow('was accepted')
  })

  it('of sorts', () => {
    check(['sort=id&'.repeat(9), 'malformed_query', 'sort', [9, 8]])
  })
})
