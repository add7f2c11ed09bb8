import { Cluster } from 'ioredis'
import { createClient, createCluster } from 'redis'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { redisCache } from '../../src/cache/redis.ts'
import { cacheContract } from '../../src/testing/cache/index.ts'
import { freePort } from '../readme/server.ts'
import { runner } from '../runner.ts'
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

  let closeRedis: (() => Promise<void>) | undefined
  cacheContract(runner, {
    name: 'a cluster client of redis',
    open: async () => {
      const client = createCluster({ rootNodes: [{ url: server?.url ?? '' }] })
      await client.connect()
      closeRedis = () => client.close()
      return redisCache(client, { prefix: 'redis:' })
    },
    close: () => closeRedis?.(),
  })

  let ioredis: Cluster | undefined
  cacheContract(runner, {
    name: 'a cluster client of ioredis',
    open: () => {
      ioredis = new Cluster([{ host: '127.0.0.1', port: server?.port ?? 0 }])
      return redisCache(ioredis, { prefix: 'ioredis:' })
    },
    close: () => ioredis?.quit(),
  })
})
