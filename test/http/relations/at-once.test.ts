import { expect, it } from 'vitest'
import type { ModelSource, RecordStore, TableFacts } from '../../../src/entry/source.ts'
import { SourceError } from '../../../src/source/source.ts'
import { memorySource, testApi } from '../../../src/testing/index.ts'

const id = { name: 'id', kind: 'integer', hasDefault: true } as const
const places = ['a', 'b', 'c', 'd'] as const

/** Each thing has several parts, and each part a maker. */
const tables: readonly TableFacts[] = [
  {
    name: 'Thing',
    fields: [id, ...places.map((place) => ({ name: `${place}Id`, kind: 'integer' as const }))],
    primaryKey: ['id'],
    foreignKeys: places.map((place) => ({ fields: [`${place}Id`], model: 'Part', references: ['id'] })),
  },
  {
    name: 'Part',
    fields: [id, { name: 'makerId', kind: 'integer' }],
    primaryKey: ['id'],
    foreignKeys: [{ fields: ['makerId'], model: 'Maker', references: ['id'] }],
  },
  { name: 'Maker', fields: [id], primaryKey: ['id'] },
]

const records = {
  Maker: [{ id: 1 }],
  Part: [{ id: 1, makerId: 1 }],
  Thing: [{ id: 1, aId: 1, bId: 1, cId: 1, dId: 1 }],
}
const include = places.map((place) => `${place}.maker`).join()

/** Its statements about related records wait for `answer`. */
const watched = () => {
  const source = memorySource(tables, { records })
  const underWay: (() => void)[] = []
  let asked = 0
  let failing = Number.POSITIVE_INFINITY
  const store: ModelSource['store'] = (model, ...use) => {
    const own = source.store(model, ...use)
    const related: RecordStore['related'] = async (...about) => {
      asked += 1
      const place = asked
      await new Promise<void>((resolve) => underWay.push(resolve))
      if (place >= failing) throw new SourceError('unavailable')
      return (await own.related?.(...about)) ?? []
    }
    return { ...own, related }
  }
  return {
    models: { ...source, store },
    underWay,
    asked: () => asked,
    fail: (from: number) => {
      failing = from
    },
  }
}

/** All that can happen without an answer has happened. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

it('a request runs two statements for its included records at the same time, on all levels together', async () => {
  const { models, underWay, asked } = watched()
  const api = await testApi({ models })
  for (const path of [`/things/?include=${include}`, `/things/1?include=${include}`]) {
    const before = asked()
    const reply = api.get(path)
    const counts: number[] = []
    while (asked() < before + 2 * places.length || underWay.length > 0) {
      await settled()
      counts.push(underWay.length)
      underWay.shift()?.()
    }
    expect(Math.max(...counts)).toBe(2)
    expect((await reply).text.split('"maker":{"id":1}')).toHaveLength(1 + places.length)
  }
  await api.close()
})

it('a request that has failed runs no more of them', async () => {
  const { models, underWay, asked, fail } = watched()
  fail(1)
  const api = await testApi({ models, settings: { DATABASE_RETRIES: 0 } })
  const reply = api.get(`/things/?include=${include}`)
  await settled()
  underWay.shift()?.()
  expect((await reply).status).toBe(503)
  underWay.shift()?.()
  await settled()
  expect(asked()).toBe(2)
  await api.close()
})
