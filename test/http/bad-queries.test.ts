import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hosts, type Service } from './service.ts'

/** A mistake in the query of a list, the code of its 400, the parameter that it names, and what its detail says. */
type Mistake = readonly [
  query: string,
  code: string,
  parameter: string,
  detail: RegExp,
  issue?: string | undefined,
]

const q = (text: string): string => `q=${encodeURIComponent(text)}`
const deep = (depth: number, negation = ''): string =>
  `${`${negation}(`.repeat(depth)}id=1${')'.repeat(depth)}`
const names =
  /Allowed: big, created_at, data, id, in_stock, maker_id, name, note, price, released, status, weight\.$/

const mistakes: readonly Mistake[] = [
  // Names.
  [
    'colour=red',
    'unknown_field',
    'colour',
    /^colour is neither a field nor a parameter\. Allowed: big, count, created_at, data, fields, .*weight\.$/,
  ],
  ['pric>1', 'unknown_field', 'pric', /Did you mean price\?/],
  [q('colour=red'), 'unknown_field', 'q', /^There is no field colour\. /],
  [q('id=1&(name=a|colour==b)'), 'unknown_field', 'q', names],
  ['sort=colour', 'unknown_field', 'sort', /^sort: there is no field colour\. Allowed: big, created_at, id,/],
  ['fields=id,colour', 'unknown_field', 'fields', /^fields: there is no field colour\. /],
  ['include=maker', 'unknown_parameter', 'include', /^include is reserved\. Parameters here: q, /],
  ['distinct=name', 'unknown_parameter', 'distinct', /reserved.*inside q/],
  ['aggregate=sum', 'unknown_parameter', 'aggregate', /reserved/],
  ['maker.name=x', 'unknown_parameter', 'maker.name', /reserved, as every name with a dot/],
  ['page=1', 'unknown_parameter', 'page', /another paging: this list has limit-offset pages.*limit, offset/],
  ['cursor=x', 'unknown_parameter', 'cursor', /another paging/],
  ['limit>5', 'unknown_parameter', 'limit', /limit is a parameter and takes a value, as limit=…/],
  // Conditions.
  [
    'price',
    'malformed_query',
    'price',
    /^price is no condition: write a field, one of == != >= <= = > <, and a value/,
  ],
  [q('price!5'), 'malformed_query', 'q', /no condition/],
  [q('!id=1'), 'malformed_query', 'q', /! stands before a group, as !\(a=1\)/],
  [q('()'), 'malformed_query', 'q', /A condition is missing/],
  [q('(id=1'), 'malformed_query', 'q', /no closing parenthesis/],
  ['q=(id=1&name=a)', 'malformed_query', 'q', /A & typed as it is ends the parameter.*%26/],
  [q('(id=1)x'), 'malformed_query', 'q', /^x follows a group/],
  [q('(id=1)|(id=2)'), 'malformed_query', 'q', /Alternatives stand inside one group/],
  [q('name="a'), 'malformed_query', 'q', /^The value of name= has no closing quote.*%26/],
  ['name="a & b"', 'malformed_query', 'name', /percent-encode it as %26/],
  [q('name="a"b'), 'malformed_query', 'q', /goes on behind its closing quote with b/],
  [q('name="a\\b"'), 'malformed_query', 'q', /single backslash in its quotes/],
  [
    'name=%zz',
    'malformed_query',
    'name',
    /^name: a % is not followed by the code of a UTF-8 character\. Write %25/,
  ],
  ['name=%ff', 'malformed_query', 'name', /UTF-8/],
  // Operators.
  [
    'in_stock>true',
    'invalid_operator',
    'in_stock',
    /^in_stock>: in_stock is true or false and takes =, == and !=\./,
  ],
  ['status>=live', 'invalid_operator', 'status', /takes =, == and !=/],
  ['data=1', 'invalid_operator', 'data', /^data=: data is JSON and takes =null and !=null alone\./],
  ['sort=data', 'invalid_operator', 'sort', /data is JSON and cannot be sorted by\. Allowed: id, name/],
  // Values: each kind says what it expects.
  [
    'id=1.5',
    'invalid_value',
    'id',
    /^id= expects a whole number from -9007199254740991 to 9007199254740991, not "1\.5"/,
    'invalid_format',
  ],
  [
    'maker_id=9007199254740992',
    'invalid_value',
    'maker_id',
    /to 9007199254740991, not 9007199254740992/,
    'out_of_range',
  ],
  [
    'price=cheap',
    'invalid_value',
    'price',
    /^price= expects a decimal number with at most 8 digits before the point, 2 after it, not cheap/,
    'invalid_format',
  ],
  ['price>1.234', 'invalid_value', 'price', /2 after it/, 'out_of_range'],
  ['weight=heavy', 'invalid_value', 'weight', /^weight= expects a number/, 'invalid_format'],
  [
    'weight=1e999',
    'invalid_value',
    'weight',
    /^weight= expects a number from -1.7\d*e\+308 up to 1.7\d*e\+308, not/,
    'out_of_range',
  ],
  [
    'big=9223372036854775808',
    'invalid_value',
    'big',
    /from -9223372036854775808 to 9223372036854775807/,
    'out_of_range',
  ],
  [
    'in_stock=yes',
    'invalid_value',
    'in_stock',
    /^in_stock= expects true or false, not yes/,
    'invalid_format',
  ],
  [
    'status==draft,gone',
    'invalid_value',
    'status',
    /^status== expects one of draft, live, not gone/,
    'not_in_enum',
  ],
  [
    'released>yesterday',
    'invalid_value',
    'released',
    /^released> expects a date-time with an offset/,
    'invalid_format',
  ],
  ['released=2026-02-30', 'invalid_value', 'released', /date-time/, 'invalid_format'],
  ['released=2026-01-31T00:00:00', 'invalid_value', 'released', /with an offset/, 'invalid_format'],
  ['name=%00', 'invalid_value', 'name', /U\+0000/, 'invalid_format'],
  ['name=', 'invalid_value', 'name', /^name= has no value.* The empty text is name==\./],
  ['price>', 'invalid_value', 'price', /^price> has no value: expected a decimal number/],
  ['price>null', 'invalid_value', 'price', /nothing is smaller or larger than null/],
  // Parameters.
  [
    'limit=1001',
    'invalid_value',
    'limit',
    /^limit must be a whole number from 0 to 1000, not 1001/,
    'out_of_range',
  ],
  ['limit=-1', 'invalid_value', 'limit', /from 0 to 1000/, 'out_of_range'],
  ['limit=many', 'invalid_value', 'limit', /from 0 to 1000, not many/, 'invalid_format'],
  ['limit=', 'invalid_value', 'limit', /from 0 to 1000/, 'invalid_format'],
  ['offset=1e3', 'invalid_value', 'offset', /from 0 to 9007199254740991/, 'invalid_format'],
  ['offset=-1', 'invalid_value', 'offset', /from 0/, 'out_of_range'],
  ['limit=1&limit=2', 'malformed_query', 'limit', /^limit is given more than once/],
  ['search=a&search=b', 'malformed_query', 'search', /more than once/],
  ['search=', 'invalid_value', 'search', /search=word, or leave it out/],
  ['count=some', 'invalid_value', 'count', /^count must be one of .*exact.*none.*, not some/, 'not_in_enum'],
  ['order=asc', 'malformed_query', 'order', /more orders \(1\) than sorts \(0\)/],
  ['sort=name&order=up', 'invalid_value', 'order', /^order must be asc or desc, not up/, 'not_in_enum'],
  ['sort=name&sort=name', 'malformed_query', 'sort', /sorted by twice/],
  ['fields=', 'invalid_value', 'fields', /a name is missing\. .*Allowed: id, name/],
  ['fields=id,id', 'malformed_query', 'fields', /id is there twice/],
]

const cursorMistakes: readonly Mistake[] = [
  ['cursor=', 'invalid_value', 'cursor', /Start again without it/],
  ['cursor=x', 'invalid_value', 'cursor', /none that this list gave/],
  ['limit=0', 'invalid_value', 'limit', /from 1 to 1000/, 'out_of_range'],
  ['offset=5', 'unknown_parameter', 'offset', /another paging: this list has cursor pages.*cursor, limit/],
]

const pageMistakes: readonly Mistake[] = [
  ['page=0', 'invalid_value', 'page', /from 1 to/, 'out_of_range'],
  ['page=last', 'invalid_value', 'page', /from 1 to .*not last/, 'invalid_format'],
  ['limit=5', 'unknown_parameter', 'limit', /another paging: this list has page-number pages.*page/],
]

const named = (all: readonly Mistake[]) => all.map((mistake) => [mistake[0], mistake] as const)

const sortable = ['id', 'name', 'price', 'in_stock', 'note', 'weight', 'released', 'big', 'status'] as const
const sorts = (count: number): string =>
  sortable
    .slice(0, count)
    .map((name) => `sort=${name}`)
    .join('&')
const times = (count: number, text: string, join = '&'): string =>
  Array.from({ length: count }, () => text).join(join)
const bytes = (count: number): string => `note==${'x'.repeat(count - 6)}`

/** What is just allowed, and one more of it. */
const bounds: readonly (readonly [what: string, at: string, over: string, code: string, detail: RegExp])[] = [
  [
    'conditions as segments',
    times(50, 'id=1'),
    times(51, 'id=1'),
    'malformed_query',
    /At most 50 conditions/,
  ],
  ['conditions in q', q(times(50, 'id=1')), q(times(51, 'id=1')), 'malformed_query', /At most 50 conditions/],
  [
    'conditions in groups, several q and segments',
    `${q(`(${times(20, 'id=1', '|')})&!(${times(20, 'id=1')})`)}&${q(times(5, 'id=1'))}&${times(5, 'id=1')}`,
    `${q(`(${times(20, 'id=1', '|')})&!(${times(20, 'id=1')})`)}&${q(times(5, 'id=1'))}&${times(6, 'id=1')}`,
    'malformed_query',
    /At most 50 conditions/,
  ],
  ['sorts', sorts(8), sorts(9), 'malformed_query', /There are 9 sorts: at most 8/],
  ['bytes', bytes(8192), bytes(8193), 'query_too_long', /at most 8192 bytes/],
  [
    'bytes, percent-encoded',
    `note==xx${times(1364, '%C3%A9', '')}`,
    `note==xxx${times(1364, '%C3%A9', '')}`,
    'query_too_long',
    /at most 8192 bytes/,
  ],
  ['groups in groups', q(deep(10)), q(deep(11)), 'malformed_query', /at most 10 deep/],
  ['negations in negations', q(deep(10, '!')), q(deep(11, '!')), 'malformed_query', /at most 10 deep/],
  ['groups in a segment', deep(10), deep(11), 'malformed_query', /at most 10 deep/],
  ['records of a page', 'limit=1000', 'limit=1001', 'invalid_value', /from 0 to 1000/],
]

describe.each(hosts)('a query with a mistake on %s', (_name, start) => {
  const services: Partial<Record<'offset' | 'cursor' | 'page', Service>> = {}
  beforeAll(async () => {
    services.offset = await start()
    services.cursor = await start({ paginationType: 'cursor' })
    services.page = await start({ paginationType: 'page-number' })
  })
  afterAll(() => Promise.all(Object.values(services).map(({ stop }) => stop())))
  const get = async (query: string, paging: keyof typeof services = 'offset') => {
    const reply = await services[paging]?.send('GET', `/api/products/?${query}`)
    if (reply === undefined) throw new Error(`There is no service with ${paging} pages.`)
    return reply
  }
  const check = async (
    [query, code, parameter, detail, issue = code]: Mistake,
    paging?: keyof typeof services,
  ) => {
    const reply = await get(query, paging)
    expect(reply.status, reply.text).toBe(400)
    expect(reply.headers['content-type']).toBe('application/problem+json')
    expect(reply.json).toMatchObject({
      status: 400,
      code,
      detail: expect.stringMatching(detail),
      instance: '/api/products/',
      errors: [{ parameter, code: issue, detail: expect.stringMatching(detail) }],
    })
  }

  it.each(named(mistakes))('%s', async (_query, mistake) => check(mistake))
  it.each(named(cursorMistakes))('by cursor: %s', async (_query, mistake) => check(mistake, 'cursor'))
  it.each(named(pageMistakes))('by page: %s', async (_query, mistake) => check(mistake, 'page'))

  it.each(bounds)('%s: the most that is allowed, and one more', async (_what, at, over, code, detail) => {
    const allowed = await get(at)
    expect(allowed.status, allowed.text).toBe(200)
    const refused = await get(over)
    expect(refused.status, refused.text).toBe(400)
    expect(refused.json).toMatchObject({ code, detail: expect.stringMatching(detail) })
  })
})
