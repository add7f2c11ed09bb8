import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { decimal } from '../../../src/entry/drizzle-sqlite.ts'
import type { Row } from '../../../src/source/source.ts'

const states = ['open', 'paid', 'late'] as const

export const sqliteSales = sqlite.sqliteTable('sales', {
  id: sqlite.integer().primaryKey(),
  shop: sqlite.text(),
  state: sqlite.text({ enum: states }).notNull(),
  paid: sqlite.integer({ mode: 'boolean' }),
  pieces: sqlite.integer(),
  stock: sqlite.blob({ mode: 'bigint' }),
  price: decimal({ precision: 10, scale: 2 }),
  total: decimal({ precision: 30, scale: 4 }),
  weight: sqlite.real(),
  soldAt: sqlite.integer('sold_at', { mode: 'timestamp_ms' }),
})

export const createSqlite = (collation: string): string =>
  `create table sales (id integer primary key, shop text collate ${collation}, state text not null, paid integer, pieces integer,
    stock blob, price integer, total text, weight real, sold_at integer)`

export const pgSales = pg.pgTable('sales', {
  id: pg.integer().primaryKey(),
  shop: pg.text(),
  state: pg.text({ enum: states }).notNull(),
  paid: pg.boolean(),
  pieces: pg.integer(),
  stock: pg.bigint({ mode: 'bigint' }),
  price: pg.numeric({ precision: 10, scale: 2 }),
  total: pg.numeric({ precision: 30, scale: 4 }),
  weight: pg.real(),
  day: pg.date(),
  soldAt: pg.timestamp('sold_at', { withTimezone: true }),
  localAt: pg.timestamp('local_at', { mode: 'string' }),
})

export const createPg = `create table sales (id integer primary key, shop text, state text not null, paid boolean, pieces integer,
  stock bigint, price numeric(10, 2), total numeric(30, 4), weight real, day date, sold_at timestamptz, local_at timestamp)`

export const mysqlSales = mysql.mysqlTable('sales', {
  id: mysql.int().primaryKey(),
  shop: mysql.varchar({ length: 20 }),
  state: mysql.mysqlEnum(states).notNull(),
  paid: mysql.boolean(),
  pieces: mysql.int(),
  stock: mysql.bigint({ mode: 'bigint' }),
  price: mysql.decimal({ precision: 10, scale: 2 }),
  total: mysql.decimal({ precision: 30, scale: 4 }),
  weight: mysql.double(),
  day: mysql.date(),
  soldAt: mysql.timestamp('sold_at', { fsp: 3 }),
  localAt: mysql.datetime('local_at', { fsp: 3 }),
})

export const createMysql = `create table sales (id int primary key, shop varchar(20), state enum('open', 'paid', 'late') not null,
  paid boolean, pieces int, stock bigint, price decimal(10, 2), total decimal(30, 4), weight double, day date,
  sold_at timestamp(3) null, local_at datetime(3))`

/** Instants around changes of the time of day, in several zones. */
const instants = [
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00.000Z',
  '2026-10-25T00:30:00.000Z',
  '2026-10-25T01:30:00.000Z',
  '2027-01-01T00:00:00.000Z',
  '2026-12-31T23:59:59.500Z',
  '2024-02-29T12:00:00.000Z',
  '1975-06-30T22:15:00.000Z',
]
const beforeTheEpoch = ['1969-12-31T23:59:59.999Z', '1927-08-31T23:30:00.001Z']

const values: Readonly<Record<string, readonly unknown[]>> = {
  shop: ['a', 'A', 'b', 'B ', 'b', 'ß'],
  state: states,
  paid: [true, false],
  pieces: [0, 1, 2, -7, 2_147_483_647],
  stock: [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 1n, 4_294_967_296n, -1n],
  price: ['0.00', '0.01', '-0.05', '99999999.99', '10.10', '0.10'],
  total: ['0.0001', '-99999999999999999999999999.9999', '12345678901234567890123456.7890', '1.5000'],
  weight: [0.25, -1.5, 1024, 0],
  day: ['2026-01-01', '2025-12-29', '2024-02-29', '2026-12-31', '0001-01-01'],
  soldAt: [...instants, ...beforeTheEpoch],
  localAt: [...instants, ...beforeTheEpoch].map((text) => text.replace('Z', '')),
}

const optional: ReadonlySet<string> = new Set(Object.keys(values).filter((name) => name !== 'state'))

/** The same records in each run. @param forms field -> converts a value to the form of the field */
export const salesOf = (
  count: number,
  fields: readonly string[],
  inForm: (field: string, value: unknown) => unknown,
  isHeld: (field: string, value: unknown) => boolean = () => true,
): readonly Row[] => {
  let state = 4711
  const below = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * most)
  }
  return Array.from({ length: count }, (_, place) => ({
    id: place + 1,
    ...Object.fromEntries(
      fields.flatMap((field) => {
        const held = (values[field] ?? []).filter((value) => isHeld(field, value))
        if (held.length === 0) return []
        const isNull = optional.has(field) && below(6) === 0
        return [[field, isNull ? null : inForm(field, held[below(held.length)])]]
      }),
    ),
  }))
}
