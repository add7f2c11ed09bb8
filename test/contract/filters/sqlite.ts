import {
  type AnySQLiteColumn,
  blob,
  customType,
  integer,
  numeric,
  real,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import { decimal, file, image } from '../../../src/entry/drizzle-sqlite.ts'

const unknownKind = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => `odd ${value}`,
  fromDriver: (stored) => stored.slice(4),
})

/** A column of each kind and form that SQLite has. */
export const things = sqliteTable('things', {
  code: text().primaryKey(),
  parent: text().references((): AnySQLiteColumn => things.code),
  title: text().notNull(),
  note: text({ length: 9000 }),
  nick: text(),
  mood: text({ enum: ['low', 'Low', 'high'] }),
  open: integer({ mode: 'boolean' }),
  limit: integer(),
  safe: integer(),
  wide: blob({ mode: 'bigint' }),
  weight: real(),
  price: decimal({ precision: 10, scale: 2 }),
  ratio: decimal({ precision: 20, scale: 4 }),
  any: numeric(),
  at: integer({ mode: 'timestamp_ms' }),
  second: integer({ mode: 'timestamp' }),
  bytes: blob({ mode: 'buffer' }),
  data: text({ mode: 'json' }),
  odd: unknownKind(),
  paper: file(),
  photo: image(),
})

export const createThings: readonly string[] = [
  `create table things (
    code text primary key not null, parent text references things (code), title text not null, note text(9000),
    nick text collate nocase, mood text, open integer, "limit" integer, safe integer, wide blob, weight real,
    price integer, ratio text, "any" numeric, at integer, second integer, bytes blob, data text, odd text, paper text, photo text)`,
]
