import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Answer, Send } from '../stage/requests.ts'
import type { Parts } from '../stage/service.ts'
import { open, shops } from '../stage/shop.ts'
import { startError } from './start-error.ts'

const modelConfig = { Order: { write: ['items'], detailFields: true } }

const parts: Parts = {
  computed: { label: { schema: z.string(), load: (records) => records.map(({ id }) => `order ${id}`) } },
  afterRead: (_request, record) => ({ ...record, title: `${record['title']}!` }),
  present: (_request, records) => records.map((record) => ({ ...record, extra: 1 })),
}

const tagOf = ({ headers }: Answer): unknown => headers['etag']

/** The members of the order, and whether its tag is that of the whole order. */
const shown = async (send: Send, query: string, whole: string = ''): Promise<readonly unknown[]> => {
  const one = await send('GET', `/orders/1?${query}`)
  return [one.json, tagOf(one) === tagOf(await send('GET', `/orders/1?${whole}`))]
}

describe('detailFields', () => {
  it('returns the key and the chosen fields of one record, with its tag', async () => {
    const { send } = await open(shops.sqlite, { modelConfig } as never)
    expect(await shown(send, 'fields=title')).toEqual([{ id: 1, title: 'one' }, true])
    const include = 'include=items(fields=price)'
    expect(await shown(send, `fields=tenant&${include}`, include)).toEqual([
      {
        id: 1,
        tenant: 1,
        items: [],
        _related: { items: { has_more: false } },
      },
      true,
    ])
    const headers = { 'if-none-match': String(tagOf(await send('GET', '/orders/1'))) }
    expect((await send('GET', '/orders/1?fields=title', { headers })).status).toBe(304)
    expect((await send('HEAD', '/orders/1?fields=title')).status).toBe(200)
    const { status, json } = await send('GET', '/orders/1?fields=title&title=x')
    expect([status, json['code']]).toEqual([400, 'unknown_parameter'])
    expect((await send('GET', '/items/1?fields=price')).status).toBe(400)
  })

  it('runs hooks with the whole record, and returns what they add', async () => {
    const { send } = await open(shops.sqlite, { modelConfig, parts: { Order: parts } } as never)
    expect(await shown(send, 'fields=title')).toEqual([{ id: 1, title: 'one!', extra: 1 }, true])
    expect(await shown(send, 'fields=label')).toEqual([{ id: 1, label: 'order 1', extra: 1 }, true])
  })

  it('returns computed fields only if they are chosen', async () => {
    const { computed } = parts
    const { send } = await open(shops.sqlite, { modelConfig, parts: { Order: { computed } } } as never)
    expect(await shown(send, 'fields=title')).toEqual([{ id: 1, title: 'one' }, true])
    expect(await shown(send, 'fields=label')).toEqual([{ id: 1, label: 'order 1' }, true])
  })

  it('lets the document require only the key of a read, and everything of a write', async () => {
    const { send } = await open(shops.sqlite, { modelConfig } as never)
    const { json } = await send('GET', '/openapi.json')
    const { paths, components } = json as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
      readonly components: { readonly schemas: Readonly<Record<string, { readonly required?: unknown }>> }
    }
    const required = (path: string, method: string, status: number): unknown => {
      const { $ref = '' } =
        paths[path]?.[method]?.responses[status]?.content?.['application/json']?.schema ?? {}
      return components.schemas[$ref.split('/').at(-1) ?? '']?.required
    }
    expect(required('/orders/{id}', 'get', 200)).toEqual(['id'])
    expect(required('/orders/{id}', 'patch', 200)).toEqual(['id', 'tenant', 'title'])
    expect(JSON.stringify(paths['/orders/{id}']?.['get'])).toMatch(/fields/i)
  })

  it('is refused where nobody reads single records', async () => {
    const config = { Order: { detailFields: true, operations: ['list'] } }
    await expect(open(shops.sqlite, { modelConfig: config } as never)).rejects.toEqual(
      startError('Order', 'detailFields'),
    )
  })
})

interface Operation {
  readonly responses: Readonly<
    Record<
      number,
      { readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>> }
    >
  >
}
