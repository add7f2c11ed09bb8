import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Attempt, type Throttle, throttleOf } from '../../src/auth/limits/throttle.ts'
import { resolveAuth, type TokenAuthSettings } from '../../src/auth/settings/index.ts'
import { type Cache, CacheError, memoryCache } from '../../src/cache/cache.ts'
import { redisCache } from '../../src/cache/redis.ts'
import { HttpError } from '../../src/error/errors.ts'
import { runSync, type Steps } from '../../src/operation/steps.ts'
import { onRedis, testRedis } from '../servers/test-redis.ts'

const throttled = (cache: Cache, limits: Partial<TokenAuthSettings> = {}): Throttle =>
  throttleOf({
    ...resolveAuth({ CACHE: cache }),
    ...{
      LOGIN_MAX_FAILURES: 3,
      LOGIN_MAX_FAILURES_PER_ADDRESS: 5,
      userModel: 'app.User',
      knowsAddresses: true,
      ...limits,
    },
  })

/** Runs as the synchronous mode does, which waits for authentication alone. */
const run = async (steps: Steps<void>): Promise<void> => {
  await runSync(
    (function* () {
      yield* steps
      return { status: 204, headers: {}, body: undefined }
    })(),
  )
}

/** What became of a try: it may look at the password, or not. */
const entered = async (throttle: Throttle, who: Attempt): Promise<'enters' | HttpError> => {
  try {
    await run(throttle.enter(who))
    return 'enters'
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
}

/** How many of so many tries at once may look at the password. */
const passing = async (throttle: Throttle, tries: readonly Attempt[]): Promise<number> => {
  const outcomes = await Promise.all(tries.map((who) => entered(throttle, who)))
  return outcomes.filter((outcome) => outcome === 'enters').length
}

let made = 0
const fresh = (): string => {
  made += 1
  return `anna-${made}@example.com`
}
const times = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index))

const throttling = (cacheOf: () => Cache): void => {
  test('checklist 21: a try whose password nobody could look at does not count', async () => {
    const throttle = throttled(cacheOf())
    const who = { account: fresh(), address: '203.0.113.200' }
    for (let count = 0; count < 10; count += 1) {
      expect(await entered(throttle, who)).toBe('enters')
      await run(throttle.undo(who))
    }
    expect(
      await passing(
        throttle,
        times(5, () => who),
      ),
    ).toBe(3)
  })

  test('checklist 21: of 200 tries at an account at once, as many as may fail look at the password', async () => {
    const throttle = throttled(cacheOf())
    const account = fresh()
    const tries = times(200, (index) => ({ account, address: `203.0.${index}.1` }))
    expect(await passing(throttle, tries)).toBe(3)
  })

  test('checklist 21: of 200 tries from an address at once, at as many accounts, as many as may fail do', async () => {
    const throttle = throttled(cacheOf(), { JWT_AUD: fresh() })
    const tries = times(200, () => ({ account: fresh(), address: '203.0.113.9' }))
    expect(await passing(throttle, tries)).toBe(5)
  })

  test('checklist 21: too many is a 429 that says when to come again, and nothing else', async () => {
    const throttle = throttled(cacheOf(), { LOGIN_FAILURE_WINDOW: 60 })
    const who = { account: fresh(), address: fresh() }
    await passing(
      throttle,
      times(3, () => who),
    )
    const refusal = (await entered(throttle, who)) as HttpError
    expect(refusal).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(refusal.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(JSON.stringify([refusal.detail, refusal.headers])).not.toContain('anna')
  })

  test('checklist 21: a success forgets the failures of the account, and what itself took of the address', async () => {
    const throttle = throttled(cacheOf(), { JWT_AUD: fresh() })
    const who = { account: fresh(), address: '203.0.113.9' }
    for (const _ of times(4, () => 0)) {
      expect(await passing(throttle, [who])).toBe(1)
      await run(throttle.succeeded(who))
    }
    // Nothing is left of four successes: three failures at the account, then two more at others from the address.
    expect(
      await passing(
        throttle,
        times(6, () => who),
      ),
    ).toBe(3)
  })

  test('checklist 21: a success gives an address one try back, not those that failed', async () => {
    const throttle = throttled(cacheOf(), { JWT_AUD: fresh() })
    const from = () => ({ account: fresh(), address: '203.0.113.9' })
    const own = from()
    expect(await passing(throttle, [...times(4, from), own])).toBe(5)
    await run(throttle.succeeded(own))
    expect(await passing(throttle, times(10, from))).toBe(1)
  })

  test('checklist 21: accounts and addresses are counted apart', async () => {
    const throttle = throttled(cacheOf(), { JWT_AUD: fresh() })
    const [account, other] = [fresh(), fresh()]
    expect(
      await passing(
        throttle,
        times(9, () => ({ account, address: '203.0.113.9' })),
      ),
    ).toBe(3)
    // The account is full from wherever; the address has used up its tries too, but another has not.
    expect(await passing(throttle, [{ account, address: '203.0.113.10' }])).toBe(0)
    expect(await passing(throttle, [{ account: other, address: '203.0.113.9' }])).toBe(0)
    expect(await passing(throttle, [{ account: other, address: '203.0.113.10' }])).toBe(1)
  })

  test('checklist 21: a refused address uses up no tries of an account', async () => {
    const throttle = throttled(cacheOf(), { JWT_AUD: fresh() })
    const account = fresh()
    await passing(
      throttle,
      times(5, () => ({ account: fresh(), address: '203.0.113.9' })),
    )
    expect(
      await passing(
        throttle,
        times(50, () => ({ account, address: '203.0.113.9' })),
      ),
    ).toBe(0)
    expect(
      await passing(
        throttle,
        times(5, (index) => ({ account, address: `203.0.0.${index}` })),
      ),
    ).toBe(3)
  })

  test('checklist 21: the many IPv6 addresses of one client count as one', async () => {
    const throttle = throttled(cacheOf(), { JWT_AUD: fresh() })
    const tries = times(50, (index) => ({ account: fresh(), address: `2001:db8:1:2::${index.toString(16)}` }))
    expect(await passing(throttle, tries)).toBe(5)
  })

  test('checklist 21: unknown addresses count as one', async () => {
    const throttle = throttled(cacheOf(), { JWT_AUD: fresh() })
    const tries = times(50, () => ({ account: fresh(), address: undefined }))
    expect(await passing(throttle, tries)).toBe(5)
  })

  test('checklist 21: where no address is ever known, the account alone counts', async () => {
    const throttle = throttled(cacheOf(), { knowsAddresses: false })
    expect(
      await passing(
        throttle,
        times(50, () => ({ account: fresh(), address: undefined })),
      ),
    ).toBe(50)
    const account = fresh()
    expect(
      await passing(
        throttle,
        times(50, () => ({ account, address: undefined })),
      ),
    ).toBe(3)
    await run(throttle.succeeded({ account, address: undefined }))
    expect(
      await passing(
        throttle,
        times(50, () => ({ account, address: undefined })),
      ),
    ).toBe(3)
  })

  test('checklist 21: two processes with one cache count together', async () => {
    const [one, other] = [throttled(cacheOf()), throttled(cacheOf())]
    const who = { account: fresh(), address: fresh() }
    const [here, there] = await Promise.all([
      passing(
        one,
        times(20, () => who),
      ),
      passing(
        other,
        times(20, () => who),
      ),
    ])
    expect(here + there).toBe(3)
  })

  test('checklist 21: two services with one cache count apart', async () => {
    const cache = cacheOf()
    const who = { account: fresh(), address: fresh() }
    expect(
      await passing(
        throttled(cache),
        times(5, () => who),
      ),
    ).toBe(3)
    expect(
      await passing(
        throttled(cache, { JWT_ISS: 'other' }),
        times(5, () => who),
      ),
    ).toBe(3)
    expect(
      await passing(
        throttled(cache, { JWT_AUD: 'other' }),
        times(5, () => who),
      ),
    ).toBe(3)
  })

  test('checklist 21: after the window there are tries again', async () => {
    const throttle = throttled(cacheOf(), { LOGIN_FAILURE_WINDOW: 1 })
    const who = { account: fresh(), address: fresh() }
    expect(
      await passing(
        throttle,
        times(20, () => who),
      ),
    ).toBe(3)
    await expect.poll(() => entered(throttle, who), { timeout: 30_000 }).toBe('enters')
  })

  test.each([
    [{ LOGIN_MAX_FAILURES: 0 }, 5],
    [{ LOGIN_MAX_FAILURES_PER_ADDRESS: 0 }, 3],
    [{ LOGIN_MAX_FAILURES: 0, LOGIN_MAX_FAILURES_PER_ADDRESS: 0 }, 20],
  ])('checklist 21: with %j that limit is off', async (limits, passed) => {
    const throttle = throttled(cacheOf(), { JWT_AUD: fresh(), ...limits })
    const who = { account: fresh(), address: '203.0.113.9' }
    expect(
      await passing(
        throttle,
        times(20, () => who),
      ),
    ).toBe(passed)
    await run(throttle.succeeded(who))
  })
}

test('a cache that fails at once for one count and later for another fails the try, and nothing else', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => {
    unhandled.push(reason)
  }
  process.on('unhandledRejection', note)
  let asked = 0
  const count = (): Promise<never> => {
    asked += 1
    if (asked === 2) throw new CacheError('at once')
    return Promise.reject(new CacheError('later'))
  }
  const throttle = throttled({ ...memoryCache(), count })
  const who = { account: fresh(), address: '2001:db8::1' }
  await expect(entered(throttle, who)).rejects.toThrow(CacheError)
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

describe('throttling by a cache in memory', () => {
  const cache = memoryCache()
  throttling(() => cache)
})

onRedis('throttling by a cache in Redis', () => {
  const { url, prefix } = testRedis()
  const client = createClient({ url })
  const cache = redisCache(client, { prefix })
  beforeAll(async () => void (await client.connect()))
  afterAll(() => client.close())
  describe('throttling by a cache in Redis', () => throttling(() => cache))
})

test('checklist 21: no identifier and no address stands in the cache', async () => {
  const seen: string[] = []
  const memory = memoryCache()
  const watching: Cache = {
    ...memory,
    count(key, by, seconds) {
      seen.push(key)
      return memory.count(key, by, seconds)
    },
    delete(key) {
      seen.push(key)
      return memory.delete(key)
    },
  }
  const throttle = throttled(watching)
  const who = { account: 'anna', address: '203.0.113.9' }
  await run(throttle.enter(who))
  await run(throttle.succeeded(who))
  expect(seen).toHaveLength(4)
  for (const key of seen) expect(key).toMatch(/^auth:failures:(account|address):[\w-]{43}$/)
})

test('checklist 21: where the cache is away, no password is looked at', async () => {
  const away = () => {
    throw new CacheError('away')
  }
  const cache: Cache = { get: away, getMany: away, set: away, add: away, count: away, delete: away }
  const who = { account: 'anna', address: '203.0.113.9' }
  await expect(run(throttled(cache).enter(who))).rejects.toThrow(CacheError)
  await expect(run(throttled(cache).succeeded(who))).rejects.toThrow(CacheError)
})
