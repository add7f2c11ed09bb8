import { Redis } from 'ioredis'
import { afterAll } from 'vitest'
import type { Cache } from '../../src/cache/cache.ts'
import { redisCache } from '../../src/cache/redis.ts'
import { cacheContract } from '../../src/testing/cache/index.ts'
import { runner } from '../runner.ts'
import { onRedis, testRedis } from '../servers/test-redis.ts'

onRedis('the cache on a client of ioredis', () => {
  const { url, prefix } = testRedis()
  const client = new Redis(url, { lazyConnect: true })
  const renaming = new Redis(url, {
    lazyConnect: true,
    keyPrefix: `${prefix}all:`,
    stringNumbers: true,
    enableAutoPipelining: true,
  })
  afterAll(async () => {
    await client.quit()
    await renaming.quit()
  })

  const clients: Readonly<Record<string, () => Cache>> = {
    'a client': () => redisCache(client, { prefix }),
    'a client with settings of its own': () => redisCache(renaming),
  }
  for (const [name, open] of Object.entries(clients)) cacheContract(runner, { name, open })
})
