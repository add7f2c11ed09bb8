import {
  bigint,
  char,
  date,
  inet,
  json,
  jsonb,
  integer as pgInteger,
  numeric as pgNumeric,
  pgSchema,
  pgTable,
  text as pgText,
  real,
  timestamp,
} from 'drizzle-orm/pg-core'
import { integer, numeric, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PreciseDate } from '../../../src/model/kinds/time.ts'
import { type Comparison, type Condition, everything } from '../../../src/query/ast.ts'
import type { SourceError } from '../../../src/source/source.ts'
import { errorOf } from '../../contract/drizzle-source/stage.ts'
import { naming } from '../../naming.ts'
import { pgStore, sqliteStore } from './open-store.ts'

const one = { filter: everything, order: [], limit: 1, offset: 0 }

describe('SQLite', () => {
  const table = sqliteTable('things', {
    id: integer().primaryKey(),
    whole: integer(),
    exact: numeric(),
    number: numeric({ mode: 'number' }),
    big: numeric({ mode: 'bigint' }),
    at: integer({ mode: 'timestamp' }),
    json: text({ mode: 'json' }),
    name: text(),
    state: text({ enum: ['Open', 'open'] }),
  })
  const create = `create table things (id integer primary key, whole integer, exact numeric, number numeric, big numeric,
    at integer, json text, name text collate nocase,
    state text collate nocase)`

  it.each([
    ['whole', '9007199254740993'],
    ['whole', '-9007199254740993'],
    ['exact', '9007199254740993'],
    ['number', '9007199254740993'],
    ['at', '9007199254740993'],
    ['json', `'{'`],
  ])('%s of %s is refused, its record and field named', async (field, stored) => {
    const { client, store } = sqliteStore(create, table)
    client.exec(`insert into things (id, ${field}) values (7, ${stored})`)
    for (const act of [() => store.read([7], everything), () => store.list(one, everything)]) {
      const error = (await errorOf(act)) as SourceError
      expect(error).toMatchObject({ kind: 'unrepresentable', fields: [field] })
      expect(String(error.cause)).toMatch(naming('Thing', 7, field))
    }
  })

  it('values of an enum that differ only in case are different, although the column takes them as equal', () => {
    const { store } = sqliteStore(create, table)
    for (const state of ['Open', 'open', null]) store.create({ state })
    const count = (filter: Condition) => store.count(filter, everything)
    expect(count({ op: 'eq', field: 'state', value: 'open' })).toBe(1)
    expect(count({ op: 'ne', field: 'state', value: 'open' })).toBe(2)
    expect(count({ op: 'in', field: 'state', values: ['open'] })).toBe(1)
    expect(count({ op: 'in', field: 'state', values: Array(200).fill('open') })).toBe(1)
  })

  it('what a form can hold is handed out', () => {
    const { client, store } = sqliteStore(create, table)
    client.exec(`insert into things (id, whole, exact, number, big) values
      (1, 9007199254740991, 0.1, 1e300, 9007199254740993), (2, 1, '12.50', 2.5, 1)`)
    expect(store.read([1], everything)).toMatchObject({
      whole: 9007199254740991,
      exact: '0.1',
      number: 1e300,
      big: 9007199254740993n,
    })
    expect(store.create({ big: 4611686018427387905n })).toMatchObject({ big: 4611686018427387905n })
  })

  it('safe integers of the client are numbers where the field is one', () => {
    const { client, store } = sqliteStore(create, table)
    client.defaultSafeIntegers(true)
    client.exec('insert into things (id, whole) values (1, 5)')
    expect(store.read([1], everything)).toMatchObject({ id: 1, whole: 5 })
    client.exec('update things set whole = 9007199254740993')
    expect(() => store.read([1], everything)).toThrow(expect.objectContaining({ kind: 'unrepresentable' }))
  })

  it('equals is byte for byte on a column with another collation', () => {
    const { store } = sqliteStore(create, table)
    for (const name of ['Eden', 'eden']) store.create({ name })
    const count = (op: Comparison, value: string) => store.count({ op, field: 'name', value }, everything)
    expect([count('eq', 'Eden'), count('eq', 'EDEN'), count('ne', 'Eden')]).toEqual([1, 0, 1])
    expect(store.count({ op: 'in', field: 'name', values: ['eden', 'EDEN'] }, everything)).toBe(1)
  })
})

describe('PostgreSQL', () => {
  const table = pgTable('things', {
    id: pgInteger().primaryKey(),
    whole: bigint({ mode: 'number' }),
    number: pgNumeric({ mode: 'number' }),
    big: pgNumeric({ mode: 'bigint' }),
    at: timestamp({ withTimezone: true }),
    local: timestamp(),
    text: timestamp({ mode: 'string' }),
    day: date({ mode: 'date' }),
    json: json(),
    jsonb: jsonb(),
    times: timestamp().array(),
    wholes: bigint({ mode: 'number' }).array(),
    lists: pgText().array().array(),
    code: char({ length: 4 }),
    single: real(),
    address: inet(),
  })
  const create = `create table things (id integer primary key, whole bigint, number numeric, big numeric,
    at timestamptz, local timestamp, text timestamp, day date, json json, jsonb jsonb, times timestamp[], wholes bigint[],
    lists text[][], code char(4),
    single real, address inet)`
  let opened: Awaited<ReturnType<typeof pgStore>>
  beforeAll(async () => {
    opened = await pgStore(create, table)
  })
  afterAll(() => opened.client.close())

  const stored = async (field: string, value: string) => {
    await opened.client.exec(`delete from things; insert into things (id, "${field}") values (7, ${value})`)
    return opened.store.read([7], everything)
  }

  it('are compared by order as they are sorted', async () => {
    await opened.client.exec(
      `delete from things; insert into things (id, address) values (1, '10.0.0.1'), (2, '9.0.0.1'), (3, '9.0.0.1')`,
    )
    const found = (condition: Condition) =>
      opened.store.list({ filter: condition, order: [], limit: 9, offset: 0 }, everything)
    const later: Condition = { op: 'gt', field: 'address', value: '9.0.0.1/32' }
    expect(await found(later)).toMatchObject([{ id: 1 }])
    const next: Condition = { op: 'gt', field: 'id', value: 2 }
    const tie: Condition = { op: 'tie', field: 'address', value: '9.0.0.1/32', condition: next }
    expect(await found(tie)).toMatchObject([{ id: 3 }])
  })

  it.each([
    ['whole', '9007199254740993'],
    ['number', '1.00000000000000000001'],
    ['number', '9007199254740993'],
    ['at', `'infinity'`],
    ['local', `'-infinity'`],
    ['at', `'0044-03-15 00:00:00+00 BC'`],
    ['local', `'12026-01-01'`],
    ['day', `'infinity'`],
    ['day', `'0044-03-15 BC'`],
    ['wholes', `'{9007199254740993}'`],
    ['times', `'{infinity}'`],
  ])('%s of %s is refused, its record and field named', async (field, value) => {
    const error = (await errorOf(() => stored(field, value))) as SourceError
    expect(error).toMatchObject({ kind: 'unrepresentable', fields: [field] })
    expect(String(error.cause)).toMatch(naming('Thing', 7, field))
  })

  it.each([
    ['whole', '9007199254740991', 9007199254740991],
    ['number', '1.50', 1.5],
    ['number', '1e-7', 1e-7],
    ['number', '100', 100],
    ['big', '123456789012345678901234567890', 123456789012345678901234567890n],
    ['day', `'0001-01-01'`, new Date('0001-01-01T00:00:00.000Z')],
    ['json', `'"1"'`, '1'],
    ['jsonb', `'"{}"'`, '{}'],
    ['jsonb', `'[1, {"a": null}]'`, [1, { a: null }]],
    ['jsonb', `'null'`, null],
    ['wholes', `'{1,NULL,3}'`, [1, null, 3]],
    [
      'lists',
      `'{{a,"b,c"},{d,NULL}}'`,
      [
        ['a', 'b,c'],
        ['d', null],
      ],
    ],
    ['text', `'2026-01-31 23:59:59.123456'`, '2026-01-31 23:59:59.123456'],
  ])('%s of %s is handed out', async (field, value, expected) => {
    expect((await stored(field, value))?.[field]).toEqual(expected)
  })

  it.each([
    ['UTC', '2026-01-31T23:59:59.123456Z'],
    ['Asia/Kolkata', '2026-01-31T23:59:59.123456Z'],
    ['America/St_Johns', '1969-12-31T23:59:59.000001Z'],
    ['Europe/Amsterdam', '1900-01-01T00:00:00.100000Z'],
    ['Europe/Amsterdam', '0001-06-01T12:00:00.500001Z'],
  ])('microseconds survive in a session of %s: %s', async (zone, text) => {
    await opened.client.exec(`set time zone '${zone}'; delete from things`)
    const at = new PreciseDate(text)
    const shown = text.replace(/0{3}Z$/, 'Z')
    const row = await opened.store.create({ id: 1, at, local: at, times: [at] })
    for (const value of [row['at'], row['local'], ...(row['times'] as unknown[])])
      expect((value as Date).toISOString()).toBe(shown)
    expect(await opened.store.count({ op: 'eq', field: 'at', value: at }, everything)).toBe(1)
    const again = await opened.store.update([1], { at: row['at'], local: row['local'] }, everything)
    expect(again).toEqual(row)
    await opened.client.exec(`set time zone 'UTC'`)
  })

  it('equals is byte for byte on padded text', async () => {
    await stored('code', `'ab'`)
    const count = (op: Comparison, value: string) =>
      opened.store.count({ op, field: 'code', value }, everything)
    expect(await opened.store.read([7], everything)).toMatchObject({ code: 'ab  ' })
    expect(await count('eq', 'ab')).toBe(0)
    expect(await count('eq', 'ab  ')).toBe(1)
    expect(await count('ne', 'ab')).toBe(1)
    expect(await opened.store.count({ op: 'in', field: 'code', values: ['ab', 'ab  '] }, everything)).toBe(1)
  })

  it('numbers of single precision are compared as such, and with any number', async () => {
    await stored('single', '0.1')
    const count = (op: Comparison, value: number) =>
      opened.store.count({ op, field: 'single', value }, everything)
    expect(await opened.store.read([7], everything)).toMatchObject({ single: 0.1 })
    expect([await count('eq', 0.1), await count('ne', 0.1), await count('lt', 1e300)]).toEqual([1, 0, 1])
    expect([await count('gt', -1e300), await count('gt', 1e-300), await count('eq', 1e-300)]).toEqual([
      1, 1, 0,
    ])
    expect(await errorOf(() => opened.store.create({ id: 8, single: 1e300 }))).toMatchObject({
      kind: 'value',
    })
  })

  it('addresses are compared as they are shown', async () => {
    await stored('address', `'10.0.0.1'`)
    const count = (op: Comparison, value: string) =>
      opened.store.count({ op, field: 'address', value }, everything)
    expect(await opened.store.read([7], everything)).toMatchObject({ address: '10.0.0.1' })
    expect(await Promise.all(['10.0.0.1', 'nowhere', ''].map((value) => count('eq', value)))).toEqual([
      1, 0, 0,
    ])
    expect(await count('ne', 'nowhere')).toBe(1)
    await stored('address', 'null')
    expect(await Promise.all(['10.0.0.1', ''].map((value) => count('eq', value)))).toEqual([0, 0])
    expect(await count('ne', '')).toBe(1)
  })

  it('tables of a schema are read, written and looked for there', async () => {
    const schema = pgSchema('a "b"')
    const inSchema = schema.table('things', { id: pgInteger().primaryKey() })
    const { client, store } = await pgStore(
      'create schema "a ""b"""; create table "a ""b""".things (id integer primary key)',
      inSchema,
    )
    expect(await store.create({ id: 1 })).toEqual({ id: 1 })
    expect(await store.update([1], { id: 2 }, everything)).toEqual({ id: 2 })
    expect(await store.remove([2], everything)).toBe(true)
    await client.close()
  })
})
