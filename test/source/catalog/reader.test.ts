import { expect, test } from 'vitest'
import type { ModelSource } from '../../../src/entry/source.ts'
import { type CatalogSourceOptions, catalogSource, readCatalog } from '../../../src/source/catalog/index.ts'
import type { EmptyDatabase } from './databases.ts'
import { onEachCatalog, onMysqlCatalogs, onPgCatalog, onSqliteCatalog } from './databases.ts'

const read = ({ database }: EmptyDatabase) =>
  readCatalog((text) => database.run(text, [], 'all'), database.dialect)

const sourceOf = ({ database }: EmptyDatabase, options?: CatalogSourceOptions) =>
  catalogSource(database, options)

/** The fields of a model, by name. */
const fieldsOf = ({ models }: ModelSource, name: string) =>
  Object.fromEntries(
    models.find((model) => model.name === name)?.fields.map((field) => [field.name, field]) ?? [],
  )

const relationsOf = ({ models }: ModelSource, name: string) =>
  Object.fromEntries(
    models
      .find((model) => model.name === name)
      ?.relations.map((relation) => [relation.name, relation.model]) ?? [],
  )

onSqliteCatalog('the catalog of SQLite', (open) => {
  test('has tables without rowid, strict ones, virtual ones and views', async () => {
    const db = await open()
    await db.execute(
      'create table codes (code text primary key, label text) without rowid',
      'create table strict_ones (id integer primary key, any_value any, made integer as (id * 2), kept text as (id || 1) stored) strict',
      'create virtual table notes using fts5(body)',
      'create view labels as select code, label from codes',
      'create table plain (name text)',
    )
    const { source, notes } = await sourceOf(db)
    expect(source.models.map(({ name }) => name)).toEqual(['Code', 'Label', 'Note', 'Plain', 'StrictOne'])
    expect(notes.filter(({ becomes }) => becomes === 'left out')).toEqual([])
    expect(fieldsOf(source, 'Code')).toMatchObject({
      code: { hasDefault: false, nullable: false, kind: 'text' },
    })
    const { id, any_value, made, kept } = fieldsOf(source, 'StrictOne')
    expect([id?.hasDefault, made?.generated, kept?.generated, any_value?.generated]).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(notes).toContainEqual(
      expect.objectContaining({ place: 'strict_ones.any_value', becomes: 'read-only' }),
    )
  })

  test('has foreign keys without columns, in another case, and to a key of two columns', async () => {
    const db = await open()
    await db.execute(
      'create table Regions (country text, code text, primary key (code, country))',
      'create table towns (id integer primary key, c text, r text, twin references TOWNS, foreign key (r, c) references regions)',
    )
    const { source } = await sourceOf(db)
    expect(relationsOf(source, 'Town')).toMatchObject({ region: 'Region', town: 'Town' })
    const { tables } = await read(db)
    expect(tables.find(({ name }) => name === 'towns')?.foreignKeys).toContainEqual(
      expect.objectContaining({ columns: ['r', 'c'], references: ['code', 'country'] }),
    )
  })

  test('does not count up a key that is not the number of the row', async () => {
    const db = await open()
    await db.execute(
      'create table a (id integer primary key desc)',
      'create table b (id int primary key)',
      'create table c (id INTEGER, primary key (id))',
    )
    const { tables } = await read(db)
    expect(tables.map(({ columns }) => columns[0]?.identity)).toEqual([undefined, undefined, 'by default'])
  })

  test('reads values of a type without a meaning as text', async () => {
    const db = await open()
    await db.execute(
      'create table things (id integer primary key, place geometry, odd)',
      `insert into things values (1, 'POINT(1 2)', x'00ff'), (2, 0.1, 9007199254740993)`,
    )
    const { source } = await sourceOf(db)
    const all = { op: 'and', conditions: [] } as const
    const store = source.store(source.models[0] as never)
    expect(await store.read([1], all)).toMatchObject({ place: 'POINT(1 2)', odd: '00FF' })
    expect(await store.read([2], all)).toMatchObject({
      place: '0.1',
      odd: '9007199254740993',
    })
  })

  test('knows the models whose records clients cannot create, because such a column needs a value', async () => {
    const db = await open()
    await db.execute(
      'create table things (id integer primary key, place geometry not null)',
      'create table others (id integer primary key, place geometry, odd geometry not null default 1)',
    )
    expect((await sourceOf(db)).uncreatable).toEqual(['Thing'])
  })

  test('leaves out a view of a missing table', async () => {
    const db = await open()
    await db.execute('create table a (id integer primary key)', 'create view broken as select * from gone')
    const { source, notes } = await sourceOf(db)
    expect(source.models).toHaveLength(1)
    expect(notes).toEqual([expect.objectContaining({ place: 'broken', becomes: 'left out' })])
  })
})

onEachCatalog('a catalog', (open) => {
  test('makes an enum of a check', async () => {
    const db = await open()
    await db.execute(
      `create table orders (id integer primary key, state varchar(10) not null default 'new' check (state in ('new', 'it''s', 'paid')),
        kind varchar(10), size varchar(10), constraint known_kind check (kind is null or kind in ('a', 'b')),
        constraint any_size check (lower(size) in ('s', 'm')))`,
    )
    const { state, kind, size } = fieldsOf((await sourceOf(db)).source, 'Order')
    expect(state).toMatchObject({ kind: 'enum', values: ['new', "it's", 'paid'], default: 'new' })
    expect(kind).toMatchObject({ kind: 'enum', values: ['a', 'b'] })
    expect(size).toMatchObject({ kind: 'text' })
  })

  test('serves a table without a primary key by a unique index without nulls, and a view by the columns that are named', async () => {
    const db = await open()
    await db.execute(
      'create table prices (code varchar(9) not null, valid_from date not null, amount integer, unique (code, valid_from))',
      'create table logs (line varchar(9) unique)',
      'create view dear as select code, amount from prices',
    )
    const { source, notes } = await sourceOf(db, { keys: { dear: ['code'] } })
    expect(source.models.map(({ name, primaryKey, readOnly }) => [name, primaryKey, readOnly])).toEqual([
      ['Dear', ['code'], true],
      ['Log', [], true],
      ['Price', ['code', 'valid_from'], false],
    ])
    expect(notes).toEqual([])
  })

  test('names relations of several keys, and marks columns of a key to a table that is not served', async () => {
    const db = await open()
    await db.execute(
      'create table people (id integer primary key)',
      'create table hidden (id integer primary key)',
      `create table letters (id integer primary key, sender_id integer, receiver_id integer, hidden_id integer,
        foreign key (sender_id) references people (id), foreign key (receiver_id) references people (id),
        foreign key (hidden_id) references hidden (id))`,
    )
    const { source } = await sourceOf(db, { exclude: ['hidden'] })
    expect(relationsOf(source, 'Letter')).toEqual({ sender: 'Person', receiver: 'Person' })
    expect(relationsOf(source, 'Person')).toEqual({ sender_letters: 'Letter', receiver_letters: 'Letter' })
    expect(fieldsOf(source, 'Letter')['hidden_id']).toMatchObject({ foreign: true })
  })

  test('is refused without tables, and for names that it does not have', async () => {
    const db = await open()
    await expect(sourceOf(db)).rejects.toMatchObject({ name: 'StartError' })
    await db.execute('create table orders (id integer primary key)')
    await expect(sourceOf(db, { only: ['order'] })).rejects.toMatchObject({ name: 'StartError' })
    await expect(sourceOf(db, { exclude: ['order'] })).rejects.toMatchObject({ name: 'StartError' })
    await expect(sourceOf(db, { schemas: ['nowhere'] })).rejects.toMatchObject({ name: 'StartError' })
    expect((await sourceOf(db, { only: ['orders'] })).source.models).toHaveLength(1)
  })

  test('of 300 tables takes few statements, none of which reads records', async () => {
    const db = await open()
    const tables = Array.from({ length: 300 }, (_, at) => `records_${at}`)
    await db.execute(
      ...tables.map((table) => `create table ${table} (id integer primary key, name varchar(9))`),
    )
    const texts: string[] = []
    const found = await readCatalog((text) => {
      texts.push(text)
      return db.database.run(text, [], 'all')
    }, db.database.dialect)
    expect(found.tables).toHaveLength(300)
    expect(texts.length).toBeLessThan(8)
    expect(texts.filter((text) => text.includes('records_'))).toEqual([])
  })

  test('shows comments only if it is asked to', async () => {
    const db = await open()
    const isMysql = db.kind === 'mysql' || db.kind === 'mariadb'
    await db.execute(
      `create table orders (id integer primary key${isMysql ? ` comment 'the key') comment 'all orders'` : ')'}`,
    )
    if (db.kind === 'pg')
      await db.execute(`comment on table orders is 'all orders'`, `comment on column orders.id is 'the key'`)
    const told = (await sourceOf(db, { comments: true })).source
    const silent = (await sourceOf(db)).source
    const said = db.kind === 'sqlite' ? [undefined, undefined] : ['all orders', 'the key']
    expect([told.models[0]?.description, fieldsOf(told, 'Order')['id']?.description]).toEqual(said)
    expect([silent.models[0]?.description, fieldsOf(silent, 'Order')['id']?.description]).toEqual([
      undefined,
      undefined,
    ])
  })
})

onPgCatalog('the catalog of PostgreSQL', (open) => {
  test('has domains, enums, arrays, identities and keys to other schemas', async () => {
    const db = await open()
    await db.execute(
      'create schema shop',
      `create type "Mood" as enum ('sad', 'it''s')`,
      'create domain code as varchar(8)',
      'create domain short_code as code not null',
      'create table shop.regions (id bigint primary key generated always as identity)',
      `create table towns (id serial primary key, short short_code, mood "Mood" default 'sad', moods "Mood"[], region bigint references shop.regions,
        place point, names text[] default '{}', folded text collate "en-x-icu", at timestamptz default '2026-01-31 12:00:00+02')`,
    )
    const { source } = await sourceOf(db, { schemas: ['public', 'shop'] })
    const fields = fieldsOf(source, 'Town')
    expect(fields).toMatchObject({
      id: { kind: 'integer', hasDefault: true, generated: false },
      short: { kind: 'text', maxLength: 8, nullable: false },
      mood: { kind: 'enum', values: ['sad', "it's"], default: 'sad' },
      moods: { kind: 'array', element: { kind: 'enum', values: ['sad', "it's"] } },
      region: { kind: 'bigint', foreign: true },
      place: { kind: 'token', generated: true },
      at: { kind: 'datetime', default: '2026-01-31T10:00:00.000Z' },
    })
    expect(relationsOf(source, 'Town')).toEqual({ regionRegion: 'Region' })
    expect(fieldsOf(source, 'Region')['id']).toMatchObject({ generated: true })
    expect(await source.missing?.(source.models)).toEqual([])
    const { source: own } = await sourceOf(db)
    expect(own.models.map(({ name }) => name)).toEqual(['Town'])
    expect(fieldsOf(own, 'Town')['region']).toMatchObject({ foreign: true })
  })

  test('has partitioned tables without their partitions', async () => {
    const db = await open()
    await db.execute(
      'create table events (id int, at date not null, primary key (id, at)) partition by range (at)',
      `create table events_26 partition of events for values from ('2026-01-01') to ('2027-01-01')`,
    )
    const { tables } = await read(db)
    expect(tables.map(({ name }) => name)).toEqual(['events'])
    expect(tables[0]?.primaryKey).toEqual(['id', 'at'])
  })
})

onPgCatalog('a user of PostgreSQL with few rights', (open) => {
  test('gets a source without the tables that it may not read', async () => {
    const { database, execute } = await open()
    const role = `reader_${crypto.randomUUID().slice(0, 8)}`
    await execute(
      'create table orders (id integer primary key)',
      'create table secrets (id integer primary key)',
      `create role ${role}`,
      `grant select on orders to ${role}`,
    )
    await database.transaction?.(async (inside) => {
      await inside.run(`set local role ${role}`, [], 'all')
      const { source, notes } = await catalogSource({ ...database, ...inside })
      expect(source.models.map(({ name }) => name)).toEqual(['Order'])
      expect(notes).toEqual([expect.objectContaining({ place: 'secrets', becomes: 'left out' })])
    })
    await execute(`drop owned by ${role}`, `drop role ${role}`)
  })
})

onMysqlCatalogs('the catalog of MySQL', (open) => {
  test('has JSON, sets, flags and shapes', async () => {
    const db = await open()
    await db.execute(
      `create table things (id int unsigned primary key auto_increment, flag tinyint(1) not null default 0, small tinyint, facts json, tags set('a', 'b') default 'a',
        place point, code char(3) collate utf8mb4_bin, made datetime(3) default current_timestamp(3), note varchar(20) default 'NULL', twice int as (id * 2) virtual)`.replace(
        'as (id * 2)',
        'as (small * 2)',
      ),
    )
    const { source, notes } = await sourceOf(db)
    expect(fieldsOf(source, 'Thing')).toMatchObject({
      id: { kind: 'integer', minimum: 0, hasDefault: true },
      flag: { kind: 'boolean', default: false },
      small: { kind: 'integer', maximum: 127 },
      facts: { kind: 'json' },
      tags: { kind: 'token', generated: true },
      made: { kind: 'localdatetime', hasDefault: true },
      note: { kind: 'text', default: 'NULL' },
      twice: { generated: true },
    })
    await db.execute(`insert into things (small, place) values (3, point(1, 2))`)
    const [model] = source.models
    const read = await source.store(model as never).read([1], { op: 'and', conditions: [] })
    expect(read).toMatchObject({ tags: 'a', place: expect.stringMatching(/^[0-9A-F]{50}$/) })
    expect(notes.map(({ place, becomes }) => [place, becomes])).toEqual([
      ['things.tags', 'read-only'],
      ['things.place', 'read-only'],
    ])
  })
})
