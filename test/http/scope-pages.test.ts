import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Told } from './scope/stage.ts'
import {
  type Both,
  hookSets,
  inBoth,
  OWN_READINGS,
  optionsFor,
  refillWorlds,
  type Worlds,
  worldStages,
} from './scope/two-worlds.ts'

interface Page {
  readonly items: readonly { readonly id: number }[]
  readonly count: number | null
  readonly count_exact: boolean
  readonly next?: string | null
}

const pageOf = ({ body }: Told): Page => JSON.parse(body)

/** Nulls, values that many have, and both in turn. */
const sorts = [
  ...['sort=rank&order=asc', 'sort=rank&order=desc', 'sort=grade&order=asc', 'sort=grade&order=desc'],
  ...['sort=rank&order=desc&sort=grade&order=asc', 'sort=name&order=desc', 'sort=id&order=desc', ''],
]
const counts = ['', 'count=exact', 'count=estimated', 'count=none']
const filters = [
  '',
  'q=rank=null',
  'q=grade=1',
  'search=reading 1',
  'q=!(tenantId=1)',
  'q=tenantId=2',
  'q=id<2000',
]

const path = (...parameters: readonly string[]): string =>
  `/readings/?${parameters.filter((parameter) => parameter !== '').join('&')}`

/** All pages of a list. Each page is asked for in both worlds. */
const walks: Readonly<Record<string, (both: Both, parameters: string) => Promise<readonly Page[]>>> = {
  'limit-offset': async ({ send }, parameters) => {
    const pages: Page[] = []
    for (let offset = 0; offset <= OWN_READINGS + 100; offset += 100) {
      const { shared } = await send({
        method: 'GET',
        path: path(parameters, `offset=${offset}`),
        status: 200,
      })
      pages.push(pageOf(shared))
    }
    return pages
  },
  'page-number': async ({ send }, parameters) => {
    const pages: Page[] = []
    for (let page = 1; page <= 4; page += 1) {
      const { shared } = await send({ method: 'GET', path: path(parameters, `page=${page}`), status: 200 })
      pages.push(pageOf(shared))
    }
    return pages
  },
  cursor: async ({ send }, parameters) => {
    const pages: Page[] = []
    let next: string | null | undefined
    do {
      const cursor = next ? `cursor=${next}` : ''
      const { shared } = await send({ method: 'GET', path: path(parameters, cursor), status: 200 })
      pages.push(pageOf(shared))
      next = pages.at(-1)?.next
    } while (next)
    return pages
  },
}

describe.each(worldStages)('a tenant pages as if nobody else were there, on %s', (_name, stage) => {
  let worlds: Worlds
  beforeAll(async () => {
    worlds = await stage.open()
    await refillWorlds(worlds)
  })
  afterAll(() => worlds.close())

  const within = async (
    set: string,
    paginationType: NonNullable<Both['paging']>,
    use: (both: Both) => Promise<void>,
  ): Promise<void> => {
    const both = await inBoth(worlds, stage, hookSets[set] ?? expect.unreachable(), {
      ...optionsFor(set),
      paginationType,
    })
    await use(both)
    await both.stop()
    expect([...both.kinds].filter((kind) => !/^(list|count) Reading$/.test(kind))).toEqual([])
  }

  const ways = (['limit-offset', 'page-number', 'cursor'] as const).flatMap((paging) =>
    ['no hooks', 'all of them'].map((set) => [paging, set] as const),
  )
  it.each(ways)('through all pages by %s, with %s', (paging, set) =>
    within(set, paging, async (both) => {
      for (const [at, sort] of sorts.entries()) {
        const pages = await (walks[paging] ?? expect.unreachable())(both, `${sort}&${counts[at % 4]}`)
        const ids = pages.flatMap(({ items }) => items.map(({ id }) => id))
        expect([sort, new Set(ids).size, ids.length]).toEqual([sort, OWN_READINGS, OWN_READINGS])
      }
    }),
  )

  it('through small pages, in which a tie or the nulls begin in the middle', () =>
    within('no hooks', 'cursor', async (both) => {
      for (const sort of sorts.slice(0, 2)) {
        const pages = await (walks['cursor'] ?? expect.unreachable())(both, `${sort}&limit=35&fields=id`)
        expect(pages.flatMap(({ items }) => items)).toHaveLength(OWN_READINGS)
      }
    }))

  it('and is told how many records there are', () =>
    within('no hooks', 'limit-offset', async ({ send }) => {
      for (const filter of filters)
        for (const count of counts)
          for (const limit of ['', 'limit=0', 'limit=1000&offset=1'])
            await send({ method: 'GET', path: path(filter, count, limit), status: 200 })
      for (const count of counts) await send({ method: 'HEAD', path: path(count), status: 200 })
      const { shared } = await send({ method: 'GET', path: path('count=estimated'), status: 200 })
      expect(pageOf(shared)).toMatchObject({ count: OWN_READINGS, count_exact: true })
    }))

  it('in requests that go on at the same time as those of others', () =>
    within('no hooks', 'limit-offset', async ({ sendAmongOthers }) => {
      for (const count of counts)
        for (const limit of ['', 'limit=0']) await sendAmongOthers(path(count, limit))
    }))
})
