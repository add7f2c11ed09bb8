import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BodyServer, startBodyServer } from './body-client.ts'

/** No error response is larger. */
const MOST = 64_000

const IMPRECISE = '9007199254740993'
const listOf = (element: string, bytes: number): string =>
  `[${Array(Math.floor(bytes / (element.length + 1)))
    .fill(element)
    .join(',')}]`
const key = (length: number, letter = 'k'): string => letter.repeat(length)
const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`

describe.each(['fastify', 'fetch'] as const)('an error response on %s', (host) => {
  let server: BodyServer
  beforeAll(async () => {
    server = await startBodyServer(host)
  })
  afterAll(() => server.stop())

  const routes = [
    ...(['/auth/login', '/auth/register', '/auth/refresh', '/auth/logout'] as const),
    ...(['/things/', '/bags/'] as const),
  ]

  it.each(routes)('ends no process: imprecise numbers under a long key, POST %s', async (path) => {
    for (const long of [128 * 1024, 500_000]) {
      const reply = await server.send('POST', path, `{"${key(long)}":${listOf(IMPRECISE, 1_000_000 - long)}}`)
      expect([reply.status, reply.problem.code]).toEqual([422, 'invalid_body'])
      expect(reply.size).toBeLessThan(MOST)
      const [first] = reply.problem.errors ?? []
      expect(first?.code).toBe('imprecise_number')
      expect(first?.pointer).toMatch(/^\/k{200,}…\/0$/)
    }
    expect((await server.send('GET', '/things/')).status).toBe(200)
  })

  it('names the first hundred of many numbers by their places', async () => {
    const { problem } = await server.send('POST', '/things/', `{"a/b~":{"n":${listOf(IMPRECISE, 20_000)}}}`)
    expect(problem.errors).toHaveLength(100)
    expect(problem.errors?.[99]).toMatchObject({ pointer: '/a~1b~0/n/99', code: 'imprecise_number' })
  })

  const hostile: readonly (readonly [what: string, path: string, body: string, code: string])[] = [
    ['an unknown key of a megabyte', '/things/', `{"${key(1_000_000)}":1}`, 'unknown_key'],
    ['keys of control characters', '/things/', `{"${key(150_000, '\\u0001')}":1}`, 'unknown_key'],
    ['keys of halves of letters', '/things/', `{"${key(150_000, '\\ud83d')}":1}`, 'unknown_key'],
    ['keys of slashes', '/things/', `{"${key(900_000, '/')}":1}`, 'unknown_key'],
    ['keys beyond ASCII', '/things/', `{"${key(300_000, '€')}":1}`, 'unknown_key'],
    ['90,000 unknown keys', '/things/', keys(90_000), 'unknown_key'],
    ['90,000 unknown keys at the login', '/auth/login', keys(90_000), 'unknown_key'],
    ['90,000 unknown keys at registration', '/auth/register', keys(90_000), 'unknown_key'],
    ['a number of a megabyte', '/things/', `{"a":${key(1_000_000, '9')}}`, 'imprecise_number'],
    ['an exponent of a megabyte', '/things/', `{"a":1e${key(1_000_000, '9')}}`, 'imprecise_number'],
    ['a very long text', '/things/', `{"name":"${key(1_000_000)}"}`, 'too_long'],
    [
      "issues of the application's own schema under a long key",
      '/bags/',
      `{"data":{"${key(500_000)}":"x","${key(400_000, 'l')}":"y"}}`,
      'wrong_type',
    ],
    [
      "many issues of the application's own schema",
      '/bags/',
      `{"data":${keys(60_000).replaceAll(':1', ':"x"')}}`,
      'wrong_type',
    ],
    ['a key that fits into no URL', '/labels/', `{"key":"${key(900_000)}"}`, 'too_long'],
    ['a key that fits into no URL once encoded', '/labels/', `{"key":"${key(1400, '/')}"}`, 'too_long'],
  ]

  it.each(hostile)('is small for %s', async (_what, path, body, code) => {
    const reply = await server.send('POST', path, body)
    expect([reply.status, reply.problem.code]).toEqual([422, 'invalid_body'])
    expect(reply.size).toBeLessThan(MOST)
    expect(reply.problem.errors?.length).toBeLessThanOrEqual(100)
    expect(reply.problem.errors?.map((issue) => issue.code)).toContain(code)
    for (const { pointer } of reply.problem.errors ?? [])
      expect(Buffer.byteLength(pointer)).toBeLessThan(1010)
  })

  it.each([
    ['[', 1_000_000, 'malformed_json'],
    ['{"a":', 190_000, 'malformed_json'],
  ])('is small for deep nesting: %s', async (open, count, code) => {
    const close = open === '[' ? ']' : '}'
    for (const body of [open.repeat(count), `${open.repeat(count / 2)}1${close.repeat(count / 2)}`]) {
      const reply = await server.send('POST', '/things/', body)
      expect([reply.status, reply.problem.code]).toEqual([400, code])
      expect(reply.size).toBeLessThan(1000)
    }
  })

  it.each([
    ['GET', `/things/?${key(8000)}=1`],
    ['GET', `/things/?q=name=${encodeURIComponent(key(2000, '€'))}&sort=${key(2000)}`],
    ['GET', `/things/?fields=${key(4000)}`],
    ['GET', `/things/?limit=${key(4000, '9')}`],
    ['GET', `/things/1?${key(12_000)}=1`],
    ['POST', `/things/?${key(12_000)}=1`],
    ['GET', `/${key(12_000)}`],
    ['GET', `/things/${key(12_000)}`],
  ] as const)('is small for a long address: %s', async (method, path) => {
    const reply = await server.send(method, path, method === 'POST' ? '{}' : undefined)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
    expect(reply.size).toBeLessThan(MOST / 2)
    expect(Math.max(0, ...[...reply.headers].map(([, value]) => value.length))).toBeLessThan(1000)
  })

  it('leaves keys alone that fit', async () => {
    const longest = key(4000)
    const made = await server.send('POST', '/labels/', JSON.stringify({ key: longest }))
    expect([made.status, made.headers.get('location')]).toEqual([201, `/labels/${longest}`])
    expect((await server.send('GET', `/labels/${longest}`)).status).toBe(200)
  })

  it('has left the memory of the server alone', async () => {
    expect(await server.memory()).toBeLessThan(700 * 1024 * 1024)
  })
})
