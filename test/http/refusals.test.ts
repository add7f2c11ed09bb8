import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { naming } from '../naming.ts'
import type { Sent } from '../stage/requests.ts'
import { type Service, startService } from './service.ts'

const lamp = { name: 'Lamp', price: '9.90', maker_id: 1 }

type Case = readonly [
  title: string,
  method: string,
  path: string,
  sent: Sent,
  status: number,
  problem: object,
]

const bodies: readonly Case[] = [
  ['malformed JSON', 'POST', '/products/', { body: '{"name":' }, 400, { code: 'malformed_json' }],
  ['an empty body', 'POST', '/products/', {}, 400, { code: 'malformed_json' }],
  ['no object', 'POST', '/products/', { body: [1] }, 422, { errors: [{ pointer: '', code: 'wrong_type' }] }],
  [
    'a missing field',
    'POST',
    '/products/',
    { body: { name: 'x', maker_id: 1 } },
    422,
    { code: 'invalid_body', errors: [{ pointer: '/price', code: 'required' }] },
  ],
  [
    'an unknown key',
    'POST',
    '/products/',
    { body: { ...lamp, colour: 'red' } },
    422,
    { errors: [{ pointer: '/colour', code: 'unknown_key' }] },
  ],
  [
    'a key of every object',
    'POST',
    '/products/',
    { body: '{"__proto__":{"a":1},"name":"x","price":1,"maker_id":1}' },
    422,
    {
      errors: [{ pointer: '/__proto__', code: 'unknown_key' }],
    },
  ],
  [
    'a wrong type',
    'POST',
    '/products/',
    { body: { ...lamp, name: 5 } },
    422,
    { errors: [{ pointer: '/name', code: 'wrong_type' }] },
  ],
  [
    'a long text',
    'POST',
    '/products/',
    { body: { ...lamp, name: 'x'.repeat(21) } },
    422,
    { errors: [{ pointer: '/name', code: 'too_long' }] },
  ],
  [
    'too many digits',
    'POST',
    '/products/',
    { body: { ...lamp, price: '9.999' } },
    422,
    { errors: [{ pointer: '/price' }] },
  ],
  [
    'an imprecise number',
    'POST',
    '/products/',
    { body: '{"name":"x","price":9.999999999999999999,"maker_id":1}' },
    422,
    { errors: [{ pointer: '/price', code: 'imprecise_number' }] },
  ],
  [
    'no value of the enum',
    'POST',
    '/products/',
    { body: { ...lamp, status: 'gone' } },
    422,
    { errors: [{ pointer: '/status', code: 'not_in_enum' }] },
  ],
  [
    'null where none may be',
    'POST',
    '/products/',
    { body: { ...lamp, name: null } },
    422,
    { errors: [{ pointer: '/name', code: 'not_nullable' }] },
  ],
  [
    'a taken value',
    'POST',
    '/makers/',
    { body: { name: 'Acme' } },
    409,
    { code: 'unique_conflict', errors: [{ pointer: '/name', code: 'taken' }] },
  ],
  [
    'a reference to nothing',
    'POST',
    '/products/',
    { body: { ...lamp, maker_id: 999 } },
    422,
    { errors: [{ pointer: '/maker_id', code: 'missing_reference' }] },
  ],
  [
    'a broken rule',
    'POST',
    '/products/',
    { body: { ...lamp, price: '-1.00' } },
    422,
    { code: 'invalid_body' },
  ],
  [
    'another media type',
    'POST',
    '/products/',
    { body: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    415,
    {
      code: 'unsupported_media_type',
    },
  ],
  [
    'a body that is too large',
    'POST',
    '/products/',
    { body: { ...lamp, note: 'x'.repeat(1_048_576) } },
    413,
    { code: 'body_too_large' },
  ],
  [
    'an unacceptable Accept',
    'POST',
    '/products/',
    { body: lamp, headers: { accept: 'text/html' } },
    406,
    { code: 'not_acceptable' },
  ],
]

const queries: readonly Case[] = (
  [
    ['colour=red', 'unknown_field'],
    ['q=colour%3Dred', 'unknown_field'],
    ['sort=colour', 'unknown_field'],
    ['q=price', 'malformed_query'],
    ['price=cheap', 'invalid_value'],
    ['in_stock>true', 'invalid_operator'],
    ['data=1', 'invalid_operator'],
    ['released>yesterday', 'invalid_value'],
    ['status==gone', 'invalid_value'],
    ['limit=-1', 'invalid_value'],
    ['limit=many', 'invalid_value'],
    ['limit=1001', 'invalid_value'],
    ['offset=1e3', 'invalid_value'],
    ['page=1', 'unknown_parameter'],
    ['include=makr', 'unknown_field'],
    ['maker.town=x', 'unknown_field'],
    ['count=some', 'invalid_value'],
    ['order=asc', 'malformed_query'],
    ['sort=name&order=up', 'invalid_value'],
    ['limit=1&limit=2', 'malformed_query'],
    ['q=%zz', 'malformed_query'],
    [`name=${'x'.repeat(8200)}`, 'query_too_long'],
  ] as const
).map(([query, code]) => [query.slice(0, 40), 'GET', `/products/?${query}`, {}, 400, { code }] as const)

const others: readonly Case[] = [
  ['a query where there is none', 'GET', '/products/1?a=1', {}, 400, { code: 'unknown_parameter' }],
  [
    'a record that is not there',
    'GET',
    '/products/999999',
    {},
    404,
    { code: 'not_found', detail: expect.stringMatching(naming('Product')) },
  ],
  [
    'a record that is still needed',
    'DELETE',
    '/makers/2',
    {},
    409,
    {
      code: 'still_referenced',
      errors: [{ code: 'referenced', detail: expect.stringMatching(naming('Product')) }],
    },
  ],
  ['a wrong method', 'DELETE', '/products/', {}, 405, { code: 'method_not_allowed' }],
  ['a wrong method on a record', 'POST', '/products/1', { body: {} }, 405, { code: 'method_not_allowed' }],
]

describe('bad input', () => {
  const start = startService
  let service: Service
  const stored = () => service.database.prepare('select count(*) from products').pluck().get()

  beforeAll(async () => {
    service = await start()
    await service.send('POST', '/api/products/', { body: { ...lamp, maker_id: 2 } })
  })
  afterAll(() => service.stop())

  it.each([...bodies, ...queries, ...others])(
    '%s: %s %s',
    async (_title, method, path, sent, status, problem) => {
      const before = stored()
      const reply = await service.send(method, `/api${path}`, sent)
      expect(reply.status, reply.text).toBe(status)
      expect(reply.headers['content-type']).toBe('application/problem+json')
      expect(reply.json).toMatchObject({
        type: expect.stringMatching(/^urn:modelrest:problem:/),
        title: expect.any(String),
        status,
        detail: expect.any(String),
        instance: `/api${path.split('?')[0]}`,
        ...problem,
      })
      expect(reply.text).not.toMatch(/SQLITE|constraint failed|select |insert |node_modules/i)
      expect(stored()).toBe(before)
    },
  )

  it('says which methods a path has', async () => {
    expect((await service.send('PUT', '/api/products/', { body: {} })).headers['allow']).toBe(
      'GET, HEAD, POST',
    )
    expect((await service.send('POST', '/api/products/1', { body: {} })).headers['allow']).toBe(
      'GET, HEAD, PUT, PATCH, DELETE',
    )
  })

  it('answers HEAD as GET without a body', async () => {
    const reply = await service.send('HEAD', '/api/products/')
    expect([reply.status, reply.text]).toEqual([200, ''])
    expect((await service.send('HEAD', '/api/products/999999')).status).toBe(404)
  })

  it('hides what failed, and gives the log a request id', async () => {
    service.database.exec('alter table notes rename to mislaid')
    const reply = await service.send('GET', '/api/notes/')
    service.database.exec('alter table mislaid rename to notes')
    expect(reply.status).toBe(500)
    expect(reply.json).toMatchObject({ code: 'internal_error', request_id: expect.any(String) })
    expect(reply.text).not.toMatch(/no such table|notes"/)
  })
})
