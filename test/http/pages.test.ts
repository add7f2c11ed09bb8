import { describe, expect, it } from 'vitest'
import { defineSettings, type ModelRestOptions } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { type Service, startService } from './service.ts'

interface Page {
  readonly items: readonly { readonly key: string }[]
  readonly count: number | null
  readonly next?: string | null
}

const settings = defineSettings({
  NINJA_PAGINATION_PER_PAGE: 2,
  NINJA_PAGINATION_MAX_LIMIT: 3,
  SECRET_KEY: 'a secret of the tests, with 32 bytes or more',
})

describe('pages', () => {
  const start = startService
  const withNotes = async (
    options: Partial<ModelRestOptions>,
    use: (get: (query: string) => Promise<Page>, send: Service['send']) => Promise<void>,
  ): Promise<void> => {
    const service = await start({ settings, ...options })
    service.database.exec(
      `insert into notes values ('a', 'A lamp'), ('b', 'x'), ('c', 'x'), ('d', 'lamps'), ('e', 'x')`,
    )
    const get = async (query: string) =>
      (await service.send('GET', `/api/notes/?${query}`)).json as unknown as Page
    await use(get, service.send).finally(service.stop)
  }
  const keys = ({ items }: Page) => items.map(({ key }) => key).join('')

  it('are limit and offset where nothing else is said', () =>
    withNotes({}, async (get, send) => {
      expect(keys(await get(''))).toBe('ab')
      expect(keys(await get('limit=3&offset=2'))).toBe('cde')
      const refused = await send('GET', '/api/notes/?limit=4')
      expect(refused.json).toMatchObject({
        code: 'invalid_value',
        detail: expect.stringMatching(naming('limit', 0, 3)),
      })
    }))

  it.each([
    { paginationType: 'page-number' },
    { settings: defineSettings({ ...settings, NINJA_PAGINATION_CLASS: 'ninja.PageNumberPagination' }) },
  ] as const)('are numbered with %j', (options) =>
    withNotes(options, async (get, send) => {
      expect([keys(await get('')), keys(await get('page=2')), keys(await get('page=3'))]).toEqual([
        'ab',
        'cd',
        'e',
      ])
      expect(await get('page=9')).toMatchObject({ items: [], count: 5 })
      expect((await send('GET', '/api/notes/?page=0')).status).toBe(400)
      expect((await send('GET', '/api/notes/?limit=1')).json).toMatchObject({ code: 'unknown_parameter' })
    }),
  )

  it('are followed by their cursor', () =>
    withNotes({ paginationType: 'cursor' }, async (get, send) => {
      const first = await get('sort=body&limit=3&key!=b')
      expect([keys(first), first.count]).toEqual(['adc', null])
      expect(await get('sort=body&limit=3&key!=b&cursor=')).toEqual(first)
      const second = await get(`sort=body&limit=1&key!=b&cursor=${first.next}`)
      expect([keys(second), second.next]).toEqual(['e', null])
      const foreign = await send('GET', `/api/notes/?sort=key&cursor=${first.next}`)
      expect(foreign.json).toMatchObject({
        status: 400,
        code: 'invalid_value',
        errors: [{ parameter: 'cursor' }],
      })
    }))

  it('show what search finds', () =>
    withNotes({ modelConfig: { Note: { search: ['body'] } } }, async (get) => {
      expect(keys(await get('search=LAMP'))).toBe('ad')
      expect(keys(await get('search=a&key==d'))).toBe('d')
    }))
})
