// Every client of redis and ioredis that a user may have is taken, without a cast.
import { Cluster, Redis } from 'ioredis'
import type { Cache } from 'modelrest'
import { redisCache } from 'modelrest/redis'
import {
  createClient,
  createClientPool,
  createCluster,
  createSentinel,
  defineScript,
  RESP_TYPES,
  type RedisClientType,
} from 'redis'

const url = 'redis://127.0.0.1'
const rootNodes = [{ url }]
const twice = defineScript({
  SCRIPT: 'return 2 * ARGV[1]',
  NUMBER_OF_KEYS: 0,
  parseCommand: (parser, value: number) => parser.push(String(value)),
  transformReply: (reply: unknown) => Number(reply),
})

export const plain: Cache = redisCache(createClient())
export const withUrl: Cache = redisCache(createClient({ url, database: 2 }), {
  prefix: 'shop:',
  timeout: 500,
})
export const older: Cache = redisCache(createClient({ RESP: 2 }))
export const scripted: Cache = redisCache(createClient({ scripts: { twice } }))
export const withBuffers: Cache = redisCache(
  createClient().withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }),
)
export const connected: Promise<Cache> = createClient()
  .connect()
  .then((client) => redisCache(client))
export const pool: Cache = redisCache(createClientPool())
export const cluster: Cache = redisCache(createCluster({ rootNodes }))
export const sentinel: Cache = redisCache(createSentinel({ name: 'main', sentinelRootNodes: [] }))
export const named = (client: RedisClientType): Cache => redisCache(client)

export const io: Cache = redisCache(new Redis())
export const ioWithUrl: Cache = redisCache(new Redis(url, { keyPrefix: 'shop:' }))
export const ioResp3: Cache = redisCache(new Redis({ replyMapping: 'resp3' }))
export const ioSentinel: Cache = redisCache(new Redis({ sentinels: [{ host: '127.0.0.1' }], name: 'main' }))
export const ioCluster: Cache = redisCache(new Cluster([{ port: 7000 }]))

// @ts-expect-error A URL is no client.
export const address = redisCache(url)
// @ts-expect-error The client is missing.
export const nothing = redisCache()
// @ts-expect-error A promise of a client is none.
export const promised = redisCache(createClient().connect())
// @ts-expect-error There is no such option.
export const misspelt = redisCache(new Redis(), { timeOut: 500 })
