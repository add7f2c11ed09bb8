import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Model } from '../../src/model/model.ts'
import { type Condition, everything, type Selection } from '../../src/query/ast.ts'
import { sharedReads } from '../../src/source/shared-reads.ts'
import type { Pace } from '../../src/source/sharing.ts'
import {
  type Admits,
  type RecordStore,
  type RelatedTo,
  type Row,
  SourceError,
} from '../../src/source/source.ts'

const pace: Pace = { atOnce: () => 1, ended: () => undefined, patience: 250 }

/** A store with the records 0 to 999, whose statements end when the test says so. @param bytes of each in a list */
const stage = (primaryKey: readonly string[] = ['id'], bytes = 0) => {
  const asked: (readonly unknown[])[] = []
  const guards: Condition[] = []
  const ends: { readonly end: () => void; readonly fail: () => void }[] = []
  const statement = (keys: readonly unknown[]): Promise<readonly Row[]> =>
    new Promise((resolve, reject) => {
      asked.push(keys)
      const rows = [...new Set(keys)]
        .filter((id) => typeof id === 'number' && id < 1000)
        .map((id) => ({ id }))
      ends.push({ end: () => resolve(rows), fail: () => reject(new Error('refused')) })
    })
  const store = {
    list: async ({ filter }: { filter: Condition }, _guard: Condition, admits?: Admits) => {
      const rows = await statement('values' in filter ? filter.values : [])
      return admits?.(rows.map(() => bytes)) === false ? [] : rows
    },
    read: async ([id]: readonly unknown[], guard: Condition) => {
      guards.push(guard)
      return (await statement([id]))[0]
    },
  } as unknown as RecordStore
  const fields = bytes > 0 ? [{ name: 'text', kind: 'text' }] : []
  const { read } = sharedReads(store, { primaryKey, fields } as unknown as Model, pace)
  const settle = async (how: 'end' | 'fail') => {
    for (const one of ends.splice(0)) one[how]()
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  return { asked, guards, read, settle }
}

const tenant = (value: unknown): Condition => ({ op: 'eq', field: 'tenant', value })

const linked = (value: unknown): Condition => ({
  ...{ op: 'related', relation: 'tags', condition: everything, link: tenant(value) },
})

const oneOf = (...lists: readonly (readonly unknown[])[]): Condition => ({
  op: 'and',
  conditions: lists.map((values) => ({ op: 'in', field: 'tenant', values })),
})

const several = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at)

describe('shared reads', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('send the first key at once, and the others in statements of at most 256', async () => {
    const { asked, read, settle } = stage()
    const found = several(400).map((id) => read([id], everything))
    expect(asked).toEqual([[0]])
    await settle('end')
    await settle('end')
    await settle('end')
    expect(asked.map((keys) => new Set(keys).size)).toEqual([1, 256, 143])
    expect(await Promise.all(found)).toEqual(several(400).map((id) => ({ id })))
  })

  it('have few different lengths', async () => {
    const lengths = new Set<number>()
    for (const count of several(40, 2)) {
      const { asked, read, settle } = stage()
      for (const id of several(count)) void read([id], everything)
      await settle('end')
      lengths.add(asked[1]?.length ?? 0)
    }
    expect([...lengths].sort((a, b) => a - b)).toEqual([1, 2, 4, 8, 16, 32, 64])
  })

  it('ask for each key by itself if the statement of all fails', async () => {
    const { asked, read, settle } = stage()
    const found = several(4).map((id) => read([id], everything))
    await settle('end')
    await settle('fail')
    await settle('end')
    expect(await Promise.all(found)).toEqual(several(4).map((id) => ({ id })))
    expect(asked.slice(2)).toEqual([[1], [2], [3]])
  })

  it('ask for a key by itself in the same scope', async () => {
    const { guards, read, settle } = stage()
    const found = Promise.all([0, 1, 2, 5000].map((id) => read([id], tenant(7))))
    await settle('end')
    await settle('fail')
    await settle('end')
    await found
    expect(guards).toEqual(several(4).map(() => tenant(7)))
  })

  it('ask for each large record by itself, in the same scope', async () => {
    const { asked, guards, read, settle } = stage(['id'], 4 * 1024 * 1024)
    const found = Promise.all(several(4).map((id) => read([id], tenant(7))))
    for (const _ of several(5)) await settle('end')
    expect(await found).toEqual(several(4).map((id) => ({ id })))
    expect(asked.slice(2)).toEqual([[1], [2], [3]])
    expect(guards).toEqual(several(4).map(() => tenant(7)))
  })

  it('tell an error only those whose own statement failed', async () => {
    const { read, settle } = stage()
    const found = several(3).map(async (id) => read([id], everything))
    const outcomes = Promise.allSettled(found)
    await settle('fail')
    await settle('end')
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  })

  it('ask again in the same scope for a key that no record has in this form', async () => {
    const { guards, read, settle } = stage()
    const found = Promise.all([1, 2, 5000].map((id) => read([id], tenant(7))))
    for (const _ of several(3)) await settle('end')
    await found
    expect(guards).toEqual([tenant(7), tenant(7)])
  })

  it('ask again for a key that no record has in this form', async () => {
    const { asked, read, settle } = stage()
    const found = [1, 2, 5000].map((id) => read([id], everything))
    for (const _ of several(3)) await settle('end')
    expect(await Promise.all(found)).toEqual([{ id: 1 }, { id: 2 }, undefined])
    expect(asked).toEqual([[1], [2, 5000], [5000]])
  })

  it.each([
    ['other scopes', tenant(1), tenant(2)],
    ['scopes of other types', tenant(1), tenant('1')],
    ['scopes with bigints', tenant(1n), tenant('1')],
    ['scopes whose lists have other lengths', oneOf([1, 2], [3]), oneOf([1], [2, 3])],
    ['values without a unique text', tenant(new Date(0)), tenant(new Date(0))],
    ['other records of a join table', linked('a'), linked('b')],
    ['records of a join table without a unique text', linked(new Date(0)), linked(new Date(0))],
  ])('do not wait for those of %s', (_what, one, other) => {
    const { asked, read } = stage()
    void read([1], one)
    void read([2], other)
    expect(asked).toEqual([[1], [2]])
  })

  it('do not wait for those of scopes whose bigints are the same in JSON', () => {
    Object.defineProperty(BigInt.prototype, 'toJSON', { configurable: true, value: () => 0 })
    onTestFinished(() => {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON')
    })
    const { asked, read } = stage()
    void read([1], tenant(9007199254740992n))
    void read([2], tenant(9007199254740993n))
    expect(asked).toEqual([[1], [2]])
  })

  it('get the record of their own key, though a column reads two keys alike', async () => {
    const records = ['a', 'A'].map((stored) => ({ stored, id: 'a' }))
    const matching = async (keys: readonly unknown[]) => records.filter(({ stored }) => keys.includes(stored))
    const store = {
      list: ({ filter }: { filter: Condition }) => matching('values' in filter ? filter.values : []),
      read: async (key: readonly unknown[]) => (await matching(key))[0],
    } as unknown as RecordStore
    const { read } = sharedReads(store, { primaryKey: ['id'], fields: [] } as unknown as Model, pace)
    const found = await Promise.all(['-', 'a', 'A'].map((id) => read([id], everything)))
    expect(found).toEqual([undefined, ...records])
  })

  it('do not wait for those with a lock or a composite key', () => {
    const { asked, read } = stage()
    void read([1], everything, 'lock')
    void read([2], everything, 'lock')
    expect(asked).toHaveLength(2)
    const composite = stage(['a', 'b'])
    void composite.read([1, 2], everything)
    void composite.read([1, 3], everything)
    expect(composite.asked).toHaveLength(2)
  })

  it('keep the guard of those that cannot share', () => {
    const { guards, read } = stage()
    const since = tenant(new Date(0))
    void read([1], since)
    void read([1], tenant(2), 'lock')
    expect(guards).toEqual([since, tenant(2)])
  })

  it('do not wait longer than the patience for a statement that never ends', async () => {
    const { asked, read } = stage()
    for (const id of several(3)) void read([id], everything)
    await vi.advanceTimersByTimeAsync(249)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(asked).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(250)
    void read([7], everything)
    expect(asked).toHaveLength(3)
  })
})

/** A store whose records refer to one of the owners 0 to 99, or to many tags. Its statements end when the test says so. */
const owned = () => {
  const asked: RelatedTo[] = []
  const ends: ((error?: Error) => void)[] = []
  const sizes = { each: 10 }
  const related = (to: RelatedTo, _selection: Selection, admits?: Admits) =>
    new Promise<readonly (readonly Row[])[]>((resolve, reject) => {
      asked.push(to)
      ends.push((error) => {
        if (error !== undefined) return reject(error)
        const lists = to.records.map(([id = 0]) => (Number(id) < 100 ? [{ id }] : []))
        const isAdmitted = admits?.(lists.flat().map(() => sizes.each)) !== false
        return resolve(isAdmitted ? lists : lists.map(() => []))
      })
    })
  const relations = [
    { name: 'owner', kind: 'to-one' },
    { name: 'tags', kind: 'to-many' },
  ]
  const model = { name: 'Thing', primaryKey: ['id'], fields: [], relations } as unknown as Model
  const reader = sharedReads({ related } as unknown as RecordStore, model, pace)
  const ask = (
    records: RelatedTo['records'],
    more: Partial<RelatedTo> = {},
    selection: Partial<Selection> = {},
    admits?: Admits,
  ) =>
    Promise.resolve(
      reader.related?.(
        { relation: 'owner', records, guard: everything, ...more },
        { filter: everything, order: [{ field: 'id', direction: 'asc' }], limit: 1, offset: 0, ...selection },
        admits,
      ),
    )
  const settle = async (error?: Error) => {
    for (const end of ends.splice(0)) end(error)
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  return { asked, ask, settle, sizes, keys: () => asked.map(({ records }) => records.flat()) }
}

describe('shared reads along a to-one relation', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('ask for the records of several requests in one statement, each of them once', async () => {
    const { ask, keys, settle } = owned()
    const found = [[[1]], [[2], [3]], [[3], [200]], [[2]]].map((records) => ask(records))
    expect(keys()).toEqual([[1]])
    await settle()
    await settle()
    expect(keys()).toEqual([[1], [2, 3, 200]])
    const [one, two, three] = [[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]]
    expect(await Promise.all(found)).toEqual([[one], [two, three], [three, []], [two]])
  })

  it('tell a number from the string with its digits, and composite keys with the same text', async () => {
    const { ask, keys, settle } = owned()
    const found = [[[0]], [[1]], [['1']], [['a', 'b,c']], [['a,b', 'c']]].map((records) => ask(records))
    await settle()
    await settle()
    expect(keys()).toEqual([[0], [1, '1', 'a', 'b,c', 'a,b', 'c']])
    expect((await Promise.all(found)).slice(1, 3)).toEqual([[[{ id: 1 }]], [[{ id: '1' }]]])
  })

  it('are those of at most sixteen requests', async () => {
    const { ask, keys, settle } = owned()
    const found = several(30).map((id) => ask([[id]]))
    for (const _ of several(3)) await settle()
    expect(keys().map((all) => all.length)).toEqual([1, 16, 13])
    expect(await Promise.all(found)).toEqual(several(30).map((id) => [[{ id }]]))
  })

  it.each<[string, Partial<RelatedTo>, Partial<Selection>, RelatedTo['records']?]>([
    ['another scope', { guard: tenant(2) }, {}],
    ['a filter', {}, { filter: tenant(2) }],
    ['other fields', {}, { fields: ['id'] }],
    [
      'an order through a relation',
      {},
      { order: [{ field: 'id', direction: 'asc', via: [{ relation: 'owner' }] }] },
    ],
    ['a to-many relation', { relation: 'tags' }, {}],
    ['more than 32 records', {}, {}, several(33).map((id) => [id])],
    ['a key without a unique text', {}, {}, [[new Date(0)]]],
  ])('do not wait for those of %s', (_what, more, selection, records = [[2]]) => {
    const { asked, ask } = owned()
    void ask([[1]])
    void ask(records, more, selection)
    void ask(records, more, selection)
    expect(asked.length).toBeGreaterThan(1)
    expect(asked[1]).toMatchObject({ records, ...more })
  })

  it('that have many bytes together are asked for by each request, which admits its own', async () => {
    const { ask, keys, settle, sizes } = owned()
    sizes.each = 100 * 1024
    const admitted: (readonly number[])[] = []
    const admits: Admits = (given) => admitted.push(given) > 0
    const found = [1, 2, 3, 4].map((id) => ask([[id]], {}, {}, admits))
    for (const _ of several(3)) await settle()
    expect(keys()).toEqual([[1], [2, 3, 4], [2], [3], [4]])
    expect(admitted).toEqual(several(4).map(() => [sizes.each]))
    expect(await Promise.all(found)).toEqual([1, 2, 3, 4].map((id) => [[{ id }]]))
    for (const id of [5, 6, 7]) void ask([[id]])
    expect(keys().slice(5)).toEqual([[5], [6], [7]])
    await settle()
    await vi.advanceTimersByTimeAsync(10_001)
    for (const id of [8, 9]) void ask([[id]])
    expect(keys().slice(8)).toEqual([[8]])
  })

  it('are asked for by each request if the statement of all fails, but not if the database is away', async () => {
    for (const [error, statements] of [
      [new Error('refused'), 5],
      [new SourceError('unavailable'), 2],
    ] as const) {
      const { ask, asked, settle } = owned()
      const outcomes = Promise.allSettled([1, 2, 3, 4].map((id) => ask([[id]])))
      await settle()
      await settle(error)
      await settle()
      expect(asked).toHaveLength(statements)
      const ends = (await outcomes).map(({ status }) => status)
      const others = statements === 5 ? 'fulfilled' : 'rejected'
      expect(ends).toEqual(['fulfilled', others, others, others])
    }
  })
})
