import { StartError } from '../error/errors.ts'
import { type Cache, CacheError, wholeSeconds } from './cache.ts'

/** The options of {@link redisCache}. */
export interface RedisCacheOptions {
  /**
   * The prefix of every key. Use a different one for each application on the same Redis.
   * @default 'modelrest:'
   */
  readonly prefix?: string
  /**
   * The maximum time that a command waits for Redis in milliseconds, up to 60,000. It includes the time to reconnect.
   * @default 2000
   */
  readonly timeout?: number
}

const LONGEST = 60_000

/**
 * A cache in Redis (version 6 or later, or a compatible server), shared by all processes of an application.
 *
 * Pass a client of `redis` (a client, a pool, a cluster or a sentinel) or of `ioredis` (a client or a cluster). Connect it,
 * listen to its `error` event, and close it after `rest.close()`. If it is not connected, a command waits for a connection
 * for up to `timeout` milliseconds, then fails with a `CacheError` and is never run. A command that was already sent when
 * the connection broke may have been run.
 *
 * Revoked tokens are as safe as this Redis: set `maxmemory-policy noeviction` (any other policy may evict revoked tokens),
 * enable persistence, and do not read from replicas, which lag behind.
 * @throws StartError if the client is from neither library, or an option is invalid
 * @example
 * ```ts
 * import { redisCache } from 'modelrest/redis'
 * import { createClient } from 'redis'
 *
 * const client = createClient({ url: 'redis://127.0.0.1:6379' })
 * client.on('error', (error) => process.stderr.write(`Redis: ${error}\n`))
 *
 * export const cache = redisCache(client, { prefix: 'shop:' })
 * ```
 */
export const redisCache = (client: RedisClient, options: RedisCacheOptions = {}): Cache => {
  const { prefix = 'modelrest:', timeout = 2000 } = options
  const commands = commandsOf(client)
  if (commands === undefined)
    throw new StartError(
      'redisCache: the client must come from redis (version 4 or later) or ioredis (version 5 or later).',
    )
  if (typeof prefix !== 'string') throw new StartError('redisCache: prefix must be a string.')
  if (!Number.isSafeInteger(timeout) || timeout < 1 || timeout > LONGEST)
    throw new StartError(`redisCache: timeout must be an integer from 1 to ${LONGEST}, in milliseconds.`)
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

/** A client may be configured to return buffers. */
const textOf = (answer: unknown): string | undefined =>
  answer === null || answer === undefined ? undefined : String(answer)

/** The members that modelrest uses of a client, pool, cluster or sentinel of `redis` (node-redis). */
export interface NodeRedis {
  get(key: string): PromiseLike<unknown>
  mGet(keys: string[]): PromiseLike<readonly unknown[]>
  set(key: string, value: string, options: { EX: number; NX?: true }): PromiseLike<unknown>
  eval(script: string, options: { keys: string[]; arguments: string[] }): PromiseLike<unknown>
  del(key: string): PromiseLike<unknown>
  once(event: 'ready', listener: () => void): unknown
  /** `false` for a single client that is reconnecting. */
  readonly isReady?: boolean
  readonly isOpen?: boolean
}

/** The members that modelrest uses of a client or cluster of `ioredis`. */
export interface IoRedis {
  call(command: string, parts: (string | number)[]): PromiseLike<unknown>
  once(event: 'ready', listener: () => void): unknown
  readonly status: string
}

/** A client of `redis` or `ioredis`. modelrest detects the library by the methods of the client. */
export type RedisClient = NodeRedis | IoRedis

/** The same commands for every client. */
interface RedisCommands {
  get(key: string): PromiseLike<unknown>
  getMany(keys: readonly string[]): PromiseLike<readonly unknown[]>
  set(key: string, value: string, seconds: number): PromiseLike<unknown>
  /** `null` if the key exists already. */
  add(key: string, value: string, seconds: number): PromiseLike<unknown>
  count(key: string, by: number, seconds: number): PromiseLike<unknown>
  delete(key: string): PromiseLike<unknown>
  /** Whether it is reconnecting: the client would queue commands until it is connected again. */
  isReconnecting(): boolean
  onceReady(listener: () => void): void
}

/** `undefined` if it is not a client of either library. */
const commandsOf = (client: RedisClient): RedisCommands | undefined => {
  if (typeof client !== 'object' || client === null) return undefined
  if ('mGet' in client && 'eval' in client) return ofNodeRedis(client)
  return 'call' in client && 'status' in client ? ofIoRedis(client) : undefined
}

/** In a cluster, a command can only use keys of one slot. In both libraries, only clusters have a member `slots`. */
const isCluster = (client: RedisClient): boolean => 'slots' in client

const ofNodeRedis = (client: NodeRedis): RedisCommands => {
  const get = (key: string) => client.get(key)
  return {
    get,
    getMany: isCluster(client) ? (keys) => Promise.all(keys.map(get)) : (keys) => client.mGet([...keys]),
    set: (key, value, seconds) => client.set(key, value, { EX: seconds }),
    add: (key, value, seconds) => client.set(key, value, { EX: seconds, NX: true }),
    count: (key, by, seconds) =>
      client.eval(countScript, { keys: [key], arguments: [String(by), String(seconds)] }),
    delete: (key) => client.del(key),
    isReconnecting: () => client.isReady === false && client.isOpen === true,
    onceReady: (listener) => void client.once('ready', listener),
  }
}

/** The states of an ioredis client that is about to be `ready`. In the state `wait`, it connects at its first command. */
const connectingStates: readonly string[] = ['connecting', 'connect', 'reconnecting', 'close']

const ofIoRedis = (client: IoRedis): RedisCommands => {
  const get = (key: string) => client.call('GET', [key])
  return {
    get,
    getMany: isCluster(client)
      ? (keys) => Promise.all(keys.map(get))
      : async (keys) => (await client.call('MGET', [...keys])) as readonly unknown[],
    set: (key, value, seconds) => client.call('SET', [key, value, 'EX', seconds]),
    add: (key, value, seconds) => client.call('SET', [key, value, 'EX', seconds, 'NX']),
    count: (key, by, seconds) => client.call('EVAL', [countScript, 1, key, by, seconds]),
    delete: (key) => client.call('DEL', [key]),
    isReconnecting: () => connectingStates.includes(client.status),
    onceReady: (listener) => void client.once('ready', listener),
  }
}

/**
 * `count` of a cache as a script, which Redis runs atomically. Key: the counter. Arguments: the number to add, and its
 * seconds. A counter without an expiry gets one.
 */
const countScript = `
if tonumber(ARGV[1]) <= 0 and redis.call('EXISTS', KEYS[1]) == 0 then return {0, 0} end
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count < 0 then count = redis.call('INCRBY', KEYS[1], string.format('%.0f', -count)) end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  left = tonumber(ARGV[2]) * 1000
end
return {count, left}
`

/**
 * Runs commands so that each settles in time, regardless of the state of the connection. A client that is not connected
 * queues commands and may run them hours later, so it gets none then: a command that waits too long fails and is never
 * run.
 */
const inTime = (commands: RedisCommands, timeout: number) => {
  const waiting = new Set<() => void>()
  let listens = false

  const sendAll = (): void => {
    listens = false
    const all = [...waiting]
    waiting.clear()
    for (const send of all) send()
  }
  const whenReady = (send: () => void): void => {
    waiting.add(send)
    if (listens) return
    listens = true
    commands.onceReady(sendAll)
  }

  return <T>(command: () => PromiseLike<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const fail = (cause: unknown): void => {
        clearTimeout(timer)
        waiting.delete(send)
        reject(new CacheError('The cache is unavailable or refused the command.', { cause }))
      }
      const timer = setTimeout(() => fail(new Error(`Redis did not respond within ${timeout} ms.`)), timeout)
      const send = (): void => {
        // A client may throw synchronously too.
        Promise.resolve()
          .then(command)
          .then((answer) => {
            clearTimeout(timer)
            resolve(answer)
          }, fail)
      }
      if (commands.isReconnecting()) whenReady(send)
      else send()
    })
}
