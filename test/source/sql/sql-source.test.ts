import { DatabaseSync } from 'node:sqlite'
import Database from 'better-sqlite3'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Condition, DEFAULT, everything, type Row, StartError } from '../../../src/entry/source.ts'
import {
  type SqlColumn,
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
      ['noteModels', 'dialect', 'sqlite', 'MariaDB'],
    ],
    [
      'no handle',
      () => sourceOf({ ...database, handle: undefined as never }),
      ['noteModels', 'handle', 'context.db'],
    ],
    [
      'a type that nobody knows',
      () => sourceOf(database, [{ ...note, columns: [{ name: 'id', type: 'varchr(20)' }] }]),
      ['Note.id', 'varchr', 'varchar', 'SQLite', 'kind'],
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

  const [id, text] = note.columns
  const withColumn = (more: object) => ({ ...note, columns: [id, { ...text, ...more }] })
  const key = { fields: ['id'], model: 'Note', references: ['id'] }

  it.each<[string, object, readonly string[]]>([
    ['of a table', { ...note, readonly: true }, ['Note', 'readonly', 'readOnly']],
    ['of a column', withColumn({ nulable: true }), ['Note.text', 'nulable', 'nullable']],
    [
      'of an index',
      { ...note, indexes: [{ fields: ['text'], uniqe: true }] },
      ['indexes', 'uniqe', 'unique'],
    ],
    [
      'of a foreign key',
      { ...note, foreignKeys: [{ ...key, ondelete: 'cascade' }] },
      ['Note.foreignKeys', 'ondelete', 'onDelete'],
    ],
    [
      'of a check',
      { ...note, checks: [{ name: 'short', field: ['text'] }] },
      ['Note.checks', 'field', 'fields'],
    ],
    [
      'of a codec',
      withColumn({ codec: { encode: String, decode: String, select: String } }),
      ['Note.text.codec', 'select', 'selected'],
    ],
  ])('an unknown member %s is refused', (_what, table, names) => {
    expect(() => sourceOf(database, [table as SqlTable])).toThrow(StartError)
    expect(() => sourceOf(database, [table as SqlTable])).toThrow(naming(...names))
  })

  it('an unknown member of the database is refused, unless it is of a class', () => {
    const misspelt = { ...database, singleConection: true }
    expect(() => sourceOf(misspelt)).toThrow(naming('noteModels', 'singleConection', 'singleConnection'))
    class Own implements SqlDatabase {
      readonly dialect = 'sqlite'
      readonly handle = database.handle
      readonly log: readonly string[] = []
      readonly run = database.run
    }
    expect(sourceOf(new Own()).models).toHaveLength(1)
  })

  it.each<[string, object, readonly string[]]>([
    ['no type', { ...note, columns: [{ name: 'id' }] }, ['Note.id', 'type', 'varchar']],
    ['no name of a column', { ...note, columns: [id, { type: 'text' }] }, ['Note.columns[1]', 'name']],
    ['no name of a table', { ...note, table: undefined }, ['Note', 'table']],
    ['no primary key', { ...note, primaryKey: undefined }, ['Note', 'primaryKey', 'list']],
    ['a primary key that is a string', { ...note, primaryKey: 'id' }, ['Note', 'primaryKey', 'list']],
    ['columns that are no list', { ...note, columns: {} }, ['Note', 'columns', 'list']],
    ['indexes that are no list', { ...note, indexes: { fields: ['id'] } }, ['Note', 'indexes', 'list']],
    ['foreign keys that are no list', { ...note, foreignKeys: key }, ['Note', 'foreignKeys', 'list']],
    [
      'no references',
      { ...note, foreignKeys: [{ ...key, references: undefined }] },
      ['Note.foreignKeys[0]', 'references'],
    ],
    [
      'another act on delete',
      { ...note, foreignKeys: [{ ...key, onDelete: 'CASCADE' }] },
      ['Note.foreignKeys[0]', 'onDelete', 'cascade'],
    ],
    ['a codec of one direction', withColumn({ codec: { encode: String } }), ['Note.text.codec', 'decode']],
    ['a default that is a string', withColumn({ defaultSql: "'a'" }), ['Note.text', 'defaultSql', 'sql']],
    ['a length that is a string', withColumn({ maxLength: '20' }), ['Note.text', 'maxLength']],
    ['a table that is a string', 'notes' as never, ['noteModels', 'tables[0]', 'object']],
    ['a text that counts up', withColumn({ autoIncrement: true }), ['Note.text', 'autoIncrement', 'integer']],
    ['an index of no field', { ...note, indexes: [{ fields: ['txt'] }] }, ['Note.indexes[0]', 'txt', 'text']],
    [
      'a check of no field',
      { ...note, checks: [{ name: 'short', fields: ['txt'] }] },
      ['Note.checks[0]', 'txt', 'text'],
    ],
    ['a field twice', { ...note, columns: [id, text, text] }, ['Note', 'text']],
    ['a column twice', { ...note, columns: [id, { ...text, column: 'id' }] }, ['Note', 'id', 'text']],
  ])('%s is refused', (_what, table, names) => {
    expect(() => sourceOf(database, [table as SqlTable])).toThrow(StartError)
    expect(() => sourceOf(database, [table as SqlTable])).toThrow(naming(...names))
  })

  it.each<[string, readonly SqlTable[] | undefined]>([
    ['no tables', undefined],
    ['a list without tables', []],
    ['tables that are no list', { note } as never],
  ])('%s is refused', (_what, tables) => {
    const make = () => sqlSource({ name: 'noteModels', database, tables: tables as readonly SqlTable[] })
    expect(make).toThrow(StartError)
    expect(make).toThrow(naming('noteModels', 'tables', 'list'))
  })

  it.each<[string, object]>([
    ['run', { run: undefined }],
    ['prepare', { prepare: 'select 1' }],
    ['transaction', { transaction: true }],
    ['synchronous', { synchronous: 'yes' }],
    ['singleConnection', { singleConnection: 1 }],
  ])('a wrong %s of the database is refused', (name, more) => {
    const make = () => sourceOf({ ...database, ...more } as SqlDatabase)
    expect(make).toThrow(StartError)
    expect(make).toThrow(naming('noteModels', 'database', name))
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

  it.each<[string, (over: SqlDatabase) => Partial<SqlDatabase>]>([
    [
      'prepare',
      ({ run }) => ({ prepare: (text, fetch) => async (values) => await run(text, values, fetch) }),
    ],
    [
      'prepare',
      ({ prepare }) => ({ prepare: (async (...about: [string, 'all']) => prepare?.(...about)) as never }),
    ],
    ['transaction', (over) => ({ transaction: async (work) => await work(over) })],
  ])('a synchronous database with a %s that returns promises is refused', async (name, change) => {
    const over = overBetterSqlite3(memory(created))
    await refused(sourceOf({ ...over, ...change(over) }), name, 'promise', 'synchronous')
  })

  it('a prepare that returns a promise is refused', async () => {
    const { transaction: _, ...over } = overBetterSqlite3(memory(created))
    const prepare: SqlDatabase['prepare'] = (async () => () => []) as never
    await refused(sourceOf({ ...over, synchronous: false, prepare }), 'prepare', 'function')
  })

  it('a locked database starts', async () => {
    const over = overBetterSqlite3(memory(created))
    const transaction: SqlDatabase['transaction'] = () => {
      throw new Error('database is locked')
    }
    expect(await started(sourceOf({ ...over, transaction }))).toEqual([])
  })

  it.each<[string, unknown]>([
    ['an object with rows', { rows: [] }],
    ['nothing', undefined],
  ])('a run that returns %s is refused', async (_what, result) => {
    const { prepare: _, ...over } = overBetterSqlite3(memory(created))
    await refused(sourceOf({ ...over, run: () => result as [] }), 'run', 'array')
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

  it('SQLite must not store text as numbers if only the kind of the column is known', async () => {
    const columns = [...note.columns.slice(0, 1), { name: 'text', type: 'string', kind: 'text' } as const]
    const ofKind = (declared: string) => {
      const db = memory(`create table notes (id integer primary key, text ${declared})`)
      return sourceOf(overBetterSqlite3(db), [{ ...note, columns }])
    }
    await refused(ofKind('string'), 'notes', 'text', 'string', '007')
    expect(await started(ofKind('nchar'))).toEqual([])
    expect(await started(ofKind(''))).toEqual([])
    const readOnly = sourceOf(
      overBetterSqlite3(memory('create table notes (id integer primary key, text string)')),
      [{ ...note, columns, readOnly: true }],
    )
    expect(await started(readOnly)).toEqual([])
  })

  it.each(['integer', 'decimal(10, 2)', 'bigint', 'real'])(
    'SQLite must not store %s as text, which sorts otherwise',
    async (type) => {
      const columns = [...note.columns.slice(0, 1), { name: 'price', type }]
      const db = memory('create table notes (id integer primary key, price text)')
      await refused(
        sourceOf(overBetterSqlite3(db), [{ ...note, columns }]),
        'notes',
        'price',
        'TEXT',
        'numbers',
      )
    },
  )

  it('a missing table names the command that the author gives', async () => {
    const [missing] = (await started(sourceOf(overBetterSqlite3(memory())))) ?? []
    expect(missing).toEqual({ model: 'Note', table: 'notes' })
    const source = sourceOf(overBetterSqlite3(memory()), [note], { migrate: 'migrate up' })
    expect(await started(source)).toEqual([{ model: 'Note', table: 'notes', migrate: 'migrate up' }])
  })
})

describe('columns of SQLite', () => {
  const opened = (madeAt: object = {}) => {
    const db = new DatabaseSync(':memory:')
    onTestFinished(() => db.close())
    db.exec(created)
    const [id, text, time] = note.columns as [SqlColumn, SqlColumn, SqlColumn]
    const statements: string[] = []
    const over = overNodeSqlite(db)
    const prepare: SqlDatabase['prepare'] = (...about) => {
      statements.push(about[0])
      return over.prepare?.(...about) ?? (() => [])
    }
    const database = { ...over, prepare }
    const source = sourceOf(database, [{ ...note, columns: [id, text, { ...time, ...madeAt }] }])
    const [model] = source.models
    if (model === undefined) throw new Error()
    return { db, statements, store: source.store(model) }
  }

  it('times in other forms are found and sorted with those that were sent', async () => {
    const { db, store } = opened({ defaultSql: undefined })
    const times = ['2026-02-01 00:00:00', '2026-02-01T00:00:01Z', '2026-02-01 01:00:00.500+01:00']
    for (const time of times) db.prepare("insert into notes (text, made_at) values ('a', ?)").run(time)
    await store.create({ text: 'b', madeAt: new Date('2026-02-01T00:00:00Z') })
    const found = async (filter: Condition) => {
      const order = [{ field: 'madeAt', direction: 'asc' }, ...all.order] as const
      return (await store.list({ ...all, filter, order }, everything)).map((row) => row['id'])
    }
    const value = new Date('2026-02-01T00:00:00Z')
    expect(await found({ op: 'eq', field: 'madeAt', value })).toEqual([1, 4])
    expect(await found({ op: 'gt', field: 'madeAt', value })).toEqual([3, 2])
  })

  it('times that are not texts are not shown as null', async () => {
    const { db, store } = opened({ defaultSql: undefined })
    db.exec("insert into notes (text, made_at) values ('a', 1769904000)")
    expect(() => store.list(all, everything)).toThrow()
  })

  it.each<[string, Partial<SqlColumn>, string]>([
    ['a column that states canonical', { canonical: true }, 'made_at'],
    ['an expression', {}, "strftime('%Y-%m-%d %H:%M:%f', made_at)"],
  ])('a filter of times uses an index on %s', async (_what, column, indexed) => {
    const { db, store, statements } = opened(column)
    db.exec(`create index notes_made on notes (${indexed})`)
    const filter = { op: 'eq', field: 'madeAt', value: new Date(0) } as const
    await store.list({ ...all, filter }, everything)
    const [text = ''] = statements.slice(-1)
    const [first] = db.prepare(`explain query plan ${text}`).all()
    expect(first?.['detail']).toContain('notes_made')
  })

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

describe('related records of SQLite', () => {
  it('come with their keys, where rows are objects and a name is a number, by which objects would begin', () => {
    const db = new DatabaseSync(':memory:')
    onTestFinished(() => db.close())
    db.exec(`create table parents (id integer primary key);
      create table children (id integer primary key, "1" integer, name text);
      create index children_1 on children ("1");
      insert into parents values (5), (6);
      insert into children values (1, 5, 'a'), (2, 6, 'b'), (3, 6, 'c')`)
    const columns = [{ name: 'id', type: 'integer' }]
    const source = sqlSource({
      name: 'family',
      database: overNodeSqlite(db),
      tables: [
        { name: 'Parent', table: 'parents', primaryKey: ['id'], columns },
        {
          ...{ name: 'Child', table: 'children', primaryKey: ['id'] },
          columns: [
            ...columns,
            { name: 'parentId', column: '1', type: 'integer' },
            { name: 'name', type: 'text' },
          ],
          indexes: [{ fields: ['parentId'] }],
          foreignKeys: [{ fields: ['parentId'], model: 'Parent', references: ['id'] }],
        },
      ],
    })
    const [parent] = source.models
    if (parent === undefined) throw new Error('There is no model.')
    const to = { relation: 'children', records: [[5], [6]], guard: everything }
    expect(source.store(parent).related?.(to, all)).toEqual([
      [{ id: 1, parentId: 5, name: 'a' }],
      [
        { id: 2, parentId: 6, name: 'b' },
        { id: 3, parentId: 6, name: 'c' },
      ],
    ])
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
