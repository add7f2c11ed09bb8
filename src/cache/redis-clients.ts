import { countScript } from './redis-count.ts'

/** What is asked of a client of `redis` (node-redis): a single one, a pool, a cluster or a sentinel. */
export interface NodeRedis {
  get(key: string): PromiseLike<unknown>
  mGet(keys: string[]): PromiseLike<readonly unknown[]>
  set(key: string, value: string, options: { EX: number; NX?: true }): PromiseLike<unknown>
  eval(script: string, options: { keys: string[]; arguments: string[] }): PromiseLike<unknown>
  del(key: string): PromiseLike<unknown>
  once(event: 'ready', listener: () => void): unknown
  /** `false` for a single client between its connections. */
  readonly isReady?: boolean
  readonly isOpen?: boolean
}

/** What is asked of a client of `ioredis`: a single one, or a cluster. */
export interface IoRedis {
  call(command: string, parts: (string | number)[]): PromiseLike<unknown>
  once(event: 'ready', listener: () => void): unknown
  readonly status: string
}

/** A client of either library. They are told apart by their methods. */
export type RedisClient = NodeRedis | IoRedis

/** The same commands, whichever client runs them. */
export interface RedisCommands {
  get(key: string): PromiseLike<unknown>
  getMany(keys: readonly string[]): PromiseLike<readonly unknown[]>
  set(key: string, value: string, seconds: number): PromiseLike<unknown>
  /** `null` where there was one already. */
  add(key: string, value: string, seconds: number): PromiseLike<unknown>
  count(key: string, by: number, seconds: number): PromiseLike<unknown>
  delete(key: string): PromiseLike<unknown>
  /** Between two connections, where a client would keep a command until it has one again. */
  isAway(): boolean
  /** Told once, when it has a connection again. */
  onceBack(listener: () => void): void
}

/** `undefined` for what is no client of either. */
export const commandsOf = (client: RedisClient): RedisCommands | undefined => {
  if (!isObject(client)) return undefined
  if ('mGet' in client && 'eval' in client) return ofNodeRedis(client)
  return 'call' in client && 'status' in client ? ofIoRedis(client) : undefined
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** In a cluster one command reaches the keys of one slot alone. Both libraries' clusters, and they alone, have `slots`. */
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
    isAway: () => client.isReady === false && client.isOpen === true,
    onceBack: (listener) => void client.once('ready', listener),
  }
}

/** The states of a client of ioredis that lead to `ready`. In `wait` it waits for its first command. */
const onTheWay: readonly string[] = ['connecting', 'connect', 'reconnecting', 'close']

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
    isAway: () => onTheWay.includes(client.status),
    onceBack: (listener) => void client.once('ready', listener),
  }
}
