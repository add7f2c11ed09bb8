import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer as pgInteger, pgTable } from 'drizzle-orm/pg-core'
import { drizzle as pglite } from 'drizzle-orm/pglite'
import { foreignKey, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { everything } from '../../../src/query/ast.ts'
import type { ModelSource, RecordStore } from '../../../src/source/source.ts'
import { errorOf } from '../../contract/drizzle-source/stage.ts'
import { startPglite } from '../../stage/pglite.ts'

const shelves = sqliteTable('shelves', { room: text().notNull(), slot: integer().notNull() }, (table) => [
  primaryKey({ columns: [table.room, table.slot] }),
])
const countries = sqliteTable('countries', { code: text().primaryKey() })
const boxes = sqliteTable(
  'boxes',
  {
    id: integer().primaryKey(),
    room: text(),
    slot: integer('shelf_slot'),
    country: text().references(() => countries.code),
  },
  (table) => [
    foreignKey({ columns: [table.room, table.slot], foreignColumns: [shelves.room, shelves.slot] }),
  ],
)
const labels = sqliteTable('labels', {
  id: integer().primaryKey(),
  boxId: integer('box_id').references(() => boxes.id, { onDelete: 'cascade' }),
})
const seals = sqliteTable('seals', {
  id: integer().primaryKey(),
  boxId: integer('box_id').references(() => boxes.id, { onDelete: 'restrict' }),
  otherId: integer('other_id').references(() => boxes.id, { onDelete: 'set null' }),
})

const create = `create table shelves (room text not null, slot integer not null, primary key (room, slot));
create table countries (code text primary key not null);
create table boxes (id integer primary key, room text, shelf_slot integer, country text references countries (code),
  foreign key (room, shelf_slot) references shelves (room, slot));
create table labels (id integer primary key, box_id integer references boxes (id) on delete cascade);
create table seals (id integer primary key, box_id integer references boxes (id) on delete restrict,
  other_id integer references boxes (id) on delete set null);`

const storesOf =
  (source: ModelSource) =>
  (name: string): RecordStore => {
    const model = source.models.find((candidate) => candidate.name === name)
    if (model === undefined) throw new Error(name)
    return source.store(model)
  }

const open = () => {
  const client = new Database(':memory:')
  client.exec(create)
  const store = storesOf(drizzleModels(drizzle(client), { shelves, boxes, labels, seals }))
  return { client, store }
}

it('a key of two fields is named by both, where both are there', async () => {
  const { store } = open()
  store('Shelf').create({ room: 'a', slot: 1 })
  const box = store('Box').create({ room: 'a', slot: 1 })
  expect(box).toMatchObject({ room: 'a', slot: 1 })
  expect(await errorOf(() => store('Box').create({ room: 'a', slot: 2 }))).toMatchObject({
    kind: 'missing-reference',
    fields: ['room', 'slot'],
  })
  expect(store('Box').create({ room: 'a' })).toMatchObject({ room: 'a', slot: null })
  expect(await errorOf(() => store('Box').update([1], { slot: 2 }, everything))).toMatchObject({
    kind: 'missing-reference',
    fields: ['room', 'slot'],
  })
  expect(await errorOf(() => store('Shelf').remove(['a', 1], everything))).toMatchObject({
    kind: 'still-referenced',
    models: ['Box'],
    fields: ['room', 'slot'],
  })
})

it('a table that was not given is looked in all the same', async () => {
  const { store } = open()
  expect(await errorOf(() => store('Box').create({ country: 'nl' }))).toMatchObject({
    kind: 'missing-reference',
    fields: ['country'],
  })
})

it('a key that is not changed, or has a null in it, is not to blame', async () => {
  const { client, store } = open()
  client.exec(`pragma foreign_keys = off; insert into boxes (id, room, shelf_slot) values (1, 'x', 9), (2, null, 1);
    pragma foreign_keys = on`)
  const blamed = { kind: 'missing-reference', fields: ['country'] }
  expect(await errorOf(() => store('Box').update([1], { country: 'nl' }, everything))).toMatchObject(blamed)
  expect(await errorOf(() => store('Box').update([2], { slot: 2, country: 'nl' }, everything))).toMatchObject(
    blamed,
  )
})

it('records that go along with the deleted one do not hold it', async () => {
  const { store } = open()
  store('Box').create({})
  store('Label').create({ boxId: 1 })
  store('Seal').create({ boxId: 1, otherId: 1 })
  expect(await errorOf(() => store('Box').remove([1], everything))).toMatchObject({
    kind: 'still-referenced',
    models: ['Seal'],
    fields: ['boxId'],
  })
  store('Seal').update([1], { boxId: null }, everything)
  expect(store('Box').remove([1], everything)).toBe(true)
  expect(store('Label').count(everything, everything)).toBe(0)
  expect(store('Seal').read([1], everything)).toMatchObject({ otherId: null })
})

it('in a transaction that has failed, the kind of the refusal is all there is', async () => {
  const people = pgTable('people', { id: pgInteger().primaryKey() })
  const pets = pgTable('pets', {
    id: pgInteger().primaryKey(),
    owner: pgInteger().references(() => people.id),
  })
  const client = await startPglite()
  await client.exec('create table people (id integer primary key); insert into people values (1)')
  await client.exec(
    'create table pets (id integer primary key, owner integer references people); insert into pets values (1, 1)',
  )
  const db = pglite(client)
  const refusalIn = (act: (store: (name: string) => RecordStore) => unknown) =>
    errorOf(() =>
      db.transaction(async (transaction) => {
        await act(storesOf(drizzleModels(transaction, { people, pets })))
      }),
    )
  expect(await refusalIn((store) => store('Pet').create({ id: 2, owner: 9 }))).toMatchObject({
    kind: 'missing-reference',
    fields: [],
  })
  expect(await refusalIn((store) => store('Person').remove([1], everything))).toMatchObject({
    kind: 'still-referenced',
    models: [],
  })
  await client.close()
})
