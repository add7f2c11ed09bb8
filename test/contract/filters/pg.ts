import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  date,
  doublePrecision,
  inet,
  integer,
  interval,
  jsonb,
  numeric,
  pgEnum,
  pgTable,
  real,
  smallint,
  text,
  time,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import { decimal, file, image } from '../../../src/entry/drizzle-pg.ts'

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
const unknownKind = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => `odd ${value}`,
  fromDriver: (stored) => stored.slice(4),
})
export const mood = pgEnum('mood', ['low', 'Low', 'high'])

/** A column of each kind and form that PostgreSQL has. */
export const things = pgTable('things', {
  code: text().primaryKey(),
  parent: text().references((): AnyPgColumn => things.code),
  title: text().notNull(),
  note: varchar({ length: 9000 }),
  mood: mood(),
  ref: uuid(),
  open: boolean(),
  limit: integer(),
  small: smallint(),
  safe: bigint({ mode: 'number' }),
  wide: bigint({ mode: 'bigint' }),
  weight: doublePrecision(),
  single: real(),
  price: decimal({ precision: 10, scale: 2 }),
  ratio: numeric({ precision: 20, scale: 4 }),
  rate: numeric({ precision: 10, scale: 2, mode: 'number' }),
  whole: numeric({ precision: 30, scale: 0, mode: 'bigint' }),
  any: numeric(),
  day: date(),
  dayDate: date('day_date', { mode: 'date' }),
  clock: time(),
  at: timestamp({ withTimezone: true }),
  atText: timestamp('at_text', { withTimezone: true, mode: 'string', precision: 3 }),
  local: timestamp({ mode: 'string' }),
  localDate: timestamp('local_date'),
  bytes: bytea(),
  address: inet(),
  span: interval(),
  data: jsonb(),
  tags: text().array(),
  odd: unknownKind(),
  paper: file(),
  photo: image(),
})

export const createThings: readonly string[] = [
  `create type mood as enum ('low', 'Low', 'high')`,
  `create table things (
    code text primary key, parent text references things (code), title text not null, note varchar(9000), mood mood, ref uuid,
    open boolean, "limit" integer, small smallint, safe bigint, wide bigint, weight double precision, single real,
    price numeric(10, 2), ratio numeric(20, 4), rate numeric(10, 2), whole numeric(30, 0), "any" numeric, day date,
    day_date date, clock time, at timestamptz, at_text timestamptz(3), local timestamp, local_date timestamp, bytes bytea,
    address inet, span interval, data jsonb, tags text[], odd text, paper text, photo text)`,
]
