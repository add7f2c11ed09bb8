import { StartError } from '../error/start-error.ts'
import type { Cache } from './cache.ts'
import { commandsOf, type RedisClient } from './redis-clients.ts'
import { inTime } from './redis-in-time.ts'
import { wholeSeconds } from './whole-seconds.ts'

/** What {@link redisCache} takes beside a client. */
export interface RedisCacheOptions {
  /**
   * Stands before every key, to tell applications on one Redis apart.
   * @default 'modelrest:'
   */
  readonly prefix?: string
  /**
   * The longest that one act waits for Redis, in milliseconds, a connection that has to be made again included.
   * @default 2000
   */
  readonly timeout?: number
}

const LONGEST = 60_000

/**
 * A cache in Redis (6 or later, or what speaks its language), shared by all processes of an application.
 *
 * The client is yours: of `redis` (a client, a pool, a cluster or a sentinel) or of `ioredis` (a client or a cluster).
 * Connect it, listen to its `error` event, and close it after `rest.close()`. Where it has no connection, an act waits
 * for one at most `timeout` milliseconds, ends with a `CacheError`, and is not run later. A command that was already on
 * its way when the connection broke may have been run all the same.
 *
 * What is revoked is as safe as that Redis is: give it `maxmemory-policy noeviction` (any other may drop what is revoked
 * before its time) and persistence, and do not read from replicas, which lag behind.
 * @throws StartError where the client is of neither library, or an option is wrong
 * @example
 * ```ts
 * import { redisCache } from 'modelrest/redis'
 * import { createClient } from 'redis'
 *
 * const client = createClient({ url: 'redis://127.0.0.1:6379' })
 * client.on('error', (error) => process.stderr.write(`Redis: ${error}\n`))
 *
 * export const CACHE = redisCache(client, { prefix: 'shop:' })
 * ```
 */
export const redisCache = (client: RedisClient, options: RedisCacheOptions = {}): Cache => {
  const { prefix = 'modelrest:', timeout = 2000 } = options
  const commands = commandsOf(client)
  if (commands === undefined)
    throw new StartError(
      'redisCache: the client must be one of redis (version 4 or later) or ioredis (version 5 or later).',
    )
  if (typeof prefix !== 'string') throw new StartError('redisCache: prefix must be a string.')
  if (!Number.isSafeInteger(timeout) || timeout < 1 || timeout > LONGEST)
    throw new StartError(`redisCache: timeout must be a whole number from 1 to ${LONGEST}, in milliseconds.`)
  const ask = inTime(commands, timeout)
  const named = (key: string): string => prefix + key

  return {
    get: async (key) => textOf(await ask(() => commands.get(named(key)))),
    getMany: async (keys) =>
      keys.length === 0 ? [] : (await ask(() => commands.getMany(keys.map(named)))).map(textOf),
    async set(key, value, seconds) {
      const time = wholeSeconds(seconds)
      await ask(() => commands.set(named(key), value, time))
    },
    async add(key, value, seconds) {
      const time = wholeSeconds(seconds)
      return (await ask(() => commands.add(named(key), value, time))) !== null
    },
    async count(key, by, seconds) {
      const time = wholeSeconds(seconds)
      const [count, left] = (await ask(() => commands.count(named(key), by, time))) as readonly unknown[]
      return { count: Number(count), left: Number(left) }
    },
    async delete(key) {
      await ask(() => commands.delete(named(key)))
    },
  }
}

/** A client may be set to answer with buffers. */
const textOf = (answer: unknown): string | undefined =>
  answer === null || answer === undefined ? undefined : String(answer)
