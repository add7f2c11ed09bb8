import { describe, expect, it, onTestFinished } from 'vitest'
import {
  defineSource,
  everything,
  type Model,
  type ModelSource,
  type RecordStore,
  type Selection,
} from '../../src/entry/source.ts'
import { relatedByLists } from '../../src/source/related-lists.ts'
import { libraryTables, memorySource, sourceContract, testApi } from '../../src/testing/index.ts'
import { onlyParts } from '../runner.ts'

/** A memory source whose related records are read by lists. Counts the statements. */
const listing = (memory: ModelSource, hasAggregates: boolean) => {
  const { models } = memory
  let statements = 0
  const counted = (model: Model): RecordStore => {
    const store = memory.store(model)
    const { aggregate } = store
    return {
      ...store,
      list: async (chosen, guard, admits) => {
        statements += 1
        const rows = await store.list(chosen, guard)
        return admits?.(rows.map(() => 1)) === false ? [] : rows
      },
      count: (...given) => {
        statements += 1
        return store.count(...given)
      },
      aggregate: (...given) => {
        statements += 1
        return aggregate?.(...given) ?? []
      },
    }
  }
  const modelOf = (name: string): Model => {
    const model = models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`no model ${name}`)
    return model
  }
  const storeOf = (model: Model): RecordStore => {
    const { aggregate, ...store } = counted(model)
    return hasAggregates && aggregate ? { ...store, aggregate } : store
  }
  const source = defineSource({
    ...memory,
    store: (model: Model): RecordStore => ({
      ...memory.store(model),
      ...relatedByLists(modelOf(model.name), modelOf, storeOf),
    }),
  })
  return { source, modelOf, statements: () => statements }
}

const tables = libraryTables
  .filter(({ readOnly }) => readOnly !== true)
  .map((table) => ({ ...table, fields: table.fields.filter(({ generated }) => generated !== true) }))

for (const hasAggregates of [true, false])
  sourceContract(onlyParts(/related|aggregates/), {
    extent: 'short',
    name: `related records by lists, ${hasAggregates ? 'with' : 'without'} aggregates`,
    open: () => ({
      source: listing(memorySource(tables), hasAggregates).source,
      close: () => undefined,
    }),
    notTested: () => undefined,
  })

describe('lists of related records', () => {
  const order: Selection['order'] = [{ field: 'id', direction: 'desc' }]
  const selection: Selection = { filter: everything, order, limit: 2, offset: 0 }
  const ids = (lists: readonly (readonly object[])[] | undefined) =>
    lists?.map((rows) => rows.map((row) => Reflect.get(row, 'id')))

  const authors = async (replies: number) => {
    const memory = memorySource(
      [
        {
          name: 'Post',
          fields: [{ name: 'id', kind: 'integer', hasDefault: true }],
          primaryKey: ['id'],
        },
        {
          name: 'Tag',
          fields: [{ name: 'id', kind: 'integer', hasDefault: true }],
          primaryKey: ['id'],
        },
        {
          name: 'PostTag',
          fields: [
            { name: 'postId', kind: 'integer' },
            { name: 'tagId', kind: 'integer' },
          ],
          primaryKey: ['postId', 'tagId'],
          foreignKeys: [
            { fields: ['postId'], model: 'Post', references: ['id'] },
            { fields: ['tagId'], model: 'Tag', references: ['id'] },
          ],
        },
        {
          name: 'Reply',
          fields: [
            { name: 'id', kind: 'integer', hasDefault: true },
            { name: 'postId', kind: 'integer' },
          ],
          primaryKey: ['id'],
          foreignKeys: [{ fields: ['postId'], model: 'Post', references: ['id'] }],
        },
      ],
      {
        records: {
          Post: [{ id: 1 }, { id: 2 }, { id: 3 }],
          Tag: Array.from({ length: replies }, (_, at) => ({ id: at + 1 })),
          Reply: Array.from({ length: replies }, (_, at) => ({ id: at + 1, postId: 1 + (at % 2) })),
          PostTag: Array.from({ length: replies }, (_, at) => ({ postId: 1 + (at % 2), tagId: at + 1 })),
        },
      },
    )
    return listing(memory, true)
  }
  const to = (relation: string, more: object = {}) => ({
    ...{ relation, records: [[1], [2], [3]], guard: everything },
    ...more,
  })

  it('are read in one statement, over a join table in two', async () => {
    const { source, modelOf, statements } = await authors(40)
    const store = source.store(modelOf('Post'))
    expect(ids(await store.related?.(to('replies'), selection))).toEqual([[39, 37], [40, 38], []])
    expect(statements()).toBe(1)
    expect(ids(await store.related?.(to('tags'), selection))).toEqual([[39, 37], [40, 38], []])
    expect(statements()).toBe(3)
    expect(await store.countRelated?.(to('replies'), everything)).toEqual([20, 20, 0])
    expect(await store.countRelated?.(to('tags'), everything)).toEqual([20, 20, 0])
    expect(statements()).toBe(5)
  })

  it('have only what the guard holds for', async () => {
    const first = [[9, 7], [10, 8], []]
    for (const replies of [40, 1010]) {
      const { source, modelOf } = await authors(replies)
      const store = source.store(modelOf('Post'))
      for (const relation of ['replies', 'tags']) {
        const guarded = to(relation, { guard: { op: 'le', field: 'id', value: 10 } })
        expect(ids(await store.related?.(guarded, selection))).toEqual(first)
        expect(await store.countRelated?.(guarded, everything)).toEqual([5, 5, 0])
      }
    }
  })

  it('far beyond their limits are read one by one', async () => {
    const { source, modelOf, statements } = await authors(1010)
    const store = source.store(modelOf('Post'))
    const last = [[1009, 1007], [1010, 1008], []]
    expect(ids(await store.related?.(to('replies'), selection))).toEqual(last)
    expect(statements()).toBe(4)
    expect(ids(await store.related?.(to('tags'), selection))).toEqual(last)
    expect(statements()).toBe(8)
  })

  it('over a join table to more records than one statement takes are read in parts', async () => {
    const { source, modelOf, statements } = await authors(900)
    const store = source.store(modelOf('Post'))
    const lists = await store.related?.(to('tags'), selection)
    expect(ids(lists)).toEqual([[899, 897], [900, 898], []])
    expect(statements()).toBe(3)
  })

  it('more than may be read in total are read one by one', async () => {
    const { source, modelOf, statements } = await authors(40)
    const store = source.store(modelOf('Post'))
    const lists = await store.related?.(to('replies', { most: 10 }), selection)
    expect(ids(lists)).toEqual([[39, 37], [40, 38], []])
    expect(statements()).toBe(4)
  })

  it('are included within their limits, however many there are', async () => {
    const { source } = await authors(40)
    const api = await testApi({ models: source, settings: { INCLUDE_MAX_RECORDS: 10 } })
    onTestFinished(() => api.close())
    for (const relation of ['replies', 'tags']) {
      const { status, json } = await api.get(`/posts/?include=${relation}(limit=2)`)
      expect([status, json]).toMatchObject([200, { items: [{ [relation]: [{}, {}] }, {}, {}] }])
    }
  })

  it.each([
    ['replies', 4],
    ['tags', 3],
  ])('within their limits are admitted, however large the others are: %s', async (relation, most) => {
    const { source, modelOf } = await authors(40)
    const asked: number[] = []
    const lists = await source.store(modelOf('Post')).related?.(to(relation), selection, (sizes) => {
      asked.push(sizes.length)
      return sizes.length <= 4
    })
    expect(ids(lists)).toEqual([[39, 37], [40, 38], []])
    expect(asked.slice(1).every((read) => read <= 4)).toBe(true)
    const refused = await source
      .store(modelOf('Post'))
      .related?.(to(relation), selection, (sizes) => sizes.length < most)
    expect(ids(refused)?.at(-1)).toEqual([])
  })

  it('are not read after others of the same call were refused', async () => {
    const { source, modelOf, statements } = await authors(40)
    const records = Array.from({ length: 1200 }, (_, at) => [at])
    await source.store(modelOf('Reply')).related?.(to('post', { records }), selection, () => false)
    expect(statements()).toBe(1)
  })

  it.each([
    ['replies', Number.POSITIVE_INFINITY, 4],
    ['replies', 10, 4],
    ['tags', Number.POSITIVE_INFINITY, 4],
    ['tags', 10, 4],
  ])('admit all that is read of %s together, of at most %d', async (relation, most, read) => {
    const { source, modelOf, statements } = await authors(40)
    const store = source.store(modelOf('Post'))
    const counts: number[] = []
    const admitted = await store.related?.(
      to(relation, { most }),
      selection,
      (sizes) => counts.push(sizes.length) > 0,
    )
    expect(ids(admitted)).toEqual([[39, 37], [40, 38], []])
    expect(counts.at(-1)).toBe(read)
    const before = statements()
    const lists = await store.related?.(to(relation, { most }), selection, (sizes) => sizes.length < 2)
    expect(ids(lists)?.flat()).toEqual([])
    expect(statements() - before).toBeLessThan(4)
  })
})
