import { boolean, integer, numeric, pgTable, serial, text, uuid } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, onFetch } from '../stage/apps.ts'
import { openPglite, type TestDatabase } from '../stage/databases.ts'
import { senderTo } from '../stage/requests.ts'
import { type BodyServer, startBodyServer } from './body-client.ts'

/** Milliseconds of CPU for a megabyte. A quarter of a second is the bound; as much again is left to a busy machine. */
const MOST = 500

const MEGABYTE = 1_000_000
const listOf = (element: string): string =>
  `[${Array(Math.floor(MEGABYTE / (element.length + 1)))
    .fill(element)
    .join(',')}]`

const objectOf = (member: (at: number) => string): string => {
  const members: string[] = []
  for (let at = 0, size = 0; size < MEGABYTE - 100; at++) {
    const text = member(at)
    members.push(text)
    size += text.length + 1
  }
  return `{${members.join(',')}}`
}

/** Values that take long to read, one way or the other. */
const elements = [
  ...[
    '1',
    '1e100',
    '-1e-100',
    '1e400',
    '1e-320',
    '9007199254740993',
    '9007199254740992',
    '0.10000000000000000',
  ],
  ...['1.7976931348623157e308', 'null', '""', '"x"', '[]', '{}', '[[[[]]]]', '{"a":{"b":1}}', '"\\u0001"'],
]

describe('a body of a megabyte costs a quarter of a second at most', () => {
  let server: BodyServer
  beforeAll(async () => {
    server = await startBodyServer('fastify')
    await server.send('POST', '/auth/login', '{"email":"x","password":"y"}')
  })
  afterAll(() => server.stop())

  const places = [
    ['/auth/login', 'email'],
    ['/auth/register', 'email'],
    ['/things/', 'name'],
    ['/things/', 'price'],
    ['/things/', 'unknown'],
  ] as const
  describe.each(places)('POST %s with %s', (path, name) => {
    it.each(elements)('a list of %s', async (element) => {
      const reply = await server.send('POST', path, `{"${name}":${listOf(element)}}`)
      expect(reply.status).toBe(422)
      expect(reply.cpu).toBeLessThan(MOST)
    })
  })

  it.each([
    ['an exponent', `{"price":1e${'9'.repeat(MEGABYTE)}}`],
    ['a fraction', `{"price":0.${'0'.repeat(MEGABYTE)}1}`],
    ['a number', `{"price":${'9'.repeat(MEGABYTE)}}`],
    ['a decimal in a string', `{"name":"a","price":"${'9'.repeat(MEGABYTE)}"}`],
    ['a decimal of zeros', `{"name":"a","price":"0.${'0'.repeat(MEGABYTE)}"}`],
    ['a name', `{"name":"${'é'.repeat(MEGABYTE / 2)}"}`],
    ['unknown keys', objectOf((at) => `"k${at}":1`)],
    ['keys that are numbers', objectOf((at) => `"${at * 7919}":1`)],
    ['keys that are nearly those of the model', objectOf((at) => `"nam${at}":1`)],
    ['long keys that are nearly those of the model', objectOf((at) => `"${'pric'.repeat(15)}${at}":1`)],
    ['one key again and again', objectOf(() => '"name":"a"')],
    ['quotes in a name', `{"name":"${'\\"'.repeat(MEGABYTE / 2)}"}`],
    ['backslashes in a name', `{"name":"${'\\\\'.repeat(MEGABYTE / 2)}"}`],
  ])('%s', async (_what, body) => {
    const reply = await server.send('POST', '/things/', body)
    expect([400, 422, 201]).toContain(reply.status)
    expect(reply.cpu).toBeLessThan(MOST)
  })

  it('JSON that is stored', async () => {
    for (const element of ['1', '1e100', '"x"', '[[[[]]]]', '{"a":{"b":1}}']) {
      const reply = await server.send('POST', '/things/', `{"name":"a","data":${listOf(element)}}`)
      expect([reply.status, JSON.parse(reply.text).data.length]).toEqual([201, expect.any(Number)])
      expect(reply.cpu).toBeLessThan(MOST)
    }
  })
})

describe('a column that holds a list', () => {
  const lists = pgTable('lists', {
    id: serial().primaryKey(),
    texts: text().array(),
    numbers: integer().array(),
    flags: boolean().array(),
    uuids: uuid().array(),
    sums: numeric().array(),
    sum: numeric(),
  })
  let database: TestDatabase
  let app: App
  const send = async (body: string) => senderTo(app)('POST', '/lists/', { body })
  beforeAll(async () => {
    database = await openPglite(
      { lists },
      'create table lists (id serial primary key, texts text[], numbers integer[], flags boolean[], uuids uuid[], sums numeric[], sum numeric)',
    )
    app = await onFetch({ models: database.models }, { base: '' })
  })
  afterAll(async () => {
    await app.stop()
    await database.close()
  })

  const measured = async (body: string) => {
    const before = process.cpuUsage()
    const reply = await send(body)
    const { user, system } = process.cpuUsage(before)
    return { ...reply, cpu: (user + system) / 1000 }
  }

  describe.each(['texts', 'numbers', 'flags', 'uuids', 'sums'])('of %s', (name) => {
    it.each(['[]', '{}', '{"a":1}', '"\\u0000"', '1.5', 'null'])(
      'is refused for its first wrong element: %s',
      async (element) => {
        const body = `{"${name}":${listOf(element)}}`
        const { status, text: reply, cpu } = await measured(body)
        // What fits is stored, and the database in this process takes its own time.
        if (status === 201) return
        // Other threads of this process are measured too: they collect garbage and compile the database.
        const least = cpu < MOST ? cpu : Math.min((await measured(body)).cpu, (await measured(body)).cpu)
        expect(least).toBeLessThan(MOST)
        expect(status).toBe(422)
        expect(JSON.parse(reply).errors).toEqual([expect.objectContaining({ pointer: `/${name}/0` })])
      },
    )
  })

  it('grows by no number: those with many digits come as strings', async () => {
    for (const number of ['1e30', '1e100', '1e308', '1e-31', '1e-308']) {
      const one = await send(`{"sum":${number}}`)
      expect([one.status, JSON.parse(one.text).errors]).toEqual([
        422,
        [expect.objectContaining({ pointer: '/sum', code: 'imprecise_number' })],
      ])
      const { status, text: reply } = await send(`{"sums":${listOf(number)}}`)
      expect([status, JSON.parse(reply).errors]).toEqual([
        422,
        [expect.objectContaining({ pointer: '/sums/0', code: 'imprecise_number' })],
      ])
    }
    const stored = await send(`{"sum":"1${'0'.repeat(100)}","sums":[1e29,1.5e-9,1e-30,"1${'0'.repeat(40)}"]}`)
    expect([stored.status, JSON.parse(stored.text)]).toEqual([
      201,
      expect.objectContaining({
        sum: `1${'0'.repeat(100)}`,
        sums: [`1${'0'.repeat(29)}`, '0.0000000015', `0.${'0'.repeat(29)}1`, `1${'0'.repeat(40)}`],
      }),
    ])
    const largest = await send(`{"sums":[${Array(20_000).fill('1e29').join(',')}]}`)
    expect(largest.status).toBe(201)
    expect(largest.text.length).toBeLessThan(7 * 5 * 20_000)
  })
})
