import { Cluster } from 'ioredis'
import { createClient, createCluster } from 'redis'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import type { Cache } from '../../src/cache/cache.ts'
import { redisCache } from '../../src/cache/redis.ts'
import { cacheContract } from '../contract/cache.ts'
import { freePort } from '../readme/server.ts'
import { type RedisServer, startRedis } from '../servers/redis.ts'
import { onRedis } from '../servers/test-redis.ts'

/** A cluster of one server, which has all slots: like any cluster it refuses a command with keys of two slots. */
const startCluster = async (): Promise<RedisServer> => {
  const server = await startRedis({
    settings: {
      'cluster-enabled': 'yes',
      'cluster-port': String(await freePort()),
      // It would learn its own address from other servers, of which there are none.
      'cluster-announce-ip': '127.0.0.1',
    },
  })
  const client = createClient({ url: server.url })
  await client.connect()
  await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383'])
  await vi.waitFor(
    async () => expect(await client.sendCommand(['CLUSTER', 'INFO'])).toContain('cluster_state:ok'),
    { timeout: 30_000 },
  )
  await client.close()
  return server
}

onRedis('the cache on a cluster', () => {
  let server: RedisServer | undefined
  beforeAll(async () => {
    server = await startCluster()
  })
  afterAll(() => server?.stop())

  describe('a cluster client of redis', () => {
    let cache: Cache
    let close: () => Promise<void>
    beforeAll(async () => {
      const client = createCluster({ rootNodes: [{ url: server?.url ?? '' }] })
      await client.connect()
      close = () => client.close()
      cache = redisCache(client, { prefix: 'redis:' })
    })
    afterAll(() => close())
    cacheContract(() => cache)
  })

  describe('a cluster client of ioredis', () => {
    let cache: Cache
    let client: Cluster
    beforeAll(() => {
      client = new Cluster([{ host: '127.0.0.1', port: server?.port ?? 0 }])
      cache = redisCache(client, { prefix: 'ioredis:' })
    })
    afterAll(async () => void (await client.quit()))
    cacheContract(() => cache)
  })
})
