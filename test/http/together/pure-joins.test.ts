import { describe, expect, it } from 'vitest'
import type { Answer } from '../../stage/requests.ts'
import { refusalOf, type ServiceOptions } from '../../stage/service.ts'
import { as, isAda, isKnown, open, start } from '../relations/pure-stage.ts'

const listing = 'select * from order_tags order by 1, 2'
const adaLists: ServiceOptions = { parts: { Tag: { permissions: isAda } } }

/** A response, without what tells requests apart. */
const toldIn = ({ status, text }: Answer) => [status, text.replace(/"request_id":"[^"]*"/, '')]

describe('writing links in a join table that only joins', () => {
  it('asks the permission of the record and that to list the other end, and no more', async () => {
    const { send, rows, rest } = await start()
    const made = await send('POST', '/orders/', { body: { status: 'new', tags: [1, 3] } })
    expect([made.status, made.json]).toMatchObject([201, { id: 4, tags: [{ id: 1 }, { id: 3 }] }])
    expect((await send('PATCH', '/orders/4', { body: { tags: [3] } })).json).toMatchObject({
      tags: [{ id: 3 }],
    })
    expect((await send('PUT', '/orders/4', { body: { status: 'x', tags: [] } })).json).toMatchObject({
      tags: [],
    })
    expect(await rows(`${listing} limit 9 offset 3`)).toEqual([])
    expect((await send('POST', '/order-tags/', { body: { order_id: 4, tag_id: 1 } })).status).toBe(401)
    const responses = Object(rest.openapi().paths['/orders/{id}']?.patch).responses
    expect([responses['401'], responses['403']]).toEqual([undefined, undefined])
    const closed = await start({ parts: { Order: { permissions: { update: () => false } } } })
    expect((await closed.send('PATCH', '/orders/1', as('ada', { tags: [] }))).status).toBe(403)
    expect(await closed.rows(listing)).toHaveLength(3)
  })

  it.each<readonly [string, ServiceOptions]>([
    ['is served', adaLists],
    ['is not served', { ...adaLists, exclude: { app: ['OrderTag'] } }],
  ])(
    'tells a caller who may not list the other end nothing, if the join table %s',
    async (_what, options) => {
      const one = await start(options)
      const other = await start(options, '; delete from order_tags; delete from tags where id < 3')
      const bodies = [[], [1], [2, 1], [1, 1], [99], ['x'], [null]].map((tags) => ({ tags }))
      for (const body of bodies)
        for (const [method, path] of [
          ['PATCH', '/orders/1'],
          ['PUT', '/orders/1'],
          ['POST', '/orders/'],
        ] as const) {
          const sent = as('bob', method === 'PATCH' ? body : { ...body, status: 'x' })
          const [a, b] = [await one.send(method, path, sent), await other.send(method, path, sent)]
          expect([body, refusalOf(a)]).toEqual([body, [403, 'forbidden', '/tags forbidden']])
          expect(toldIn(b)).toEqual(toldIn(a))
        }
      expect(await one.rows(listing)).toHaveLength(3)
      expect(await one.rows('select status from orders where id = 1')).toEqual([{ status: 'open' }])
      expect((await one.send('PATCH', '/orders/1', { body: { tags: [1] } })).status).toBe(401)
      expect((await one.send('PATCH', '/orders/1', as('ada', { tags: [1] }))).status).toBe(200)
      expect((await one.send('PATCH', '/orders/1', as('bob', { status: 'y' }))).status).toBe(200)
      const responses = Object(one.rest.openapi().paths['/orders/{id}']?.patch).responses
      expect([responses['401'], responses['403']]).not.toContain(undefined)
    },
  )

  it('is documented with the codes of the permission to list the other end', async () => {
    const codesIn = async (options: ServiceOptions) => {
      const openapi = { codes: { plan_required: { status: 403, title: 'Not in this plan' } } }
      const { rest } = await start({ auth: false, openapi, ...options })
      return Object(rest.openapi().paths['/orders/{id}']?.patch)['x-problem-codes'].enum
    }
    expect(await codesIn(adaLists)).toContain('plan_required')
    expect(await codesIn({})).not.toContain('plan_required')
  })

  it('shows them only to a caller who may list both ends', async () => {
    const { send, rows } = await start({ parts: { Order: { permissions: isKnown } } })
    const { status, json } = await send('PATCH', '/orders/3', as('bob', { tags: [1] }))
    expect([status, json['id'], json['tags']]).toEqual([200, 3, undefined])
    expect(await rows('select tag_id from order_tags where order_id = 3')).toEqual([{ tag_id: 1 }])
    expect((await send('PATCH', '/orders/3', as('ada', { tags: [2] }))).json).toMatchObject({
      tags: [{ id: 2 }],
    })
  })

  it('reaches only links within the scope for all models', async () => {
    const scope = (_request: unknown, _context: unknown, { name }: { readonly name: string }) =>
      name === 'OrderTag' ? { tag_id: [2, 3] } : {}
    const { send, rows } = await start({ scope: scope as never })
    expect((await send('PATCH', '/orders/1', { body: { tags: [3] } })).json).toMatchObject({
      tags: [{ id: 3 }],
    })
    expect(await rows(`select tag_id from order_tags where order_id = 1`)).toEqual([
      { tag_id: 1 },
      { tag_id: 3 },
    ])
    expect((await send('PATCH', '/orders/2', { body: { tags: [1] } })).status).toBe(403)
    expect((await send('PATCH', '/orders/1', { body: { tags: [] } })).status).toBe(200)
    expect(await rows(`select tag_id from order_tags where order_id = 1`)).toEqual([{ tag_id: 1 }])
  })

  it('as records of its own asks its permission', async () => {
    const config = { Order: { ...open['Order'], write: ['order_tags', 'tags'] } } as never
    const { send } = await start({ modelConfig: config })
    const links = (user?: string) =>
      send('PATCH', '/orders/3', {
        ...(user === undefined ? {} : as(user)),
        body: { order_tags: { create: [{ tag_id: 1 }] } },
      })
    expect(refusalOf(await links())).toEqual([401, 'unauthenticated', '/order_tags/create/0 unauthenticated'])
    expect((await links('bob')).status).toBe(200)
  })
})
