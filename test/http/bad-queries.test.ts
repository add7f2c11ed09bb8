import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { naming } from '../naming.ts'
import { type Service, startService } from './service.ts'

type Names = readonly (string | number)[]

/** A mistake in the query of a list, the code of its 400, the parameter that it names, and the names in its detail. */
type Mistake = readonly [
  query: string,
  code: string,
  parameter: string,
  names: Names,
  issue?: string | undefined,
]

const q = (text: string): string => `q=${encodeURIComponent(text)}`
const deep = (depth: number, negation = ''): string =>
  `${`${negation}(`.repeat(depth)}id=1${')'.repeat(depth)}`
const sortable = [
  'id',
  'name',
  'price',
  'in_stock',
  'note',
  'weight',
  'released',
  'big',
  'status',
  'maker_id',
  'created_at',
] as const
const fields = [...sortable, 'data']
const parameters = ['q', 'search', 'sort', 'order', 'fields', 'count']
const ofOffsets = [...parameters, 'limit', 'offset']
const operators = ['==', '!=', '>=', '<=', '=', '>', '<']
const date = '2026-01-31T23:59:59Z'
const safe = Number.MAX_SAFE_INTEGER

const mistakes: readonly Mistake[] = [
  // Names.
  ['colour=red', 'unknown_field', 'colour', ['colour', ...fields, ...ofOffsets]],
  ['pric>1', 'unknown_field', 'pric', ['pric', 'price']],
  [q('colour=red'), 'unknown_field', 'q', ['colour', ...fields]],
  [q('id=1&(name=a|colour==b)'), 'unknown_field', 'q', ['colour', ...fields]],
  ['sort=colour', 'unknown_field', 'sort', ['sort', 'colour', ...sortable]],
  ['fields=id,colour', 'unknown_field', 'fields', ['fields', 'colour', ...fields]],
  ['include=makr', 'unknown_field', 'include', ['include', 'makr', 'maker']],
  ['distinct=name', 'unknown_parameter', 'distinct', ['distinct', ...ofOffsets]],
  ['aggregate=sum', 'unknown_parameter', 'aggregate', ['aggregate', ...ofOffsets]],
  ['maker.town=x', 'unknown_field', 'maker.town', ['maker.town', 'town', 'name']],
  ['page=1', 'unknown_parameter', 'page', ['page', 'limit-offset', ...ofOffsets]],
  ['cursor=x', 'unknown_parameter', 'cursor', ['cursor', 'limit-offset', ...ofOffsets]],
  ['limit>5', 'unknown_parameter', 'limit', ['limit', 'limit=', 'q']],
  // Conditions.
  ['price', 'malformed_query', 'price', ['price', ...operators]],
  [q('price!5'), 'malformed_query', 'q', ['price', ...operators]],
  [q('!id=1'), 'malformed_query', 'q', ['!(a=1)', '!=']],
  [q('()'), 'malformed_query', 'q', operators],
  [q('(id=1'), 'malformed_query', 'q', ['&', '%26']],
  ['q=(id=1&name=a)', 'malformed_query', 'q', ['&', '%26']],
  [q('(id=1)x'), 'malformed_query', 'q', ['x', '&']],
  [q('(id=1)|(id=2)'), 'malformed_query', 'q', ['(a=1|b=2)']],
  [q('name="a'), 'malformed_query', 'q', ['name', '&', '%26']],
  ['name="a & b"', 'malformed_query', 'name', ['name', '&', '%26']],
  [q('name="a"b'), 'malformed_query', 'q', ['name', 'b', '\\"']],
  [q('name="a\\b"'), 'malformed_query', 'q', ['name', '\\\\']],
  ['name=%zz', 'malformed_query', 'name', ['name', 'UTF-8', '%25']],
  ['name=%ff', 'malformed_query', 'name', ['name', 'UTF-8', '%25']],
  // Operators.
  ['in_stock>true', 'invalid_operator', 'in_stock', ['in_stock', '>', '==', '!=']],
  ['status>=live', 'invalid_operator', 'status', ['status', '>=', '==', '!=']],
  ['data=1', 'invalid_operator', 'data', ['data', 'JSON', '=null', '!=null']],
  ['sort=data', 'invalid_operator', 'sort', ['sort', 'data', 'JSON', ...sortable]],
  // Values: each kind says what it expects.
  ['id=1,5', 'invalid_value', 'id', ['id', '1,5', '=='], 'invalid_format'],
  ['id=1.5', 'invalid_value', 'id', ['id', -safe, safe, '1.5'], 'invalid_format'],
  [
    'maker_id=9007199254740992',
    'invalid_value',
    'maker_id',
    ['maker_id', -safe, safe, '9007199254740992'],
    'out_of_range',
  ],
  ['price=cheap', 'invalid_value', 'price', ['price', 8, 2, 'cheap'], 'invalid_format'],
  ['price>1.234', 'invalid_value', 'price', ['price', 8, 2], 'out_of_range'],
  ['weight=heavy', 'invalid_value', 'weight', ['weight'], 'invalid_format'],
  [
    'weight=1e999',
    'invalid_value',
    'weight',
    ['weight', -Number.MAX_VALUE, Number.MAX_VALUE],
    'out_of_range',
  ],
  [
    'big=9223372036854775808',
    'invalid_value',
    'big',
    ['big', '-9223372036854775808', '9223372036854775807'],
    'out_of_range',
  ],
  ['in_stock=yes', 'invalid_value', 'in_stock', ['in_stock', 'true', 'false', 'yes'], 'invalid_format'],
  ['status==draft,gone', 'invalid_value', 'status', ['status', 'draft', 'live', 'gone'], 'not_in_enum'],
  ['released>yesterday', 'invalid_value', 'released', ['released', date], 'invalid_format'],
  ['released=2026-02-30', 'invalid_value', 'released', ['released', date], 'invalid_format'],
  ['released=2026-01-31T00:00:00', 'invalid_value', 'released', ['released', date], 'invalid_format'],
  ['name=%00', 'invalid_value', 'name', ['name', 'U+0000'], 'invalid_format'],
  ['name=', 'invalid_value', 'name', ['name', 'name=null', 'name==']],
  ['price>', 'invalid_value', 'price', ['price', '>', 'price=null']],
  ['price>null', 'invalid_value', 'price', ['price', '>', 'price=null', 'price!=null']],
  // Parameters.
  ['limit=1001', 'invalid_value', 'limit', ['limit', 0, 1000, 1001], 'out_of_range'],
  ['limit=-1', 'invalid_value', 'limit', ['limit', 0, 1000], 'out_of_range'],
  ['limit=many', 'invalid_value', 'limit', ['limit', 0, 1000, 'many'], 'invalid_format'],
  ['limit=', 'invalid_value', 'limit', ['limit', 0, 1000], 'invalid_format'],
  ['offset=1e3', 'invalid_value', 'offset', ['offset', 0, safe], 'invalid_format'],
  ['offset=-1', 'invalid_value', 'offset', ['offset', 0, safe], 'out_of_range'],
  ['limit=1&limit=2', 'malformed_query', 'limit', ['limit']],
  ['search=a&search=b', 'malformed_query', 'search', ['search']],
  ['search=', 'invalid_value', 'search', ['search', 'search=word']],
  ['count=some', 'invalid_value', 'count', ['count', 'exact', 'estimated', 'none', 'some'], 'not_in_enum'],
  ['order=asc', 'malformed_query', 'order', ['order', 'sort', 0, 1]],
  ['sort=name&order=up', 'invalid_value', 'order', ['order', 'asc', 'desc', 'up'], 'not_in_enum'],
  ['sort=name&sort=name', 'malformed_query', 'sort', ['name']],
  ['fields=', 'invalid_value', 'fields', ['fields', ...fields]],
  ['fields=id,id', 'malformed_query', 'fields', ['fields', ...fields]],
]

const cursorMistakes: readonly Mistake[] = [
  ['cursor=x', 'invalid_value', 'cursor', ['cursor']],
  ['limit=0', 'invalid_value', 'limit', ['limit', 1, 1000], 'out_of_range'],
  ['offset=5', 'unknown_parameter', 'offset', ['offset', ...parameters, 'cursor', 'limit']],
]

const pageMistakes: readonly Mistake[] = [
  ['page=0', 'invalid_value', 'page', ['page', 1, Math.floor(safe / 100)], 'out_of_range'],
  ['page=last', 'invalid_value', 'page', ['page', 1, Math.floor(safe / 100), 'last'], 'invalid_format'],
  ['limit=5', 'unknown_parameter', 'limit', ['limit', 'page-number', ...parameters, 'page']],
]

const named = (all: readonly Mistake[]) => all.map((mistake) => [mistake[0], mistake] as const)

const sorts = (count: number): string =>
  sortable
    .slice(0, count)
    .map((name) => `sort=${name}`)
    .join('&')
const times = (count: number, text: string, join = '&'): string =>
  Array.from({ length: count }, () => text).join(join)
const bytes = (count: number): string => `note==${'x'.repeat(count - 6)}`

/** What is just allowed, and one more of it. */
const bounds: readonly (readonly [what: string, at: string, over: string, code: string, names: Names])[] = [
  ['conditions as segments', times(50, 'id=1'), times(51, 'id=1'), 'malformed_query', [50]],
  ['conditions in q', q(times(50, 'id=1')), q(times(51, 'id=1')), 'malformed_query', [50]],
  [
    'conditions in groups, several q and segments',
    `${q(`(${times(20, 'id=1', '|')})&!(${times(20, 'id=1')})`)}&${q(times(5, 'id=1'))}&${times(5, 'id=1')}`,
    `${q(`(${times(20, 'id=1', '|')})&!(${times(20, 'id=1')})`)}&${q(times(5, 'id=1'))}&${times(6, 'id=1')}`,
    'malformed_query',
    [50],
  ],
  ['sorts', sorts(8), sorts(9), 'malformed_query', [9, 8]],
  ['bytes', bytes(8192), bytes(8193), 'query_too_long', [8192]],
  [
    'bytes, percent-encoded',
    `note==xx${times(1364, '%C3%A9', '')}`,
    `note==xxx${times(1364, '%C3%A9', '')}`,
    'query_too_long',
    [8192],
  ],
  ['groups in groups', q(deep(10)), q(deep(11)), 'malformed_query', [10]],
  ['negations in negations', q(deep(10, '!')), q(deep(11, '!')), 'malformed_query', [10]],
  ['groups in a segment', deep(10), deep(11), 'malformed_query', [10]],
  ['records of a page', 'limit=1000', 'limit=1001', 'invalid_value', ['limit', 0, 1000]],
]

describe('a query with a mistake', () => {
  const start = startService
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
    [query, code, parameter, names, issue = code]: Mistake,
    paging?: keyof typeof services,
  ) => {
    const reply = await get(query, paging)
    expect(reply.status, reply.text).toBe(400)
    expect(reply.headers['content-type']).toBe('application/problem+json')
    const detail = expect.stringMatching(naming(...names))
    expect(reply.json).toMatchObject({
      status: 400,
      code,
      detail,
      instance: '/api/products/',
      errors: [{ parameter, code: issue, detail }],
    })
  }

  it.each(named(mistakes))('%s', async (_query, mistake) => check(mistake))
  it.each(named(cursorMistakes))('by cursor: %s', async (_query, mistake) => check(mistake, 'cursor'))
  it.each(named(pageMistakes))('by page: %s', async (_query, mistake) => check(mistake, 'page'))

  it('offers no field that cannot be sorted by', async () => {
    const { json } = await get('sort=colour')
    expect(json['detail']).not.toMatch(naming('data'))
  })

  it.each(bounds)('%s: the most that is allowed, and one more', async (_what, at, over, code, names) => {
    const allowed = await get(at)
    expect(allowed.status, allowed.text).toBe(200)
    const refused = await get(over)
    expect(refused.status, refused.text).toBe(400)
    expect(refused.json).toMatchObject({ status: 400, code, detail: expect.stringMatching(naming(...names)) })
  })
})
