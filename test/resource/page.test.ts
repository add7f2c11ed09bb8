import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/operation/call.ts'
import { memoryBudget } from '../../src/operation/memory-budget.ts'
import type { Steps } from '../../src/operation/steps.ts'
import { type Condition, everything } from '../../src/query/ast.ts'
import type { ListQuery } from '../../src/query/list-query.ts'
import { recordsOf } from '../../src/resource/parts/records.ts'
import type { Page } from '../../src/resource/parts/resource.ts'
import { findPage } from '../../src/resource/read/page.ts'
import type { ModelSource, RecordStore, Row } from '../../src/source/source.ts'
import { rules } from '../query/sample.ts'

type Lists = Pick<RecordStore, 'list' | 'count' | 'estimate'>

/** Runs to the end, waiting for what is yielded. */
const run = async (steps: Steps<Page>): Promise<Page> => {
  let at = steps.next()
  while (!at.done) {
    try {
      at = steps.next(await at.value)
    } catch (error) {
      at = steps.throw(error)
    }
  }
  return at.value
}

/** What is remembered of each query string. */
const kept = new WeakMap<ListQuery, { countsAhead: boolean }>()

const pageOf = (
  store: Lists,
  query: ListQuery,
  guard: Condition = everything,
  pageBytes = 100,
): Steps<Page> => {
  const memory = kept.get(query) ?? { countsAhead: false }
  kept.set(query, memory)
  const source = { store: () => ({ create: () => ({}), ...store }) } as unknown as ModelSource
  return findPage(
    { ...recordsOf(source, { model: rules.model }), source, memory: memoryBudget(1e6), pageBytes },
    { ...rules, countBound: 100 },
    query,
    { guard, call: {} as Call, since: 0, guards: undefined },
    memory,
  )
}

const asked = (count: ListQuery['count'], offset = 0): ListQuery =>
  Object.freeze({
    paging: 'limit-offset',
    selection: { filter: everything, order: [], limit: 2, offset },
    matching: everything,
    count,
    include: [],
    uses: [],
  })

const full: readonly Row[] = [{ id: 1 }, { id: 2 }]
const never = () => {
  throw new Error('nobody asked for it')
}

/** An asynchronous store that says what it is asked for. */
const recording = (answers: Partial<Lists>) => {
  const log: string[] = []
  const said =
    <A extends unknown[], R>(name: string, act: (...args: A) => R) =>
    (...args: A): R => {
      log.push(name)
      return act(...args)
    }
  const store: Lists = {
    list: said('list', answers.list ?? (async () => full)),
    count: said('count', answers.count ?? (async () => 7)),
    estimate: said('estimate', answers.estimate ?? never),
  }
  return { log, store }
}

describe('a page and its count', () => {
  it('are asked for one after the other, until a page did not tell the total', async () => {
    const { log, store } = recording({})
    const query = asked('exact')
    const first = pageOf(store, query)
    first.next()
    expect(log).toEqual(['list'])
    first.next(full)
    expect(log).toEqual(['list', 'count'])
    expect(first.next(7)).toMatchObject({ done: true, value: { count: 7, exact: true } })
    const second = pageOf(store, query)
    second.next()
    expect(log).toEqual(['list', 'count', 'list', 'count'])
    expect(await run(pageOf(store, query))).toMatchObject({ count: 7, exact: true })
  })

  it('are asked for one after the other again, once a page told it', async () => {
    let rows = full
    const { log, store } = recording({ list: async () => rows })
    const query = asked('exact')
    await run(pageOf(store, query))
    rows = [{ id: 1 }]
    expect(await run(pageOf(store, query))).toMatchObject({ count: 1, exact: true })
    log.length = 0
    expect(await run(pageOf(store, query))).toMatchObject({ count: 1, exact: true })
    expect(log).toEqual(['list'])
  })

  it('never wait on a synchronous driver', async () => {
    const { log, store } = recording({ list: () => full, count: () => 7 })
    const query = asked('exact')
    for (const _ of [1, 2])
      expect(pageOf(store, query).next()).toMatchObject({ done: true, value: { count: 7 } })
    expect(log).toEqual(['list', 'count', 'list', 'count'])
  })

  it.each(['exact', 'estimated'] as const)('agree, whatever was deleted in between: %s', async (mode) => {
    const { store } = recording({ count: async () => 1 })
    const query = asked(mode, 40)
    for (const _ of [1, 2]) expect(await run(pageOf(store, query))).toMatchObject({ count: 42, exact: true })
  })

  it('fail with the page, and nobody minds the count', async () => {
    const lost = new Error('lost')
    let rows: () => Promise<readonly Row[]> = async () => full
    let count: () => Promise<number> = async () => 7
    const { log, store } = recording({ list: () => rows(), count: () => count() })
    const query = asked('exact')
    await run(pageOf(store, query))
    rows = () => Promise.reject(lost)
    let reject: (error: Error) => void = never
    count = () =>
      new Promise((_, no) => {
        reject = no
      })
    await expect(run(pageOf(store, query))).rejects.toBe(lost)
    expect(log).toEqual(['list', 'count', 'list', 'count'])
    // Vitest fails on a rejection that nobody handles.
    reject(new Error('lost too'))
    await new Promise((resolve) => setImmediate(resolve))
    count = never
    await expect(run(pageOf(store, query))).rejects.toBe(lost)
  })

  it('fail with the count', async () => {
    const lost = new Error('lost')
    let count: () => Promise<number> = async () => 7
    const { store } = recording({ count: () => count() })
    const query = asked('exact')
    await run(pageOf(store, query))
    count = () => Promise.reject(lost)
    await expect(run(pageOf(store, query))).rejects.toBe(lost)
  })
})

describe('an estimated count', () => {
  const estimated = (counted: number, estimate: number | undefined) =>
    recording({
      count: async (_filter, _guard, atMost) => Math.min(counted, atMost ?? Infinity),
      estimate: async () => estimate,
    })

  it('is exact up to the bound', async () => {
    for (const [counted, count, exact] of [
      [99, 99, true],
      [100, 100, true],
      [101, 5000, false],
    ] as const) {
      const { store } = estimated(counted, 5000)
      const query = asked('estimated')
      for (const _ of [1, 2]) expect(await run(pageOf(store, query))).toMatchObject({ count, exact })
    }
  })

  it('is never below what is known', async () => {
    const { store } = estimated(1000, 50)
    expect(await run(pageOf(store, asked('estimated')))).toMatchObject({ count: 101, exact: false })
    expect(await run(pageOf(store, asked('estimated', 98)))).toMatchObject({ count: 101, exact: false })
    expect(await run(pageOf(store, asked('estimated', 500)))).toMatchObject({ count: 502, exact: false })
  })

  it('is the bound where there are no statistics, and with a scope', async () => {
    const none = estimated(1000, undefined)
    expect(await run(pageOf(none.store, asked('estimated')))).toMatchObject({ count: 100, exact: false })
    expect(await run(pageOf(none.store, asked('estimated', 98)))).toMatchObject({ count: 100, exact: false })
    expect(await run(pageOf(none.store, asked('estimated', 500)))).toMatchObject({ count: 502, exact: false })
    const { log, store } = estimated(1000, 5000)
    const scope: Condition = { op: 'eq', field: 'id', value: 1 }
    expect(await run(pageOf(store, asked('estimated'), scope))).toMatchObject({ count: 100, exact: false })
    expect(log).toEqual(['list', 'count'])
  })

  it('counts nothing where the page is behind the bound', async () => {
    const { log, store } = estimated(1000, 5000)
    const query = asked('estimated', 500)
    for (const _ of [1, 2]) expect(await run(pageOf(store, query))).toMatchObject({ count: 5000 })
    expect(log).toEqual(['list', 'estimate', 'list', 'estimate'])
  })
})

describe('the sizes of rows', () => {
  /** The rows of one range after the other. Each is read twice, as where a connection breaks. */
  const rangesOf = (...ranges: readonly (readonly number[])[]): Lists => {
    const left = [...ranges]
    const list: Lists['list'] = async ({ limit }, _guard, admits) => {
      const sizes = (left.shift() ?? []).slice(0, limit)
      admits?.(sizes)
      return (await admits?.(sizes)) ? sizes.map((id) => ({ id })) : []
    }
    return { list, count: never, estimate: never }
  }
  const cursor = (limit: number): ListQuery => ({
    ...{ selection: { filter: everything, order: [], limit, offset: 0 }, matching: everything },
    ...{
      paging: 'cursor',
      count: 'none',
      include: [],
      uses: [],
      continued: [everything, everything],
      cursorAfter: () => 'next',
    },
  })
  const found = (limit: number, ...ranges: readonly (readonly number[])[]) =>
    run(pageOf(rangesOf(...ranges), cursor(limit)))
  const tooLarge = { code: 'page_too_large' }

  it('add up over the ranges of a page', async () => {
    expect((await found(9, [50], [30], [20])).rows).toHaveLength(3)
    await expect(found(9, [50], [30], [21])).rejects.toMatchObject(tooLarge)
    await expect(found(9, [50, 51])).rejects.toMatchObject(tooLarge)
  })

  it('count of the records that are shown, unless it is one', async () => {
    expect((await found(1, [500, 500])).rows).toEqual([{ id: 500 }])
    expect((await found(1, [500], [500])).rows).toEqual([{ id: 500 }])
    expect((await found(9, [500])).rows).toHaveLength(1)
    expect((await found(2, [50, 50, 500])).next).toBe('next')
    await expect(found(2, [50, 51, 1])).rejects.toMatchObject(tooLarge)
    await expect(found(9, [500], [1])).rejects.toMatchObject(tooLarge)
  })
})
