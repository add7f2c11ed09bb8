import Database from 'better-sqlite3'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import * as ofPg from 'drizzle-orm/pg-core'
import * as ofSqlite from 'drizzle-orm/sqlite-core'
import pg from 'pg'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { decimal as pgDecimal } from '../../src/entry/drizzle-pg.ts'
import { decimal as sqliteDecimal } from '../../src/entry/drizzle-sqlite.ts'
import type { ModelSource } from '../../src/source/source.ts'
import { startPostgres } from '../../test/servers/postgres.ts'

/**
 * 100,000 records, a tenth of them with texts of one letter, which is what a search for such a text fears, and 50 with a
 * story of 100 kB.
 */
export interface Opened {
  readonly source: ModelSource
  close(): Promise<void>
}

export const ROWS = 100_000
const statuses = ['draft', 'live'] as const

const create = (types: { decimal: string; at: string }): string => `create table records (
  id integer primary key, name varchar(100) not null, note varchar(400) not null, city varchar(100) not null,
  street varchar(100) not null, status varchar(10) not null, rank integer not null, price ${types.decimal} not null,
  at ${types.at} not null, story text)`

const STORY = 100_000

const columns = (
  n: string,
  repeat: string,
  cents: string,
  at: string,
  story: string,
): string => `${n}, 'name ' || ${n} * 7919 % ${ROWS},
  case ${n} % 10 when 0 then ${repeat} else 'the note of record ' || ${n} || ', which has some more words than the others' end,
  'city ' || ${n} % 500, 'street ' || ${n} % 9999, case ${n} % 2 when 0 then 'draft' else 'live' end, ${n} % 1000, ${cents}, ${at}, case when ${n} % ${ROWS / 50} = 0 then ${story} end`

export const openSqlite = async (): Promise<Opened> => {
  const client = new Database(':memory:')
  client.exec(create({ decimal: 'integer', at: 'integer' }))
  const repeat = `replace(hex(zeroblob(150)), '00', 'a')`
  client.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
    insert into records select ${columns('i', repeat, 'i * 13 % 100000', '1750000000000 + i * 60000', `replace(hex(zeroblob(${STORY})), '00', 'a')`)} from n`)
  const { integer, sqliteTable, text } = ofSqlite
  const records = sqliteTable('records', {
    id: integer().primaryKey(),
    name: text({ length: 100 }).notNull(),
    note: text({ length: 400 }).notNull(),
    city: text({ length: 100 }).notNull(),
    street: text({ length: 100 }).notNull(),
    status: text({ enum: statuses }).notNull(),
    rank: integer().notNull(),
    price: sqliteDecimal({ precision: 10, scale: 2 }).notNull(),
    at: integer({ mode: 'timestamp_ms' }).notNull(),
    story: text(),
  })
  const close = async () => {
    client.close()
  }
  return { source: drizzleModels(drizzleSqlite({ client }), { records }), close }
}

export const openPostgres = async (): Promise<Opened> => {
  const server = await startPostgres({ fsync: true })
  const pool = new pg.Pool({ connectionString: server.url, max: 4 })
  await pool.query(create({ decimal: 'numeric(10, 2)', at: 'timestamptz' }))
  const at = `timestamptz '2025-06-15' + i * interval '1 minute'`
  await pool.query(
    `insert into records select ${columns('i', `repeat('a', 150)`, '(i * 13 % 100000) / 100.0', at, `repeat('a', ${STORY})`)} from generate_series(1, ${ROWS}) as i`,
  )
  await pool.query('vacuum analyze records')
  const { integer, pgTable, text, timestamp, varchar } = ofPg
  const records = pgTable('records', {
    id: integer().primaryKey(),
    name: varchar({ length: 100 }).notNull(),
    note: varchar({ length: 400 }).notNull(),
    city: varchar({ length: 100 }).notNull(),
    street: varchar({ length: 100 }).notNull(),
    status: varchar({ length: 10, enum: statuses }).notNull(),
    rank: integer().notNull(),
    price: pgDecimal({ precision: 10, scale: 2 }).notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    story: text(),
  })
  const close = async () => {
    await pool.end()
    await server.stop()
  }
  return { source: drizzleModels(drizzlePg(pool), { records }), close }
}
