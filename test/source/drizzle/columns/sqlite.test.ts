import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { asc, eq, getTableColumns, gt, lt, sql } from 'drizzle-orm'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { alias, integer, sqliteTable, sqliteView } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { decimal } from '../../../../src/entry/drizzle-sqlite.ts'
import { StartError } from '../../../../src/error/errors.ts'
import { Unrepresentable } from '../../../../src/model/codec.ts'
import { naming } from '../../../naming.ts'

let folder: string
let database: Database.Database
let db: BetterSQLite3Database

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  database = new Database(join(folder, 'test.db'))
  database.exec('pragma journal_mode = memory; pragma synchronous = off')
  db = drizzle(database)
})
afterAll(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

const tableOf = (name: string, precision: number, scale: number) =>
  sqliteTable(name, { id: integer().primaryKey(), value: decimal({ precision, scale }) })

const createTable = (name: string, table: ReturnType<typeof tableOf>) =>
  database.exec(
    `drop table if exists ${name}; create table ${name} (id integer primary key, value ${table.value.getSQLType()})`,
  )

/** Written apart from the code: digits of a count of the smallest unit, with a point in them. */
const textOf = (units: bigint, scale: number): string => {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? '.' : ''}${digits.slice(point)}`
}

const shapes: readonly (readonly [number, number])[] = [
  ...([
    [1, 0],
    [1, 1],
    [4, 2],
    [10, 2],
    [15, 0],
    [15, 15],
    [16, 0],
  ] as const),
  ...([
    [16, 8],
    [19, 4],
    [38, 10],
    [65, 30],
    [65, 0],
    [65, 65],
  ] as const),
]

describe.each(shapes)('decimal(%d, %d)', (precision, scale) => {
  const name = `d_${precision}_${scale}`
  const table = tableOf(name, precision, scale)
  const most = 10n ** BigInt(precision) - 1n
  const anyUnits = fc.oneof(
    fc.bigInt({ min: -most, max: most }),
    fc.bigInt({ min: -2n, max: 2n }).filter((units) => units <= most && units >= -most),
    fc.constantFrom(most, -most, most - 1n),
  )

  it('sorts and compares by value, and keeps every digit', () => {
    createTable(name, table)
    fc.assert(
      fc.property(fc.array(anyUnits, { minLength: 1, maxLength: 12 }), anyUnits, (all, pivot) => {
        database.exec(`delete from ${name}`)
        db.insert(table)
          .values(all.map((units) => ({ value: textOf(units, scale) })))
          .run()
        const stored = db.select({ value: table.value }).from(table)
        const values = (rows: readonly { readonly value: string | null }[]) => rows.map(({ value }) => value)
        const texts = (units: readonly bigint[]) => units.map((each) => textOf(each, scale))
        const sorted = all.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        const at = textOf(pivot, scale)
        expect(values(stored.orderBy(asc(table.value)).all())).toEqual(texts(sorted))
        expect(values(db.select().from(table).where(lt(table.value, at)).orderBy(table.value).all())).toEqual(
          texts(sorted.filter((units) => units < pivot)),
        )
        expect(values(db.select().from(table).where(gt(table.value, at)).orderBy(table.value).all())).toEqual(
          texts(sorted.filter((units) => units > pivot)),
        )
        expect(values(db.select().from(table).where(eq(table.value, at)).all())).toEqual(
          texts(all.filter((units) => units === pivot)),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('refuses what does not fit', () => {
    const write = (value: string) => () => db.insert(table).values({ value }).toSQL()
    expect(write(textOf(most, scale))).not.toThrow()
    expect(write(textOf(most + 1n, scale))).toThrow(RangeError)
    expect(write(textOf(-most - 1n, scale))).toThrow(RangeError)
    const fine = write(`0.${'0'.repeat(scale)}1`)
    expect(fine).toThrow(RangeError)
    expect(fine).toThrow(naming(scale))
  })
})

describe('decimal()', () => {
  const things = tableOf('things', 10, 2)
  const write = (value: unknown) => things.value.mapToDriverValue(value)
  const stored = (value: unknown) => things.value.mapFromDriverValue(write(value))

  it.each([
    ['9.9', '9.90'],
    ['9.900', '9.90'],
    ['-0.05', '-0.05'],
    ['-0.00', '0.00'],
    ['007', '7.00'],
    [9.9, '9.90'],
    [12n, '12.00'],
  ])('takes %s as %s', (value, text) => {
    expect(stored(value)).toBe(text)
  })

  it.each(['', ' 1', '1.', '.5', '+1', '1e3', '1,5', '0x1', 'NaN', '١', '1\n', Number.NaN, 1e21, null, {}])(
    'refuses %j',
    (value) => {
      expect(() => write(value)).toThrow(RangeError)
    },
  )

  it('refuses to hand out what it did not write', () => {
    const long = tableOf('things', 20, 2)
    for (const value of [9.5, '9.90', 1e10, null, new Uint8Array()]) {
      expect(() => things.value.mapFromDriverValue(value)).toThrow(Unrepresentable)
    }
    for (const value of [9, '9.90', '200000000000000000000', `1${'0'.repeat(21)}`]) {
      expect(() => long.value.mapFromDriverValue(value)).toThrow(Unrepresentable)
    }
    expect(things.value.mapFromDriverValue(990n)).toBe('9.90')
  })

  it('takes both call styles of drizzle', () => {
    const table = sqliteTable('t', {
      id: integer().primaryKey(),
      plain: decimal({ precision: 10, scale: 2 }),
      named: decimal('col', { precision: 20 }),
    })
    const { plain, named } = getTableColumns(table)
    expect([plain.name, named.name]).toEqual(['plain', 'col'])
    expect([plain.getSQLType(), named.getSQLType()]).toEqual(['integer', 'text'])
    expectTypeOf<typeof table.$inferSelect>().toEqualTypeOf<{
      id: number
      plain: string | null
      named: string | null
    }>()
    expectTypeOf<typeof table.$inferInsert>().toEqualTypeOf<{
      id?: number | undefined
      plain?: string | null | undefined
      named?: string | null | undefined
    }>()
  })

  it.each<[config: object | undefined, names: readonly (string | number)[]]>([
    [{ precision: 0 }, ['decimal', 'precision', 1, 1000]],
    [{ precision: 2.5 }, ['decimal', 'precision', 1, 1000]],
    [{ precision: 1001 }, ['decimal', 'precision', 1, 1000]],
    [{ precision: 5, scale: 6 }, ['decimal', 'scale', 0, 5]],
    [{ precision: 5, scale: -1 }, ['decimal', 'scale', 0, 5]],
    [undefined, ['decimal({ precision: 10, scale: 2 })']],
  ])('refuses %j', (config, names) => {
    expect(() => decimal(config as { precision: number })).toThrow(StartError)
    expect(() => decimal(config as { precision: number })).toThrow(naming(...names))
  })

  it('works in aliases and views', () => {
    const view = sqliteView('dear').as((query) => query.select().from(things).where(gt(things.value, '5.00')))
    createTable('things', things)
    database.exec(
      'drop view if exists dear; create view dear as select id, value from things where value > 500',
    )
    db.insert(things)
      .values([{ value: '4.99' }, { value: '9.9' }])
      .run()
    expect(db.select().from(view).where(lt(view.value, '10')).all()).toEqual([{ id: 2, value: '9.90' }])
    const other = alias(things, 'other')
    const pairs = db
      .select({ value: other.value })
      .from(things)
      .innerJoin(other, lt(things.value, other.value))
    expect(pairs.all()).toEqual([{ value: '9.90' }])
  })

  it('inserts constant defaults, SQL defaults and those of functions', () => {
    const table = sqliteTable('defaults', {
      id: integer().primaryKey(),
      a: decimal({ precision: 10, scale: 2 }).notNull().default('-9.9'),
      b: decimal({ precision: 20, scale: 2 }).default('-0.05'),
      c: decimal({ precision: 10, scale: 2 }).default(sql`12`),
      d: decimal({ precision: 10, scale: 2 }).$defaultFn(() => '3'),
    })
    database.exec(
      'create table defaults (id integer primary key, a integer not null, b text, c integer, d integer)',
    )
    expect(db.insert(table).values({}).returning().get()).toEqual({
      ...{ id: 1, a: '-9.90', b: '-0.05', c: '0.12', d: '3.00' },
    })
    expect(database.prepare('select typeof(a) as type from defaults').get()).toEqual({ type: 'integer' })
    expect(() => decimal({ precision: 3, scale: 2 }).default('10')).toThrow(RangeError)
  })
})
