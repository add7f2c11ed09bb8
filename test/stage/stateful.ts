import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterEach, describe, onTestFinished, vi } from 'vitest'
import { memoryCache } from '../../src/cache/cache.ts'
import { redisCache } from '../../src/cache/redis.ts'
import type { Cache, ServiceAuth } from '../../src/index.ts'
import { onRedis, testRedis } from '../servers/test-redis.ts'
import { type AuthService, type ServiceOptions, type Start, startFastify } from './auth-service.ts'
import type { Answer } from './requests.ts'

/** A cache, and how to leave it. */
interface OpenedCache {
  readonly cache: Cache
  close(): Promise<unknown>
}

/** What is kept outlives the client: of one prefix, a second client sees what the first has kept. */
type OpenCache = (prefix?: string) => Promise<OpenedCache>

export const openMemory: OpenCache = async () => ({ cache: memoryCache(), close: async () => undefined })

export const openNodeRedis: OpenCache = async (prefix = testRedis().prefix) => {
  const client = createClient({ url: testRedis().url })
  await client.connect()
  return { cache: redisCache(client, { prefix }), close: () => client.close() }
}

export const openIoRedis: OpenCache = async (prefix = testRedis().prefix) => {
  const client = new Redis(testRedis().url)
  return { cache: redisCache(client, { prefix }), close: () => client.quit() }
}

export interface ServeOptions extends ServiceOptions {
  /** The service whose database it shares, as a later version of that. */
  readonly after?: AuthService
}

/** Starts a service, which ends with its test. */
export type Serve = (serviceAuth?: ServiceAuth, options?: ServeOptions) => Promise<AuthService>

/** To be asked for inside `describe`: what it starts ends with each test. */
export const serving = (start: Start, openCache?: OpenCache): Serve => {
  const opened: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    vi.useRealTimers()
    for (const close of opened.splice(0).reverse()) await close()
  })
  return async (serviceAuth = {}, { after, ...options } = {}) => {
    const held = await openCache?.()
    if (held !== undefined) opened.push(held.close)
    const service = await (after?.another ?? start)({
      ...options,
      settings: {
        ...(held !== undefined && { CACHE: held.cache }),
        ...options.settings,
        SERVICE_AUTH: { STATEFUL: held !== undefined, ...serviceAuth },
      },
    })
    opened.push(service.stop)
    return service
  }
}

/** Defines tests of services in stateless mode. */
export const describeStateless = (define: (serve: Serve) => void): void => {
  describe('stateless', () => define(serving(startFastify)))
}

/** Defines tests of services in stateful mode: on the memory of the process, and on Redis by either client. */
export const describeStateful = (tests: string, define: (serve: Serve) => void): void => {
  describe('stateful', () => {
    describe('in memory', () => define(serving(startFastify, openMemory)))
    onRedis(tests, () => {
      describe('on node-redis', () => define(serving(startFastify, openNodeRedis)))
      describe('on ioredis', () => define(serving(startFastify, openIoRedis)))
    })
  })
}

/** The clock goes on by so many seconds until the test ends, and everything else stays as it is. */
export const later = (seconds: number): void => {
  onTestFinished(() => void vi.useRealTimers())
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(now + seconds * 1000)
}

const { now: realNow } = Date

/** The clock goes on to the end of its second, until mocks are restored: what ends all sessions of a user waits for the next one. */
export const lateInSecond = (): void => {
  const ahead = Date.now() - realNow() + Math.max(0, 900 - (Date.now() % 1000))
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ahead)
}

/** Asks for new tokens. */
export const refreshing = ({ send }: Pick<AuthService, 'send'>, refresh: string): Promise<Answer> =>
  send('POST', '/api/auth/refresh', { body: { refresh } })

/** The status of a protected route and of `/auth/me` for an access token. */
export const statuses = async (
  { send }: Pick<AuthService, 'send'>,
  token: string,
): Promise<readonly number[]> => {
  const paths = ['/api/notes/', '/api/auth/me']
  return (await Promise.all(paths.map((path) => send('GET', path, { token })))).map(({ status }) => status)
}

/** The claims of a token, unverified. */
export const claimsOf = (token: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
