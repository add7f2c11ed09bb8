import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaPg } from '@prisma/adapter-pg'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import { everything, type ModelSource, type Session } from '../../../src/entry/source.ts'
import { createMysql, createPg } from '../../contract/library.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, nameOf, onEachMysql } from '../../servers/test-mysql.ts'
import { type AnyClient, generate, type Provider } from './generated.ts'

interface Server {
  readonly provider: Provider
  /** A client with so many connections, which it waits a short time for. @param port another than that of the server */
  client(connections: number, port?: number): Promise<AnyClient>
  /** Ends all connections that wait for a lock. Returns how many. */
  endWaiting(): Promise<number>
  close(): Promise<unknown>
}

const secret = 'S3cret-Value-4711'
const exclude = ['Review', 'Placement', 'Shelf', 'Reply', 'CheapBook']

const failuresOn = (open: () => Promise<Server>): void => {
  let server: Server
  let client: AnyClient
  let source: ModelSource
  beforeAll(async () => {
    server = await open()
    client = await server.client(4)
    source = await sourceOf(client)
  })
  afterAll(async () => {
    await client.$disconnect()
    await server.close()
  })

  const sourceOf = async (of: AnyClient): Promise<ModelSource> =>
    prismaModels(of, (await generate(server.provider)).metadata, { exclude })
  const authors = ({ store }: Session, { models } = source) => {
    const model = models.find(({ name }) => name === 'Author')
    if (model === undefined) throw new Error('No model Author.')
    return store(model)
  }
  /** InnoDB shows new states only to those who ask rarely. */
  const patiently = { timeout: 20_000, interval: 300 }
  const page = {
    filter: everything,
    order: [{ field: 'id', direction: 'asc' }] as const,
    limit: 1,
    offset: 0,
  }

  it('a deadlock is contended, and one of both transactions succeeds', async () => {
    const one = await authors(source).create({ name: 'one' })
    const other = await authors(source).create({ name: 'other' })
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const run = (first: unknown, second: unknown, at: number) =>
      source.transaction(async (inside) => {
        await authors(inside).update([first], { bio: secret }, everything)
        both[at]?.resolve()
        await both[1 - at]?.promise
        await authors(inside).update([second], { bio: secret }, everything)
      })
    const results = await Promise.allSettled([run(one['id'], other['id'], 0), run(other['id'], one['id'], 1)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { reason } = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(reason).toMatchObject({ kind: 'contended' })
    expect(logged(source, reason)).not.toContain(secret)
  })

  it('a connection that ends during a write is lost', async () => {
    const { id } = await authors(source).create({ name: 'waits' })
    const ended = source.transaction(async (inside) => {
      await authors(inside).read([id], everything, 'lock')
      const write = Promise.resolve(authors(source).update([id], { bio: secret }, everything)).then(
        () => undefined,
        (error: unknown) => error,
      )
      await expect.poll(() => server.endWaiting(), patiently).toBeGreaterThan(0)
      return write
    })
    const error = await ended
    expect(error).toMatchObject({ kind: 'lost' })
    expect(logged(source, error)).not.toContain(secret)
    expect((await authors(source).read([id], everything))?.['bio']).toBeNull()
  })

  it('a transaction whose connection ends is unavailable, because nothing was saved', async () => {
    const { id } = await authors(source).create({ name: 'waits too' })
    await source.transaction(async (inside) => {
      await authors(inside).read([id], everything, 'lock')
      const waiting = source.transaction((next) => authors(next).read([id], everything, 'lock'))
      const refused = expect(waiting).rejects.toMatchObject({ kind: 'unavailable' })
      await expect.poll(() => server.endWaiting(), patiently).toBeGreaterThan(0)
      await refused
    })
  })

  it('a pool without a free connection is unavailable', async () => {
    const small = await server.client(1)
    const narrow = await sourceOf(small)
    await narrow.transaction(async (inside) => {
      await authors(inside, narrow).list(page, everything)
      await expect(authors(narrow, narrow).list(page, everything)).rejects.toMatchObject({
        kind: 'unavailable',
      })
    })
    await small.$disconnect()
  })

  it('a server that is not there is unavailable', async () => {
    const lost = await server.client(1, 1)
    const away = await sourceOf(lost)
    for (const act of [
      () => authors(away, away).list(page, everything),
      () => authors(away, away).create({ name: secret }),
      () => away.transaction((inside) => authors(inside, away).list(page, everything)),
      () => away.ping(),
      () => away.missing?.(away.models),
    ]) {
      const error = await Promise.resolve()
        .then(async (): Promise<unknown> => act())
        .then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
      expect(error).toMatchObject({ kind: 'unavailable' })
      expect(logged(away, error)).not.toContain(secret)
    }
    await lost.$disconnect()
  })
}

/** All that a log could show of an error. */
const logged = ({ loggable }: ModelSource, error: unknown): string => {
  const texts: string[] = []
  for (let inner: unknown = loggable?.(error); inner instanceof Error; inner = loggable?.(inner.cause))
    texts.push(inner.stack ?? '', inner.message, JSON.stringify({ ...inner }))
  return texts.join('\n')
}

onPostgres('failures of a source of Prisma on PostgreSQL', () =>
  describe('Prisma on PostgreSQL', () => {
    failuresOn(async () => {
      const database = await createDatabase('prisma_failures')
      const pool = new pg.Pool({ connectionString: database.url, max: 2 })
      for (const statement of createPg) await pool.query(statement)
      return {
        provider: 'postgresql',
        client: async (max, port) => {
          const url = new URL(database.url)
          if (port !== undefined) {
            url.host = `127.0.0.1:${port}`
            url.searchParams.delete('host')
          }
          const { connect } = await generate('postgresql')
          return connect(new PrismaPg({ connectionString: url.href, max, connectionTimeoutMillis: 500 }))
        },
        endWaiting: async () => {
          const { rows } = await pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return rows.length
        },
        close: async () => {
          await pool.end()
          await database.drop()
        },
      }
    })
  }),
)

onEachMysql('failures of a source of Prisma', (kind) => {
  describe(`Prisma on ${nameOf(kind)}`, () => {
    failuresOn(async () => {
      const database = await createMysqlDatabase('prisma_failures', { kind, collation: 'as the server does' })
      const pool = mysql.createPool({ uri: database.url, connectionLimit: 2 })
      for (const statement of createMysql) await pool.query(statement)
      const { hostname, port: own, username: user, password, pathname } = new URL(database.url)
      return {
        provider: 'mysql',
        client: async (connectionLimit, port = Number(own)) => {
          const { connect } = await generate('mysql')
          const address = { host: hostname, port, user, password, database: pathname.slice(1) }
          return connect(new PrismaMariaDb({ ...address, connectionLimit, acquireTimeout: 500 }))
        },
        endWaiting: async () => {
          const [rows] = await pool.query<mysql.RowDataPacket[]>(
            'select trx_mysql_thread_id as id from information_schema.innodb_trx join information_schema.processlist p on p.id = trx_mysql_thread_id where trx_state = ? and p.db = database()',
            ['LOCK WAIT'],
          )
          for (const { id } of rows) await pool.query(`kill ${Number(id)}`)
          return rows.length
        },
        close: async () => {
          await pool.end()
          await database.drop()
        },
      }
    })
  })
})
