import { eq, sql } from 'drizzle-orm'
import { Cache, type MutationOption } from 'drizzle-orm/cache/core'
import { integer as pgInteger, pgTable, text as pgText } from 'drizzle-orm/pg-core'
import { drizzle as pglite } from 'drizzle-orm/pglite'
import { customType, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { everything } from '../../../src/query/ast.ts'
import { DEFAULT } from '../../../src/source/source.ts'
import { pgStore, sqliteStore } from './open-store.ts'

const counter = () => {
  let count = 0
  return () => {
    count += 1
    return count
  }
}

/** A custom type that writes an SQL expression. */
const upper = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => sql`upper(${value})` as never,
})

describe('SQLite', () => {
  const create = `create table things (id integer primary key, made integer, changed integer, constant integer, said text,
    computed text, loud text, here text default 'the database''s')`
  const tableWith = () =>
    sqliteTable('things', {
      id: integer().primaryKey(),
      made: integer().$defaultFn(counter()),
      changed: integer().$onUpdateFn(counter()),
      constant: integer().default(7),
      said: text().default(sql`('a' || 'b')`),
      computed: text().$defaultFn(() => sql`lower('XY')` as never),
      loud: upper(),
      here: text(),
    })

  it('functions are asked for each record, constants and expressions written', () => {
    const { store } = sqliteStore(create, tableWith())
    const first = { id: 1, made: 1, changed: 1, constant: 7, said: 'ab', computed: 'xy', loud: null }
    expect(store.create({})).toEqual({ ...first, here: `the database's` })
    expect(store.create({ here: null })).toEqual({ ...first, id: 2, made: 2, changed: 2, here: null })
    expect(store.create({ made: 9, constant: null })).toMatchObject({ made: 9, constant: null, changed: 3 })
    expect(store.create({ made: null })).toMatchObject({ made: null })
  })

  it('records that are created together have their own defaults and expressions', () => {
    const { store } = sqliteStore(create, tableWith())
    const rows = { said: 'ab', computed: 'xy', here: `the database's` }
    expect(store.createMany?.([{}, { constant: 1, here: null }, { loud: 'x' }, { loud: 'y' }])).toEqual([
      { ...rows, id: 1, made: 1, changed: 1, constant: 7, loud: null },
      { ...rows, id: 2, made: 2, changed: 2, constant: 1, loud: null, here: null },
      { ...rows, id: 3, made: 3, changed: 3, constant: 7, loud: 'X' },
      { ...rows, id: 4, made: 4, changed: 4, constant: 7, loud: 'Y' },
    ])
    const given = { computed: 'c', changed: 0 }
    expect(store.createMany?.([given, { ...given, said: 's' }, { ...given, made: null }])).toMatchObject([
      { id: 5, made: 5, said: 'ab', ...given },
      { id: 6, made: 6, said: 's', ...given },
      { id: 7, made: null, said: 'ab', ...given },
    ])
  })

  it('an update changes what it names, and the columns that change with every update', () => {
    const { store } = sqliteStore(create, tableWith())
    store.create({})
    expect(store.update([1], { here: 'x' }, everything)).toMatchObject({ here: 'x', made: 1, changed: 2 })
    expect(store.update([1], { here: 'y' }, everything)).toMatchObject({ here: 'y', made: 1, changed: 3 })
    expect(store.update([1], { changed: 50 }, everything)).toMatchObject({ changed: 50 })
    expect(store.update([1], {}, everything)).toMatchObject({ changed: 50 })
  })

  it('a default in an update is made anew', () => {
    const { store } = sqliteStore(create, tableWith())
    store.create({ constant: 1, said: 'x', computed: 'x', here: 'x' })
    const all = { made: DEFAULT, constant: DEFAULT, said: DEFAULT, computed: DEFAULT }
    const expected = { made: 2, constant: 7, said: 'ab', computed: 'xy', here: 'x' }
    expect(store.update([1], all, everything)).toMatchObject(expected)
    expect(store.update([1], { ...all, constant: 3 }, everything)).toMatchObject({
      ...expected,
      made: 3,
      constant: 3,
    })
  })

  it('a column may write its values as SQL expressions', () => {
    const { store } = sqliteStore(create, tableWith())
    expect(store.create({ loud: 'x' })).toMatchObject({ loud: 'X' })
    expect(store.create({ loud: 'y' })).toMatchObject({ loud: 'Y' })
    expect(store.update([1], { loud: 'z' }, everything)).toMatchObject({ loud: 'Z' })
    expect(store.update([1], { loud: null }, everything)).toMatchObject({ loud: null })
  })

  it('statements of other columns are not taken for each other', () => {
    const { store } = sqliteStore(create, tableWith())
    store.create({})
    expect(store.update([1], { constant: DEFAULT, here: 'a' }, everything)).toMatchObject({
      constant: 7,
      here: 'a',
    })
    expect(store.update([1], { constant: 1, here: 'b' }, everything)).toMatchObject({
      constant: 1,
      here: 'b',
    })
    expect(store.update([1], { here: 'c', said: 'd' }, everything)).toMatchObject({ here: 'c', said: 'd' })
  })

  it('a record that a trigger leaves out is an error', () => {
    const { store } = sqliteStore(
      `${create}; create trigger no before insert on things begin select raise(ignore); end`,
      tableWith(),
    )
    expect(() => store.create({})).toThrow(expect.objectContaining({ kind: 'ignored' }))
  })

  it('a trigger that refuses is a check', () => {
    const { store } = sqliteStore(
      `${create}; create trigger no before insert on things begin select raise(abort, 'secret'); end`,
      tableWith(),
    )
    expect(() => store.create({})).toThrow(expect.objectContaining({ kind: 'check', message: 'check' }))
  })
})

describe('PostgreSQL', () => {
  it('defaults are those of the database, functions are asked, and the cache is told', async () => {
    const things = pgTable('things', {
      id: pgInteger().primaryKey().generatedAlwaysAsIdentity(),
      made: pgInteger().$defaultFn(counter()),
      changed: pgInteger().$onUpdateFn(counter()),
      constant: pgInteger().default(7),
      said: pgText().default(sql`now()::text`),
    })
    const create = `create table things (id integer primary key generated always as identity, made integer,
      changed integer, constant integer default 8, said text default 'said')`
    const cache = new Remembering()
    const { client, store } = await pgStore(create, things, (database) => pglite(database, { cache }))
    expect(await store.create({})).toEqual({ id: 1, made: 1, changed: 1, constant: 8, said: 'said' })
    expect(await store.create({ constant: 1 })).toEqual({
      id: 2,
      made: 2,
      changed: 2,
      constant: 1,
      said: 'said',
    })
    expect(await store.update([2], { constant: DEFAULT, said: null, made: DEFAULT }, everything)).toEqual({
      id: 2,
      made: 3,
      changed: 3,
      constant: 8,
      said: null,
    })
    expect(await store.remove([1], everything)).toBe(true)
    expect(cache.told).toEqual(['things', 'things', 'things', 'things'])

    // What the host has cached is not what we read.
    const db = pglite(client, { cache })
    await db.select().from(things).where(eq(things.id, 2)).$withCache()
    expect(await store.count(everything, everything)).toBe(1)
    expect(cache.asked).toBe(1)
    await client.close()
  })
})

class Remembering extends Cache {
  readonly told: unknown[] = []
  asked = 0
  override strategy() {
    return 'all' as const
  }
  override async get() {
    this.asked += 1
    return undefined
  }
  override async put() {}
  override async onMutate({ tables }: MutationOption) {
    this.told.push(...[tables].flat())
  }
}
