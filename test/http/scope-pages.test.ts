import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { counts, everyPage, filters, pageOf, path, smallPages } from './scope/pages.ts'
import {
  type Both,
  hookSets,
  inBoth,
  OPENING,
  OWN_READINGS,
  optionsFor,
  refillWorlds,
  type Worlds,
  worldStages,
} from './scope/two-worlds.ts'

const [[, stage]] = worldStages

describe('a tenant pages as if nobody else were there', () => {
  let worlds: Worlds
  beforeAll(async () => {
    worlds = await stage.open()
    await refillWorlds(worlds)
  }, OPENING)
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
      await everyPage(both, paging)
    }),
  )

  it('through small pages, in which a tie or the nulls begin in the middle', () =>
    within('no hooks', 'cursor', smallPages))

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
      for (const related of ['documents/?include=folder', 'folders/?include=documents(count=exact)'])
        await sendAmongOthers(`/${related}`)
      await sendAmongOthers('/documents/?folder.name=letters&sort=folder.id')
    }))
})
