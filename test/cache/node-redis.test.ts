import { createClient, createClientPool } from 'redis'
import { afterAll, beforeAll } from 'vitest'
import type { Cache } from '../../src/cache/cache.ts'
import { redisCache } from '../../src/cache/redis.ts'
import { cacheContract } from '../../src/testing/cache/index.ts'
import { runner } from '../runner.ts'
import { onRedis, testRedis } from '../servers/test-redis.ts'

onRedis('the cache on a client of redis', () => {
  const { url, prefix } = testRedis()
  const client = createClient({ url })
  const pool = createClientPool({ url })
  beforeAll(async () => {
    await client.connect()
    await pool.connect()
  })
  afterAll(async () => {
    await client.close()
    await pool.close()
  })

  const clients: Readonly<Record<string, () => Cache>> = {
    'a client': () => redisCache(client, { prefix }),
    'a client that speaks the older protocol': () => redisCache(older, { prefix: `${prefix}2:` }),
    'a pool': () => redisCache(pool, { prefix: `${prefix}pool:` }),
  }
  const older = createClient({ url, RESP: 2 })
  beforeAll(async () => void (await older.connect()))
  afterAll(() => older.close())

  for (const [name, open] of Object.entries(clients)) cacheContract(runner, { name, open })
})
