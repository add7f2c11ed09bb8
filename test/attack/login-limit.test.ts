import { availableParallelism } from 'node:os'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { queueBoundsOf } from '../../src/auth/limits/fair-queue.ts'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { usersTable } from '../../src/entry/drizzle-sqlite.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { type Cache, defineSettings, memoryCache, registerAuthRoutes } from '../../src/index.ts'
import {
  type AuthService,
  ada,
  describeServices,
  loggedIn,
  registered,
  secret,
} from '../stage/auth-service.ts'
import type { Answer } from '../stage/requests.ts'
import { type HashingGate, hashingGate } from './hashing-gate.ts'

const gate: { current?: HashingGate } = {}

const { email, password } = ada
/** One byte more than any password has. */
const unacceptable = 'a'.repeat(1025)

const statusOf = async (answer: Promise<Answer>): Promise<number> => (await answer).status

/** Fails as often as it may with one identifier. */
const exhausted = async (service: AuthService): Promise<void> => {
  for (let count = 0; count < 10; count += 1)
    expect(await statusOf(loggedIn(service, { email, password: 'wrong' }))).toBe(401)
  expect(await statusOf(loggedIn(service))).toBe(429)
}

/** A cache that says how many counts were begun or raised in it. */
const watched = (cache: Cache): Cache & { readonly raised: readonly string[] } => {
  const raised: string[] = []
  return {
    ...cache,
    raised,
    count: (key, by, seconds) => {
      if (by > 0) raised.push(key)
      return cache.count(key, by, seconds)
    },
  }
}

afterEach(() => {
  gate.current?.remove()
  delete gate.current
  vi.restoreAllMocks()
})

describeServices('the limit of failed logins', (serve) => {
  it('is not pushed out of the cache by logins that try no password', async () => {
    // Room for some 50 counts.
    const CACHE = watched(memoryCache({ maxBytes: 65_536 }))
    const service = await serve({ LOGIN_MAX_FAILURES_PER_ADDRESS: 0 }, { settings: { CACHE } })
    await registered(service)
    await exhausted(service)
    const before = CACHE.raised.length
    for (let count = 0; count < 300; count += 1) {
      const body = { email: `nobody-${count}@example.com`, password: unacceptable }
      expect(await statusOf(loggedIn(service, body))).toBe(401)
    }
    expect(CACHE.raised.length).toBe(before)
    expect(await statusOf(loggedIn(service))).toBe(429)
  })

  it('is not pushed out by logins with many other names either, which each cost a hash', async () => {
    const CACHE = memoryCache({ maxBytes: 65_536 })
    const service = await serve({ LOGIN_MAX_FAILURES_PER_ADDRESS: 0 }, { settings: { CACHE } })
    await registered(service)
    await exhausted(service)
    for (let count = 0; count < 70; count += 1)
      expect(await statusOf(loggedIn(service, { email: `nobody-${count}@example.com`, password }))).toBe(401)
    expect(await statusOf(loggedIn(service))).toBe(429)
  })

  it('does not count a password that no user has, and says no more of it than of any other', async () => {
    const service = await serve({ LOGIN_MAX_FAILURES: 2 })
    await registered(service)
    for (let count = 0; count < 5; count += 1)
      for (const known of [email, 'nobody@example.com'])
        for (const sent of [unacceptable, '\ud800'])
          expect(await statusOf(loggedIn(service, { email: known, password: sent }))).toBe(401)
    expect(await statusOf(loggedIn(service))).toBe(200)
  })

  it('counts no login that was refused because too many waited', async () => {
    const CACHE = watched(memoryCache())
    const service = await serve({ LOGIN_MAX_FAILURES_PER_ADDRESS: 0 }, { settings: { CACHE } })
    await registered(service)
    const { parallel, waiting } = queueBoundsOf(availableParallelism(), process.env['UV_THREADPOOL_SIZE'])
    gate.current = hashingGate()
    gate.current.close()
    const before = CACHE.raised.length
    const logins = Array.from({ length: parallel + waiting }, (_, count) =>
      loggedIn(service, { email: `nobody-${count}@example.com`, password }),
    )
    // Those that have no place are refused while all others wait.
    const first = await Promise.any(
      logins.map(async (login) => ((await login).status === 503 ? login : Promise.reject())),
    )
    expect(Number((await first).headers['retry-after'])).toBeGreaterThan(0)
    gate.current.open()
    const statuses = (await Promise.all(logins)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([401, 503]))
    const tried = statuses.filter((status) => status === 401).length
    expect(CACHE.raised.length - before).toBe(tried)
  })

  it('counts the networks of an IPv6 address, too', async () => {
    const service = await serve({ LOGIN_MAX_FAILURES_PER_ADDRESS: 1 })
    await registered(service)
    const tries = (addresses: readonly string[]) =>
      Promise.all(
        addresses.map((address, count) =>
          statusOf(
            loggedIn(service, { email: `nobody-${address}-${count}@example.com`, password }, { address }),
          ),
        ),
      )
    const passed = (statuses: readonly number[]) => statuses.filter((status) => status === 401).length
    const hex = (number: number) => number.toString(16)
    const ofOneSite = Array.from({ length: 12 }, (_, at) => `2001:db8:1:0${hex(at)}::1`)
    expect(passed(await tries(ofOneSite))).toBe(4)
    const ofOneNetwork = Array.from({ length: 24 }, (_, at) => `2001:db8:1:${hex(at + 1)}00::1`)
    expect(passed(await tries(ofOneNetwork))).toBe(12)
    expect(await statusOf(loggedIn(service, undefined, { address: '2001:db8:1:ff00::1' }))).toBe(429)
    expect(await statusOf(loggedIn(service, undefined, { address: '2001:db8:2::1' }))).toBe(200)
  })
})

describe('a host that knows no addresses', () => {
  const options = () => {
    const client = new Database(':memory:')
    client.exec(
      `create table users (id integer primary key autoincrement, email text not null unique, username text unique,
       name text, password text not null, is_active integer not null default 1, created_at integer)`,
    )
    return { models: drizzleModels(drizzle({ client }), { users: usersTable }) }
  }
  const warnings = async (start: () => Promise<unknown>): Promise<number> => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await start()
    const lines = written.mock.calls.map(([line]) => String(line))
    written.mockRestore()
    return lines.filter((line) => line.includes('clientAddress')).length
  }
  const settings = (serviceAuth = {}) =>
    defineSettings({ SERVICE_AUTH: { JWT_SECRET: secret, ...serviceAuth } })
  const off = { LOGIN_MAX_FAILURES_PER_ADDRESS: 0, REGISTER_MAX_PER_ADDRESS: 0 }

  it.each([
    ['without clientAddress', {}, {}, 1],
    ['with one', { clientAddress: () => '127.0.0.1' }, {}, 0],
    ['without limits per address', {}, off, 0],
  ])('is warned of at the start, %s', async (_what, host, serviceAuth, count) => {
    const start = () =>
      new ModelRest(fetchApp(host), {
        ...options(),
        auth: true,
        controllers: [],
        settings: settings(serviceAuth),
      } as never).init()
    expect(await warnings(start)).toBe(count)
    const startRoutes = () =>
      registerAuthRoutes(fetchApp(host), { ...options(), settings: settings(serviceAuth) } as never)
    expect(await warnings(startRoutes)).toBe(count)
  })

  it('is none where users log in elsewhere', async () => {
    const start = () =>
      new ModelRest(fetchApp(), {
        ...options(),
        auth: { authenticate: () => null },
        controllers: [],
      } as never).init()
    expect(await warnings(start)).toBe(0)
  })
})
