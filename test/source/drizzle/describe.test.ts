import { count, eq, max, relations, sql } from 'drizzle-orm'
import { bigint, mysqlTable } from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import { int as singlestoreInt, singlestoreTable } from 'drizzle-orm/singlestore-core'
import {
  type AnySQLiteColumn,
  alias,
  foreignKey,
  integer,
  primaryKey,
  sqliteTable,
  sqliteView,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { decimal } from '../../../src/entry/drizzle-sqlite.ts'
import { StartError } from '../../../src/error/errors.ts'
import type { Field, Model } from '../../../src/model/model.ts'
import { describeTables } from '../../../src/source/drizzle/describe.ts'
import { naming } from '../../naming.ts'

const modelsOf = (...given: Parameters<typeof describeTables>): readonly Model[] =>
  describeTables(...given).tables.map(({ model }) => model)

const id = () => integer().primaryKey()
const users = sqliteTable('users', { id: id(), name: text() })
const posts = sqliteTable('posts', { id: id(), userId: integer('user_id').references(() => users.id) })

describe('a key that the database makes', () => {
  const keyOf = (table: Parameters<typeof modelsOf>[0][string]): Field | undefined =>
    modelsOf({ table } as never)[0]?.fields[0]

  it.each([
    ['integer of SQLite', sqliteTable('t', { id: integer().primaryKey() }), true],
    [
      'counted integer of SQLite',
      sqliteTable('t', { id: integer().primaryKey({ autoIncrement: true }) }),
      undefined,
    ],
    ['text of SQLite', sqliteTable('t', { id: text().primaryKey() }), undefined],
    ['serial of PostgreSQL', pg.pgTable('t', { id: pg.serial().primaryKey() }), undefined],
  ])('says whether it comes again after a deletion: %s', (_name, table, comesAgain) => {
    expect(keyOf(table as never)?.comesAgain).toBe(comesAgain)
  })
})

describe('tables', () => {
  it('are found in modules of apps and in a plain map, all else is ignored', () => {
    const other = {
      usersRelations: relations(users, ({ many }) => ({ posts: many(posts) })),
      mood: pg.pgEnum('mood', ['good']),
      schema: pg.pgSchema('s'),
      version: 'v1',
      nothing: null,
      helper: () => 1,
      parents: alias(users, 'parents'),
    }
    const names = (models: readonly Model[]) => models.map(({ app, name }) => `${app}.${name}`)
    expect(names(modelsOf({ users, ...other, posts }))).toEqual(['app.User', 'app.Post'])
    expect(names(modelsOf({ auth: { users, ...other }, blog: { posts }, version: 1 }))).toEqual([
      'auth.User',
      'blog.Post',
    ])
    expect(names(modelsOf(other))).toEqual([])
  })

  it('have only list without a primary key, and are skipped with a note in a dialect that is not known', () => {
    const logs = sqliteTable('logs', { line: text() })
    const events = singlestoreTable('events', { id: singlestoreInt().primaryKey() })
    expect(describeTables({ shop: { users, logs, events } })).toMatchObject({
      tables: [{ model: { name: 'User' } }, { model: { name: 'Log', primaryKey: [], operations: ['list'] } }],
      notes: [expect.stringMatching(naming('shop.events', 'SQLite', 'PostgreSQL', 'MySQL'))],
    })
  })

  it('are described as frozen data, with the defaults of what configuration decides', () => {
    const [described] = describeTables({ users }).tables
    expect(described).toMatchObject({
      dialect: 'sqlite',
      table: users,
      columns: { id: users.id, name: users.name },
      model: {
        name: 'User',
        path: 'users',
        primaryKey: ['id'],
        uniques: [],
        relations: [],
        readOnly: false,
        deprecated: false,
        count: { allowed: ['exact', 'estimated', 'none'] },
        fields: [
          { name: 'id', access: 'read-write', optional: false },
          { name: 'name', access: 'read-write', optional: false },
        ],
      },
    })
    const isFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isFrozen))
    const json = sqliteTable('jsons', { id: id(), x: text({ mode: 'json' }).default({ a: [{}] }) })
    expect(modelsOf({ users, posts, json }).every(isFrozen)).toBe(true)
    expect(Object.isFrozen(json.x.default)).toBe(false)
  })

  it('name the columns of which the kind is unknown, one line for each model', () => {
    const geo = pg.customType<{ data: string }>({ dataType: () => 'geography' })
    const shifted = pg.customType<{ data: number }>({ dataType: () => 'int', toDriver: (n) => n + 1 })
    const places = pg.pgTable('places', {
      ...{ id: pg.serial().primaryKey(), at: geo(), path: geo().array(), rank: shifted() },
    })
    const roads = pg.pgTable('roads', { id: pg.serial().primaryKey(), rank: shifted() })
    const { notes } = describeTables({ places, roads })
    const columns = ['at (geography)', 'path (geography[])', 'rank (int)']
    expect(notes).toEqual([
      expect.stringMatching(naming('Place', ...columns, "columns: { places: { at: 'text' } }")),
      expect.stringMatching(naming('Road', 'rank (int)', "columns: { roads: { rank: 'text' } }")),
    ])
  })
})

describe('names', () => {
  const tags = sqliteTable('tags', { id: id() })

  it('are overridden by key or by app and key', () => {
    const names = { users: 'Employee', 'blog.tags': 'BlogTag' }
    const models = modelsOf({ shop: { users, tags }, blog: { tags } }, names)
    expect(models.map(({ name, path }) => `${name} ${path}`)).toEqual([
      'Employee employees',
      'Tag tags',
      'BlogTag blog-tags',
    ])
  })

  it('of one table that a module exports twice is one model', () => {
    expect(modelsOf({ users, usersTable: users }).map(({ name }) => name)).toEqual(['User'])
  })

  it.each<[tables: object, names: Record<string, string>, named: readonly string[]]>([
    [
      { shop: { tags }, blog: { tags: users } },
      {},
      ['shop.tags', 'blog.tags', 'Tag', "names: { 'blog.tags': 'BlogTag' }"],
    ],
    [
      { tags, tagTable: users },
      {},
      ['app.tags', 'app.tagTable', 'Tag', "names: { 'app.tagTable': 'OtherTag' }"],
    ],
    [{ tags }, { tag: 'Label' }, ['names', 'tag', 'app.tags', 'tags', 'tags', 'tags']],
    [{ tags }, { tags: 'label' }, ['"label"', 'PascalCase', "names: { 'app.tags': 'Product' }"]],
    [{ größen: tags }, {}, ['app.größen', 'app.größen', "names: { 'app.größen': 'Product' }"]],
  ])('are refused: %#', (tables, names, named) => {
    const describing = () => describeTables(tables as Record<string, unknown>, names)
    expect(describing).toThrow(StartError)
    expect(describing).toThrow(naming(...named))
  })
})

const fieldsOf = (model: Model | undefined): Record<string, Partial<Field>> =>
  Object.fromEntries(
    model?.fields.map(({ name, nullable, hasDefault, generated, ...rest }) => [
      name,
      { nullable, hasDefault, generated, ...('default' in rest ? { default: rest.default } : {}) },
    ]) ?? [],
  )

describe('defaults and generated columns', () => {
  const set = { nullable: false, hasDefault: false, generated: false }
  const empty = { nullable: true, hasDefault: false, generated: false }

  it('of SQLite', () => {
    const things = sqliteTable('things', {
      id: id(),
      plain: text(),
      required: text().notNull(),
      constant: text().notNull().default('a'),
      nothing: text().default(sql`null`),
      date: integer({ mode: 'timestamp_ms' }).default(new Date('2026-01-31T00:00:00.5Z')),
      price: decimal({ precision: 10, scale: 2 }).default('-9.9'),
      json: text({ mode: 'json' }).default({ a: [1] }),
      called: text().$defaultFn(() => 'x'),
      updated: text().$onUpdateFn(() => 'x'),
      expression: text().default(sql`(current_timestamp)`),
      computed: text().generatedAlwaysAs(sql`lower(plain)`),
    })
    expect(fieldsOf(modelsOf({ things })[0])).toEqual({
      id: { ...set, hasDefault: true },
      plain: empty,
      required: set,
      constant: { ...set, hasDefault: true, default: 'a' },
      nothing: { ...empty, hasDefault: true },
      date: { ...empty, hasDefault: true, default: '2026-01-31T00:00:00.500Z' },
      price: { ...empty, hasDefault: true, default: '-9.90' },
      json: { ...empty, hasDefault: true, default: { a: [1] } },
      called: { ...empty, hasDefault: true },
      updated: { ...empty, hasDefault: true },
      expression: { ...empty, hasDefault: true },
      computed: { ...empty, hasDefault: true, generated: true },
    })
  })

  it('of keys', () => {
    const own = sqliteTable('own', { code: text().primaryKey() })
    const rowid = sqliteTable('rowids', { n: integer() }, (t) => [primaryKey({ columns: [t.n] })])
    const pair = sqliteTable('pairs', { a: integer(), b: text() }, (t) => [
      primaryKey({ columns: [t.b, t.a] }),
    ])
    const inPg = pg.pgTable('in_pg', {
      id: pg.integer().primaryKey().generatedAlwaysAsIdentity(),
      other: pg.integer(),
    })
    const inPgPlain = pg.pgTable('plain', { id: pg.integer().primaryKey() })
    const inMysql = mysqlTable('in_mysql', { id: bigint({ mode: 'bigint' }).autoincrement().primaryKey() })
    const models = modelsOf({ own, rowid, pair, inPg, inPgPlain, inMysql })
    expect(models.map(({ primaryKey }) => primaryKey)).toEqual([
      ['code'],
      ['n'],
      ['b', 'a'],
      ['id'],
      ['id'],
      ['id'],
    ])
    expect(models.map(fieldsOf)).toEqual([
      { code: set },
      { n: { ...set, hasDefault: true } },
      { a: set, b: set },
      { id: { ...set, hasDefault: true, generated: true }, other: empty },
      { id: set },
      { id: { ...set, hasDefault: true } },
    ])
  })
})

describe('uniques', () => {
  const expected = [['a'], ['b', 'a'], ['b', 'c']]

  it('are those of columns, constraints and whole indexes', () => {
    const things = sqliteTable(
      'things',
      { id: id().unique(), a: text('col_a').unique(), b: text('col_b'), c: text('col_c') },
      (t) => [
        unique().on(t.b, t.a),
        uniqueIndex('one').on(t.b, t.c),
        uniqueIndex('again').on(t.c, t.b),
        uniqueIndex('part').on(t.c).where(sql`a is null`),
        uniqueIndex('lower').on(sql`lower(c)`),
        uniqueIndex('mixed').on(t.c, sql`lower(b)`),
      ],
    )
    expect(modelsOf({ things })[0]?.uniques.map((fields) => [...fields].sort())).toEqual(
      expected.map((fields) => fields.toSorted()),
    )
  })

  it('in PostgreSQL too, with the older form of extras', () => {
    const things = pg.pgTable(
      'things',
      {
        id: pg.serial().primaryKey(),
        a: pg.text('col_a').unique(),
        b: pg.text('col_b'),
        c: pg.text('col_c'),
      },
      (t) => ({
        one: pg.unique().on(t.b, t.a),
        two: pg.uniqueIndex('two').on(t.b, t.c.desc()),
        part: pg.uniqueIndex('part').on(t.c).where(sql`a is null`),
        plain: pg.index('plain').on(t.c),
      }),
    )
    expect(modelsOf({ things })[0]?.uniques).toEqual(expected)
  })
})

describe('relations', () => {
  const lines = (models: readonly Model[]) =>
    models.flatMap((model) =>
      model.relations.map(
        ({ name, kind, model: other, fields, references }) =>
          `${model.name}.${name} ${kind} ${other}: ${fields} -> ${references}`,
      ),
    )

  it('have a side on each model', () => {
    expect(lines(modelsOf({ users, posts }))).toEqual([
      'User.posts to-many Post: id -> userId',
      'Post.user to-one User: userId -> id',
    ])
  })

  it('are not there for a table that was not given', () => {
    expect(lines(modelsOf({ posts }))).toEqual([])
  })

  it('have names of their own where two keys lead to one model, or a field has the name', () => {
    const games = sqliteTable('games', {
      id: id(),
      home_id: integer().references(() => users.id),
      guest: integer().references(() => users.id),
      user: text(),
      winnerID: integer().references(() => users.id),
      posts: integer().references((): AnySQLiteColumn => games.id),
      parentId: integer('p').references((): AnySQLiteColumn => games.id),
    })
    expect(lines(modelsOf({ users, games }))).toEqual([
      'User.homeGames to-many Game: id -> home_id',
      'User.guestUserGames to-many Game: id -> guest',
      'User.winnerGames to-many Game: id -> winnerID',
      'Game.home to-one User: home_id -> id',
      'Game.guestUser to-one User: guest -> id',
      'Game.winner to-one User: winnerID -> id',
      'Game.game to-one Game: posts -> id',
      'Game.parent to-one Game: parentId -> id',
      'Game.gameGames to-many Game: id -> posts',
      'Game.parentGames to-many Game: id -> parentId',
    ])
  })

  it('follow composite keys, in the order of the key, across apps', () => {
    const seats = sqliteTable('seats', { row: text('seat_row'), place: integer() }, (t) => [
      primaryKey({ columns: [t.row, t.place] }),
    ])
    const tickets = sqliteTable('tickets', { id: id(), seatPlace: integer('p'), seatRow: text('r') }, (t) => [
      foreignKey({ columns: [t.seatRow, t.seatPlace], foreignColumns: [seats.row, seats.place] }),
    ])
    expect(lines(modelsOf({ hall: { seats }, shop: { tickets } }))).toEqual([
      'Seat.tickets to-many Ticket: row,place -> seatRow,seatPlace',
      'Ticket.seat to-one Seat: seatRow,seatPlace -> row,place',
    ])
  })

  it('are read from foreignKey() in PostgreSQL', () => {
    const people = pg.pgTable('people', { id: pg.serial().primaryKey() })
    const pets = pg.pgTable('pets', { id: pg.serial().primaryKey(), ownerId: pg.integer('owner') }, (t) => [
      pg.foreignKey({ columns: [t.ownerId], foreignColumns: [people.id] }).onDelete('cascade'),
    ])
    expect(lines(modelsOf({ people, pets }))).toEqual([
      'Person.pets to-many Pet: id -> ownerId',
      'Pet.owner to-one Person: ownerId -> id',
    ])
  })
})

describe('views', () => {
  const viewOf = (view: unknown) => {
    const { tables, notes } = describeTables({ things: view })
    const model = tables[0]?.model
    const fields = model?.fields.map(({ name, kind, nullable }) => `${name} ${kind}${nullable ? '?' : ''}`)
    return { key: model?.primaryKey, fields, notes, readOnly: model?.readOnly, columns: tables[0]?.columns }
  }
  const select = sqliteView('things')
  const books = sqliteTable('books', {
    id: integer('book_id').primaryKey(),
    title: text().notNull(),
    userId: integer('user_id').references(() => users.id),
  })

  it('are read-only models by the key of their table', () => {
    const view = select.as((q) =>
      q.select({ bookId: books.id, title: books.title, userId: books.userId }).from(books),
    )
    expect(viewOf(view)).toMatchObject({
      key: ['bookId'],
      fields: ['bookId integer', 'title text', 'userId integer?'],
      readOnly: true,
      notes: [],
      columns: { bookId: { name: 'book_id' } },
    })
    expect(describeTables({ view, books, users }).tables[0]?.model).toMatchObject({
      uniques: [],
      relations: [],
    })
  })

  it('by a field `id` where that is all there is', () => {
    const view = select.as((q) =>
      q
        .select({ id: books.userId, n: count().as('n') })
        .from(books)
        .groupBy(books.userId),
    )
    expect(viewOf(view)).toMatchObject({ key: ['id'], fields: ['id integer', 'n float?'] })
    const joined = select.as((q) =>
      q
        .select({ id: books.id, user: users.id, name: users.name })
        .from(books)
        .leftJoin(users, eq(users.id, books.userId)),
    )
    expect(viewOf(joined)).toMatchObject({
      key: ['id'],
      fields: ['id integer', 'user integer?', 'name text?'],
    })
  })

  it('by a composite key, if all of it is there', () => {
    const pairs = sqliteTable('pairs', { a: integer('col_a'), b: text(), c: text() }, (t) => [
      primaryKey({ columns: [t.b, t.a] }),
    ])
    expect(viewOf(select.as((q) => q.select().from(pairs)))).toMatchObject({
      key: ['b', 'a'],
      fields: ['a integer', 'b text', 'c text?'],
    })
    expect(viewOf(select.as((q) => q.select({ a: pairs.a, c: pairs.c }).from(pairs)))).toMatchObject({
      ...{ key: [], notes: [] },
    })
  })

  it('with expressions, whose type is what they are mapped with', () => {
    const view = select.as((q) =>
      q
        .select({
          id: books.id,
          latest: max(books.title).as('latest'),
          n: sql`count(*)`.mapWith(Number).as('total'),
          raw: sql<string>`title || '!'`.as('raw'),
        })
        .from(books),
    )
    expect(viewOf(view)).toMatchObject({
      fields: ['id integer', 'latest text?', 'n float?', 'raw opaque?'],
      columns: { latest: { name: 'latest' }, n: { name: 'total' }, raw: { name: 'raw' } },
      notes: [expect.stringMatching(naming('Thing', 'raw (expression)'))],
    })
  })

  it('written by hand, and materialised ones of PostgreSQL', () => {
    const view = sqliteView('things', { code: text().primaryKey(), n: integer() }).existing()
    expect(viewOf(view)).toMatchObject({ key: ['code'], fields: ['code text', 'n integer?'] })
    const people = pg.pgTable('people', { id: pg.uuid().primaryKey(), name: pg.text() })
    const names = pg.pgMaterializedView('names').as((q) => q.select().from(people))
    expect(viewOf(names)).toMatchObject({ key: ['id'], fields: ['id uuid', 'name text?'] })
  })

  it('say which of their fields no column stands for', () => {
    const view = select.as((q) =>
      q
        .select({ id: books.id, user: { name: users.name } })
        .from(books)
        .leftJoin(users, sql`1`),
    )
    expect(viewOf(view)).toMatchObject({
      fields: ['id integer'],
      notes: [expect.stringMatching(naming('Thing.user'))],
    })
  })
})
