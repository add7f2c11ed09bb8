import { availableParallelism } from 'node:os'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queueBoundsOf } from '../../src/auth/limits/fair-queue.ts'
import { naming } from '../naming.ts'
import {
  type AuthService,
  ada,
  describeServices,
  loggedIn,
  registered,
  startFastify,
} from '../stage/auth-service.ts'
import type { Answer } from '../stage/requests.ts'
import { type HashingGate, hashingGate } from './hashing-gate.ts'

const gate: { current?: HashingGate } = {}

const { email, password } = ada

let made = 0
const register = ({ send }: AuthService, address: string, more: object = {}): Promise<Answer> => {
  made += 1
  const body = { email: `user-${made}@example.com`, password, ...more }
  return send('POST', '/api/auth/register', { address, body })
}

/** Answers in the order in which they came. */
const following = (answers: readonly Promise<Answer>[]) => {
  const statuses: number[] = []
  const all = Promise.all(answers.map(async (answer) => statuses.push((await answer).status)))
  return { statuses, all }
}

const { parallel, waiting } = queueBoundsOf(availableParallelism(), process.env['UV_THREADPOOL_SIZE'])

/** Of as many, at least {@link REFUSED} find no place. */
const FLOOD = parallel + waiting + 25
const REFUSED = 40

beforeEach(() => {
  gate.current = hashingGate()
})

afterEach(() => {
  gate.current?.remove()
  delete gate.current
  vi.useRealTimers()
})

describeServices('while passwords are hashed for a flood', (serve) => {
  const start = async (): Promise<AuthService> => {
    const service = await serve({ REGISTER_MAX_PER_ADDRESS: 0, LOGIN_MAX_FAILURES_PER_ADDRESS: 0 })
    await registered(service)
    gate.current?.close()
    return service
  }

  it('of registrations, a known user logs in, before most of them', async () => {
    const service = await start()
    const flood = following(
      Array.from({ length: FLOOD }, (_, count) => register(service, `203.0.113.${count % 4}`)),
    )
    await expect.poll(() => flood.statuses.length, { timeout: 30_000 }).toBeGreaterThan(REFUSED)
    expect(new Set(flood.statuses)).toEqual(new Set([503]))
    const refused = flood.statuses.length
    const login = loggedIn(service, { email, password }, { address: '198.51.100.1' })
    gate.current?.open()
    expect((await login).status).toBe(200)
    expect(flood.statuses.slice(refused).filter((status) => status === 201).length).toBeLessThan(20)
    await flood.all
    expect(new Set(flood.statuses)).toEqual(new Set([201, 503]))
  })

  it('of logins from one address, users at other addresses log in and register', async () => {
    const service = await start()
    const flood = following(
      Array.from({ length: FLOOD }, (_, count) =>
        loggedIn(service, { email: `nobody-${count}@example.com`, password }, { address: '203.0.113.1' }),
      ),
    )
    await expect.poll(() => flood.statuses.length, { timeout: 30_000 }).toBeGreaterThan(REFUSED)
    const refused = flood.statuses.length
    const known = [
      loggedIn(service, { email, password }, { address: '198.51.100.1' }),
      loggedIn(service, { email, password }, { address: '2001:db8::1' }),
      register(service, '198.51.100.2'),
    ]
    gate.current?.open()
    expect((await Promise.all(known)).map(({ status }) => status)).toEqual([200, 200, 201])
    expect(flood.statuses.slice(refused).filter((status) => status === 401).length).toBeLessThan(40)
    await flood.all
    expect(new Set(flood.statuses)).toEqual(new Set([401, 503]))
  })

  it('of logins from every network of a /48, others still log in', async () => {
    const service = await start()
    const flood = following(
      Array.from({ length: FLOOD }, (_, count) =>
        loggedIn(
          service,
          { email: `nobody-${count}@example.com`, password },
          { address: `2001:db8:1:${count.toString(16)}::1` },
        ),
      ),
    )
    await expect.poll(() => flood.statuses.length, { timeout: 30_000 }).toBeGreaterThan(REFUSED)
    const login = loggedIn(service, { email, password }, { address: '2001:db8:2::1' })
    gate.current?.open()
    expect((await login).status).toBe(200)
    await flood.all
  })
})

describe('the log of a flood', () => {
  it('has one warning a second, with a count, and no error', async () => {
    const service = await startFastify({ settings: { SERVICE_AUTH: { REGISTER_MAX_PER_ADDRESS: 0 } } })
    gate.current?.close()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const flood = following(Array.from({ length: FLOOD }, () => register(service, '203.0.113.1')))
    while (flood.statuses.length < REFUSED) await new Promise((resolve) => setImmediate(resolve))
    for (let turns = 0; turns < 100; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    const refused = flood.statuses.length
    const told = () => service.log.filter(({ level }) => level !== 'info')
    expect(told().map(({ level }) => level)).toEqual(['warn'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(told().map(({ level }) => level)).toEqual(['warn', 'warn'])
    expect(told()[1]?.line).toMatch(naming(refused - 1))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(told()).toHaveLength(2)
    gate.current?.open()
    vi.useRealTimers()
    await flood.all
    expect(told().filter(({ level }) => level === 'error')).toEqual([])
    await service.stop()
  })
})

describeServices('registrations', (serve) => {
  const statusOf = async (answer: Promise<Answer>): Promise<number> => (await answer).status

  it('of one address are bounded, and of others not', async () => {
    const service = await serve({ REGISTER_MAX_PER_ADDRESS: 3, LOGIN_FAILURE_WINDOW: 60 })
    const all = await Promise.all(Array.from({ length: 6 }, () => register(service, '203.0.113.1')))
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 429, 429, 429])
    const reply = await register(service, '203.0.113.1')
    expect(reply.json).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(50)
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(await statusOf(register(service, '203.0.113.2'))).toBe(201)
    expect(await service.rows('select count(*) as count from users')).toEqual([{ count: 4 }])
    // The limit is not that of logins.
    await registered(service)
    expect(await statusOf(loggedIn(service, undefined, { address: '203.0.113.1' }))).toBe(200)
  })

  it('of the networks of an IPv6 address are bounded, too', async () => {
    const service = await serve({ REGISTER_MAX_PER_ADDRESS: 1 })
    const statuses = await Promise.all(
      Array.from({ length: 8 }, (_, at) => statusOf(register(service, `2001:db8:1:${at}::1`))),
    )
    expect(statuses.filter((status) => status === 201)).toHaveLength(4)
    expect(statuses.filter((status) => status === 429)).toHaveLength(4)
  })

  it('count where a password was hashed: taken names do, bodies that do not fit do not', async () => {
    const service = await serve({ REGISTER_MAX_PER_ADDRESS: 3 })
    const address = '203.0.113.1'
    for (const more of [
      { email: '' },
      { password: 'short' },
      { role: 'admin' },
      { password: 'a'.repeat(1025) },
    ])
      expect(await statusOf(register(service, address, more))).toBe(422)
    expect(await statusOf(register(service, address, { email }))).toBe(201)
    for (let count = 0; count < 2; count += 1)
      expect(await statusOf(register(service, address, { email }))).toBe(409)
    expect(await statusOf(register(service, address))).toBe(429)
  })

  it('have no limit where that is 0', async () => {
    const service = await serve({ REGISTER_MAX_PER_ADDRESS: 0 })
    for (let count = 0; count < 5; count += 1)
      expect(await statusOf(register(service, '203.0.113.1'))).toBe(201)
  })

  it('say so in the document', async () => {
    const { rest } = await serve()
    const { paths } = rest.openapi() as unknown as {
      paths: Record<string, { post: { responses: object } }>
    }
    expect(Object.keys(paths['/auth/register']?.post.responses ?? {})).toContain('429')
  })
})
