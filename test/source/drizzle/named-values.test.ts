import { drizzle as overNodePostgres } from 'drizzle-orm/node-postgres'
import * as of from 'drizzle-orm/pg-core'
import { drizzle as overPostgresJs } from 'drizzle-orm/postgres-js'
import fc from 'fast-check'
import pg from 'pg'
import postgres from 'postgres'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { everything } from '../../../src/query/ast.ts'
import type { DrizzleDatabase } from '../../../src/source/drizzle/index.ts'
import type { RecordStore, Row } from '../../../src/source/source.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'

const bytea = of.customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
const mood = of.pgEnum('mood', ['calm', 'a "quoted" one'])

const columns = {
  small: of.smallint(),
  whole: of.integer(),
  large: of.bigint({ mode: 'number' }),
  larger: of.bigint({ mode: 'bigint' }),
  exact: of.numeric({ precision: 30, scale: 10 }),
  single: of.real(),
  double: of.doublePrecision(),
  yes: of.boolean(),
  words: of.text(),
  short: of.varchar({ length: 20 }),
  fixed: of.char({ length: 5 }),
  id128: of.uuid(),
  mood: mood(),
  moment: of.timestamp({ withTimezone: true, precision: 6, mode: 'string' }),
  date: of.timestamp({ withTimezone: true, precision: 3 }),
  local: of.timestamp({ precision: 3 }),
  day: of.date(),
  hour: of.time({ precision: 6 }),
  span: of.interval(),
  plain: of.json(),
  binary: of.jsonb(),
  bytes: bytea(),
  tags: of.text().array(),
  numbers: of.integer().array(),
  address: of.inet(),
} as const

const things = of.pgTable('things', { id: of.integer().primaryKey(), ...columns })

/** The SQL types of the columns, as drizzle-kit writes them. */
const create = (): string => {
  const own = of.getTableConfig(things).columns.filter(({ name }) => name !== 'id')
  return `create type mood as enum ('calm', 'a "quoted" one');
    create table things (id integer primary key, ${own.map((column) => `"${column.name}" ${column.getSQLType()}`).join()})`
}

const unicode = (maxLength: number) =>
  fc.string({ unit: 'grapheme', maxLength }).map((text) => text.replaceAll('\0', '').slice(0, maxLength))
const instant = fc.date({ min: new Date('0100-01-01'), max: new Date('9990-01-01'), noInvalidDate: true })
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')))

const values: { readonly [Name in keyof typeof columns]: fc.Arbitrary<unknown> } = {
  small: fc.integer({ min: -32768, max: 32767 }),
  whole: fc.integer(),
  large: fc.maxSafeInteger(),
  larger: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  exact: fc.tuple(fc.maxSafeInteger(), fc.nat(999_999_999)).map((parts) => parts.join('.')),
  single: fc.float({ noNaN: true, noDefaultInfinity: true }),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }),
  yes: fc.boolean(),
  words: unicode(50),
  short: unicode(10),
  fixed: fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 5 }),
  id128: fc.uuid(),
  mood: fc.constantFrom('calm', 'a "quoted" one'),
  moment: instant.map((date) => date.toISOString()),
  date: instant,
  local: instant,
  day: instant.map((date) => date.toISOString().slice(0, 10)),
  hour: instant.map((date) => `${date.toISOString().slice(11, 23)}`),
  span: fc.tuple(fc.nat(99), fc.nat(99)).map(([days, seconds]) => `${days} days ${seconds} seconds`),
  plain: json,
  binary: json,
  bytes: fc.uint8Array({ maxLength: 20 }),
  tags: fc.array(unicode(5), { maxLength: 3 }),
  numbers: fc.array(fc.integer(), { maxLength: 3 }),
  address: fc.ipV4(),
}

interface Opened {
  readonly db: DrizzleDatabase
  readonly execute: (statement: string) => Promise<unknown>
  readonly close: () => Promise<unknown>
}

const drivers: Readonly<Record<string, (url: string) => Opened>> = {
  'node-postgres': (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', () => undefined))
    const execute = async (statement: string) => (await pool.query(statement)).rows
    return { db: overNodePostgres(pool), execute, close: () => pool.end() }
  },
  'postgres.js': (url) => {
    const client = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined })
    return {
      db: overPostgresJs(client),
      execute: (statement) => client.unsafe(statement),
      close: () => client.end(),
    }
  },
}

onPostgres('the values of prepared statements', () => {
  it.each(Object.keys(drivers))('are those of others: %s', async (driver) => {
    const database = await createDatabase('named_values')
    const opened = [drivers[driver]?.(database.url), drivers[driver]?.(database.url)] as [Opened, Opened]
    const outside = new pg.Client(database.url)
    outside.on('error', () => undefined)
    await outside.connect()
    try {
      await outside.query(create())
      const [prepared, others] = opened.map(({ db }, place) => {
        const { models, store } = drizzleModels(db, { things }, { prepare: place === 0 })
        return models.map((model) => store(model))[0]
      }) as [RecordStore, RecordStore]
      const all = { filter: everything, order: [], limit: 5, offset: 0 }
      const seen = async (store: RecordStore, row: Row): Promise<readonly unknown[]> => {
        const created = await store.create({ id: 1, ...row })
        const read = [await store.read([1], everything), await store.list(all, everything)]
        const updated = await store.update([1], row, everything)
        return [created, ...read, updated, await store.take([1], everything)]
      }
      for (let time = 0; time < 6; time += 1) await seen(prepared, {})
      const rowOf = fc.record(values, { requiredKeys: Object.keys(values) as never })
      const anyRow = rowOf.chain((row) =>
        fc.subarray(Object.keys(row)).map((nulls) => ({
          ...row,
          ...Object.fromEntries(nulls.map((name) => [name, null])),
        })),
      )
      // Each row a few times: its statements get names.
      await fc.assert(
        fc.asyncProperty(anyRow, async (row) => {
          expect(await seen(prepared, row)).toEqual(await seen(others, row))
        }),
        { numRuns: 150 },
      )
      const [kept, keptByOthers] = await Promise.all(
        opened.map(async ({ execute }) => {
          const counting = `select count(*)::int as count from pg_prepared_statements where statement ~ '"things"'`
          return ((await execute(counting)) as { count: number }[])[0]?.count
        }),
      )
      // postgres.js keeps one for each combination of types of values.
      expect(kept).toBeGreaterThanOrEqual(4)
      expect(keptByOthers).toBe(0)
    } finally {
      await outside.end()
      for (const { close } of opened) await close()
      await database.drop()
    }
  })
})
