import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildShop, type Shop } from '../../examples/shop/app.ts'

let shop: Shop

describe.each([
  ['asynchronous', true],
  ['synchronous', false],
])('the customers of the shop, %s', (_mode, isAsync) => {
  beforeEach(async () => {
    shop = await buildShop({ database: ':memory:', products: 100, isAsync })
  })
  afterEach(() => shop.app.close())

  const send = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object) => {
    const reply = await shop.app.inject({
      ...{ method, url: `/api/customers/${path}` },
      ...(body !== undefined && { body }),
    })
    return { status: reply.statusCode, json: reply.json<Record<string, unknown>>() }
  }

  it('have their e-mail address in lower case, however it was sent', async () => {
    const made = await send('POST', '', { name: 'Ada', email: 'Ada@Example.COM' })
    expect(made).toMatchObject({ status: 201, json: { name: 'Ada', email: 'ada@example.com', phone: null } })
    const id = String(made.json['id'])
    expect((await send('PATCH', id, { email: 'ADA@example.org' })).json['email']).toBe('ada@example.org')
    expect((await send('POST', '', { name: 'Ada', email: 'ADA@EXAMPLE.org' })).status).toBe(409)
  })

  it('have an address with all its parts, or none', async () => {
    const address = { street: '12 St James Square', postcode: 'SW1Y 4JH', city: 'London', country: 'GB' }
    const made = await send('POST', '', { name: 'Ada', email: 'a@b.cd', address })
    expect(made).toMatchObject({ status: 201, json: { address } })
    const { street: _street, ...rest } = address
    const refused = await send('PATCH', String(made.json['id']), { address: rest })
    expect(refused).toMatchObject({
      ...{ status: 422, json: { errors: [{ pointer: '/address/street', code: 'required' }] } },
    })
  })

  it('can be sent back as they came', async () => {
    const customers = (await send('GET', '?limit=50')).json['items'] as Record<string, unknown>[]
    expect(customers).toHaveLength(50)
    for (const customer of customers) {
      expect(await send('PUT', String(customer['id']), customer)).toEqual({ status: 200, json: customer })
    }
  })

  it('are documented so', () => {
    const { schemas } = shop.rest.openapi().components
    expect(schemas['CustomerCreate']).toMatchObject({
      required: ['name', 'email'],
      properties: {
        email: { format: 'email', maxLength: 200 },
        address: { anyOf: [{ type: 'object' }, {}] },
      },
    })
    expect(schemas['CustomerUpdate']).not.toHaveProperty('required')
  })
})
