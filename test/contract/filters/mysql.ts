import {
  type AnyMySqlColumn,
  bigint,
  boolean,
  customType,
  date,
  datetime,
  double,
  float,
  int,
  json,
  mysqlEnum,
  mysqlTable,
  smallint,
  text,
  time,
  timestamp,
  varbinary,
  varchar,
  year,
} from 'drizzle-orm/mysql-core'
import { decimal, file, image } from '../../../src/entry/drizzle-mysql.ts'

const blob = customType<{ data: Uint8Array }>({ dataType: () => 'blob' })
const unknownKind = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => `odd ${value}`,
  fromDriver: (stored) => stored.slice(4),
})

/** A column of each kind and form that MySQL has. */
export const things = mysqlTable('things', {
  code: varchar({ length: 50 }).primaryKey(),
  parent: varchar({ length: 50 }).references((): AnyMySqlColumn => things.code),
  title: text().notNull(),
  note: varchar({ length: 9000 }),
  mood: mysqlEnum(['low', 'Low', 'high']),
  open: boolean(),
  limit: int(),
  small: smallint(),
  safe: bigint({ mode: 'number' }),
  wide: bigint({ mode: 'bigint' }),
  weight: double(),
  single: float(),
  price: decimal({ precision: 10, scale: 2 }),
  ratio: decimal({ precision: 20, scale: 4 }),
  rate: decimal({ precision: 10, scale: 2, mode: 'number' }),
  whole: decimal({ precision: 30, scale: 0, mode: 'bigint' }),
  year: year(),
  day: date({ mode: 'string' }),
  dayDate: date('day_date'),
  clock: time({ fsp: 6 }),
  stamp: timestamp({ fsp: 6 }),
  stampText: timestamp('stamp_text', { mode: 'string', fsp: 3 }),
  local: datetime({ mode: 'string', fsp: 6 }),
  localDate: datetime('local_date', { fsp: 6 }),
  bytes: blob(),
  address: varbinary({ length: 50 }),
  data: json(),
  odd: unknownKind(),
  paper: file(),
  photo: image(),
})

/** @param byCodePoint The collation that tells all texts apart: keys need it, and texts that differ in case alone. */
export const createThings = (byCodePoint: string): readonly string[] => {
  const exact = `collate ${byCodePoint}`
  return [
    `create table things (
    code varchar(50) ${exact} primary key, parent varchar(50) ${exact}, title text not null, note varchar(9000),
    mood enum ('low', 'Low', 'high') ${exact}, open boolean, \`limit\` int, small smallint, safe bigint, wide bigint,
    weight double, single float, price decimal(10, 2), ratio decimal(20, 4), rate decimal(10, 2), whole decimal(30, 0),
    year year, day date, day_date date, clock time(6), stamp timestamp(6) null, stamp_text timestamp(3) null,
    local datetime(6), local_date datetime(6), bytes blob, address varbinary(50), data json, odd text, paper text, photo text,
    constraint things_parent foreign key (parent) references things (code))`,
  ]
}
