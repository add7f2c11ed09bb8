import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Shop, shops } from '../../stage/shop.ts'

const members = ['items', 'notes', 'labels', 'tags'] as const
const long = 'x'.repeat(5000)

const values: readonly string[] = [
  ...[
    'null',
    '0',
    '1',
    '-1.5',
    '1e400',
    'true',
    '""',
    '"x"',
    '{}',
    '[[]]',
    '[{}]',
    '[null]',
    '[true]',
    '[[[[]]]]',
  ],
  ...[
    '{"__proto__":[]}',
    '[{"__proto__":{"price":1}}]',
    '{"create":null}',
    '{"create":{}}',
    '{"create":[0]}',
  ],
  ...[
    '{"update":[{"id":"1"}]}',
    '{"update":[{"id":{}}]}',
    '{"delete":[{}]}',
    '{"delete":[[1]]}',
    '{"delete":["1"]}',
  ],
  ...[
    '{"delete":{"0":1}}',
    '{"constructor":[]}',
    '{"create":[{"constructor":1}]}',
    '["\\u0000"]',
    '["\\ud800"]',
  ],
  ...[
    `["${long}"]`,
    `{"${long}":1}`,
    `[{"${long}":1}]`,
    '[9007199254740993]',
    '{"delete":[9007199254740993]}',
  ],
  ...[
    '{"update":[{"line":1.5}]}',
    '{"delete":["\\u0000"]}',
    '{"update":[{"code":"\\u0000"}]}',
    '[{"id":99999999999999999999}]',
  ],
  `[${Array.from({ length: 5000 }, () => '0').join()}]`,
  `{"create":[${Array.from({ length: 5000 }, () => '{}').join()}]}`,
  `${'['.repeat(90)}${']'.repeat(90)}`,
]

describe('malformed members of related records', () => {
  const start = shops.sqlite
  let shop: Shop
  beforeAll(async () => {
    shop = await start()
    await shop.execute(`insert into order_items (order_id, price) values (1, 1);
      insert into order_notes (order_id, line, text) values (1, 1, 'x');
      insert into order_labels (code, order_id) values ('A', 1);
      insert into order_tags (order_id, tag_id, weight) values (1, 1, 7)`)
  })
  afterAll(() => shop.stop())

  const stored = async (): Promise<unknown> => [
    await shop.rows('select * from orders order by id'),
    await shop.rows('select * from order_items order by id'),
    await shop.rows('select * from order_notes'),
    await shop.rows('select * from order_labels'),
    await shop.rows('select * from order_tags'),
  ]

  /** Each is refused with a pointer into its member, or has nothing to do. */
  const send = async (method: 'POST' | 'PUT' | 'PATCH', member: string, value: string): Promise<void> => {
    const body = `{${method === 'PATCH' ? '' : '"title":"x",'}"${member}":${value}}`
    const reply = await shop.send(method, method === 'POST' ? '/orders/' : '/orders/1', { body })
    const place = `${method} ${member} ${value.slice(0, 100)}: ${reply.text.slice(0, 300)}`
    expect([400, 422], place).toContain(reply.status)
    const issues = (reply.json['errors'] ?? []) as readonly { pointer?: string }[]
    if (reply.status === 400) return
    expect(issues.length, place).toBeGreaterThan(0)
    for (const { pointer } of issues) expect(pointer, place).toMatch(new RegExp(`^/${member}(/|$)`))
    expect(reply.text.length, place).toBeLessThan(65_536)
  }

  const isNothing = (method: string, member: string, value: string): boolean => {
    const parsed: unknown = JSON.parse(value)
    if (method !== 'PATCH' || member === 'tags') return Array.isArray(parsed) && parsed.length === 0
    return JSON.stringify(parsed) === '{}'
  }

  test.each(['POST', 'PUT', 'PATCH'] as const)('are refused by %s', async (method) => {
    const before = await stored()
    for (const member of members)
      for (const value of values) {
        // Keys of tags, and a label without more than its code.
        const isValid = (member === 'tags' && value === '[1]') || isNothing(method, member, value)
        if (!isValid) await send(method, member, value)
      }
    expect(await stored()).toEqual(before)
    expect(shop.errors).toEqual([])
  })

  test.each([
    ['POST', '[1]', '/items/0', 'items[0]', 'wrong_type'],
    ['POST', '[{"price":1},null]', '/items/1', 'items[1]', 'not_nullable'],
    ['PUT', '[[]]', '/items/0', 'items[0]', 'wrong_type'],
    ['PATCH', '{"create":["x"]}', '/items/create/0', 'create[0]', 'wrong_type'],
  ])('name the element that is not an object: %s %s', async (method, value, pointer, name, code) => {
    const body = `{${method === 'PATCH' ? '' : '"title":"x",'}"items":${value}}`
    const { status, json } = await shop.send(method, method === 'POST' ? '/orders/' : '/orders/1', { body })
    expect(status).toBe(422)
    expect(json['errors']).toEqual([{ pointer, code, detail: expect.stringContaining(name) }])
  })

  test('are refused whatever they are', async () => {
    const before = await stored()
    const wrong = fc
      .jsonValue({ maxDepth: 3 })
      .filter((value) => !(Array.isArray(value) && value.length === 0))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('POST', 'PUT'),
        fc.constantFrom('items', 'notes'),
        wrong,
        async (method, member, value) => {
          await send(method, member, JSON.stringify(value))
        },
      ),
      { numRuns: 60 },
    )
    expect(await stored()).toEqual(before)
    expect(shop.errors).toEqual([])
  })
})
