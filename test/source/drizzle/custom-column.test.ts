import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { describe, expect, it, vi } from 'vitest'
import { StartError } from '../../../src/error/errors.ts'
import { describeTables } from '../../../src/source/drizzle/describe.ts'
import type { ColumnKinds } from '../../../src/source/drizzle/stated-columns.ts'
import { dotted, Money } from '../../http/custom-columns/mapped.ts'
import { naming } from '../../naming.ts'

const described = (things: object, columns?: ColumnKinds) => {
  const { tables, notes } = describeTables({ things }, {}, columns)
  const fields = new Map(tables[0]?.model.fields.map((field) => [field.name, field]))
  return { field: fields.get('value'), notes }
}

interface Params {
  readonly type: string
  readonly fromDriver?: (raw: never) => unknown
  readonly toDriver?: (value: never) => unknown
}

const inPg = ({ type, ...mappers }: Params, columns?: ColumnKinds) =>
  described(
    pg.pgTable('things', {
      id: pg.integer().primaryKey(),
      value: pg.customType({ dataType: () => type, ...mappers } as never)(),
    }),
    columns,
  )
const inMysql = ({ type, ...mappers }: Params) =>
  described(
    mysql.mysqlTable('things', {
      id: mysql.int().primaryKey(),
      value: mysql.customType({ dataType: () => type, ...mappers } as never)(),
    }),
  )
const inSqlite = ({ type, ...mappers }: Params, columns?: ColumnKinds) =>
  described(
    sqlite.sqliteTable('things', {
      id: sqlite.integer().primaryKey(),
      value: sqlite.customType({ dataType: () => type, ...mappers } as never)(),
    }),
    columns,
  )

const stringify = (value: never) => JSON.stringify(value)
const parse = (raw: unknown) => (typeof raw === 'string' ? JSON.parse(raw) : raw)
const same = (value: never) => value

describe('mappers that keep what the SQL type holds', () => {
  it.each<[string, Params, object]>([
    ['text', { type: 'text', fromDriver: same, toDriver: same }, { kind: 'text', form: 'string' }],
    [
      'a number',
      { type: 'numeric(18, 2)', fromDriver: Number },
      { kind: 'decimal', form: 'number', precision: 18, scale: 2 },
    ],
    [
      'a decimal of a library',
      { type: 'numeric', fromDriver: (text) => new Money(text), toDriver: String },
      { kind: 'decimal', form: 'string' },
    ],
    [
      'a bigint',
      { type: 'bigint', fromDriver: BigInt, toDriver: String },
      { kind: 'bigint', form: 'bigint' },
    ],
    ['a bigint as number', { type: 'int8', fromDriver: Number }, { kind: 'integer', form: 'number' }],
    [
      'a bigint as text',
      { type: 'bigint', fromDriver: String, toDriver: same },
      { kind: 'bigint', form: 'string' },
    ],
    [
      'a date',
      { type: 'timestamptz', fromDriver: (raw) => new Date(raw), toDriver: (at: Date) => at.toISOString() },
      { kind: 'datetime', form: 'date', fractionDigits: 3 },
    ],
    [
      'a day',
      { type: 'date', fromDriver: (raw) => new Date(raw), toDriver: (at: Date) => at.toISOString() },
      { kind: 'date', form: 'date' },
    ],
    [
      'a local date, without toDriver',
      { type: 'timestamp', fromDriver: (raw: string) => new Date(`${raw.replace(' ', 'T')}Z`) },
      { kind: 'localdatetime', form: 'date' },
    ],
    [
      'a local date, sent with a zone',
      {
        type: 'timestamp',
        fromDriver: (raw) => new Date(`${raw}+0000`),
        toDriver: (at: Date) => at.toISOString(),
      },
      { kind: 'localdatetime', form: 'date' },
    ],
    [
      'a decimal without its zeros',
      { type: 'numeric(10, 2)', fromDriver: (text: string) => text.replace(/\.?0+$/, ''), toDriver: String },
      { kind: 'decimal', form: 'string' },
    ],
    ['JSON', { type: 'jsonb', fromDriver: parse, toDriver: stringify }, { kind: 'json', form: 'json' }],
    ['JSON as it is', { type: 'jsonb', fromDriver: same, toDriver: same }, { kind: 'json', form: 'json' }],
    [
      'JSON as text',
      { type: 'json', fromDriver: JSON.parse, toDriver: stringify },
      { kind: 'json', form: 'json' },
    ],
    [
      'a text that is JSON',
      { type: 'text', fromDriver: JSON.parse, toDriver: stringify },
      { kind: 'json', form: 'json' },
    ],
    [
      'bytes',
      {
        type: 'bytea',
        fromDriver: (raw: Uint8Array) => new Uint8Array(raw),
        toDriver: (raw: Uint8Array) => Buffer.from(raw),
      },
      { kind: 'bytes', form: 'bytes' },
    ],
    [
      'a vector',
      { type: 'vector(3)', fromDriver: JSON.parse, toDriver: stringify },
      { kind: 'array', form: 'json', size: 3 },
    ],
    ['an array', { type: 'integer[]', fromDriver: same, toDriver: same }, { kind: 'array', form: 'json' }],
  ])('%s', (_name, params, field) => {
    expect(inPg(params).field).toMatchObject(field)
  })

  it.each<[string, ReturnType<typeof inPg>, object]>([
    [
      'a key that refers, of MySQL',
      inMysql({ type: 'bigint unsigned', fromDriver: Number }),
      { kind: 'integer', minimum: 0 },
    ],
    [
      'a bigint of MySQL',
      inMysql({ type: 'bigint', fromDriver: BigInt }),
      { kind: 'bigint', form: 'bigint' },
    ],
    [
      'a boolean',
      inMysql({ type: 'tinyint', fromDriver: Boolean, toDriver: Number }),
      { kind: 'boolean', form: 'boolean' },
    ],
    [
      'milliseconds',
      inSqlite({ type: 'integer', fromDriver: (ms) => new Date(ms), toDriver: (at: Date) => at.getTime() }),
      { kind: 'datetime', form: 'date', fractionDigits: 3 },
    ],
    [
      'seconds',
      inSqlite({
        type: 'INT',
        fromDriver: (s) => new Date(s * 1000),
        toDriver: (at: Date) => at.getTime() / 1000,
      }),
      { kind: 'datetime', fractionDigits: 0 },
    ],
  ])('%s', (_name, { field }, expected) => {
    expect(field).toMatchObject(expected)
  })
})

describe('mappers that change it', () => {
  it.each<[string, Params]>([
    ['lower case', { type: 'text', toDriver: (text: string) => text.toLowerCase() }],
    ['without spaces', { type: 'varchar(20)', fromDriver: (text: string) => text.trim() }],
    ['upper case', { type: 'char(1)', toDriver: (letter: string) => letter.toUpperCase() }],
    [
      'a letter for yes',
      { type: 'char(1)', fromDriver: (letter) => letter === 'Y', toDriver: (yes) => (yes ? 'Y' : 'N') },
    ],
    [
      'a code that text of former times does not have',
      {
        type: 'text',
        fromDriver: (text: string) => (text.startsWith('code:') ? atob(text.slice(5)) : text),
        toDriver: (text: string) => `code:${btoa(text)}`,
      },
    ],
    ['cents', { type: 'integer', fromDriver: (n) => n / 100, toDriver: (n) => n * 100 }],
    ['cents in a decimal', { type: 'numeric', fromDriver: (text) => Number(text) * 100 }],
    [
      'another zone',
      {
        type: 'timestamp',
        fromDriver: (raw) => new Date(`${raw}+05:00`),
        toDriver: (at: Date) => at.toISOString(),
      },
    ],
    [
      'an error',
      {
        type: 'text',
        fromDriver: () => {
          throw new Error('never')
        },
      },
    ],
    ['an expression', { type: 'text', toDriver: () => ({ sql: true }) }],
    ['JSON of a shape', { type: 'jsonb', fromDriver: (raw: { a: unknown }) => ({ a: raw.a }) }],
    ['a name in quotes', { type: '"Text"' }],
    ['a type of the application', { type: 'mood' }],
  ])('leave a column unknown: %s', (_name, params) => {
    const { field, notes } = inPg(params)
    expect(field).toMatchObject({ kind: 'opaque' })
    expect(notes).toEqual([expect.stringMatching(naming('Thing', 'value ('))])
  })

  it('are called a few times, once for all columns that share them', () => {
    const fromDriver = vi.fn((text: never) => text)
    const toDriver = vi.fn((text: never) => text)
    const type = sqlite.customType({ dataType: () => 'text', fromDriver, toDriver } as never)
    const columns = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`c${at}`, type()]))
    describeTables({
      things: sqlite.sqliteTable('things', { id: sqlite.integer().primaryKey(), ...columns }),
    })
    expect(fromDriver.mock.calls.length).toBeLessThan(8)
    expect(toDriver.mock.calls.length).toBeLessThan(8)
  })
})

describe('what is said of a column', () => {
  const cents = { type: 'integer', fromDriver: (n: never) => n / 100, toDriver: (n: number) => n * 100 }
  const said = (kind: unknown): ColumnKinds => ({ things: { value: kind as never } })

  it('is its kind, with the form that its mappers take, and what they keep of an order', () => {
    expect(inPg(cents, said({ kind: 'decimal', precision: 8, scale: 2 })).field).toMatchObject({
      ...{ kind: 'decimal', form: 'number', precision: 8, scale: 2 },
    })
    expect(inPg(cents, said('float')).field).not.toHaveProperty('conditions')
    expect(inPg({ type: 'varchar(10)', ...dotted }, said('date')).field).toMatchObject({
      ...{ kind: 'date', form: 'string', conditions: 'equality' },
    })
    expect(inPg({ type: 'geometry(Point)' }, said('text')).field).toMatchObject({
      ...{ kind: 'text', conditions: 'null' },
    })
    expect(
      inPg({ type: 'text', fromDriver: same }, said({ kind: 'text', maxLength: 9 })).field,
    ).toMatchObject({
      ...{ kind: 'text', maxLength: 9 },
    })
    expect(inSqlite({ type: 'datetime' }, said('datetime')).notes).toEqual([])
  })

  it.each([
    { kind: 'integer', minimum: 1000 },
    { kind: 'decimal', precision: 2, scale: 2 },
  ])('is tried with values that it allows: %o', (kind) => {
    expect(inPg(cents, said(kind)).field).toMatchObject({ ...kind, form: 'number' })
  })

  it('may be said of built-in columns of which little is known', () => {
    const things = pg.pgTable('things', {
      id: pg.integer().primaryKey(),
      value: pg.geometry({ type: 'point', mode: 'tuple' }),
      title: pg.text(),
    })
    expect(described(things, said({ kind: 'array', element: 'float', size: 2 })).field).toMatchObject({
      ...{ kind: 'array', size: 2, element: { kind: 'float' } },
    })
    expect(() => described(things, { things: { title: 'date' } })).toThrow(StartError)
  })

  it.each<[string, unknown, readonly (string | number)[]]>([
    ['a table that is not there', { thing: {} }, ['thing', 'app.things', 'things', 'things', 'things']],
    ['a column that is not there', { things: { valu: 'text' } }, ['things', 'valu', 'value', 'value']],
    ['a kind that is none', said('decimals'), ['things.value', 'decimals', 'decimal', 'decimal', 'uuid']],
    ['a kind without a name', said({ scale: 2 }), ['things.value']],
    [
      'an option that is none',
      said({ kind: 'decimal', digits: 2 }),
      ['things.value', 'digits', 'precision', 'scale'],
    ],
    ['an option of another type', said({ kind: 'text', maxLength: '9' }), ['things.value', 'maxLength']],
    [
      'bounds that exclude all',
      said({ kind: 'float', minimum: 5, maximum: 1 }),
      ['things.value', 'minimum', 'maximum'],
    ],
    [
      'a bound of whole numbers with a fraction',
      said({ kind: 'bigint', minimum: 0.5 }),
      ['things.value', 'minimum'],
    ],
    [
      'more digits after the point than in all',
      said({ kind: 'decimal', precision: 2, scale: 4 }),
      ['things.value', 'scale', 'precision'],
    ],
    ['an enum without values', said({ kind: 'enum' }), ['things.value', 'values']],
    ['an array without an element', said({ kind: 'array' }), ['things.value', 'element']],
    [
      'an element that is not a kind',
      said({ kind: 'array', element: 'txt' }),
      ['things.value', 'element', 'txt', 'text', 'text'],
    ],
    ['an example of another kind', said({ kind: 'uuid', example: 'x' }), ['things.value', 'example']],
    ['what its mapper does not take', said('boolean'), ['things.value', 'toDriver', 'boolean']],
    ['no map of columns', { things: 'text' }, ['columns.things', "{ price: 'decimal' }"]],
  ])('is an error at start: %s', (_name, columns, names) => {
    const refuses = {
      type: 'varchar(9)',
      toDriver: () => {
        throw new Error('never')
      },
    }
    expect(() => inPg(refuses, columns as ColumnKinds)).toThrow(StartError)
    expect(() => inPg(refuses, columns as ColumnKinds)).toThrow(naming(...names))
  })

  it('is an error where a column without mappers cannot be that', () => {
    expect(() => inPg({ type: 'integer' }, said('text'))).toThrow(
      naming('things.value', 'text', 'integer', 'boolean'),
    )
  })
})
