import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openMysql } from '../../src/serve/mysql.ts'
import type { OpenDatabase } from '../../src/serve/opened.ts'
import { openPostgres } from '../../src/serve/postgres.ts'
import { cuttingBefore } from '../servers/cutting.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../servers/test-mysql.ts'
import { json, serving, TOKEN } from './stage.ts'

interface Server {
  readonly url: string
  /** Runs statements as the owner of the database. */
  execute(...statements: readonly string[]): Promise<void>
}

interface Dialect {
  readonly open: () => Promise<Server>
  readonly openDatabase: OpenDatabase
  readonly sleep: string
  readonly counted: string
}

const tables = ({ counted }: Dialect): readonly string[] => [
  `create table customers (id ${counted}, email varchar(99) not null unique)`,
  'create table orders (id integer primary key, customer_id integer not null, foreign key (customer_id) references customers (id))',
  `insert into customers (email) values ('ann@example.com')`,
]

const ofServer = (dialect: Dialect): void => {
  const opened = async (): Promise<Server> => {
    const server = await dialect.open()
    await server.execute(...tables(dialect))
    return server
  }
  const failing = async (database: string, more: object = {}): Promise<unknown> =>
    serving({ database, ...more }).then(
      () => undefined,
      (error: unknown) => error,
    )

  test('is an API, and refuses writes itself', async () => {
    const { url } = await opened()
    const { get, send } = await serving({ database: url, writeRoutes: true })
    expect((await get('/customers/')).json).toMatchObject({ items: [{ id: 1, email: 'ann@example.com' }] })
    const one = { headers: json, body: '{"email":"b@example.com"}' }
    const sent = [
      await send('/customers/', { method: 'POST', ...one }),
      await send('/customers/1', { method: 'PATCH', ...one }),
      await send('/customers/1', { method: 'PUT', ...one }),
      await send('/customers/1', { method: 'DELETE' }),
    ]
    expect(sent.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    expect((await get('/customers/')).json).toMatchObject({ count: 1, items: [{ email: 'ann@example.com' }] })
  })

  test('is written with the token', async () => {
    const { url } = await opened()
    const { send } = await serving({ database: url, writes: true, token: { value: TOKEN, for: 'writes' } })
    const headers = { ...json, authorization: `Bearer ${TOKEN}` }
    const made = await send('/customers/', { method: 'POST', headers, body: '{"email":"b@example.com"}' })
    expect([made.status, made.json]).toMatchObject([201, { email: 'b@example.com' }])
  })

  test('ends statements that take too long', async () => {
    const { url } = await opened()
    const load = (name: string): Promise<unknown> => import(name)
    const { database, close } = await dialect.openDatabase(url, { writes: false, timeout: 200, load })
    onTestFinished(close)
    const started = Date.now()
    await Promise.resolve(database.run(dialect.sleep, [], 'all')).catch(() => undefined)
    expect(Date.now() - started).toBeLessThan(4000)
  })

  test('may go away and come back', async () => {
    const { url } = await opened()
    const way = await cuttingBefore(url)
    onTestFinished(way.close)
    const { get } = await serving({ database: way.url })
    expect((await get('/customers/')).status).toBe(200)
    way.plan({ at: () => true, lost: 'question', times: 1e9 })
    expect((await get('/customers/')).status).toBe(503)
    way.plan({ at: () => false, lost: 'question' })
    expect((await get('/customers/')).status).toBe(200)
  })

  test('is read again after a migration', async () => {
    const { url, execute } = await opened()
    const { get } = await serving({ database: url })
    await execute('alter table customers rename column email to mail')
    await get('/customers/')
    await expect
      .poll(async () => (await get('/customers/')).json)
      .toMatchObject({ items: [{ mail: 'ann@example.com' }] })
  })

  test('says what to do if it cannot be read', async () => {
    const { url } = await dialect.open()
    const changed = (change: (of: URL) => void): string => {
      const other = new URL(url)
      change(other)
      return other.href
    }
    const wrong = changed((of) => {
      of.username = 'stranger'
      of.password = 'hidden-word'
    })
    const gone = changed((of) => {
      of.pathname = '/not_there'
    })
    for (const [database, more, expected] of [
      [wrong, {}, /user stranger/],
      [gone, {}, /not_there/],
      [url, { schemas: ['nowhere'] }, /nowhere/],
      [url, {}, /table/],
    ] as const) {
      const error = await failing(database, more)
      expect(error).toMatchObject({ name: 'StartError', message: expect.stringMatching(expected) })
      expect(String(error)).not.toContain('hidden-word')
    }
  })
}

onPostgres('a database of PostgreSQL', () =>
  describe('PostgreSQL', () =>
    ofServer({
      openDatabase: openPostgres,
      ...{ sleep: 'select pg_sleep(10)', counted: 'integer primary key generated by default as identity' },
      open: async () => {
        const { url, drop } = await createDatabase('serve')
        onTestFinished(drop)
        return {
          url,
          execute: async (...statements) => {
            const client = new pg.Client(url)
            await client.connect()
            for (const statement of statements) await client.query(statement)
            await client.end()
          },
        }
      },
    })),
)

onEachMysql('a database of', (kind) =>
  ofServer({
    openDatabase: openMysql,
    ...{ sleep: 'select sleep(10)', counted: 'integer primary key auto_increment' },
    open: async () => {
      const { url, drop } = await createMysqlDatabase('serve', { kind })
      onTestFinished(drop)
      return {
        url,
        execute: async (...statements) => {
          const connection = await createConnection(url)
          for (const statement of statements) await connection.query(statement)
          await connection.end()
        },
      }
    },
  }),
)

onPostgres('options in the URL of PostgreSQL', () =>
  test('do not open writes', async () => {
    const { url, drop } = await createDatabase('serve')
    onTestFinished(drop)
    const client = new pg.Client(url)
    await client.connect()
    await client.query('create table orders (id integer primary key)')
    await client.end()
    const database = `${url}?options=-c%20default_transaction_read_only%3Doff%20-c%20statement_timeout%3D0`
    const { get, send } = await serving({ database, writeRoutes: true })
    expect((await send('/orders/', { method: 'POST', headers: json, body: '{"id":1}' })).status).toBe(503)
    expect((await get('/orders/')).json).toMatchObject({ count: 0 })
  }),
)
