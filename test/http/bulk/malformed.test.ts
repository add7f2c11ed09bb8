import { expect, test } from 'vitest'
import { open, refusalOf, shops } from '../../stage/shop.ts'
import { numbered } from './stage.ts'

const tooMany = numbered(33, (at) => `"${at}"`).join()
const headers = ['*', '"1"', 'W/"1"', '"1", "2"', '', 'x', tooMany, `"${'x'.repeat(5000)}"`]

const one = '/tags/?q=id=1'
const invalid = (...issues: readonly string[]) => [422, 'invalid_body', ...issues]
const unknown = [400, 'unknown_parameter']

const requests: readonly (readonly [string, string, unknown, readonly unknown[]])[] = [
  ['POST', '/tags/', [[{ name: 'x' }]], invalid('/0 wrong_type')],
  [
    'POST',
    '/tags/',
    [null, [], 'x', true, 1],
    invalid('/0 not_nullable', '/1 wrong_type', '/2 wrong_type', '/3 wrong_type', '/4 wrong_type'),
  ],
  ['POST', '/tags/', '[{"name":"x"},]', [400, 'malformed_json']],
  ['POST', '/tags/', '[{"name":"x"}', [400, 'malformed_json']],
  ['POST', '/tags/', '[{"name":"x"}] []', [400, 'malformed_json']],
  ['POST', '/tags/', '[{"name":"x","__proto__":{"name":"y"}}]', invalid('/0/__proto__ unknown_key')],
  ['POST', '/tags/', '[{"name":"x","constructor":1}]', invalid('/0/constructor unknown_key')],
  [
    'POST',
    '/tags/',
    { 0: { name: 'x' }, length: 1 },
    invalid('/name required', '/0 unknown_key', '/length unknown_key'),
  ],
  ['POST', '/tags/', [{ id: 7, name: 'x' }], invalid('/0/id read_only')],
  ['POST', '/tags/?dry_run=true', [{ name: 'x' }], unknown],
  ['POST', '/orders/', [{ title: 'x', items: [{ price: 1 }] }], invalid('/0/items unknown_key')],
  ['PATCH', '/tags/', [[{ id: 1, name: 'x' }]], invalid('/0 wrong_type')],
  [
    'PATCH',
    '/tags/',
    [null, [], 'x', true, 1],
    invalid('/0 not_nullable', '/1 wrong_type', '/2 wrong_type', '/3 wrong_type', '/4 wrong_type'),
  ],
  ['PATCH', '/tags/', numbered(2000, () => ({ id: 1, name: 'x' })), [400, 'too_many_records']],
  ['PATCH', '/tags/', JSON.stringify(numbered(100_000, () => ({}))), [400, 'too_many_records']],
  ['PATCH', '/tags/', [{ id: 1, name: 'x' }, { id: '2' }], invalid('/1/id wrong_type')],
  [
    'PATCH',
    '/tags/',
    [{ id: 1.5 }, { id: null }, { id: [1] }, { id: { id: 1 } }, { id: true }],
    invalid(
      '/0/id wrong_type',
      '/1/id not_nullable',
      '/2/id wrong_type',
      '/3/id wrong_type',
      '/4/id wrong_type',
    ),
  ],
  ['PATCH', '/tags/', '[{"id":9007199254740993,"name":"x"}]', invalid('/0/id imprecise_number')],
  ['PATCH', '/tags/', '[{"id":1e400,"name":"x"}]', invalid('/0/id imprecise_number')],
  ['PATCH', '/tags/', [{ id: -1 }, { id: 9999 }], [404, 'not_found', '/0 not_found', '/1 not_found']],
  ['PATCH', '/tags/', [{ id: 1, name: 'x' }, { id: 1.0 }], invalid('/1 repeated')],
  ['PATCH', '/tags/', '[{"id":1,"name":"x"},{"__proto__":{"id":2}}]', invalid('/1/id required')],
  ['PATCH', '/tags/', 'null', [400, 'filter_required']],
  ['PATCH', '/tags/', '1', [400, 'filter_required']],
  ['PATCH', '/tags/', '', [400, 'malformed_json']],
  ['PATCH', '/orders/', [{ id: 1, items: { create: [{ price: 1 }] } }], invalid('/0/items unknown_key')],
  ['PATCH', '/orders/', [{ id: 1, tags: [1] }], invalid('/0/tags unknown_key')],
  [
    'PATCH',
    '/notes/',
    [{ orderId: 1, text: 'x' }, { line: 1 }, { orderId: 1, line: 'x' }],
    invalid('/0/line required', '/1/orderId required', '/2/line wrong_type'),
  ],
  ...['null', '1', '"x"', '[]', '[{"id":1}]', '[[]]'].map(
    (body) => ['PATCH', one, body, invalid(' wrong_type')] as const,
  ),
  ['PATCH', one, '', [400, 'malformed_json']],
  ['PATCH', one, { id: 1, name: 'x' }, invalid('/id read_only')],
  ['PATCH', '/orders/?q=id=1', { items: { create: [{ price: 1 }] } }, invalid('/items unknown_key')],
  ...['PATCH', 'DELETE'].flatMap((method) => [
    [method, '/tags/?q=%', { name: 'x' }, [400, 'malformed_query']] as const,
    [method, '/tags/?q=id', { name: 'x' }, [400, 'malformed_query']] as const,
    [method, '/tags/?q=id=', { name: 'x' }, [400, 'invalid_value']] as const,
    [method, '/tags/?q=id=x', { name: 'x' }, [400, 'invalid_value']] as const,
    [method, '/tags/?q=((id=1)', { name: 'x' }, [400, 'malformed_query']] as const,
    [method, '/tags/?q=id=1&limit=1', { name: 'x' }, unknown] as const,
    [method, '/tags/?q=id=1&deleted=with', { name: 'x' }, [400, 'unknown_field']] as const,
    [method, '/tags/?q=secret=1', { name: 'x' }, [400, 'unknown_field']] as const,
    ...['maybe', '', 'TRUE', '1'].map(
      (given) => [method, `${one}&dry_run=${given}`, { name: 'x' }, [400, 'invalid_value']] as const,
    ),
    ...['true', 'false'].map(
      (given) =>
        [method, `${one}&dry_run=true&dry_run=${given}`, { name: 'x' }, [400, 'malformed_query']] as const,
    ),
    [method, `${one}&dry_run`, { name: 'x' }, [400, 'invalid_value']] as const,
    [method, '/tags/1?dry_run=true', { name: 'x' }, unknown] as const,
    [
      method,
      `/tags/?q=${numbered(300, () => 'id=1').join('%26')}`,
      { name: 'x' },
      [400, 'malformed_query'],
    ] as const,
  ]),
]

test('malformed writes of many records are refused, and store nothing', async () => {
  // Sequences without a pause are no overload.
  const { send, rows, errors } = await open(shops.sqlite, { bulk: true, settings: { MAX_WAITING: 0 } })
  const stored = async () => [
    await rows('select id, name from tags order by id'),
    await rows('select id, title from orders order by id'),
    await rows('select price from order_items'),
  ]
  const before = await stored()
  for (const [method, path, body, expected] of requests) {
    const reply = await send(method, path, { body })
    // Those of a query string have no pointers.
    expect([method, path, body, ...refusalOf(reply).slice(0, reply.status === 400 ? 2 : undefined)]).toEqual([
      ...[method, path, body],
      ...expected,
    ])
  }
  for (const [method, path, body] of [
    ['POST', '/tags/', [{ name: 'x' }]],
    ['PATCH', '/tags/', [{ id: 1, name: 'x' }]],
    ['PATCH', one, { name: 'x' }],
    ['DELETE', one, undefined],
  ] as const)
    for (const name of ['if-match', 'if-none-match', 'if-unmodified-since'])
      for (const value of headers) {
        const reply = await send(method, path, { body, headers: { [name]: value } })
        expect([name, value, ...refusalOf(reply)]).toEqual([name, value, 400, 'unsupported_header'])
      }
  expect(await stored()).toEqual(before)
  expect(errors).toEqual([])
})
