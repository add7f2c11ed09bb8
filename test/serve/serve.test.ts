import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openSqlite } from '../../src/serve/sqlite.ts'
import { change, json, serving, shop, sqliteFile, TOKEN } from './stage.ts'

const bearer = { authorization: `Bearer ${TOKEN}` } as const

describe('a file of SQLite', () => {
  test('is an API with a document, without the fields and tables that look secret', async () => {
    const database = sqliteFile(
      ...shop,
      'create table sessions (token text primary key)',
      'create table logs (line text)',
    )
    const { get, about } = await serving({ database })
    const { status, json: found } = await get('/orders/?include=customer')
    expect([status, found]).toEqual([
      200,
      expect.objectContaining({
        items: [
          {
            id: 1,
            customer_id: 1,
            total: '9.50',
            state: 'paid',
            customer: { id: 1, email: 'ann@example.com' },
          },
        ],
      }),
    ])
    expect(about).toMatchObject({
      database: 'shop.db',
      models: 3,
      listsOnly: ['Log'],
      hidden: ['Customer.password_hash'],
    })
    expect(about.notes.map((note) => note.split(' ')[0])).toEqual(['Session'])
    expect((await get('/openapi.json')).json).toMatchObject({ info: { title: 'shop.db' } })
    expect((await get('/docs')).status).toBe(200)
    expect((await get('/sessions/')).status).toBe(404)
  })

  test('has no routes that write, unless it is told to', async () => {
    const { send } = await serving({ database: sqliteFile(...shop) })
    const { status } = await send('/customers/', {
      method: 'POST',
      headers: json,
      body: '{"email":"b@example.com"}',
    })
    expect(status).toBe(405)
  })

  test('is written with the token, and only with it', async () => {
    const database = sqliteFile(...shop)
    const token = { value: TOKEN, for: 'writes' } as const
    const { get, send } = await serving({ database, writes: true, token })
    const body = '{"email":"b@example.com"}'
    expect((await send('/customers/', { method: 'POST', headers: json, body })).status).toBe(401)
    const wrong = { ...json, authorization: 'Bearer another-token-of-tests' }
    expect((await send('/customers/', { method: 'POST', headers: wrong, body })).status).toBe(401)
    const made = await send('/customers/', { method: 'POST', headers: { ...json, ...bearer }, body })
    expect([made.status, made.json]).toEqual([201, { id: 2, email: 'b@example.com' }])
    const again = await send('/customers/', { method: 'POST', headers: { ...json, ...bearer }, body })
    expect([again.status, again.json]).toMatchObject([409, { errors: [{ pointer: '/email' }] }])
    const missing = {
      method: 'POST',
      headers: { ...json, ...bearer },
      body: '{"customer_id":9,"total":"1.00"}',
    }
    expect((await send('/orders/', missing)).status).toBe(422)
    expect((await get('/customers/')).json).toMatchObject({ count: 2 })
  })

  test('needs the token for everything if it is told to', async () => {
    const token = { value: TOKEN, for: 'everything' } as const
    const { get } = await serving({ database: sqliteFile(...shop), token })
    for (const target of ['/customers/', '/openapi.json']) {
      expect((await get(target)).status).toBe(401)
      expect((await get(target, bearer)).status).toBe(200)
    }
    // It asks for the token.
    expect((await get('/docs')).status).toBe(200)
  })

  test('refuses writes itself', async () => {
    const database = sqliteFile(...shop)
    const { get, send } = await serving({ database, writeRoutes: true })
    const one = { headers: json, body: '{"email":"b@example.com"}' }
    const statuses = await Promise.all([
      send('/customers/', { method: 'POST', ...one }),
      send('/customers/1', { method: 'PATCH', ...one }),
      send('/customers/1', { method: 'PUT', ...one }),
      send('/orders/1', { method: 'DELETE' }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    expect((await get('/customers/')).json).toMatchObject({ items: [{ email: 'ann@example.com' }] })
    expect((await get('/orders/')).json).toMatchObject({ count: 1 })
  })

  test('with a view of a missing table is an API, and logs nothing', async () => {
    const lines: unknown[] = []
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(line) > 0)
    onTestFinished(() => write.mockRestore())
    const { get, about } = await serving({
      database: sqliteFile(...shop, 'create view broken as select * from gone'),
    })
    expect(about.notes.map((note) => note.split(' ')[0])).toEqual(['broken'])
    expect((await get('/orders/')).status).toBe(200)
    expect(lines).toEqual([])
  })

  test('of 300 tables is an API', async () => {
    const tables = Array.from(
      { length: 300 },
      (_, at) =>
        `create table records_${at} (id integer primary key, other_id integer references records_${(at * 7) % 300}, name text)`,
    )
    const { get, about } = await serving({ database: sqliteFile(...tables) })
    expect(about.models).toBe(300)
    expect((await get('/records299s/')).status).toBe(200)
    const { paths } = Object((await get('/openapi.json')).json)
    expect(Object.keys(paths)).toContain('/records299s/{id}')
  })

  test('is read again after a migration', async () => {
    const database = sqliteFile(...shop)
    const { get } = await serving({ database })
    expect((await get('/orders/')).status).toBe(200)
    change(database, 'alter table orders rename column total to amount')
    await get('/orders/')
    await expect.poll(async () => (await get('/orders/')).json).toMatchObject({ items: [{ amount: '9.50' }] })
  })
})

describe('a request from elsewhere', () => {
  test.each([
    ['a forged Host', { host: 'evil.test' }, 421],
    ['a Host that begins like the own one', { host: 'localhost.evil.test' }, 421],
    ['a page of another origin', { origin: 'http://evil.test' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    [
      'a script in another page',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
      403,
    ],
    [
      'a frame in another page',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      403,
    ],
    ['a page on another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 403],
  ])('%s gets nothing', async (_name, headers, expected) => {
    const { get } = await serving({ database: sqliteFile(...shop) })
    const { status, text, headers: sent } = await get('/customers/', headers)
    expect(status).toBe(expected)
    expect(text).not.toContain('example.com')
    expect(Object.keys(sent).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test.each([
    ['the own page', { 'sec-fetch-site': 'same-origin' }],
    [
      'a followed link',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    ['localhost', { host: 'localhost:80' }],
    ['IPv6', { host: '[::1]:4000' }],
  ])('%s gets a response', async (_name, headers) => {
    const { get } = await serving({ database: sqliteFile(...shop) })
    expect((await get('/customers/', headers)).status).toBe(200)
  })
})

describe('a statement that takes too long', () => {
  const endless = 'with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n'

  test('is ended with its process, and the next one runs', async () => {
    const file = sqliteFile(...shop)
    const { database, close } = await openSqlite(file, {
      writes: false,
      timeout: 300,
      load: () => Promise.reject(),
    })
    onTestFinished(close)
    const started = Date.now()
    await expect(database.run(endless, [], 'all')).rejects.toMatchObject({ kind: 'unavailable' })
    expect(Date.now() - started).toBeLessThan(5000)
    expect(await database.run('select email from customers', [], 'all')).toEqual([
      { email: 'ann@example.com' },
    ])
  })

  test('is a 503, and the next request is answered', async () => {
    const rows = `insert into notes with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000)
      select i, hex(randomblob(200)) from n`
    const database = sqliteFile('create table notes (id integer primary key, body text)', rows)
    const { get } = await serving({ database, timeout: 60 })
    const long = await get('/notes/?body=*zz*&count=none')
    expect([long.status, long.json]).toMatchObject([503, { code: 'unavailable' }])
    expect((await get('/notes/7')).status).toBe(200)
  })
})

describe('a start that fails says what to do', () => {
  const failing = (options: Parameters<typeof serving>[0]) =>
    serving(options).then(
      () => undefined,
      (error: unknown) => error,
    )

  test.each([
    ['there is no file', () => 'gone.db', /gone\.db/],
    ['it is a folder', () => '.', /not a file/],
    ['it is not a database', () => sqliteFileOf('This is text. '.repeat(99)), /encrypted/],
    ['it has no tables', () => sqliteFile('pragma user_version = 1'), /table/],
    ['a newer format', () => newerFile(), /newer version/],
    ['it is damaged', () => damagedFile(), /damaged/],
    ['an unknown scheme', () => 'oracle://user:hidden@host/name', /oracle:/],
    ['a URL that is not valid', () => 'postgres://user:hid/den@@:99999/name', /encode/],
    ['no server', () => 'postgres://user:hidden@127.0.0.1:1/name', /Cannot connect/],
    ['no server of MySQL', () => 'mysql://user:hidden@127.0.0.1:1/name', /Cannot connect/],
  ])('%s', async (_name, database, expected) => {
    const error = await failing({ database: database() })
    expect(error).toMatchObject({ name: 'StartError', message: expect.stringMatching(expected) })
    expect(String(error)).not.toContain('hidden')
  })

  test('another program has locked the file', async () => {
    const database = sqliteFile(...shop)
    const other = new DatabaseSync(database)
    onTestFinished(() => other.close())
    other.exec('begin exclusive')
    const error = await failing({ database, timeout: 50 })
    expect(error).toMatchObject({ name: 'StartError', message: expect.stringContaining('locked') })
  })

  test('the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = Object(other.address())
    const error = await failing({ database: sqliteFile(...shop), port })
    expect(error).toMatchObject({ name: 'StartError', message: expect.stringContaining('--port') })
  })

  test('the tables that are named are not there', async () => {
    const error = await failing({ database: sqliteFile(...shop), only: ['order'] })
    expect(error).toMatchObject({ name: 'StartError', message: expect.stringContaining('orders') })
  })

  test('a table has a name that a terminal would obey', async () => {
    const database = sqliteFile('create table "a\u001b[31m" (line text)')
    const error = await failing({ database, only: ['b'] })
    expect(String(error)).toContain('[31m')
    expect(String(error)).not.toContain('\u001b')
  })

  test('another host without a token', async () => {
    const error = await failing({ database: sqliteFile(...shop), host: '0.0.0.0' })
    expect(error).toMatchObject({ name: 'StartError' })
  })
})

const sqliteFileOf = (text: string): string => {
  const file = join(dirname(sqliteFile(...shop)), 'text.db')
  writeFileSync(file, text)
  return file
}

/** The pages of its schema are not those of a table. */
const damagedFile = (): string => {
  const file = sqliteFile(...shop)
  const bytes = readFileSync(file)
  bytes.fill(255, 100, 200)
  writeFileSync(file, bytes)
  return file
}

/** The header of a file whose schema has format 9, which no version of SQLite knows yet. */
const newerFile = (): string => {
  const file = sqliteFile(...shop)
  const bytes = readFileSync(file)
  bytes.writeUInt32BE(9, 44)
  writeFileSync(file, bytes)
  return file
}
