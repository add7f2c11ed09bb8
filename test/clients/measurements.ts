import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  date,
  doublePrecision,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import { decimal } from 'modelrest/drizzle/pg'
import { action, controllerFor, HttpError } from 'modelrest/fastify'
import { z } from 'zod'
import { products } from '../../examples/shop/models/pg.ts'

export const measurementKind = pgEnum('measurement_kind', ['length', 'mass', 'time of day'])

const columns = () => ({
  /** Begins beyond what a float holds. */
  id: bigserial({ mode: 'bigint' }).primaryKey(),
  title: varchar({ length: 100 }).notNull(),
  amount: decimal({ precision: 40, scale: 20 }).notNull(),
  tolerance: decimal({ precision: 10, scale: 4 }),
  counter: bigint({ mode: 'bigint' }).notNull(),
  taken_at: timestamp({ withTimezone: true }).notNull(),
  checked_at: timestamp({ withTimezone: true }),
  day: date(),
  kind: measurementKind(),
  // Two enums with the same words: constants of both stand in one package in Go.
  kind_before: measurementKind(),
  unit: varchar({ length: 10 }).notNull().default('mm'),
  is_final: boolean().notNull().default(false),
  labels: text().array().notNull().default(sql`'{}'`),
  notes: text().array(),
  details: jsonb(),
  facts: jsonb().notNull().default({ from: 'the default' }),
  remark: text(),
  reading: doublePrecision(),
  batch: uuid(),
  product_id: integer().references(() => products.id),
})

/** What the shop does not have: values that clients get wrong. */
export const measurements = pgTable('measurements', columns())

/** The same table with a column that came after the clients. */
export const laterMeasurements = pgTable('measurements', {
  ...columns(),
  // Named in words: drizzle keeps the names of the columns of one table of a name.
  added_later: text('added_later').notNull().default('by a later version'),
})

/** Makes the table as `laterMeasurements` describes it. */
export const measurementStatements = [
  `create type measurement_kind as enum ('length', 'mass', 'time of day')`,
  `create table measurements (
    id bigserial primary key,
    title varchar(100) not null,
    amount numeric(40, 20) not null,
    tolerance numeric(10, 4),
    counter bigint not null,
    taken_at timestamptz not null,
    checked_at timestamptz,
    day date,
    kind measurement_kind,
    kind_before measurement_kind,
    unit varchar(10) not null default 'mm',
    is_final boolean not null default false,
    labels text[] not null default '{}',
    notes text[],
    details jsonb,
    facts jsonb not null default '{"from": "the default"}',
    remark text,
    reading double precision,
    batch uuid,
    product_id integer references products,
    added_later text not null default 'by a later version'
  )`,
  // The first number that a float does not hold.
  `select setval('measurements_id_seq', 9007199254740992)`,
]

/** A computed field, and actions with and without input and output. */
export const MeasurementController = controllerFor('Measurement', {
  computed: {
    label_count: {
      schema: z.int(),
      load: (records) => records.map(({ labels }) => (Array.isArray(labels) ? labels.length : 0)),
    },
  },
  actions: {
    recount: action({
      on: 'record',
      input: z.object({ by: z.int(), note: z.string().max(100).optional() }),
      codes: ['forbidden'],
      run: (_request, measurement, { by }) => {
        if (by === 0) throw new HttpError(403, 'Recount by another number.')
        return { counter: BigInt(String(measurement['counter'])) + BigInt(by) }
      },
    }),
    check: action({ on: 'record', run: () => undefined }),
    sum: action({
      on: 'collection',
      input: z.object({ numbers: z.array(z.number()).max(100) }),
      output: z.object({ sum: z.number(), count: z.int() }),
      run: (_request, _record, { numbers }) => ({
        sum: numbers.reduce((sum, number) => sum + number, 0),
        count: numbers.length,
      }),
    }),
  },
})
