import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Service, startService } from './service.ts'

const lamp = { name: 'Lamp', price: '9.90', maker_id: 1 }

describe('records', () => {
  const start = startService
  let service: Service
  const send: Service['send'] = (...args) => service.send(...args)
  const make = async (body: object = lamp) =>
    (await send('POST', '/api/products/', { body })).json as { id: number }

  beforeAll(async () => {
    service = await start()
  })
  beforeEach(() => {
    service.database.exec('delete from products; delete from shelves; delete from notes')
  })
  afterAll(() => service.stop())

  it('are created, with their place and defaults', async () => {
    const reply = await send('POST', '/api/products', { body: lamp })
    expect(reply.status).toBe(201)
    const record = reply.json as { id: number }
    expect(record).toEqual({
      id: expect.any(Number),
      name: 'Lamp',
      price: '9.90',
      in_stock: true,
      note: null,
      weight: null,
      released: null,
      big: null,
      data: null,
      status: 'draft',
      maker_id: 1,
      created_at: '2026-01-01T00:00:00.000Z',
    })
    expect(reply.headers['location']).toBe(`/api/products/${record.id}`)
    expect((await send('GET', reply.headers['location'] ?? '')).json).toEqual(record)
  })

  it('take every kind of value and give it back', async () => {
    const values = {
      ...lamp,
      price: 12.5,
      note: 'naïve "quoted" \\ 🎉',
      weight: 0.1,
      released: '2026-03-04T05:06:07.89+02:00',
      big: '9223372036854775807',
      data: { a: [1, null, 'x'] },
      status: 'live',
      in_stock: false,
    }
    expect(await make(values)).toMatchObject({
      ...values,
      price: '12.50',
      released: '2026-03-04T03:06:07.890Z',
    })
  })

  it('are listed in pages with their count', async () => {
    for (const name of ['a', 'b', 'c']) await make({ ...lamp, name })
    const page = await send('GET', '/api/products/?limit=2&offset=1&sort=name&order=desc')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toMatch(/^application\/json/)
    expect(page.json).toMatchObject({ items: [{ name: 'b' }, { name: 'a' }], count: 3, count_exact: true })
    expect((await send('GET', '/api/products?limit=0')).json).toEqual({
      items: [],
      count: 3,
      count_exact: true,
    })
    expect((await send('GET', '/api/products?offset=9')).json).toEqual({
      items: [],
      count: 3,
      count_exact: true,
    })
    expect((await send('GET', '/api/products?count=none&limit=1')).json).toMatchObject({
      count: null,
      count_exact: false,
    })
  })

  it('are filtered as the specification says', async () => {
    await make({ ...lamp, name: 'Desk lamp', price: 11 })
    await make({ ...lamp, name: 'Chair', price: 12, in_stock: false })
    const names = async (query: string) =>
      ((await send('GET', `/api/products/?${query}`)).json as { items: { name: string }[] }).items.map(
        ({ name }) => name,
      )
    expect(await names('q=name%3DLAMP')).toEqual(['Desk lamp'])
    expect(await names('q=in_stock=true&price>10')).toEqual(['Desk lamp'])
    expect(await names('q=in_stock%3Dtrue%26price%3E10')).toEqual(['Desk lamp'])
    expect(await names('price>=11.50')).toEqual(['Chair'])
    expect(await names('q=note%3Dnull&sort=price&order=desc')).toEqual(['Chair', 'Desk lamp'])
  })

  it('are patched: absent fields stay, null is null', async () => {
    const { id } = await make({ ...lamp, note: 'x' })
    const patch = (body: unknown, headers = {}) => send('PATCH', `/api/products/${id}`, { body, headers })
    expect((await patch({ price: '1.00' })).json).toMatchObject({ price: '1.00', note: 'x', in_stock: true })
    const merge = { 'content-type': 'application/merge-patch+json' }
    expect((await patch({ note: null }, merge)).json).toMatchObject({ note: null, price: '1.00' })
    expect((await patch({})).status).toBe(200)
    expect((await send('PATCH', `/api/products/${id}`)).json).toMatchObject({ price: '1.00' })
    expect((await patch({ name: null })).status).toBe(422)
    expect((await patch({ id: 5 })).status).toBe(422)
    expect((await patch({ created_at: '2020-01-01T00:00:00Z' })).status).toBe(422)
  })

  it('are replaced: absent fields take their defaults, fixed ones stay', async () => {
    const { id } = await make({ ...lamp, note: 'x', in_stock: false, status: 'live' })
    const put = (body: unknown) => send('PUT', `/api/products/${id}`, { body })
    expect((await put({ ...lamp, name: 'New' })).json).toMatchObject({
      id,
      name: 'New',
      note: null,
      in_stock: true,
      status: 'draft',
      created_at: '2026-01-01T00:00:00.000Z',
    })
    expect((await put({ name: 'No price', maker_id: 1 })).json).toMatchObject({
      code: 'invalid_body',
      errors: [{ pointer: '/price', code: 'required' }],
    })
    expect((await send('PUT', '/api/products/999999', { body: lamp })).status).toBe(404)
  })

  it('can be sent back as they were got', async () => {
    const { id } = await make()
    const path = `/api/products/${id}`
    const got = (await send('GET', path)).json as object
    expect((await send('PUT', path, { body: got })).json).toEqual(got)
    const refused = await send('PUT', path, {
      body: { ...got, id: id + 1, created_at: '2020-01-01T00:00:00Z' },
    })
    expect(refused.status).toBe(422)
    expect(refused.json).toMatchObject({
      errors: [
        { pointer: '/id', code: 'read_only' },
        { pointer: '/created_at', code: 'read_only' },
      ],
    })
  })

  it('are deleted once', async () => {
    const { id } = await make()
    const gone = await send('DELETE', `/api/products/${id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await send('DELETE', `/api/products/${id}`)).status).toBe(404)
  })

  it('are found by any key', async () => {
    const shelf = { room: 'a,b', slot: 'c/d é', label: 'x' }
    const made = await send('POST', '/api/shelves/', { body: shelf })
    expect(made.headers['location']).toBe('/api/shelves/a%2Cb,c%2Fd%20%C3%A9')
    expect((await send('GET', '/api/shelves/a%2Cb,c%2Fd%20%C3%A9')).json).toEqual(shelf)
    expect((await send('GET', '/api/shelves/a,b,c')).status).toBe(404)
    expect((await send('GET', '/api/shelves/a')).status).toBe(404)
    const key = 'k,'.repeat(500)
    await send('POST', '/api/notes/', { body: { key, body: 'long' } })
    expect((await send('GET', `/api/notes/${encodeURIComponent(key)}`)).json).toEqual({ key, body: 'long' })
    expect((await send('GET', `/api/notes/${key}/`)).json).toEqual({ key, body: 'long' })
    expect((await send('GET', '/api/products/abc')).status).toBe(404)
    expect((await send('GET', '/api/products/1e400')).status).toBe(404)
    expect((await send('GET', '/api/products/99999999999999999999')).status).toBe(404)
  })

  it('of a view are read only', async () => {
    await make({ ...lamp, status: 'live' })
    expect((await send('GET', '/api/live-products/')).json).toMatchObject({
      count: 1,
      items: [{ name: 'Lamp' }],
    })
    const refused = await send('POST', '/api/live-products/', { body: {} })
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })

  it('keep what is secret to themselves', async () => {
    const made = await send('POST', '/api/makers/', { body: { name: 'Cog', apiSecret: 'hush' } })
    expect(made.json).toEqual({ id: expect.any(Number), name: 'Cog' })
    expect(service.database.prepare(`select api_secret from makers where name = 'Cog'`).pluck().get()).toBe(
      'hush',
    )
    for (const query of ['q=apiSecret%3Dhush', 'apiSecret==hush', 'sort=apiSecret']) {
      const refused = await send('GET', `/api/makers/?${query}`)
      expect(refused.status).toBe(400)
      expect(refused.text.replace(/"instance":"[^"]*"/, '')).not.toMatch(/apiSecret.*is hidden|hush/)
      const unknown = await send('GET', `/api/makers/?${query.replaceAll('apiSecret', 'apiSecre_')}`)
      expect(refused.text.replaceAll('apiSecret', 'apiSecre_')).toBe(unknown.text)
    }
    const { id } = made.json as { id: number }
    const replaced = await send('PUT', `/api/makers/${id}`, { body: { name: 'Cog 2' } })
    expect(replaced.json).toEqual({ id, name: 'Cog 2' })
    expect(service.database.prepare(`select api_secret from makers where id = ?`).pluck().get(id)).toBe(
      'hush',
    )
    await send('DELETE', `/api/makers/${id}`)
  })
})
