import { describe, expect, it } from 'vitest'
import { defineSettings, type ModelRestOptions } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { type Service, startService } from './service.ts'

interface Page {
  readonly items: readonly { readonly id: number }[]
  readonly count: number
}

const fill = `
insert into products (name, price, in_stock, note, maker_id, created_at) values
  ('Lamp', 990, 1, 'needle', 1, 0), ('Lamp shade', 1250, 1, null, 2, 0), ('Foo (bar)|x', 24000, 0, 'R&D', 1, 0), ('Table', 500, 1, null, 1, 0);
update makers set api_secret = 'needle'`

describe('a query string', () => {
  const start = startService
  const using = async (
    options: Partial<ModelRestOptions>,
    use: (ask: (query: string, path?: string) => ReturnType<Service['send']>) => Promise<void>,
  ): Promise<void> => {
    const service = await start(options)
    service.database.exec(fill)
    const ask = (query: string, path = 'products') => service.send('GET', `/api/${path}/?${query}`)
    await use(ask).finally(service.stop)
  }
  const ids = ({ json }: { readonly json: unknown }): string =>
    (json as Page).items.map(({ id }) => id).join()

  it('means the same typed, encoded, in several q and in segments', () =>
    using({}, async (ask) => {
      for (const query of [
        'q=in_stock=true&price>5',
        'q=in_stock%3Dtrue%26price%3E5',
        'q=in_stock=true&q=price>5',
        'q=price>5&in_stock=true',
        'in_stock=true&price%3E5',
        'in_stock=true&(price>5)',
        '!(in_stock=false)&!(price<=5)',
      ])
        expect([query, ids(await ask(query))]).toEqual([query, '1,2'])
    }))

  it('takes parentheses and | in a value for what they are, outside of a group', () =>
    using({}, async (ask) => {
      const inGroup = encodeURIComponent('(name="foo (bar)|x"|name==Table)')
      for (const [query, found] of [
        ['name=foo (bar)|x', '3'],
        ['q=name=foo (bar)|x', '3'],
        ['q=name%3Dfoo%20(bar)%7Cx', '3'],
        ['name=foo+(bar)%7Cx&in_stock=false', '3'],
        [`q=${inGroup}`, '3,4'],
        [inGroup, '3,4'],
      ] as const)
        expect([query, ids(await ask(query))]).toEqual([query, found])
    }))

  it('is held to the limits of the settings', () => {
    const settings = defineSettings({
      QUERY_MAX_BYTES: 60,
      QUERY_MAX_CONDITIONS: 3,
      QUERY_MAX_SORTS: 2,
      QUERY_MAX_DEPTH: 2,
    })
    return using({ settings }, async (ask) => {
      for (const [inside, outside, code, names] of [
        [`name=${'x'.repeat(55)}`, `name=${'x'.repeat(56)}`, 'query_too_long', [60]],
        ['id>1&id>1&q=id>1', 'id>1&id>1&q=id>1&id>1', 'malformed_query', [3]],
        ['sort=id&sort=name', 'sort=id&sort=name&sort=price', 'malformed_query', [3, 2]],
        ['((id=1))', '(((id=1)))', 'malformed_query', [2]],
      ] as const) {
        expect([inside, (await ask(inside)).status]).toEqual([inside, 200])
        const { status, json } = await ask(outside)
        expect([status, json]).toEqual([
          400,
          expect.objectContaining({ code, detail: expect.stringMatching(naming(...names)) }),
        ])
      }
    })
  })

  it('finds nothing in what cannot be read, and names none of it', () =>
    using({ modelConfig: { Product: { hidden: ['note'] } } }, async (ask) => {
      expect((await ask('search=needle')).json).toMatchObject({ items: [], count: 0 })
      expect((await ask('search=needle', 'makers')).json).toMatchObject({ items: [], count: 0 })
      expect((await ask('search=a', 'makers')).json).toMatchObject({ count: 1 })
      for (const query of ['note=needle', 'sort=note', 'fields=note', 'q=(note!=null)']) {
        const { status, text } = await ask(query)
        expect([query, status]).toEqual([query, 400])
        // Its own name is repeated as that of any unknown field is, and nothing else is said of it.
        const unknown = await ask(query.replace('note', 'node'))
        expect(text.replaceAll('note', 'node')).toBe(unknown.text)
      }
    }))

  it('searches what can be read, but for a model that has switched it off', () =>
    using({ modelConfig: { Maker: { search: [] } } }, async (ask) => {
      expect(ids(await ask('search=NEEDLE'))).toBe('1')
      expect(ids(await ask('search=a&sort=price'))).toBe('4,1,2,3')
      const refused = await ask('search=a', 'makers')
      expect(refused.json).toMatchObject({ status: 400, code: 'unknown_parameter' })
    }))
})
