import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { bigint, char, int, mysqlTable, primaryKey, text, varchar } from 'drizzle-orm/mysql-core'
import { drizzle as mysqlProxy } from 'drizzle-orm/mysql-proxy'
import { drizzle, type MySql2Database } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { StartError } from '../../../src/error/errors.ts'
import { type Condition, everything } from '../../../src/query/ast.ts'
import { DEFAULT } from '../../../src/source/source.ts'
import { errorOf } from '../../contract/drizzle-source/stage.ts'
import { naming } from '../../naming.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { type OpenMysql, openMysql } from './open-mysql.ts'

const counters = mysqlTable('counters', {
  id: bigint({ mode: 'bigint' }).primaryKey().autoincrement(),
  name: varchar({ length: 20 }).notNull().unique('one_name'),
  value: int().notNull().default(0),
})

const createCounters = [
  `create table counters (id bigint primary key auto_increment, name varchar(20) not null, value int not null default 0,
    unique one_name (name))`,
]

/** As a node of a cluster does that waits for the others: it takes no statement but those that set something. */
const refuseToBegin = async (pool: mysql.Pool): Promise<{ end(): void }> => {
  const taken = await pool.getConnection()
  const { connection } = taken
  const query = connection.query.bind(connection)
  const refused = `signal sqlstate '08S01' set mysql_errno = 1047`
  Reflect.set(connection, 'query', (options: { sql: string }, ...rest: never[]) => {
    const isBegin = options.sql === 'begin'
    return Reflect.apply(query, connection, [isBegin ? { ...options, sql: refused } : options, ...rest])
  })
  taken.release()
  return { end: () => Reflect.set(connection, 'query', query) }
}

onEachMysql('writes', (kind) => {
  const using = async (
    create: readonly string[],
    tables: Readonly<Record<string, object>>,
    work: (opened: OpenMysql) => Promise<void>,
    options: mysql.PoolOptions = {},
  ) => {
    const opened = await openMysql(create, tables, { kind, options })
    try {
      await work(opened)
    } finally {
      await opened.close()
    }
  }

  it('a key that is counted up is exact, and everybody gets their own record', () =>
    using(createCounters, { counters }, async ({ store, pool }) => {
      await pool.query('alter table counters auto_increment = 9007199254740993')
      const names = Array.from({ length: 40 }, (_, place) => `n${place}`)
      const made = await Promise.all(names.map((name) => store.create({ name })))
      expect(made.map((row) => row['name'])).toEqual(names)
      expect(new Set(made.map((row) => row['id'])).size).toBe(40)
      expect(made.every(({ id }) => typeof id === 'bigint' && id >= 9007199254740993n)).toBe(true)
      for (const row of made) expect(await store.read([row['id']], everything)).toEqual(row)
    }))

  it('an update that changes nothing is no missing record, whatever the connection counts', () =>
    using(
      createCounters,
      { counters },
      async ({ store }) => {
        const row = await store.create({ name: 'a', value: 1 })
        expect(await store.update([row['id']], { value: 1 }, everything)).toEqual(row)
        const other: Condition = { op: 'eq', field: 'value', value: 2 }
        expect(await store.update([row['id']], { value: 1 }, other)).toBeUndefined()
        expect(await store.update([0n], { value: 1 }, everything)).toBeUndefined()
      },
      { flags: ['-FOUND_ROWS'] },
    ))

  it('what an update gives back is what it stored, and a guard lets one of many through', () =>
    using(createCounters, { counters }, async ({ store }) => {
      const { id } = await store.create({ name: 'a' })
      const values = Array.from({ length: 60 }, (_, place) => place + 1)
      const given = await Promise.all(values.map((value) => store.update([id], { value }, everything)))
      expect(given.map((row) => row?.['value'])).toEqual(values)

      await store.update([id], { value: 0 }, everything)
      const isZero: Condition = { op: 'eq', field: 'value', value: 0 }
      const won = await Promise.all(values.map((value) => store.update([id], { value }, isZero)))
      expect(won.filter((row) => row !== undefined)).toHaveLength(1)
      expect((await store.read([id], everything))?.['value']).toBe(won.find((row) => row)?.['value'])
    }))

  it('a record is taken once, and given to nobody else', () =>
    using(createCounters, { counters }, async ({ store }) => {
      const { id } = await store.create({ name: 'a' })
      const taken = await Promise.all(Array.from({ length: 20 }, () => store.take([id], everything)))
      expect(taken.filter((row) => row !== undefined)).toHaveLength(1)
    }))

  it('a deadlock is contention, and what was refused leaves no connection in a transaction', () =>
    using(createCounters, { counters }, async ({ store, source, pool }) => {
      const ids = [await store.create({ name: 'a' }), await store.create({ name: 'b' })].map(
        (row) => row['id'],
      )
      const [model] = source.models
      if (model === undefined) throw new Error('no model')
      let waiting: (() => void) | undefined
      const both = new Promise<void>((resolve) => {
        waiting = resolve
      })
      let holding = 0
      const crossing = (first: unknown, second: unknown) =>
        source.transaction(async (inside) => {
          await inside.store(model).update([first], { value: 1 }, everything)
          holding += 1
          if (holding === 2) waiting?.()
          await both
          return await inside.store(model).update([second], { value: 2 }, everything)
        })
      const results = await Promise.allSettled([crossing(ids[0], ids[1]), crossing(ids[1], ids[0])])
      const refused = results.filter((result) => result.status === 'rejected')
      expect(refused.map(({ reason }) => reason)).toMatchObject([{ kind: 'contended' }])
      expect(await errorOf(() => store.create({ name: 'a' }))).toMatchObject({
        kind: 'unique',
        fields: ['name'],
      })
      const [open] = await pool.query<mysql.RowDataPacket[]>(
        // Other tests have theirs on the same server.
        `select count(*) as n from information_schema.innodb_trx
          join information_schema.processlist on id = trx_mysql_thread_id where db = database()`,
      )
      expect(open[0]?.['n']).toBe(0)
    }))

  it('a hook that goes on after a deadlock stores nothing', () =>
    using(createCounters, { counters }, async ({ store, source, pool }) => {
      const [a, b] = [await store.create({ name: 'a' }), await store.create({ name: 'b' })]
      const other = await pool.getConnection()
      await other.query('begin')
      // The one that has changed more is not the one that is undone.
      await other.query("insert into counters (name) values ('x'), ('y'), ('z')")
      await other.query('update counters set value = 5 where id = ?', [b['id']])
      const work = source.transaction(async ({ db }) => {
        const handle = db as MySql2Database
        await handle
          .update(counters)
          .set({ value: 1 })
          .where(eq(counters.id, a['id'] as bigint))
        const crossing = other.query('update counters set value = 6 where id = ?', [a['id']])
        const error = await errorOf(async () =>
          handle
            .update(counters)
            .set({ value: 2 })
            .where(eq(counters.id, b['id'] as bigint)),
        )
        expect(error).toMatchObject({ cause: { errno: 1213 } })
        await crossing
        await other.query('rollback')
        await errorOf(async () => handle.insert(counters).values({ name: 'half' }))
      })
      expect(await errorOf(() => work)).toMatchObject({ kind: 'contended' })
      other.release()
      const page = { filter: everything, order: [], limit: 9, offset: 0 }
      expect((await store.list(page, everything)).map(({ name, value }) => [name, value])).toEqual([
        ['a', 0],
        ['b', 0],
      ])
    }))

  it('keys of other kinds', async () => {
    const things = mysqlTable('things', {
      code: varchar({ length: 9 }).primaryKey(),
      name: text(),
    })
    await using(
      ['create table things (code char(9) collate utf8mb4_general_ci primary key, name text)'],
      { things },
      async ({ store }) => {
        // A char has no spaces at its end.
        expect(await store.create({ code: 'a ', name: 'x' })).toEqual({ code: 'a', name: 'x' })
        expect(await store.update(['a'], { code: 'B ' }, everything)).toEqual({ code: 'B', name: 'x' })
        expect(await store.read(['b'], everything)).toBeUndefined()
      },
    )
    const pairs = mysqlTable(
      'pairs',
      { left: int().notNull(), right: int().notNull().default(7), label: text() },
      (table) => [primaryKey({ columns: [table.left, table.right] })],
    )
    await using(
      ['create table pairs (`left` int, `right` int default 7, label text, primary key (`left`, `right`))'],
      { pairs },
      async ({ store }) => {
        expect(await store.create({ left: 1 })).toEqual({ left: 1, right: 7, label: null })
        expect(await store.create({ left: 1, right: 8 })).toEqual({ left: 1, right: 8, label: null })
        expect(await store.update([1, 8], { left: 2 }, everything)).toMatchObject({ left: 2, right: 8 })
        expect(await store.update([2, 8], { right: DEFAULT }, everything)).toMatchObject({ right: 7 })
        expect(await store.take([2, 7], everything)).toEqual({ left: 2, right: 7, label: null })
      },
    )
    const empty = mysqlTable('empties', { id: int().primaryKey().autoincrement() })
    await using(
      ['create table empties (id int primary key auto_increment)'],
      { empty },
      async ({ store }) => {
        expect([await store.create({}), await store.create({})]).toEqual([{ id: 1 }, { id: 2 }])
      },
    )
  })

  it('a key that the database makes is known to MariaDB alone', async () => {
    const tokens = mysqlTable('tokens', {
      id: char({ length: 36 }).primaryKey().default(sql`(uuid())`),
      name: text(),
    })
    await using(
      ['create table tokens (id char(36) primary key default (uuid()), name text)'],
      { tokens },
      async ({ store, source }) => {
        if (kind === 'mysql') {
          const error = await errorOf(() => source.missing?.(source.models))
          expect(error).toBeInstanceOf(StartError)
          expect(String(error)).toMatch(
            naming('drizzleModels', 'MySQL', 'Token', 'app', 'auto_increment', '$defaultFn()'),
          )
          expect(await store.create({ id: randomUUID() })).toMatchObject({ name: null })
          return
        }
        expect(await source.missing?.(source.models)).toEqual([])
        expect(await store.create({ name: 'x' })).toMatchObject({
          id: expect.stringMatching(/^.{36}$/),
          name: 'x',
        })
      },
    )
  })

  it('over a single connection there are no transactions, and nobody gets a record of others', () =>
    using(createCounters, { counters }, async ({ url }) => {
      const connection = await mysql.createConnection(url)
      const source = drizzleModels(drizzle(connection), { counters })
      expect(source.capabilities.transactions).toBe(false)
      const [model] = source.models
      if (model === undefined) throw new Error('no model')
      const store = source.store(model)
      const names = Array.from({ length: 20 }, (_, place) => `n${place}`)
      const made = await Promise.all(names.map((name) => store.create({ name })))
      expect(made.map((row) => row['name'])).toEqual(names)
      const ids = made.map((row) => row['id'])
      const changed = await Promise.all(
        ids.map((id, place) => store.update([id], { value: place }, everything)),
      )
      expect(changed.map((row) => row?.['value'])).toEqual(ids.map((_, place) => place))
      expect(await store.take([ids[0]], everything)).toMatchObject({ name: 'n0' })
      await connection.end()
    }))

  it('over a proxy of statements, too', () =>
    using(createCounters, { counters }, async ({ pool }) => {
      const db = mysqlProxy(async (text, values, method) => {
        const [rows] = await pool.query({ sql: text, values, rowsAsArray: method === 'all' })
        return { rows: method === 'all' ? (rows as unknown[]) : [rows] }
      })
      const source = drizzleModels(db, { counters })
      const [model] = source.models
      if (model === undefined) throw new Error('no model')
      const store = source.store(model)
      expect(await source.missing?.(source.models)).toEqual([])
      expect(await store.create({ name: 'a' })).toEqual({ id: 1n, name: 'a', value: 0 })
      expect(await store.update([1n], { value: 3 }, everything)).toEqual({ id: 1n, name: 'a', value: 3 })
      expect(await store.update([2n], { value: 3 }, everything)).toBeUndefined()
      expect(await store.take([1n], everything)).toEqual({ id: 1n, name: 'a', value: 3 })
      expect(await store.remove([1n], everything)).toBe(false)
    }))

  it('where begin fails, the pool keeps its connections', () =>
    using(
      createCounters,
      { counters },
      async ({ store, pool }) => {
        const { id } = await store.create({ name: 'a' })
        const refusing = await refuseToBegin(pool)
        for (let time = 0; time < 5; time += 1)
          expect(await errorOf(() => store.update([id], { value: 1 }, everything))).toMatchObject({
            kind: 'unavailable',
          })
        refusing.end()
        expect(await store.update([id], { value: 9 }, everything)).toMatchObject({ value: 9 })
      },
      { connectionLimit: 1 },
    ))
})
