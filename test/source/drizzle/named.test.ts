import { drizzle as overNodePostgres } from 'drizzle-orm/node-postgres'
import { boolean, integer, type PgDatabase, pgTable, pgView, text, withReplicas } from 'drizzle-orm/pg-core'
import { drizzle as overPostgresJs } from 'drizzle-orm/postgres-js'
import pg from 'pg'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { StartError } from '../../../src/error/errors.ts'
import type { Model } from '../../../src/model/model.ts'
import { type Condition, everything } from '../../../src/query/ast.ts'
import type { DrizzleDatabase } from '../../../src/source/drizzle/index.ts'
import type { ModelSource, RecordStore } from '../../../src/source/source.ts'
import { skipWithout } from '../../needed-program.ts'
import { startPgBouncer } from '../../servers/pgbouncer.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
const flags = () => Object.fromEntries(letters.map((letter) => [letter, boolean()]))

const things = pgTable('things', {
  id: integer().primaryKey(),
  name: text().notNull(),
  status: text().notNull(),
  note: text(),
  owner: integer().references(() => nothing.id),
})
const nothing = pgTable('nothing', { id: integer().primaryKey(), name: text(), ...flags() })
const few = pgView('few', { id: integer().primaryKey(), name: text() }).existing()
const tables = { things, few, nothing }

const create = `create table nothing (id integer primary key, name text, ${letters.map((letter) => `${letter} boolean`).join()});
  create table things (id integer primary key, name text not null, status text not null, note text,
    owner integer references nothing);
  create view few as select id, name from things;
  insert into things select n, 'name ' || n, case when n % 500 = 0 then 'rare' else 'common' end, null
    from generate_series(1, 5000) n;
  create index on things (status); create index on things (name); create index rare_things on things (id) where status = 'rare';
  analyze things`

const page = { filter: everything, order: [{ field: 'id', direction: 'asc' }], limit: 20, offset: 0 } as const
const hasStatus = (value: string): Condition => ({ op: 'eq', field: 'status', value })

interface Opened {
  readonly db: DrizzleDatabase
  /** Runs SQL on one of the same connections. */
  execute(statement: string): Promise<unknown>
  readonly notices: readonly string[]
  close(): Promise<void>
}

/** Its end does not wait until the server knows, so dropping the database may still break its connections. */
const poolOf = (url: string, max: number): pg.Pool => {
  const pool = new pg.Pool({ connectionString: url, max })
  pool.on('error', () => undefined)
  return pool.on('connect', (client) => client.on('error', () => undefined))
}

const drivers: Readonly<Record<string, (url: string, max: number) => Opened>> = {
  'node-postgres': (url, max) => {
    const pool = poolOf(url, max)
    const notices: string[] = []
    pool.on('connect', (client) => client.on('notice', ({ message = '' }) => notices.push(message)))
    const execute = async (statement: string) => (await pool.query(statement)).rows
    return { db: overNodePostgres(pool), execute, notices, close: () => pool.end() }
  },
  'postgres.js': (url, max) => {
    const client = postgres(url, { max, fetch_types: false, onnotice: () => undefined })
    return {
      db: overPostgresJs(client),
      execute: (statement) => client.unsafe(statement),
      notices: [],
      close: () => client.end(),
    }
  },
}

onPostgres('prepared statements', () => {
  let url: string
  let outside: pg.Pool
  let closing: (() => Promise<unknown>)[]
  let warnings: Error[]
  const note = (warning: Error): void => void warnings.push(warning)

  beforeEach(async () => {
    const database = await createDatabase('named')
    url = database.url
    outside = poolOf(url, 1)
    closing = [database.drop, () => outside.end()]
    warnings = []
    await outside.query(create)
    process.on('warning', note)
  })
  afterEach(async () => {
    process.off('warning', note)
    for (const close of closing.reverse()) await close()
  })

  /** Warnings are emitted in the next tick. */
  const warned = async (): Promise<readonly string[]> => {
    await new Promise(setImmediate)
    return warnings.filter(({ name }) => name === 'ModelrestWarning').map(({ name }) => name)
  }

  interface Served extends Opened {
    readonly source: ModelSource
    readonly store: RecordStore
    readonly view: RecordStore
    /** Of an empty table. */
    readonly empty: RecordStore
    /** The texts of the statements that the server keeps for the only connection. */
    kept(): Promise<readonly string[]>
  }

  const serve = (driver: string, options: { prepare?: boolean } = {}, { at = url, max = 1 } = {}): Served => {
    const opened = drivers[driver]?.(at, max) as Opened
    closing.push(opened.close)
    const source: ModelSource = drizzleModels(opened.db, tables, options)
    const [store, view, empty] = source.models.map((model) => source.store(model)) as [
      ...[RecordStore, RecordStore, RecordStore],
    ]
    const kept = async () => {
      const rows = (await opened.execute(
        `select statement from pg_prepared_statements where statement ~ '"(things|nothing|few)"'`,
      )) as { statement: string }[]
      return rows.map(({ statement }) => statement)
    }
    return { ...opened, source, store, view, empty, kept }
  }

  const often = async (act: (time: number) => unknown): Promise<void> => {
    for (let time = 1; time <= 8; time += 1) await act(time)
  }

  describe.each(Object.keys(drivers))('%s', (driver) => {
    it('keeps reads and writes by key, and inserts', async () => {
      const { store, kept } = serve(driver)
      await often((time) => store.read([time], everything))
      await often((time) => store.read([time], hasStatus('common')))
      await often((time) => store.create({ id: 10_000 + time, name: 'new', status: 'common' }))
      await often((time) => store.update([time], { name: 'changed' }, everything))
      await often((time) => store.remove([10_000 + time], everything))
      await often((time) => store.take([100 + time], everything))
      const keys = (time: number): Condition => ({ op: 'in', field: 'id', values: [time, time + 1] })
      await often((time) => store.list({ ...page, filter: keys(time), limit: 2 }, everything))
      const statements = await kept()
      expect(statements.map((text) => text.split(' ')[0]).sort()).toEqual([
        ...['delete', 'delete', 'insert', 'select', 'select', 'select', 'update'],
      ])
    })

    it('keeps pages before or after a primary key, in the order of the key', async () => {
      const { store, kept } = serve(driver)
      const pages = (change: object) =>
        often((id) =>
          store.list({ ...page, filter: { op: 'gt', field: 'id', value: id }, ...change }, everything),
        )
      await pages({})
      expect(await kept()).toHaveLength(1)
      await pages({ order: [{ field: 'id', direction: 'desc' }] })
      expect(await kept()).toHaveLength(2)
      await pages({ offset: 20 })
      await pages({ order: [{ field: 'name', direction: 'asc' }, ...page.order] })
      await often((id) =>
        store.list({ ...page, filter: { op: 'gt', field: 'id', value: id } }, hasStatus('rare')),
      )
      expect(await kept()).toHaveLength(2)
    })

    it('keeps no statement whose plan depends on a value', async () => {
      const { store, view, source, kept } = serve(driver)
      await often((time) =>
        store.list({ ...page, filter: hasStatus(time > 4 ? 'rare' : 'common') }, everything),
      )
      await often(() => store.list(page, hasStatus('rare')))
      const keys = { op: 'in', field: 'id', values: [1, 2] } as const
      await often(() => store.list({ ...page, filter: keys }, hasStatus('rare')))
      await often(() => view.list({ ...page, filter: keys }, everything))
      await often((time) => store.list({ ...page, offset: time }, everything))
      await often(() => store.count(hasStatus('rare'), everything))
      await often((time) => view.read([time], everything))
      const [model] = source.models
      const relation = model?.relations.find(({ kind }) => kind === 'to-one')?.name ?? ''
      const reached: Condition = {
        op: 'related',
        relation,
        condition: { op: 'eq', field: 'name', value: 'x' },
      }
      await often((time) => store.read([time], { op: 'or', conditions: [reached, hasStatus('common')] }))
      expect(await kept()).toEqual([])
    })

    it('keeps none with prepare: false', async () => {
      const { store, kept } = serve(driver, { prepare: false })
      await often((time) => store.read([time], everything))
      await often((time) => store.create({ id: 10_000 + time, name: 'new', status: 'common' }))
      expect(await kept()).toEqual([])
    })

    it.each(['deallocate all', 'discard all'])('serves on after %s, and warns once', async (statement) => {
      const { store, kept, execute } = serve(driver)
      await often((time) => store.read([time], everything))
      await often((time) => store.update([time], { name: 'before' }, everything))
      await execute(statement)
      await often(async (time) => {
        expect(await store.update([time], { name: 'after' }, everything)).toMatchObject({ name: 'after' })
        expect(await store.read([time], everything)).toMatchObject({ name: 'after' })
      })
      expect(await warned()).toEqual(['ModelrestWarning'])
      await often((time) => store.create({ id: 10_000 + time, name: 'new', status: 'common' }))
      expect((await kept()).filter((text) => text.startsWith('insert'))).toEqual([])
    })

    it('serves on after the table has changed, without a warning', async () => {
      const { store, kept } = serve(driver)
      await often((time) => store.read([time], everything))
      await often((time) => store.update([time], { name: 'before' }, everything))
      await outside.query('alter table things add more text default 7, alter note type varchar(50)')
      await often(async (time) => {
        expect(await store.update([time], { name: 'after' }, everything)).toMatchObject({ name: 'after' })
        expect(await store.read([time], everything)).toMatchObject({ name: 'after' })
      })
      expect(await warned()).toEqual([])
      await often((time) => store.create({ id: 10_000 + time, name: 'new', status: 'common' }))
      expect((await kept()).filter((text) => text.startsWith('insert'))).toHaveLength(1)
    })

    it('serves on after a migration has replaced the type of a column', async () => {
      const recreate = `drop type if exists pace; create type pace as enum ('slow', 'fast');
        alter table things alter note type pace using note::pace`
      await outside.query(recreate)
      const { store } = serve(driver)
      const update = (time: number) => store.update([time], { note: 'fast' }, everything)
      await often(update)
      await outside.query(`alter table things alter note type text; ${recreate}`)
      await often(async (time) => expect(await update(time)).toMatchObject({ note: 'fast' }))
      expect(await warned()).toEqual([])
    })

    it('does not repeat a transaction because of a privilege', async () => {
      const { source, store } = serve(driver)
      await often((time) => store.create({ id: 10_000 + time, name: 'new', status: 'common' }))
      await outside.query(`create function refuse() returns trigger language plpgsql as $$ begin
        raise exception using errcode = 'insufficient_privilege'; end $$;
        create trigger refuse before insert on things for each row execute function refuse()`)
      const [model] = source.models
      const refused = async () =>
        source.transaction((session) =>
          session.store(model as Model).create({ id: 1, name: 'a', status: 'b' }),
        )
      await expect(refused()).rejects.not.toMatchObject({ kind: 'contended' })
    })

    it('refuses a value as before', async () => {
      const { store } = serve(driver)
      await often((time) => store.create({ id: 10_000 + time, name: 'new', status: 'common' }))
      const again = Promise.resolve(store.create({ id: 10_001, name: 'new', status: 'common' }))
      await expect(again).rejects.toMatchObject({ kind: 'unique', fields: ['id'] })
      await outside.query('drop table things cascade')
      await expect(Promise.resolve(store.create({ id: 1, name: 'a', status: 'b' }))).rejects.toThrow()
      expect(await warned()).toEqual([])
    })

    it('serves through a pooler that does not keep them, and warns once', async (context) => {
      skipWithout(context, 'pgbouncer')
      const bouncer = await startPgBouncer(url)
      closing.push(() => bouncer.stop())
      const sources = [1, 2].map(() => serve(driver, {}, { at: bouncer.url, max: 5 }))
      // Until a statement meets a connection of the server that does not know it.
      for (let time = 0; time < 100 && (time < 8 || (await warned()).length === 0); time += 1)
        await Promise.all(
          [...sources, ...sources, ...sources].map(async ({ store }, place) => {
            const id = 10_000 + time * 10 + place
            expect(await store.create({ id, name: 'new', status: 'common' })).toMatchObject({ id })
            expect(await store.read([id], everything)).toMatchObject({ id })
            expect(await store.update([id], { note: 'x' }, everything)).toMatchObject({ note: 'x' })
          }),
        )
      await often(() => Promise.all(sources.map(({ store }) => store.list(page, everything))))
      expect((await warned()).length).toBeLessThanOrEqual(2)
      expect((await warned()).length).toBeGreaterThan(0)
    })
  })

  it('node-postgres keeps first pages and counts that have no values, on each connection', async () => {
    const { store, execute } = serve('node-postgres', {}, { max: 3 })
    await often(() => Promise.all([1, 2, 3].map(() => store.list(page, everything))))
    await often(() => store.list({ ...page, filter: { op: 'is-null', field: 'note' } }, everything))
    await often(() => store.count(everything, everything))
    await often(() => store.count(everything, everything, 1000))
    const names = await Promise.all(
      [1, 2, 3].map(() => execute(`select name, statement, pg_sleep(0.2) from pg_prepared_statements`)),
    )
    const all = names.flat() as { name: string; statement: string }[]
    expect(new Set(all.map(({ statement }) => statement)).size).toBe(4)
    expect(all.filter(({ statement }) => statement.includes('limit 20'))).not.toHaveLength(1)
    expect(all.every(({ name }) => /^modelrest_[0-9a-f]{32}$/.test(name))).toBe(true)
  })

  it.each([
    [true, 1],
    [false, 0],
  ])('prepare: %s holds for replicas too', async (prepare, count) => {
    const [primary, replica] = [1, 2].map(() => drivers['node-postgres']?.(url, 1)) as [Opened, Opened]
    closing.push(primary.close, replica.close)
    const db = withReplicas(primary.db as PgDatabase<never>, [replica.db as PgDatabase<never>])
    const source = drizzleModels(db, { things }, { prepare, replicas: { freshFor: 0 } })
    await often(() =>
      Promise.all(source.models.map((model) => source.store(model, 'page').list(page, everything))),
    )
    expect(await replica.execute('select name from pg_prepared_statements')).toHaveLength(count)
    expect(await primary.execute('select name from pg_prepared_statements')).toEqual([])
  })

  it('prepare must be true or false', () => {
    const { db } = serve('node-postgres')
    expect(() => drizzleModels(db, tables, { prepare: 'no' as never })).toThrow(StartError)
  })

  it('a statement that is refused for its values runs once', async () => {
    const { empty } = serve('node-postgres')
    await outside.query(`create sequence runs; create function counted() returns trigger language plpgsql as $$ begin
      perform nextval('runs'); if new.name = 'refused' then raise exception 'refused'; end if; return new; end $$;
      create trigger counted before insert on nothing for each row execute function counted()`)
    await often((time) => empty.create({ id: time, name: 'new' }))
    await expect((async () => empty.create({ id: 9, name: 'refused' }))()).rejects.toMatchObject({
      kind: 'check',
    })
    expect((await outside.query('select last_value::int from runs')).rows).toEqual([{ last_value: 9 }])
  })

  it('at most 200 statements are kept, of those that clients choose', async () => {
    const { empty, kept } = serve('node-postgres')
    const filterOf = (bits: number): Condition => {
      const conditions = Array.from({ length: 14 }, (_, bit): Condition => {
        return { op: (bits >> bit) & 1 ? 'is-null' : 'is-not-null', field: 'name' }
      })
      return { op: 'and', conditions }
    }
    for (let bits = 0; bits < 10_000; bits += 1)
      await empty.list({ ...page, filter: filterOf(bits) }, everything)
    expect(await kept()).toEqual([])
    for (let limit = 1; limit <= 250; limit += 1)
      await often(() => empty.list({ ...page, limit }, everything))
    expect(await kept()).toHaveLength(200)
    await often((time) => empty.create({ id: time, name: 'new' }))
    expect(await empty.count(everything, everything)).toBe(8)
  })

  it('postgres.js keeps at most 200 combinations of types of values', async () => {
    const { empty, kept } = serve('postgres.js')
    for (let bits = 0; bits < 256; bits += 1) {
      const row = letters.map((name, bit) => [name, (bits >> bit) & 1 ? true : null])
      await often((time) => empty.create({ id: bits * 8 + time, ...Object.fromEntries(row) }))
    }
    expect(await kept()).toHaveLength(200)
  })

  it('a rare value of a skewed column finds its index, after whatever was asked before', async () => {
    const { store, execute, notices } = serve('node-postgres')
    await execute(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set client_min_messages = log`)
    const byName = { ...page, order: [{ field: 'name', direction: 'asc' }] } as const
    for (const [sorted, index] of [
      [page, 'things_status_idx'],
      [byName, 'things_status_idx'],
      [page, 'rare_things'],
      [byName, 'rare_things'],
    ] as const) {
      if (index === 'rare_things') await outside.query('drop index if exists things_status_idx')
      const list = (status: string) => store.list({ ...sorted, filter: hasStatus(status) }, everything)
      const before = notices.length
      await often(() => list('common'))
      expect(notices.slice(before).join('\n')).not.toContain(index)
      await list('rare')
      expect(notices.at(-1)).toContain(`using ${index}`)
    }
  })
})
