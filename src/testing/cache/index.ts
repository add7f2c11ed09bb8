import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Cache, CacheError } from '../../cache/cache.ts'
import { eventually, same } from '../suite/assertions.ts'
import type { Runner } from '../suite/runner.ts'
import { assertSequences } from './sequences.ts'

/** A cache for {@link cacheContract}. */
export interface CacheUnderTest {
  /** The title of the suite, such as `'the cache in Valkey'`. */
  readonly name: string
  /** Opens the cache before the tests. It may contain entries: the tests use random keys. */
  readonly open: () => Cache | PromiseLike<Cache>
  /** Runs after the tests, for example to disconnect the client of the cache. @default nothing */
  readonly close?: () => unknown
}

/** In seconds: entries that must not expire during a test. */
const LONG = 1000

/** In seconds: within this time, an entry that lives for one second must be gone. Shorter than the limits of test runners. */
const PATIENCE = 4

/**
 * Declares the tests that each implementation of `Cache` must pass. They take about five seconds, because entries must
 * expire, and need `fast-check` (`npm install --save-dev fast-check`).
 *
 * @example
 * ```ts
 * import { after, before, describe, it } from 'node:test'
 * import { memoryCache } from 'modelrest'
 * import { cacheContract } from 'modelrest/testing'
 *
 * cacheContract({ describe, it, before, after }, { name: 'the cache in memory', open: () => memoryCache() })
 * ```
 */
export const cacheContract = (runner: Runner, { name, open, close }: CacheUnderTest): void => {
  const run = randomUUID()
  let made = 0
  /** A key that no other test uses. */
  const newKey = (): string => {
    made += 1
    return `${run}-${made}`
  }
  let opened: Cache | undefined
  const test = (title: string, body: (cache: Cache) => Promise<void>): void => {
    runner.it(title, () => {
      if (opened === undefined) throw new Error('open() did not return a cache.')
      return body(opened)
    })
  }
  runner.describe(name, () => {
    runner.before(async () => {
      opened = await open()
    })
    runner.after(async () => {
      await close?.()
    })
    for (const declare of [values, expiry, adding, counting, refusals]) declare(test, newKey)
    test('behaves like a map in any sequence of operations', (cache) => assertSequences(cache, newKey))
  })
}

type Declare = (
  test: (title: string, body: (cache: Cache) => Promise<void>) => void,
  newKey: () => string,
) => void

const times = <T>(count: number, act: () => T): T[] => Array.from({ length: count }, act)

const values: Declare = (test, newKey) => {
  test('keeps a value until it is replaced or deleted', async (cache) => {
    const key = newKey()
    same(await cache.get(key), undefined, 'get() must return undefined for a missing key.')
    await cache.set(key, 'one', LONG)
    same(await cache.get(key), 'one', 'get() must return the value that set() stored.')
    await cache.set(key, 'two', LONG)
    same(await cache.get(key), 'two', 'set() must replace the value of a key.')
    await cache.delete(key)
    same(await cache.get(key), undefined, 'delete() must remove the value.')
    await cache.delete(key)
  })

  test('getMany() returns values in the order of its keys, also for missing and repeated keys', async (cache) => {
    const [one, two, absent] = [newKey(), newKey(), newKey()]
    await cache.set(one, '1', LONG)
    await cache.set(two, '2', LONG)
    const found = await cache.getMany([two, absent, one, two])
    same(found, ['2', undefined, '1', '2'], 'getMany() must return one value for each key, in their order.')
    same(await cache.getMany([]), [], 'getMany() must accept an empty list.')
  })

  const texts = [
    '',
    ' ',
    'two\r\nlines',
    '\0',
    'GET x',
    '{a}:*?[b]',
    'ünïcode 🔑 \u{10ffff}',
    'x'.repeat(5000),
  ]
  for (const text of texts) {
    test(`accepts ${JSON.stringify(text).slice(0, 30)} as a value, and in a key`, async (cache) => {
      const key = newKey() + text
      await cache.set(key, text, LONG)
      const found = await cache.getMany([key, `${key} `])
      same(found, [text, undefined], 'Keys and values must not be changed, trimmed or cut.')
      await cache.delete(key)
      same(await cache.add(key, text, LONG), true, 'add() must store a value after delete().')
      same(await cache.get(key), text, 'get() must return the value that add() stored.')
    })
  }
}

const expiry: Declare = (test, newKey) => {
  test('removes values when they expire, and add() can store new ones', async (cache) => {
    const [set, added] = [newKey(), newKey()]
    await cache.set(set, 'set', 1)
    same(await cache.add(added, 'first', 1), true, 'add() must store a value for a missing key.')
    same(await cache.getMany([set, added]), ['set', 'first'], 'Values must not expire immediately.')
    await eventually(PATIENCE, async () =>
      same(await cache.getMany([set, added]), [undefined, undefined], 'Values must expire after a second.'),
    )
    same(await cache.add(added, 'second', LONG), true, 'add() must store a value after the former expired.')
    same(await cache.get(added), 'second', 'get() must return the value that add() stored.')
  })

  test('set() also replaces the lifetime of a value', async (cache) => {
    const [longer, shorter, witness] = [newKey(), newKey(), newKey()]
    await cache.set(longer, 'a', 1)
    await cache.set(longer, 'b', LONG)
    await cache.set(shorter, 'a', LONG)
    await cache.set(shorter, 'b', 1)
    await cache.set(witness, 'also one second', 1)
    await eventually(PATIENCE, async () =>
      same(
        await cache.getMany([shorter, witness, longer]),
        [undefined, undefined, 'b'],
        'The lifetime of the last set() must apply, whether it is shorter or longer than the former one.',
      ),
    )
  })

  test('a value that replaces a counter expires, and the counter does not return', async (cache) => {
    const key = newKey()
    await cache.count(key, 5, LONG)
    await cache.set(key, 'text', 1)
    same(await cache.get(key), 'text', 'set() must replace a counter.')
    await eventually(PATIENCE, async () =>
      assert.notEqual(await cache.get(key), 'text', 'A value that replaced a counter must expire.'),
    )
    same(await cache.get(key), undefined, 'set() must remove the counter that it replaces.')
  })

  test('keeps values for a month', async (cache) => {
    const key = newKey()
    await cache.set(key, 'refresh', 2_592_000)
    same(await cache.get(key), 'refresh', 'set() must accept a lifetime of 30 days.')
    const { left } = await cache.count(`${key}n`, 1, 2_592_000)
    assert.ok(left > 2 ** 31, `count() must return a lifetime of 30 days in milliseconds, not ${left}.`)
  })
}

const adding: Declare = (test, newKey) => {
  test('add() does not store a value if the key exists', async (cache) => {
    const [key, counted] = [newKey(), newKey()]
    same(await cache.add(key, 'first', LONG), true, 'add() must return true for a missing key.')
    same(await cache.add(key, 'second', LONG), false, 'add() must return false if the key exists.')
    same(await cache.get(key), 'first', 'add() must not replace a value.')
    await cache.count(counted, 1, LONG)
    same(await cache.add(counted, 'text', LONG), false, 'add() must return false if the key is a counter.')
    same(await cache.get(counted), '1', 'add() must not replace a counter.')
  })

  test('only one of 50 concurrent add() calls stores its value', async (cache) => {
    const key = newKey()
    const results = await Promise.all(times(50, () => cache.add(key, 'mine', LONG)))
    same(results.filter((added) => added).length, 1, 'add() must be atomic: exactly one call returns true.')
  })
}

const counting: Declare = (test, newKey) => {
  test('50 concurrent count() calls return the numbers from 1 to 50', async (cache) => {
    const key = newKey()
    const results = await Promise.all(times(50, () => cache.count(key, 1, LONG)))
    const counts = results.map(({ count }) => count).sort((a, b) => a - b)
    const expected = times(50, () => 0).map((_, index) => index + 1)
    same(counts, expected, 'count() must be atomic: each call returns its own number.')
    same(await cache.get(key), '50', 'get() must return the digits of a counter.')
  })

  test('a counter expires after the time of its first count(), and then starts again', async (cache) => {
    const key = newKey()
    const first = await cache.count(key, 1, 1)
    same(first.count, 1, 'The first count() must return what was added.')
    assert.ok(
      first.left > 0 && first.left <= 1000,
      `left must be the milliseconds until the counter expires, from 1 to 1000, not ${first.left}.`,
    )
    const second = await cache.count(key, 1, LONG)
    assert.ok(second.left <= first.left, `A later count() must not extend the lifetime to ${second.left} ms.`)
    await eventually(PATIENCE, async () =>
      same(await cache.get(key), undefined, 'A counter must expire after the time of its first count().'),
    )
    const anew = await cache.count(key, 3, LONG)
    same(anew.count, 3, 'An expired counter must start again from 0.')
    assert.ok(anew.left > 1000, `A new counter must have its own lifetime, not ${anew.left} ms.`)
  })

  test('count() decreases a counter to 0 at the lowest, and only a positive number creates one', async (cache) => {
    const key = newKey()
    const none = { count: 0, left: 0 }
    same(await cache.count(key, -1, LONG), none, 'A negative count() must not create a counter.')
    same(await cache.count(key, 0, LONG), none, 'count() with 0 must not create a counter.')
    same(await cache.get(key), undefined, 'Only a positive count() may create a counter.')
    await cache.count(key, 5, LONG)
    same((await cache.count(key, -2, LONG)).count, 3, 'A negative count() must decrease the counter.')
    same((await cache.count(key, 0, LONG)).count, 3, 'count() with 0 must only read the counter.')
    const empty = await cache.count(key, -7, LONG)
    same(empty.count, 0, 'A counter must not become negative.')
    assert.ok(empty.left > 1000, `A counter that is 0 must keep its lifetime, not ${empty.left} ms.`)
    same((await cache.count(key, 1, LONG)).count, 1, 'count() must go on from 0.')
  })
}

const refusals: Declare = (test, newKey) => {
  test('count() throws a CacheError for a value that is not an integer', async (cache) => {
    const key = newKey()
    await cache.set(key, 'revoked', LONG)
    const counted = async (): Promise<unknown> => cache.count(key, 1, LONG)
    await assert.rejects(
      counted,
      CacheError,
      'count() must throw a CacheError if the value is not an integer.',
    )
    same(await cache.get(key), 'revoked', 'A refused count() must not change the value.')
  })

  for (const seconds of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`refuses a lifetime of ${seconds} seconds with a RangeError`, async (cache) => {
      const key = newKey()
      const calls = {
        set: async () => cache.set(key, 'x', seconds),
        add: async () => cache.add(key, 'x', seconds),
        count: async () => cache.count(key, 1, seconds),
      }
      for (const [method, call] of Object.entries(calls))
        await assert.rejects(call, RangeError, `${method}() must throw a RangeError for ${seconds} seconds.`)
      same(await cache.get(key), undefined, 'A refused call must not store a value.')
    })
  }
}
