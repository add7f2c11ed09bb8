import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type Cache, CacheError, type Counted } from '../../src/cache/cache.ts'

const LONG = 1000

/** Waits for an entry's end. Nothing says when it comes, so it is asked for until it does. */
const until = (holds: () => Promise<void>): Promise<void> =>
  vi.waitFor(() => holds(), { timeout: 30_000, interval: 25 })

let made = 0
/** A key that no other test of this file uses. */
const fresh = (): string => {
  made += 1
  return `key-${made}`
}

const times = <T>(count: number, act: () => T): T[] => Array.from({ length: count }, act)

/** What every cache does. `cacheOf` is asked within the tests. */
export const cacheContract = (cacheOf: () => Cache): void => {
  test('what was set is there, until it is deleted', async () => {
    const [cache, key] = [cacheOf(), fresh()]
    expect(await cache.get(key)).toBeUndefined()
    await cache.set(key, 'one', LONG)
    expect(await cache.get(key)).toBe('one')
    await cache.set(key, 'two', LONG)
    expect(await cache.get(key)).toBe('two')
    await cache.delete(key)
    expect(await cache.get(key)).toBeUndefined()
    await cache.delete(key)
  })

  test('several are read at once, in the order asked for, absent and repeated ones too', async () => {
    const [cache, one, two, absent] = [cacheOf(), fresh(), fresh(), fresh()]
    await cache.set(one, '1', LONG)
    await cache.set(two, '2', LONG)
    expect(await cache.getMany([two, absent, one, two])).toEqual(['2', undefined, '1', '2'])
    expect(await cache.getMany([])).toEqual([])
  })

  test('what was set or added ends by itself, and can be added again then', async () => {
    const [cache, set, added] = [cacheOf(), fresh(), fresh()]
    await cache.set(set, 'set', 1)
    expect(await cache.add(added, 'first', 1)).toBe(true)
    expect(await cache.getMany([set, added])).toEqual(['set', 'first'])
    await until(async () => expect(await cache.getMany([set, added])).toEqual([undefined, undefined]))
    expect(await cache.add(added, 'second', LONG)).toBe(true)
    expect(await cache.get(added)).toBe('second')
  })

  test('set again, a text lives as long as was said last', async () => {
    const [cache, longer, shorter, witness] = [cacheOf(), fresh(), fresh(), fresh()]
    await cache.set(longer, 'a', 1)
    await cache.set(longer, 'b', LONG)
    await cache.set(shorter, 'a', LONG)
    await cache.set(shorter, 'b', 1)
    await cache.set(witness, 'also one second', 1)
    await until(async () =>
      expect(await cache.getMany([shorter, witness, longer])).toEqual([undefined, undefined, 'b']),
    )
  })

  test('a text in the place of a count ends, and the count does not come back', async () => {
    const [cache, key] = [cacheOf(), fresh()]
    await cache.count(key, 5, LONG)
    await cache.set(key, 'text', 1)
    expect(await cache.get(key)).toBe('text')
    await until(async () => expect(await cache.get(key)).not.toBe('text'))
    expect(await cache.get(key)).toBeUndefined()
  })

  test('add stores only where there is nothing, and leaves alone what is there', async () => {
    const [cache, key, counted] = [cacheOf(), fresh(), fresh()]
    expect(await cache.add(key, 'first', LONG)).toBe(true)
    expect(await cache.add(key, 'second', LONG)).toBe(false)
    expect(await cache.get(key)).toBe('first')
    await cache.count(counted, 1, LONG)
    expect(await cache.add(counted, 'text', LONG)).toBe(false)
    expect(await cache.get(counted)).toBe('1')
  })

  test('of 50 that add at the same time, one does', async () => {
    const [cache, key] = [cacheOf(), fresh()]
    const answers = await Promise.all(times(50, () => cache.add(key, 'mine', LONG)))
    expect(answers.filter((added) => added)).toHaveLength(1)
  })

  test('counts that come at the same time are all counted, each with its own number', async () => {
    const [cache, key] = [cacheOf(), fresh()]
    const answers = await Promise.all(times(50, () => cache.count(key, 1, LONG)))
    const counts = answers.map(({ count }) => count).sort((a, b) => a - b)
    expect(counts).toEqual(times(50, () => 0).map((_, index) => index + 1))
    expect(await cache.get(key)).toBe('50')
  })

  test('a count begins its time with its first, keeps it, and begins anew after its end', async () => {
    const [cache, key] = [cacheOf(), fresh()]
    const first = await cache.count(key, 1, 1)
    expect(first.count).toBe(1)
    expect(first.left).toBeGreaterThan(0)
    expect(first.left).toBeLessThanOrEqual(1000)
    const second = await cache.count(key, 1, LONG)
    expect(second.left).toBeLessThanOrEqual(first.left)
    await until(async () => expect(await cache.get(key)).toBeUndefined())
    const anew = await cache.count(key, 3, LONG)
    expect(anew.count).toBe(3)
    expect(anew.left).toBeGreaterThan(1000)
  })

  test('a count is taken back down to 0, and none begins by it', async () => {
    const [cache, key] = [cacheOf(), fresh()]
    expect(await cache.count(key, -1, LONG)).toEqual({ count: 0, left: 0 })
    expect(await cache.count(key, 0, LONG)).toEqual({ count: 0, left: 0 })
    expect(await cache.get(key)).toBeUndefined()
    await cache.count(key, 5, LONG)
    expect((await cache.count(key, -2, LONG)).count).toBe(3)
    expect((await cache.count(key, 0, LONG)).count).toBe(3)
    const none = await cache.count(key, -7, LONG)
    expect(none.count).toBe(0)
    expect(none.left).toBeGreaterThan(1000)
    expect((await cache.count(key, 1, LONG)).count).toBe(1)
  })

  test('a text that is no whole number is not counted', async () => {
    const [cache, key] = [cacheOf(), fresh()]
    await cache.set(key, 'revoked', LONG)
    await expect((async () => cache.count(key, 1, LONG))()).rejects.toThrow(CacheError)
    expect(await cache.get(key)).toBe('revoked')
  })

  const oddSeconds = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]
  test.each(oddSeconds)('%d seconds are refused', async (seconds) => {
    const [cache, key] = [cacheOf(), fresh()]
    await expect((async () => cache.set(key, 'x', seconds))()).rejects.toThrow(RangeError)
    await expect((async () => cache.add(key, 'x', seconds))()).rejects.toThrow(RangeError)
    await expect((async () => cache.count(key, 1, seconds))()).rejects.toThrow(RangeError)
    expect(await cache.get(key)).toBeUndefined()
  })

  test('a month is not too long', async () => {
    const [cache, key] = [cacheOf(), fresh()]
    await cache.set(key, 'refresh', 2_592_000)
    expect(await cache.get(key)).toBe('refresh')
    expect((await cache.count(`${key}n`, 1, 2_592_000)).left).toBeGreaterThan(2 ** 31)
  })

  const oddTexts = [
    '',
    ' ',
    'two\r\nlines',
    '\0',
    'GET x',
    '{a}:*?[b]',
    'ünïcode 🔑 \u{10ffff}',
    'x'.repeat(5000),
  ]
  test.each(oddTexts.map((text) => [JSON.stringify(text).slice(0, 30), text]))(
    '%s is a key and a value like any other',
    async (_, text) => {
      const [cache, key] = [cacheOf(), fresh() + text]
      await cache.set(key, text, LONG)
      expect(await cache.getMany([key, `${key} `])).toEqual([text, undefined])
      await cache.delete(key)
      expect(await cache.add(key, text, LONG)).toBe(true)
      expect(await cache.get(key)).toBe(text)
    },
  )

  test('any sequence of acts is answered as by a plain map', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const [cache, before, plain] = [cacheOf(), fresh(), plainMap()]
        for (const { act, key, more } of steps)
          expect(await answered(act, cache, `${before}:${key}`, more)).toEqual(
            await answered(act, plain, `${before}:${key}`, more),
          )
      }),
      { numRuns: 60 },
    )
  })
}

type Act = 'get' | 'getMany' | 'set' | 'add' | 'count' | 'delete'

const step = fc.record({
  act: fc.constantFrom<Act>('get', 'getMany', 'set', 'add', 'count', 'delete'),
  key: fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string({ unit: 'binary', maxLength: 4 })),
  more: fc.record({
    value: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: -50, max: 50 }).map(String),
      fc.constantFrom('-0', '+1', '01', ' 1', '1.0', '1e3', '0x1'),
    ),
    by: fc.integer({ min: -20, max: 20 }),
  }),
})

interface More {
  readonly value: string
  readonly by: number
}

type Answer = (cache: Cache, key: string, more: More) => unknown

/** How much is left differs by the moment: whether anything is left does not. */
const timeless = ({ count, left }: Counted) => ({ count, ends: left > 0 })

const answers: Readonly<Record<Act, Answer>> = {
  get: (cache, key) => cache.get(key),
  getMany: (cache, key) => cache.getMany([key, `${key}x`, 'a', key]),
  set: (cache, key, { value }) => cache.set(key, value, LONG),
  add: (cache, key, { value }) => cache.add(key, value, LONG),
  count: async (cache, key, { by }) => timeless(await cache.count(key, by, LONG)),
  delete: (cache, key) => cache.delete(key),
}

const answered = async (act: Act, cache: Cache, key: string, more: More): Promise<unknown> => {
  try {
    return await answers[act](cache, key, more)
  } catch (error) {
    return error instanceof CacheError ? 'CacheError' : error
  }
}

/** The same acts on a map, nothing of which ends. */
const plainMap = (): Cache => {
  const held = new Map<string, string>()
  const set = (key: string, value: string): void => void held.set(key, value)
  return {
    get: (key) => held.get(key),
    getMany: (keys) => keys.map((key) => held.get(key)),
    set,
    add(key, value) {
      if (held.has(key)) return false
      set(key, value)
      return true
    },
    count(key, by) {
      if (by <= 0 && !held.has(key)) return { count: 0, left: 0 }
      const before = held.get(key) ?? '0'
      if (String(Math.trunc(Number(before))) !== before || before === '-0') throw new CacheError('text')
      const count = Math.max(0, Number(before) + by)
      set(key, String(count))
      return { count, left: 1 }
    },
    delete: (key) => void held.delete(key),
  }
}
