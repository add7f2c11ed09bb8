import { describe, expect, it } from 'vitest'
import type { ListRules } from '../../src/query/settings.ts'
import { encoded, refusal } from './read.ts'

/** Query, code, parameter, what the detail says, and the code of the entry in `errors` where it is another one. */
type Refusal = [query: string, code: string, parameter: string, detail: RegExp, issue?: string]

const pageMode: Partial<ListRules> = { paging: 'page-number', perPage: 25 }

const check = ([query, code, parameter, detail, issue = code]: Refusal, more?: Partial<ListRules>): void => {
  const error = refusal(query, more)
  expect(error).toMatchObject({
    status: 400,
    code,
    errors: [{ parameter, code: issue, detail: error.detail }],
  })
  expect(error.detail).toMatch(detail)
}

describe('a field that is not there', () => {
  it.each<Refusal>([
    [
      'colour=red',
      'unknown_field',
      'colour',
      /^colour is neither a field nor a parameter\. Allowed: .*price/,
    ],
    ['ofset=5', 'unknown_field', 'ofset', /Did you mean offset\?/],
    ['Price>5', 'unknown_field', 'Price', /Did you mean price\?/],
    [encoded('colour=red'), 'unknown_field', 'q', /^There is no field colour\. Allowed: .*price/],
    [encoded('(id=1|colour=red)'), 'unknown_field', 'q', /no field colour/],
    [encoded('id=1& price>1'), 'unknown_field', 'q', /no field " price"\. Did you mean price\?/],
    [encoded('maker.name=x'), 'unknown_field', 'q', /no field "maker\.name"/],
    [encoded('=5'), 'unknown_field', 'q', /no field ""/],
    ['__proto__=1', 'unknown_field', '__proto__', /neither a field/],
    ['constructor>1', 'unknown_field', 'constructor', /neither a field/],
    ['password=x', 'unknown_field', 'password', /password is neither a field nor a parameter/],
    ['internal=x', 'unknown_field', 'internal', /internal is neither/],
    ['sort=password', 'unknown_field', 'sort', /^sort: there is no field password\. Allowed: .*price/],
    ['sort=-price', 'unknown_field', 'sort', /no field "-price"\. Did you mean price\?/],
    ['sort=', 'unknown_field', 'sort', /no field ""/],
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
    [
      'price',
      'malformed_query',
      'price',
      /^price is no condition: write a field, one of == != >= <= = > <, and/,
    ],
    ['price!5', 'malformed_query', 'price', /price is no condition/],
    [encoded('price'), 'malformed_query', 'q', /price is no condition/],
    [encoded('id=1&foo&id=2'), 'malformed_query', 'q', /foo is no condition/],
    [encoded('!id=1'), 'malformed_query', 'q', /! stands before a group, as !\(a=1\)/],
    [encoded('!!(id=1)'), 'malformed_query', 'q', /! stands before a group/],
    ['name=%zz', 'malformed_query', 'name', /^name: a % .* UTF-8 character\. Write %25/],
    ['name=%ff', 'malformed_query', 'name', /%25/],
    ['name=%ed%a0%80', 'malformed_query', 'name', /%25/],
    ['name=%c0%80', 'malformed_query', 'name', /%25/],
    ['limit=%', 'malformed_query', 'limit', /%25/],
    ['%=1', 'malformed_query', '%', /%25/],
    ['=%', 'malformed_query', 'q', /%25/],
  ])('%s', (...row) => check(row))
})

describe('an operator that the field does not have', () => {
  it.each<Refusal>([
    [
      'in_stock>true',
      'invalid_operator',
      'in_stock',
      /^in_stock>: in_stock is true or false and takes =, == and !=\./,
    ],
    ['status>=live', 'invalid_operator', 'status', /takes =, == and !=/],
    ['code<1', 'invalid_operator', 'code', /takes =, == and !=/],
    ['thumb>AA==', 'invalid_operator', 'thumb', /takes =, == and !=/],
    ['address>a', 'invalid_operator', 'address', /takes =, == and !=/],
    ['data=1', 'invalid_operator', 'data', /^data=: data is JSON and takes =null and !=null alone\./],
    ['data="null"', 'invalid_operator', 'data', /=null and !=null alone/],
    ['data==null,1', 'invalid_operator', 'data', /=null and !=null alone/],
    ['data>null', 'invalid_operator', 'data', /=null and !=null alone/],
    ['tags==a', 'invalid_operator', 'tags', /=null and !=null alone/],
    ['sort=data', 'invalid_operator', 'sort', /^sort: data is JSON and cannot be sorted by\. Allowed: id,/],
  ])('%s', (...row) => check(row))
})

describe('a value that the field does not have', () => {
  it.each<Refusal>([
    [
      'price=',
      'invalid_value',
      'price',
      /^price= has no value: expected a decimal number, or null as price=null\.$/,
    ],
    ['name=', 'invalid_value', 'name', /^name= has no value.* The empty text is name==\.$/],
    ['name>', 'invalid_value', 'name', /^name> has no value/],
    [encoded('(name=|id=1)'), 'invalid_value', 'q', /name= has no value/],
    ['id==', 'invalid_value', 'id', /^id== expects a whole number/, 'invalid_format'],
    ['id==1,', 'invalid_value', 'id', /^id== expects a whole number/, 'invalid_format'],
    ['id=1,2', 'invalid_value', 'id', /not "1,2"/, 'invalid_format'],
    ['id=9007199254740992', 'invalid_value', 'id', /to 9007199254740991/, 'out_of_range'],
    ['id= 1', 'invalid_value', 'id', /not " 1"/, 'invalid_format'],
    [
      'price>cheap',
      'invalid_value',
      'price',
      /^price> expects a decimal number .*, not cheap\.$/,
      'invalid_format',
    ],
    ['price>1.234', 'invalid_value', 'price', /^price> expects/, 'out_of_range'],
    ['price>null', 'invalid_value', 'price', /^price>null: nothing is smaller or larger than null/],
    ['name<null', 'invalid_value', 'name', /Write name=null or name!=null/],
    ['in_stock=yes', 'invalid_value', 'in_stock', /expects true or false, not yes/, 'invalid_format'],
    ['in_stock=TRUE', 'invalid_value', 'in_stock', /expects true or false/, 'invalid_format'],
    [
      'status!=gone',
      'invalid_value',
      'status',
      /^status!= expects one of draft, live, not gone/,
      'not_in_enum',
    ],
    ['code=1', 'invalid_value', 'code', /expects a UUID/, 'invalid_format'],
    ['released>yesterday', 'invalid_value', 'released', /^released> expects a date-time/, 'invalid_format'],
    ['released>2024-01-01T00:00:00%2002:00', 'invalid_value', 'released', /date-time/, 'invalid_format'],
    ['name=%00', 'invalid_value', 'name', /U\+0000/, 'invalid_format'],
    ['name=%22%00%22', 'invalid_value', 'name', /U\+0000/, 'invalid_format'],
  ])('%s', (...row) => check(row))
})

describe('a quoted value', () => {
  const cut = /has no closing quote\. A & typed as it is ends the parameter: percent-encode it as %26/
  it.each<Refusal>([
    ['q=name="a&b"', 'malformed_query', 'q', cut],
    ['name="a & b"', 'malformed_query', 'name', cut],
    ['name==a,"b&c"', 'malformed_query', 'name', cut],
    [encoded('name="'), 'malformed_query', 'q', cut],
    [encoded('name="a\\'), 'malformed_query', 'q', cut],
    [encoded('name="a\\"'), 'malformed_query', 'q', cut],
    [encoded('(name="a)'), 'malformed_query', 'q', cut],
    [
      encoded('name="a" b'),
      'malformed_query',
      'q',
      /^The value of name= goes on behind its closing quote with " b"/,
    ],
    [encoded('name=="a"b,c'), 'malformed_query', 'q', /goes on behind/],
    [
      encoded('name="C:\\temp"'),
      'malformed_query',
      'q',
      /a single backslash in its quotes\. Write \\\\ for it/,
    ],
  ])('%s', (...row) => check(row))
})

describe('a group', () => {
  const open = /^A group has no closing parenthesis\. .* write %26/
  const deep = (depth: number) => `${'('.repeat(depth)}id=1${')'.repeat(depth)}`
  it.each<Refusal>([
    [encoded('(name=a'), 'malformed_query', 'q', open],
    ['q=(name=a&id=1)', 'malformed_query', 'q', open],
    ['(name=a&id=1)', 'malformed_query', 'q', open],
    [encoded('((name=a)'), 'malformed_query', 'q', open],
    [encoded('()'), 'malformed_query', 'q', /A condition is missing/],
    [encoded('(id=1&)'), 'malformed_query', 'q', /A condition is missing/],
    [encoded('(|id=1)'), 'malformed_query', 'q', /A condition is missing/],
    [encoded('(id=1)x'), 'malformed_query', 'q', /^x follows a group\. A group stands alone/],
    [encoded('(id=1))'), 'malformed_query', 'q', /^"\)" follows a group/],
    [encoded('(id=1)|(id=2)'), 'malformed_query', 'q', /Alternatives stand inside one group: \(a=1\|b=2\)/],
    [
      encoded('((id=1)x)'),
      'malformed_query',
      'q',
      /follows a group inside of another\. Expected one of & \| \)/,
    ],
    [encodeURIComponent('(id=1)&id=2'), 'malformed_query', 'q', /"&id=2" follows a group/],
    [encoded(deep(11)), 'malformed_query', 'q', /at most 10 deep/],
    [encoded(`!(${deep(10)})`), 'malformed_query', 'q', /at most 10 deep/],
  ])('%s', (...row) => check(row))
})

describe('a parameter', () => {
  it.each<Refusal>([
    ['limit=1&limit=2', 'malformed_query', 'limit', /^limit is given more than once\. Give it once\.$/],
    ['count=none&count=none', 'malformed_query', 'count', /more than once/],
    [
      'limit=1001',
      'invalid_value',
      'limit',
      /^limit must be a whole number from 0 to 1000, not 1001\.$/,
      'out_of_range',
    ],
    ['limit=-1', 'invalid_value', 'limit', /from 0 to 1000/, 'out_of_range'],
    ['limit=1e2', 'invalid_value', 'limit', /from 0 to 1000/, 'invalid_format'],
    ['limit=1.0', 'invalid_value', 'limit', /from 0 to 1000/, 'invalid_format'],
    ['limit=+1', 'invalid_value', 'limit', /not " 1"/, 'invalid_format'],
    ['limit=many', 'invalid_value', 'limit', /not many/, 'invalid_format'],
    ['limit=', 'invalid_value', 'limit', /not ""/, 'invalid_format'],
    ['limit', 'invalid_value', 'limit', /whole number/, 'invalid_format'],
    ['offset=-1', 'invalid_value', 'offset', /from 0 to 9007199254740991/, 'out_of_range'],
    ['offset=99999999999999999999', 'invalid_value', 'offset', /from 0 to 9007199254740991/, 'out_of_range'],
    ['offset=1e300', 'invalid_value', 'offset', /whole number/, 'invalid_format'],
    [
      'limit>5',
      'unknown_parameter',
      'limit',
      /limit is a parameter and takes a value, as limit=….* inside q/,
    ],
    [
      'page=1',
      'unknown_parameter',
      'page',
      /^page belongs to another paging: this list has limit-offset pages\. Parameters here: q, search, sort, order, fields, count, limit, offset\./,
    ],
    ['count=some', 'invalid_value', 'count', /^count must be one of exact, none, not some\.$/, 'not_in_enum'],
    ['count=estimated', 'invalid_value', 'count', /exact, none/, 'not_in_enum'],
    ['order=asc', 'malformed_query', 'order', /more orders \(1\) than sorts \(0\)/],
    ['sort=id&order=asc&order=asc', 'malformed_query', 'order', /more orders \(2\) than sorts \(1\)/],
    ['sort=id&order=up', 'invalid_value', 'order', /^order must be asc or desc, not up\.$/, 'not_in_enum'],
    ['sort=id&order=DESC', 'invalid_value', 'order', /asc or desc/, 'not_in_enum'],
    ['sort=name&sort=id&sort=name', 'malformed_query', 'sort', /^name is sorted by twice/],
  ])('%s', (...row) => check(row))

  it.each<Refusal>([
    ['page=0', 'invalid_value', 'page', /^page must be a whole number from 1 to/, 'out_of_range'],
    ['page=-1', 'invalid_value', 'page', /from 1 to/, 'out_of_range'],
    ['page=1e300', 'invalid_value', 'page', /from 1 to/, 'invalid_format'],
    ['page=360287970189640', 'invalid_value', 'page', /from 1 to 360287970189639,/, 'out_of_range'],
    [
      'limit=5',
      'unknown_parameter',
      'limit',
      /^limit belongs to another paging.* Parameters here: q, search, sort, order, fields, count, page\./,
    ],
    ['offset=5', 'unknown_parameter', 'offset', /another paging/],
    ['cursor=x', 'unknown_parameter', 'cursor', /another paging/],
  ])('by pages: %s', (...row) => check(row, pageMode))

  it.each(['include', 'distinct', 'aggregate', 'maker.name', '.'])('that is reserved: %s', (name) => {
    for (const query of [`${name}=x`, `${name}==x`, `${name}>x`, name]) {
      check([query, 'unknown_parameter', name, /is reserved.* Parameters here: q, .* inside q\.$/])
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
      expect([status, code, detail]).toEqual([400, 'query_too_long', expect.stringContaining('8192 bytes')])
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
        detail: 'At most 50 conditions are allowed.',
      })
    }
    expect(() => refusal(conditions(50))).toThrow('was accepted')
  })

  it('of sorts', () => {
    check(['sort=id&'.repeat(9), 'malformed_query', 'sort', /^There are 9 sorts: at most 8 are allowed\.$/])
  })
})
