import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DEFAULT, everything, type Row, StartError } from '../../../src/entry/source.ts'
import {
  type SqlDatabase,
  type SqlSourceOptions,
  type SqlTable,
  sql,
  sqlSource,
} from '../../../src/entry/sql.ts'
import { naming } from '../../naming.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql, startMysqlServer } from '../../servers/test-mysql.ts'
import { overBetterSqlite3 } from './over-better-sqlite3.ts'
import { overMysql2 } from './over-mysql2.ts'
import { overNodeSqlite } from './over-node-sqlite.ts'
import { overPg } from './over-pg.ts'

const note: SqlTable = {
  ...{ name: 'Note', table: 'notes', primaryKey: ['id'] },
  columns: [
    { name: 'id', type: 'integer', autoIncrement: true },
    { name: 'text', type: 'varchar(20)' },
    { name: 'madeAt', column: 'made_at', type: 'datetime', defaultSql: sql`current_timestamp` },
  ],
}

const created =
  'create table notes (id integer primary key, text varchar(20) not null, made_at datetime not null default current_timestamp)'

const memory = (...statements: readonly string[]): Database.Database => {
  const db = new Database(':memory:')
  onTestFinished(() => {
    db.close()
  })
  for (const statement of statements) db.exec(statement)
  return db
}

const sourceOf = (database: SqlDatabase, tables = [note], more: Partial<SqlSourceOptions> = {}) =>
  sqlSource({ name: 'noteModels', database, tables, ...more })

const started = async (source: ReturnType<typeof sourceOf>) => await source.missing?.(source.models)

const all = { filter: everything, order: [{ field: 'id', direction: 'asc' }], limit: 10, offset: 0 } as const

describe('mistakes', () => {
  const database = overBetterSqlite3(new Database(':memory:'))

  it.each<[string, () => unknown, readonly string[]]>([
    [
      'an unknown option',
      () => sourceOf(database, [note], { share: true } as object),
      ['noteModels', 'share'],
    ],
    [
      'a wrong value of an option',
      () => sourceOf(database, [note], { sharedReads: 1 } as object),
      ['noteModels', 'sharedReads'],
    ],
    [
      'another dialect',
      () => sourceOf({ ...database, dialect: 'mssql' as 'pg' }),
      ['noteModels', 'mssql', 'sqlite'],
    ],
    [
      'no handle',
      () => sourceOf({ ...database, handle: undefined as never }),
      ['noteModels', 'handle', 'context.db'],
    ],
    [
      'a type that nobody knows',
      () => sourceOf(database, [{ ...note, columns: [{ name: 'id', type: 'mony' }] }]),
      ['Note.id', 'mony'],
    ],
    [
      'a key to a table that is not given',
      () =>
        sourceOf(database, [
          { ...note, foreignKeys: [{ fields: ['id'], model: 'Nota', references: ['id'] }] },
        ]),
      ['Note', 'Nota'],
    ],
  ])('%s is refused', (_what, make, names) => {
    expect(make).toThrow(StartError)
    expect(make).toThrow(naming(...names))
  })
})

describe('at start', () => {
  const refused = async (source: ReturnType<typeof sourceOf>, ...names: readonly string[]) => {
    const start = started(source)
    await expect(start).rejects.toThrow(StartError)
    await expect(start).rejects.toThrow(naming('noteModels', ...names))
  }

  it('rows without all values are refused', async () => {
    const over = overBetterSqlite3(memory(created))
    await refused(sourceOf({ ...over, run: () => [[1]] }), 'run')
  })

  it('a synchronous database that returns promises is refused', async () => {
    const over = overBetterSqlite3(memory(created))
    const run: SqlDatabase['run'] = async (text, values, fetch) => await over.run(text, values, fetch)
    await refused(sourceOf({ ...over, run }), 'promise', 'synchronous')
  })

  it('values that the driver changes are refused', async () => {
    const over = overBetterSqlite3(memory(created))
    const inverted: SqlDatabase['run'] = (text, values, fetch) => {
      const rows = over.run(text, values, fetch) as readonly (readonly unknown[])[]
      return rows.map((row) => row.map((value) => (value instanceof Uint8Array ? String(value) : value)))
    }
    await refused(sourceOf({ ...over, run: inverted }), 'binary')
  })

  it('integers may be bigints', async () => {
    const db = memory(created).defaultSafeIntegers(true)
    const source = sourceOf(overBetterSqlite3(db))
    expect(await started(source)).toEqual([])
    const [model] = source.models
    if (model === undefined) throw new Error()
    const store = source.store(model)
    expect(await store.create({ text: 'a' })).toMatchObject({ id: 1, text: 'a' })
    expect(await store.count(everything, everything)).toBe(1)
  })

  it('SQLite must check foreign keys', async () => {
    const reply: SqlTable = {
      ...{ name: 'Reply', table: 'replies', primaryKey: ['id'] },
      columns: note.columns.slice(0, 1),
      foreignKeys: [{ fields: ['id'], model: 'Note', references: ['id'] }],
    }
    const replies = 'create table replies (id integer primary key references notes (id))'
    const db = memory(created, replies, 'pragma foreign_keys = off')
    await refused(sourceOf(overBetterSqlite3(db), [note, reply]), 'foreign_keys', 'Reply')
    db.exec('pragma foreign_keys = on')
    expect(await started(sourceOf(overBetterSqlite3(db), [note, reply]))).toEqual([])
  })

  it('SQLite must not store text as numbers', async () => {
    const db = memory(created.replace('varchar(20)', 'integer'))
    await refused(sourceOf(overBetterSqlite3(db)), 'notes', 'text', 'INTEGER')
  })

  it('a missing table names the command that the author gives', async () => {
    const [missing] = (await started(sourceOf(overBetterSqlite3(memory())))) ?? []
    expect(missing).toEqual({ model: 'Note', table: 'notes' })
    const source = sourceOf(overBetterSqlite3(memory()), [note], { migrate: 'migrate up' })
    expect(await started(source)).toEqual([{ model: 'Note', table: 'notes', migrate: 'migrate up' }])
  })
})

describe('columns of SQLite', () => {
  const opened = () => {
    const db = new DatabaseSync(':memory:')
    onTestFinished(() => db.close())
    db.exec(created)
    const source = sourceOf(overNodeSqlite(db))
    const [model] = source.models
    if (model === undefined) throw new Error()
    return { db, store: source.store(model) }
  }

  it('times that the database fills in are equal to those that were sent', async () => {
    const { db, store } = opened()
    db.exec("insert into notes (text, made_at) values ('a', '2026-01-31 23:59:59')")
    const madeAt = new Date('2026-01-31T23:59:59Z')
    const sent = await store.create({ text: 'b', madeAt })
    const rows = await store.list(
      { ...all, filter: { op: 'eq', field: 'madeAt', value: madeAt } },
      everything,
    )
    expect(rows).toEqual([{ id: 1, text: 'a', madeAt }, sent])
  })

  it('a default is an expression that the author states', async () => {
    const { store } = opened()
    const { id } = await store.create({ text: 'a', madeAt: new Date(0) })
    const changed = await store.update([id], { madeAt: DEFAULT }, everything)
    expect(changed?.['madeAt']).toBeInstanceOf(Date)
    expect(changed?.['madeAt']).not.toEqual(new Date(0))
  })
})

describe('arrays and JSON of PostgreSQL', () => {
  onPostgres('arrays', () =>
    it('are the same whatever the driver parses', async () => {
      const { url, drop } = await createDatabase('lists')
      onTestFinished(drop)
      const pool = new pg.Pool({
        ...{ connectionString: url, max: 1 },
        types: { getTypeParser: (id) => ([16, 17].includes(id) ? pg.types.getTypeParser(id) : String) },
      })
      onTestFinished(() => pool.end())
      const types = [
        'text',
        'bigint',
        'numeric(20, 2)',
        'boolean',
        'integer',
        'double precision',
        'uuid',
        'date',
      ]
      const names = types.map((_, at) => `c${at}`)
      const columns = types.map((type, at) => `c${at} ${type}[]`).join(', ')
      await pool.query(`create table lists (id integer primary key, data jsonb, ${columns})`)
      const source = sourceOf(overPg(pool), [
        {
          ...{ name: 'List', table: 'lists', primaryKey: ['id'] },
          columns: [
            { name: 'id', type: 'integer' },
            { name: 'data', type: 'jsonb' },
            ...types.map((type, at) => ({ name: `c${at}`, type: `${type}[]` })),
          ],
        },
      ])
      expect(await started(source)).toEqual([])
      const [model] = source.models
      if (model === undefined) throw new Error()
      const values = [
        ...[['a"b\\c', 'null', ''], ['9007199254740993'], ['123456789012345678.90'], [true, false], [1, -2]],
        ...[[0.1, 2], ['7f1d3cbb-40d1-4c9f-8f0a-0e1f3a2b4c5d'], ['2026-01-31']],
      ]
      const row: Row = {
        ...{ id: 1, data: { a: [1, 'x', null], 'b"': "c'" } },
        ...Object.fromEntries(names.map((name, at) => [name, values[at]])),
      }
      const store = source.store(model)
      expect(await store.create(row)).toEqual(row)
      expect(await store.read([1], everything)).toEqual(row)
    }),
  )

  onPostgres('booleans', () =>
    it('must not be texts', async () => {
      const { url, drop } = await createDatabase('texts')
      onTestFinished(drop)
      const pool = new pg.Pool({
        ...{ connectionString: url, max: 1 },
        types: { getTypeParser: () => (text: string) => text },
      })
      onTestFinished(() => pool.end())
      await expect(started(sourceOf(overPg(pool)))).rejects.toThrow(naming('noteModels', 'booleans'))
    }),
  )
})

onEachMysql('the start of a source over mysql2', (kind) => {
  const opened = async (keys: string, key: Partial<SqlTable['columns'][number]>, server?: string) => {
    const { url, drop } = await createMysqlDatabase('starts', { kind, server })
    onTestFinished(drop)
    const pool = createPool({ uri: url, connectionLimit: 1 })
    onTestFinished(() => pool.end())
    await pool.query(`create table notes (id ${keys}, text varchar(20) not null, made_at timestamp not null)`)
    const columns = [
      { name: 'id', type: 'varchar(36)', ...key },
      { name: 'text', type: 'varchar(20)' },
      { name: 'madeAt', column: 'made_at', type: 'timestamp' },
    ]
    return { pool, database: overMysql2(pool), tables: [{ ...note, columns }] }
  }

  it(`needs keys that ${kind} returns`, async () => {
    const made = { defaultSql: sql`uuid()` }
    const { database, tables } = await opened('varchar(36) primary key default (uuid())', made)
    const start = started(sourceOf(database, tables))
    if (kind === 'mariadb') expect(await start).toEqual([])
    else await expect(start).rejects.toThrow(naming('noteModels', 'Note', 'makeDefault', 'autoIncrement'))
  })

  it('needs the outcome of writes', async () => {
    const { database, tables } = await opened('varchar(36) primary key', {})
    expect(await started(sourceOf(database, tables))).toEqual([])
    const run: SqlDatabase['run'] = async (text, values, fetch) =>
      fetch === 'outcome' ? [] : await database.run(text, values, fetch)
    const start = started(sourceOf({ ...database, run }, tables))
    await expect(start).rejects.toThrow(naming('noteModels', 'outcome', 'run'))
  })

  it('needs a time zone without daylight saving time for timestamps', async () => {
    const inAmsterdam = await startMysqlServer(kind, { zone: 'Europe/Amsterdam' })
    onTestFinished(() => inAmsterdam.stop())
    const { database, tables } = await opened('varchar(36) primary key', {}, inAmsterdam.url)
    await expect(started(sourceOf(database, tables))).rejects.toThrow(naming('noteModels', 'Note', '+00:00'))
  })
})
