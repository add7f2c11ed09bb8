import { type SQL, sql } from 'drizzle-orm'
import { mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle as overMysql } from 'drizzle-orm/mysql2'
import { drizzle as overPg } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import type { ModelSource } from '../../../src/source/source.ts'
import { naming } from '../../naming.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, type MysqlKind, onEachMysql } from '../../servers/test-mysql.ts'

const pgNames = pgTable('names', { name: text().primaryKey() })
const mysqlNames = mysqlTable('names', { name: varchar({ length: 20 }).primaryKey() })
const create = 'create table names (name varchar(20) primary key)'

/** A source over one connection. */
interface Opened {
  readonly source: ModelSource
  names(): Promise<readonly unknown[]>
  /** Is called when the next `rollback` is sent, and before anything else is. */
  onRollback(act: () => void): void
  close(): Promise<void>
}

interface Handle {
  execute(statement: SQL): Promise<unknown>
  transaction<T>(work: (inside: Handle) => Promise<T>): Promise<T>
}

const insert = (db: unknown, name: string): Promise<unknown> =>
  (db as Handle).execute(sql`insert into names (name) values (${name})`)

const textOf = (question: unknown): unknown =>
  typeof question === 'string' ? question : Reflect.get(Object(question), 'text')

const overNodePostgres = async (options: pg.PoolConfig = {}, begin = 'begin') => {
  const database = await createDatabase('ended')
  const pool = new pg.Pool({ connectionString: database.url, max: 1, ...options })
  let act: (() => void) | undefined
  pool.on('connect', (client) => {
    const query: (...question: readonly unknown[]) => unknown = client.query.bind(client)
    Reflect.set(client, 'query', (question: object, ...rest: readonly unknown[]) => {
      const isBegin = textOf(question) === 'begin'
      const answer = query(isBegin ? { ...question, text: begin } : question, ...rest)
      if (textOf(question) === 'rollback') {
        act?.()
        act = undefined
      }
      return answer
    })
  })
  await pool.query(create)
  return {
    source: drizzleModels(overPg(pool), { names: pgNames }),
    pool,
    names: async () =>
      (await pool.query('select name from names order by name')).rows.map(({ name }) => name),
    onRollback: (next: () => void) => {
      act = next
    },
    close: async () => {
      await pool.end()
      await database.drop()
    },
  }
}

const overMysql2 = (kind: MysqlKind) => async () => {
  const database = await createMysqlDatabase('ended', { kind })
  const pool = mysql.createPool({ uri: database.url, connectionLimit: 1 })
  let act: (() => void) | undefined
  await pool.query(create)
  const taken = await pool.getConnection()
  const { connection } = taken
  taken.release()
  const query = connection.query.bind(connection)
  Reflect.set(connection, 'query', (...question: readonly unknown[]) => {
    const answer: unknown = Reflect.apply(query, connection, question)
    if (Reflect.get(Object(question[0]), 'sql') === 'rollback') {
      act?.()
      act = undefined
    }
    return answer
  })
  return {
    source: drizzleModels(overMysql(pool), { names: mysqlNames }),
    names: async () => {
      const [rows] = await pool.query<mysql.RowDataPacket[]>('select name from names order by name')
      return rows.map((row): unknown => row['name'])
    },
    onRollback: (next: () => void) => {
      act = next
    },
    close: async () => {
      await pool.end()
      await database.drop()
    },
  }
}

/** A transaction within one that is given up. It writes when it is let. */
const leaveBehind = async (source: ModelSource) => {
  const [entered, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let late: Promise<unknown> = Promise.resolve()
  const given = source.transaction(async ({ db }) => {
    late = (db as Handle)
      .transaction(async (inside) => {
        entered.resolve()
        await going.promise
        await insert(inside, 'late')
      })
      .then(
        () => 'stored',
        (error: Error) => [error.message, (error.cause as Error | undefined)?.message].join(),
      )
    await entered.promise
    throw new Error('It took too long.')
  })
  return { given: Promise.resolve(given), goOn: going.resolve, late: () => late }
}

const refusal = naming('context.db')

const lateTests = (open: () => Promise<Opened>): void => {
  const using = async (work: (opened: Opened) => Promise<void>) => {
    const opened = await open()
    try {
      await work(opened)
    } finally {
      await opened.close()
    }
  }

  it('what a hook left behind does not write into the transaction of another request', () =>
    using(async ({ source, names }) => {
      const { given, goOn, late } = await leaveBehind(source)
      await expect(given).rejects.toThrow('too long')
      await source.transaction(async ({ db }) => {
        await insert(db, 'first')
        goOn()
        expect(await late()).toMatch(refusal)
        await insert(db, 'second')
      })
      expect(await names()).toEqual(['first', 'second'])
    }))

  it('nor behind the rollback, on its own', () =>
    using(async ({ source, names, onRollback }) => {
      const isSent = Promise.withResolvers<void>()
      onRollback(isSent.resolve)
      const { given, goOn, late } = await leaveBehind(source)
      isSent.promise.then(goOn)
      await expect(given).rejects.toThrow('too long')
      await isSent.promise
      expect(await late()).toMatch(refusal)
      expect(await names()).toEqual([])
    }))
}

onPostgres('transactions on PostgreSQL that ended', () => {
  describe('with node-postgres', () => {
    lateTests(overNodePostgres)

    it('a begin that was given up takes nothing of the next user with it', async () => {
      const opened = await overNodePostgres({ query_timeout: 300 }, 'select pg_sleep(1); begin')
      const { pool, source } = opened
      // The table was made on the first connection: nobody knows what the next statement gets.
      await expect(source.transaction(() => Promise.resolve())).rejects.toThrow()
      const patient = { query_timeout: 20_000 }
      await pool.query({ text: `insert into names values ('acknowledged')`, ...patient })
      const outside = new pg.Client(pool.options)
      await outside.connect()
      expect((await outside.query('select name from names')).rows).toEqual([{ name: 'acknowledged' }])
      await outside.end()
      await opened.close()
    })
  })
})

onEachMysql('transactions that ended', (kind) => lateTests(overMysql2(kind)))
