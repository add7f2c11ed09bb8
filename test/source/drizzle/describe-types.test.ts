import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { decimal } from '../../../src/entry/drizzle-sqlite.ts'
import { kinds } from '../../../src/model/kinds/index.ts'
import type { Field } from '../../../src/model/model.ts'
import { columnTypes } from '../../../src/source/drizzle/column-types.ts'
import { describeTables } from '../../../src/source/drizzle/describe.ts'

const plain = { access: 'read-write', optional: false, nullable: true, hasDefault: false, generated: false }

/** The field without what is the same for each of them. */
const fieldOf = (table: object): Partial<Field> => {
  const field = describeTables({ things: table }).tables[0]?.model.fields[1]
  const differing = Object.entries(field ?? {}).filter(
    ([key, value]) => key !== 'name' && value !== plain[key as keyof typeof plain],
  )
  return Object.fromEntries(differing)
}

const inSqlite = (x: sqlite.SQLiteColumnBuilderBase) =>
  fieldOf(sqlite.sqliteTable('things', { id: sqlite.integer().primaryKey(), x }))
const inPg = (x: pg.PgColumnBuilderBase) =>
  fieldOf(pg.pgTable('things', { id: pg.integer().primaryKey(), x }))
const inMysql = (x: mysql.MySqlColumnBuilderBase) =>
  fieldOf(mysql.mysqlTable('things', { id: mysql.int().primaryKey(), x }))

const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const bits64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n }
const asJson = { kind: 'json', form: 'json' }
const asDocument = { ...asJson, jsonPaths: true }
const token = { kind: 'token', form: 'string' }
const bytes = { kind: 'bytes', form: 'bytes' }
const float = { kind: 'float', form: 'number' }
const text = { kind: 'text', form: 'string', comparisons: ['starts-with', 'equals-ignoring-case'] }
const choice = { kind: 'enum', form: 'string', values: ['a', 'b'] }

const Letter = { a: 'a', b: 'b' } as const

describe('a column of SQLite', () => {
  it.each<[string, sqlite.SQLiteColumnBuilderBase, object]>([
    ['integer', sqlite.integer(), { kind: 'integer', form: 'number', ...safe }],
    ['boolean', sqlite.integer({ mode: 'boolean' }), { kind: 'boolean', form: 'boolean' }],
    [
      'timestamp',
      sqlite.integer({ mode: 'timestamp' }),
      { kind: 'datetime', form: 'date', fractionDigits: 0 },
    ],
    [
      'timestamp_ms',
      sqlite.integer({ mode: 'timestamp_ms' }),
      { kind: 'datetime', form: 'date', fractionDigits: 3 },
    ],
    ['text', sqlite.text(), text],
    ['text with length', sqlite.text({ length: 9 }), { ...text, maxLength: 9 }],
    ['text enum', sqlite.text({ enum: ['a', 'b'] }), choice],
    ['text json', sqlite.text({ mode: 'json' }), asDocument],
    ['blob', sqlite.blob({ mode: 'buffer' }), bytes],
    ['blob bigint', sqlite.blob({ mode: 'bigint' }), { kind: 'bigint', form: 'bigint', ...bits64 }],
    ['blob json', sqlite.blob({ mode: 'json' }), asDocument],
    ['real', sqlite.real(), float],
    ['numeric', sqlite.numeric(), { kind: 'decimal', form: 'string', precision: 15 }],
    [
      'numeric number',
      sqlite.numeric({ mode: 'number' }),
      { kind: 'decimal', form: 'number', precision: 15 },
    ],
    [
      'numeric bigint',
      sqlite.numeric({ mode: 'bigint' }),
      { kind: 'decimal', form: 'bigint', precision: 15, scale: 0 },
    ],
    [
      'decimal',
      decimal({ precision: 65, scale: 30 }),
      { kind: 'decimal', form: 'string', precision: 65, scale: 30 },
    ],
    ['plain custom blob', sqlite.customType<{ data: Buffer }>({ dataType: () => 'blob' })(), bytes],
    [
      'custom',
      sqlite.customType<{ data: string }>({ dataType: () => 'geo' })(),
      { kind: 'opaque', form: 'json' },
    ],
  ])('%s', (_name, column, field) => {
    expect(inSqlite(column)).toEqual(field)
  })
})

describe('a column of PostgreSQL', () => {
  const int4 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }
  const int2 = { minimum: -(2 ** 15), maximum: 2 ** 15 - 1 }
  const serial = { nullable: false, hasDefault: true }
  const localdatetime = { kind: 'localdatetime', form: 'date', fractionDigits: 6 }
  it.each<[string, pg.PgColumnBuilderBase, object]>([
    ['smallint', pg.smallint(), { kind: 'integer', form: 'number', ...int2 }],
    ['integer', pg.integer(), { kind: 'integer', form: 'number', ...int4 }],
    ['bigint number', pg.bigint({ mode: 'number' }), { kind: 'integer', form: 'number', ...safe }],
    ['bigint', pg.bigint({ mode: 'bigint' }), { kind: 'bigint', form: 'bigint', ...bits64 }],
    ['smallserial', pg.smallserial(), { kind: 'integer', form: 'number', ...int2, ...serial }],
    ['serial', pg.serial(), { kind: 'integer', form: 'number', ...int4, ...serial }],
    [
      'bigserial number',
      pg.bigserial({ mode: 'number' }),
      { kind: 'integer', form: 'number', ...safe, ...serial },
    ],
    ['bigserial', pg.bigserial({ mode: 'bigint' }), { kind: 'bigint', form: 'bigint', ...bits64, ...serial }],
    ['boolean', pg.boolean(), { kind: 'boolean', form: 'boolean' }],
    ['text', pg.text(), text],
    ['text enum', pg.text({ enum: ['a', 'b'] }), choice],
    ['varchar', pg.varchar(), text],
    ['varchar(9)', pg.varchar({ length: 9 }), { ...text, maxLength: 9 }],
    ['varchar enum', pg.varchar({ length: 9, enum: ['a', 'b'] }), choice],
    ['char', pg.char(), { ...text, maxLength: 1 }],
    ['char(9)', pg.char({ length: 9 }), { ...text, maxLength: 9 }],
    ['enum', pg.pgEnum('letter', ['a', 'b'])(), choice],
    ['enum object', pg.pgEnum('letter', Letter)(), choice],
    ['uuid', pg.uuid(), { kind: 'uuid', form: 'string' }],
    ['numeric', pg.numeric(), { kind: 'decimal', form: 'string' }],
    ['numeric(5)', pg.numeric({ precision: 5 }), { kind: 'decimal', form: 'string', precision: 5, scale: 0 }],
    [
      'numeric(5, 2)',
      pg.numeric({ precision: 5, scale: 2 }),
      { kind: 'decimal', form: 'string', precision: 5, scale: 2 },
    ],
    [
      'numeric number',
      pg.numeric({ mode: 'number', precision: 5, scale: 2 }),
      { kind: 'decimal', form: 'number', precision: 5, scale: 2 },
    ],
    [
      'numeric bigint',
      pg.numeric({ mode: 'bigint', precision: 20 }),
      { kind: 'decimal', form: 'bigint', precision: 20, scale: 0 },
    ],
    ['real', pg.real(), float],
    ['double precision', pg.doublePrecision(), float],
    ['date', pg.date(), { kind: 'date', form: 'string' }],
    ['date date', pg.date({ mode: 'date' }), { kind: 'date', form: 'date' }],
    ['time', pg.time(), { kind: 'time', form: 'string', fractionDigits: 6 }],
    ['time(2)', pg.time({ precision: 2 }), { kind: 'time', form: 'string', fractionDigits: 2 }],
    ['timetz', pg.time({ withTimezone: true }), token],
    ['timestamp', pg.timestamp(), localdatetime],
    ['timestamp string', pg.timestamp({ mode: 'string' }), { ...localdatetime, form: 'string' }],
    ['timestamptz', pg.timestamp({ withTimezone: true }), { ...localdatetime, kind: 'datetime' }],
    [
      'timestamptz(0) string',
      pg.timestamp({ withTimezone: true, precision: 0, mode: 'string' }),
      { kind: 'datetime', form: 'string', fractionDigits: 0 },
    ],
    ['interval', pg.interval(), token],
    ['inet', pg.inet(), token],
    ['cidr', pg.cidr(), token],
    ['macaddr', pg.macaddr(), token],
    ['macaddr8', pg.macaddr8(), token],
    ['bit', pg.bit({ dimensions: 3 }), token],
    ['sparsevec', pg.sparsevec({ dimensions: 3 }), token],
    ['json', pg.json(), asDocument],
    ['jsonb', pg.jsonb(), asDocument],
    ['point', pg.point(), asJson],
    ['point object', pg.point({ mode: 'xy' }), asJson],
    ['line', pg.line(), asJson],
    ['line object', pg.line({ mode: 'abc' }), asJson],
    ['geometry', pg.geometry(), asJson],
    ['geometry object', pg.geometry({ mode: 'xy' }), asJson],
    [
      'vector',
      pg.vector({ dimensions: 3 }),
      { kind: 'array', form: 'json', element: { ...float, nullable: false }, size: 3 },
    ],
    [
      'halfvec',
      pg.halfvec({ dimensions: 3 }),
      { kind: 'array', form: 'json', element: { ...float, nullable: false }, size: 3 },
    ],
    [
      'array',
      pg.varchar({ length: 9 }).array(),
      {
        ...{ kind: 'array', form: 'json', comparesElements: true },
        element: { kind: 'text', form: 'string', maxLength: 9, nullable: false },
      },
    ],
    [
      'array of a size',
      pg.date().array(2),
      {
        ...{ kind: 'array', form: 'json', size: 2, comparesElements: true },
        element: { kind: 'date', form: 'string', nullable: false },
      },
    ],
    [
      'array of arrays',
      pg.real().array().array(),
      {
        kind: 'array',
        form: 'json',
        element: { kind: 'array', form: 'json', nullable: false, element: { ...float, nullable: false } },
      },
    ],
    ['bytea', pg.customType<{ data: Buffer }>({ dataType: () => 'bytea' })(), bytes],
    [
      'mapped bytea',
      pg.customType<{ data: string }>({ dataType: () => 'bytea', fromDriver: String })(),
      { kind: 'opaque', form: 'json' },
    ],
    ['citext', pg.customType<{ data: string }>({ dataType: () => 'citext' })(), text],
    [
      'identity',
      pg.integer().generatedByDefaultAsIdentity(),
      { kind: 'integer', form: 'number', ...int4, nullable: false, hasDefault: true },
    ],
    [
      'identity always',
      pg.integer().generatedAlwaysAsIdentity(),
      { kind: 'integer', form: 'number', ...int4, nullable: false, hasDefault: true, generated: true },
    ],
  ])('%s', (_name, column, field) => {
    expect(inPg(column)).toEqual(field)
  })
})

describe('a column of MySQL', () => {
  const integer = (minimum: number, maximum: number) => ({
    kind: 'integer',
    form: 'number',
    minimum,
    maximum,
  })
  it.each<[string, mysql.MySqlColumnBuilderBase, object]>([
    ['tinyint', mysql.tinyint(), integer(-128, 127)],
    ['tinyint unsigned', mysql.tinyint({ unsigned: true }), integer(0, 255)],
    ['smallint', mysql.smallint(), integer(-32768, 32767)],
    ['mediumint', mysql.mediumint(), integer(-8388608, 8388607)],
    ['int', mysql.int(), integer(-(2 ** 31), 2 ** 31 - 1)],
    ['int unsigned', mysql.int({ unsigned: true }), integer(0, 2 ** 32 - 1)],
    ['bigint number', mysql.bigint({ mode: 'number' }), integer(safe.minimum, safe.maximum)],
    ['bigint number unsigned', mysql.bigint({ mode: 'number', unsigned: true }), integer(0, safe.maximum)],
    ['bigint', mysql.bigint({ mode: 'bigint' }), { kind: 'bigint', form: 'bigint', ...bits64 }],
    [
      'bigint unsigned',
      mysql.bigint({ mode: 'bigint', unsigned: true }),
      { kind: 'bigint', form: 'bigint', minimum: 0n, maximum: 2n ** 64n - 1n },
    ],
    ['serial', mysql.serial(), { ...integer(0, safe.maximum), nullable: false, hasDefault: true }],
    ['year', mysql.year(), integer(1901, 2155)],
    ['boolean', mysql.boolean(), { kind: 'boolean', form: 'boolean' }],
    ['char', mysql.char(), { ...text, maxLength: 1 }],
    ['varchar', mysql.varchar({ length: 9 }), { ...text, maxLength: 9 }],
    ['varchar enum', mysql.varchar({ length: 9, enum: ['a', 'b'] }), choice],
    ['text', mysql.text(), { ...text, maxLength: 65535 }],
    ['tinytext', mysql.tinytext(), { ...text, maxLength: 255 }],
    ['longtext', mysql.longtext(), text],
    ['enum', mysql.mysqlEnum(['a', 'b']), choice],
    ['enum object', mysql.mysqlEnum(Letter), choice],
    ['decimal', mysql.decimal(), { kind: 'decimal', form: 'string', precision: 10, scale: 0 }],
    [
      'decimal(5, 2)',
      mysql.decimal({ precision: 5, scale: 2 }),
      { kind: 'decimal', form: 'string', precision: 5, scale: 2 },
    ],
    [
      'decimal unsigned',
      mysql.decimal({ unsigned: true }),
      { kind: 'decimal', form: 'string', precision: 10, scale: 0, minimum: 0 },
    ],
    [
      'decimal number',
      mysql.decimal({ mode: 'number', precision: 5, scale: 2 }),
      { kind: 'decimal', form: 'number', precision: 5, scale: 2 },
    ],
    [
      'decimal bigint',
      mysql.decimal({ mode: 'bigint', precision: 20 }),
      { kind: 'decimal', form: 'bigint', precision: 20, scale: 0 },
    ],
    ['float', mysql.float(), float],
    ['double unsigned', mysql.double({ unsigned: true }), { ...float, minimum: 0 }],
    ['real', mysql.real(), float],
    ['date', mysql.date(), { kind: 'date', form: 'date' }],
    ['date string', mysql.date({ mode: 'string' }), { kind: 'date', form: 'string' }],
    ['time', mysql.time(), { kind: 'time', form: 'string', fractionDigits: 0 }],
    ['timestamp', mysql.timestamp(), { kind: 'datetime', form: 'date', fractionDigits: 0 }],
    [
      'timestamp(6) string',
      mysql.timestamp({ mode: 'string', fsp: 6 }),
      { kind: 'datetime', form: 'string', fractionDigits: 6 },
    ],
    [
      'timestamp on update',
      mysql.timestamp().onUpdateNow(),
      { kind: 'datetime', form: 'date', fractionDigits: 0, hasDefault: true },
    ],
    ['datetime', mysql.datetime(), { kind: 'localdatetime', form: 'date', fractionDigits: 0 }],
    [
      'datetime(3) string',
      mysql.datetime({ mode: 'string', fsp: 3 }),
      { kind: 'localdatetime', form: 'string', fractionDigits: 3 },
    ],
    ['json', mysql.json(), asDocument],
    ['binary', mysql.binary({ length: 9 }), { ...token, maxLength: 9 }],
    ['varbinary', mysql.varbinary({ length: 9 }), { ...token, maxLength: 9 }],
    [
      'blob',
      mysql.customType<{ data: Buffer }>({ dataType: () => 'varbinary(16)' })(),
      { ...bytes, maxLength: 16 },
    ],
  ])('%s', (_name, column, field) => {
    expect(inMysql(column)).toEqual(field)
  })
})

interface Builder {
  readonly config: { readonly columnType: string }
  readonly build?: unknown
}

/** The column types that a dialect's builders make. Abstract builders cannot build. */
const columnTypesOf = (dialect: object): readonly string[] => {
  const anything = { enumValues: ['a'], enumName: 'a', dataType: () => 'a', mode: 'number' }
  return Object.entries(dialect).flatMap(([name, exported]) => {
    if (!/Builder$/.test(name) || typeof exported.prototype?.$defaultFn !== 'function') return []
    const builder = new exported('x', anything, anything) as Builder
    return builder.build === undefined ? [] : [builder.config.columnType]
  })
}

/** Our own, which no dialect exports. */
const ours =
  /^SQLiteExactDecimal$|^(?:SQLite|Pg|MySql)(?:File|Image)$|^(?:MySqlBits|MySqlBlob|PgBigIntText|PgBytea|PgCitext|SQLiteUuid)$/

it.each([
  ['SQLite', sqlite],
  ['Pg', pg],
  ['MySql', mysql],
])('every column type of %s has a row, and every row a column type', (prefix, dialect) => {
  const rows = Object.keys(columnTypes).filter((type) => type.startsWith(prefix) && !ours.test(type))
  expect(rows.toSorted()).toEqual(columnTypesOf(dialect).toSorted())
})

it('every row gives a kind and form that the table of kinds knows', () => {
  for (const row of Object.values(columnTypes)) {
    const { kind } = row({ columnType: 'x', getSQLType: () => 'x' })
    expect(Object.keys(kinds)).toContain(kind)
  }
})
