import { describe, expect, test } from 'vitest'
import { type Cache, CacheError, memoryCache } from '../../src/cache/cache.ts'
import { StartError } from '../../src/error/errors.ts'
import { cacheContract } from '../../src/testing/cache/index.ts'
import { naming } from '../naming.ts'
import { runner } from '../runner.ts'

cacheContract(runner, { name: 'a cache in memory', open: () => memoryCache() })

describe('a cache in memory', () => {
  test('answers at once', () => {
    const now = memoryCache()
    expect(now.set('a', '1', 10)).toBeUndefined()
    expect(now.add('b', '2', 10)).toBe(true)
    expect(now.count('c', 3, 10)).toEqual({ count: 3, left: 10_000 })
    expect(now.getMany(['a', 'b', 'c', 'd'])).toEqual(['1', '2', '3', undefined])
    expect(now.delete('a')).toBeUndefined()
  })

  test('each is a place of its own', () => {
    const [one, other] = [memoryCache(), memoryCache()]
    one.set('key', 'value', 10)
    expect(other.get('key')).toBeUndefined()
  })
})

describe('a full cache in memory', () => {
  const small = () => memoryCache({ maxBytes: 65_536 })
  /** Sets texts, or adds them, until one is refused, and says how many were kept. */
  const fill = (cache: Cache, seconds = 1000, kind = 'token', act: 'set' | 'add' = 'set'): number => {
    for (let kept = 0; kept < 10_000; kept += 1)
      try {
        void cache[act](`${kind} ${kept}`, 'revoked', seconds)
      } catch (error) {
        expect(error).toBeInstanceOf(CacheError)
        return kept
      }
    throw new Error('It never became full.')
  }

  test('refuses what is new, and forgets nothing that it was given', () => {
    const cache = small()
    const kept = fill(cache)
    expect(kept).toBeGreaterThan(100)
    expect(() => cache.add('one more', 'revoked', 10)).toThrow(CacheError)
    expect(cache.get('one more')).toBeUndefined()
    for (let index = 0; index < kept; index += 1) expect(cache.get(`token ${index}`)).toBe('revoked')
  })

  test('still counts, replaces, deletes, and takes what fits again', () => {
    const cache = small()
    fill(cache)
    expect(cache.count('login', 1, 10)).toMatchObject({ count: 1 })
    cache.set('token 0', 'renewed', 10)
    expect(cache.get('token 0')).toBe('renewed')
    cache.delete('token 1')
    expect(cache.set('new', 'revoked', 10)).toBeUndefined()
  })

  test('has room still for what is set, where what is added has filled it', () => {
    const cache = small()
    const added = fill(cache, 1000, 'token', 'add')
    expect(added).toBeGreaterThan(100)
    expect(fill(cache, 1000, 'user')).toBeGreaterThan(added / 10)
    expect(cache.get('token 0')).toBe('revoked')
  })

  test('takes what is added again where something was deleted', () => {
    const cache = small()
    fill(cache, 1000, 'token', 'add')
    expect(() => cache.add('new', 'revoked', 10)).toThrow(CacheError)
    cache.delete('token 1')
    expect(cache.add('new', 'revoked', 10)).toBe(true)
    expect(cache.add('token 0', 'revoked', 10)).toBe(false)
  })

  test('has room again when something has ended', async () => {
    const cache = small()
    fill(cache, 1)
    await expect.poll(() => cache.get('token 0'), { timeout: 30_000 }).toBeUndefined()
    await expect.poll(() => fill(cache, 1000, 'other'), { timeout: 30_000 }).toBeGreaterThan(100)
  })

  test('never forgets a text for counts, however many: it forgets the count longest untouched', () => {
    const cache = small()
    cache.set('token', 'revoked', 10)
    cache.count('first', 1, 10)
    for (let index = 0; index < 5000; index += 1) {
      cache.count(`login ${index}`, 1, 10)
      if (index % 10 === 0) cache.count('busy', 1, 10)
    }
    expect(cache.get('token')).toBe('revoked')
    expect(cache.get('first')).toBeUndefined()
    expect(cache.get('busy')).toBe('500')
  })

  test('refuses a text that is larger than itself', () => {
    const cache = small()
    expect(() => cache.set('key', 'x'.repeat(100_000), 10)).toThrow(CacheError)
  })
})

test.each([0, -1, 1000, 1.5, Number.NaN, '64MB'])('maxBytes %j is refused by name', (maxBytes) => {
  expect(() => memoryCache({ maxBytes: maxBytes as number })).toThrow(StartError)
  expect(() => memoryCache({ maxBytes: maxBytes as number })).toThrow(
    naming('memoryCache', 'maxBytes', 65536),
  )
})

describe('counts in a full cache in memory', () => {
  const small = () => memoryCache({ maxBytes: 65_536 })

  test.each([2, 4, 10, 100])(
    'one that reached %i is not pushed out by others that were counted once',
    (reached) => {
      const cache = small()
      cache.count('known', reached, 1000)
      for (let other = 0; other < 10_000; other += 1) cache.count(`other ${other}`, 1, 1000)
      expect(cache.count('known', 0, 1000)).toMatchObject({ count: reached })
      expect(cache.count('other 0', 0, 1000)).toMatchObject({ count: 0 })
      expect(cache.count('other 9999', 0, 1000)).toMatchObject({ count: 1 })
    },
  )

  test('others are still counted where many have reached much', () => {
    const cache = small()
    for (let other = 0; other < 1000; other += 1) cache.count(`other ${other}`, 100, 1000)
    for (let count = 1; count <= 10; count += 1) expect(cache.count('new', 1, 1000)).toMatchObject({ count })
  })

  test('one that goes up and down keeps its time', () => {
    const cache = small()
    const { left } = cache.count('key', 1, 10) as { left: number }
    for (let count = 0; count < 1000; count += 1) for (const by of [8, -8]) cache.count('key', by, 10)
    const now = cache.count('key', 0, 10) as { count: number; left: number }
    expect(now.count).toBe(1)
    expect(now.left).toBeGreaterThan(0)
    expect(now.left).toBeLessThanOrEqual(left)
  })
})
