import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RedisClient, redisCache } from '../../src/cache/redis.ts'
import { StartError } from '../../src/error/errors.ts'
import { naming } from '../naming.ts'
import { onRedis, testRedis } from '../servers/test-redis.ts'

const noClients = [undefined, null, 'redis://127.0.0.1', {}, { get: () => '', set: () => '' }, new Map()]
test.each(noClients)('%j is refused as a client, by name', (client) => {
  const make = () => redisCache(client as unknown as RedisClient)
  expect(make).toThrow(StartError)
  expect(make).toThrow(naming('redisCache', 'redis', 4, 'ioredis', 5))
})

test.each([0, -1, 1.5, 60_001, Number.NaN, '2s'])('a timeout of %j is refused by name', (timeout) => {
  const make = () => redisCache(createClient(), { timeout: timeout as number })
  expect(make).toThrow(StartError)
  expect(make).toThrow(naming('redisCache', 'timeout', 1, 60_000))
})

test('a prefix that is no string is refused by name', () => {
  const make = () => redisCache(createClient(), { prefix: 1 as unknown as string })
  expect(make).toThrow(StartError)
  expect(make).toThrow(naming('redisCache', 'prefix'))
})

onRedis('what both clients leave in Redis', () => {
  const { url, prefix } = testRedis()
  const [one, other] = [createClient({ url }), new Redis(url, { lazyConnect: true })]
  beforeAll(async () => void (await one.connect()))
  afterAll(async () => {
    await one.close()
    await other.quit()
  })

  test('both clients see the same', async () => {
    const [here, there] = [redisCache(one, { prefix }), redisCache(other, { prefix })]
    await here.set('from redis', '1', 100)
    await there.set('from ioredis', '2', 100)
    expect(await there.getMany(['from redis', 'from ioredis'])).toEqual(['1', '2'])
    expect(await here.add('from ioredis', 'x', 100)).toBe(false)
    await here.count('count', 2, 100)
    expect((await there.count('count', 2, 100)).count).toBe(4)
  })

  test('the prefix stands before every key, and nothing stays for ever', async () => {
    const cache = redisCache(one, { prefix: `${prefix}mine:` })
    await cache.set('set', '1', 100)
    await cache.add('add', '2', 100)
    await cache.count('count', 3, 100)
    expect((await one.keys(`${prefix}mine:*`)).sort()).toEqual(
      ['add', 'count', 'set'].map((key) => `${prefix}mine:${key}`),
    )
    for (const key of ['set', 'add', 'count']) {
      const left = await one.ttl(`${prefix}mine:${key}`)
      expect(left).toBeGreaterThan(90)
      expect(left).toBeLessThanOrEqual(100)
    }
    expect(await redisCache(one, { prefix: `${prefix}yours:` }).get('set')).toBeUndefined()
  })

  test('a count that somebody left without an end gets one', async () => {
    await one.set(`${prefix}endless`, '7')
    const { count, left } = await redisCache(one, { prefix }).count('endless', 1, 100)
    expect(count).toBe(8)
    expect(left).toBe(100_000)
    expect(await one.ttl(`${prefix}endless`)).toBeGreaterThan(90)
  })

  test('the prefix is modelrest: where none is given', async () => {
    const key = `${prefix}by default`
    await redisCache(other).set(key, '1', 100)
    expect(await one.get(`modelrest:${key}`)).toBe('1')
  })
})
