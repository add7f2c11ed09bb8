import {
  bigint,
  boolean,
  char,
  date,
  datetime,
  decimal,
  double,
  float,
  json,
  mysqlEnum,
  mysqlTable,
  serial,
  time,
  timestamp,
  varbinary,
  varchar,
} from 'drizzle-orm/mysql-core'
import type { PoolOptions } from 'mysql2/promise'
import { afterEach, describe, expect, it } from 'vitest'
import { PreciseDate } from '../../../src/model/kinds/time.ts'
import { type Comparison, type Condition, everything } from '../../../src/query/ast.ts'
import type { SourceError } from '../../../src/source/source.ts'
import { errorOf } from '../../contract/drizzle-source/stage.ts'
import { naming } from '../../naming.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { type Opening, type OpenMysql, openMysql } from './open-mysql.ts'

const things = mysqlTable('things', {
  id: serial().primaryKey(),
  whole: bigint({ mode: 'number' }),
  wide: bigint({ mode: 'bigint' }),
  huger: bigint({ mode: 'bigint', unsigned: true }),
  price: decimal({ precision: 20, scale: 4 }),
  rate: decimal({ precision: 20, scale: 4, mode: 'number' }),
  huge: decimal({ precision: 30, scale: 0, mode: 'bigint' }),
  single: float(),
  weight: double(),
  at: timestamp({ fsp: 6 }),
  atText: timestamp('at_text', { fsp: 6, mode: 'string' }),
  local: datetime({ fsp: 6 }),
  localText: datetime('local_text', { fsp: 6, mode: 'string' }),
  day: date(),
  dayText: date('day_text', { mode: 'string' }),
  clock: time({ fsp: 6 }),
  open: boolean(),
  mood: mysqlEnum(['b', 'a']),
  data: json(),
  tag: varbinary({ length: 4 }),
  code: char({ length: 4 }),
  name: varchar({ length: 20 }),
})

const create = [
  `create table things (id serial primary key, whole bigint, wide bigint, huger bigint unsigned, price decimal(20, 4),
    rate decimal(20, 4), huge decimal(30, 0), single float, weight double, at timestamp(6) null, at_text timestamp(6) null,
    local datetime(6), local_text datetime(6), day date, day_text date, clock time(6), open boolean, mood enum ('b', 'a'),
    data json, tag varbinary(4), code char(4), name varchar(20) collate utf8mb4_general_ci)`,
]

/** What a host's own pool may be told: none of it changes a record. */
const drivers: Readonly<Record<string, PoolOptions>> = {
  'its defaults': {},
  'big numbers': { supportBigNumbers: true },
  'big numbers as strings': { supportBigNumbers: true, bigNumberStrings: true },
  'decimals as numbers': { decimalNumbers: true },
  'dates as strings': { dateStrings: true },
  'dates of another zone': { timezone: '+05:30' },
  'JSON as strings': { jsonStrings: true },
  'no typeCast': { typeCast: false },
  'named placeholders': { namedPlaceholders: true },
  'changed rows counted': { flags: ['-FOUND_ROWS'] },
}

const zones = ['+00:00', '-09:30', '+12:45']

onEachMysql('exact values', (kind) => {
  let opened: OpenMysql
  const open = async (opening?: Opening) => {
    opened = await openMysql(create, { things }, { kind, ...opening })
    return opened.store
  }
  afterEach(() => opened.close())

  const row = {
    whole: 9007199254740991,
    wide: 9007199254740993n,
    huger: 18446744073709551615n,
    price: '9007199254740993.0001',
    rate: 0.1,
    huge: 123456789012345678901234567890n,
    single: 0.1,
    weight: 0.30000000000000004,
    at: new PreciseDate('2026-01-31T23:59:59.123456Z'),
    atText: '2026-01-31 23:59:59.123456',
    local: new PreciseDate('2026-01-31T23:59:59.123456Z'),
    localText: '2026-01-31 23:59:59.123456',
    day: new Date('2026-01-31T00:00:00Z'),
    dayText: '2026-01-31',
    clock: '23:59:59.123456',
    open: true,
    mood: 'a',
    data: { a: ['1', 1, null] },
    tag: 'ä',
    code: 'ab',
    name: `it's \\ "q" ?`,
  }

  it('values of an enum that differ only in case are different, although the column takes them as equal', async () => {
    const states = mysqlTable('states', {
      id: serial().primaryKey(),
      state: varchar({ length: 9, enum: ['Open', 'open'] }),
    })
    const created = 'create table states (id serial primary key, state varchar(9) collate utf8mb4_general_ci)'
    opened = await openMysql([created], { things: states }, { kind })
    const { store } = opened
    for (const state of ['Open', 'open', null]) await store.create({ state })
    const count = (filter: Condition) => store.count(filter, everything)
    expect(await count({ op: 'eq', field: 'state', value: 'open' })).toBe(1)
    expect(await count({ op: 'ne', field: 'state', value: 'open' })).toBe(2)
    expect(await count({ op: 'in', field: 'state', values: Array(200).fill('open') })).toBe(1)
  })

  describe.each(Object.entries(drivers))('with %s', (_name, options) => {
    it('records come back as they went in', async () => {
      const store = await open({ options })
      expect(await store.create(row)).toEqual({ id: 1, ...row })
      expect(await store.read([1], everything)).toEqual({ id: 1, ...row })
      expect(await store.update([1], row, everything)).toEqual({ id: 1, ...row })
      const given = (await store.read([1], everything)) ?? {}
      expect((given['at'] as Date).toISOString()).toBe('2026-01-31T23:59:59.123456Z')
      for (const [field, value] of Object.entries(row).filter(([name]) => name !== 'data'))
        expect([field, await store.count({ op: 'eq', field, value }, everything)]).toEqual([field, 1])
    })
  })

  it.each(zones)('an instant is the same whatever the zone of the session: %s', async (zone) => {
    const store = await open({ session: `set time_zone = '${zone}'` })
    const at = new PreciseDate('2026-10-25T00:30:00.123456Z')
    await store.create({ at, atText: '2026-10-25T00:30:00.123Z' })
    await opened.pool.query('update things set local = utc_timestamp(6), at_text = current_timestamp(6)')
    const [[stored] = []] = (await opened.pool.query('select unix_timestamp(at) as seconds from things')) as [
      { seconds: string }[],
      unknown,
    ]
    expect(stored?.seconds).toBe('1792888200.123456')
    const found = (await store.read([1], everything)) ?? {}
    expect((found['at'] as Date).toISOString()).toBe('2026-10-25T00:30:00.123456Z')
    const [now, local] = [Date.parse(`${found['atText']}Z`), (found['local'] as Date).getTime()]
    expect(Math.abs(now - local)).toBeLessThan(60_000)
    for (const [op, count] of [
      ['eq', 1],
      ['lt', 0],
      ['ge', 1],
    ] as const)
      expect(await store.count({ op, field: 'at', value: at }, everything)).toBe(count)
  })

  it.each(zones)(
    'records that are stored together have the same instants as single ones: %s',
    async (zone) => {
      const store = await open({ session: `set time_zone = '${zone}'` })
      const at = new PreciseDate('2026-01-31T23:59:59.123456Z')
      const together = await store.createMany?.([{ at }, { at }])
      expect(together?.map((row) => (row['at'] as Date).toISOString())).toEqual(
        Array(2).fill(at.toISOString()),
      )
      expect(await store.count({ op: 'eq', field: 'at', value: at }, everything)).toBe(2)
      const [[stored] = []] = (await opened.pool.query(
        'select unix_timestamp(at) as seconds from things',
      )) as [{ seconds: string }[], unknown]
      expect(stored?.seconds).toBe('1769903999.123456')
    },
  )

  it.each([
    '1970-01-01T00:00:00.999999Z',
    '1969-12-31T23:59:59Z',
    '1969-12-31T12:00:00Z',
    '2038-01-19T03:14:08Z',
    '2038-01-19T12:00:00Z',
    '2120-01-01T00:00:00Z',
  ])('an instant that no timestamp holds is refused, and compared with: %s', async (text) => {
    for (const zone of zones) {
      const store = await open({ session: `set time_zone = '${zone}'` })
      for (const at of ['1970-01-01T00:00:01Z', '2038-01-19T03:14:07.999Z'])
        await store.create({ at: new Date(at) })
      const value = new PreciseDate(text)
      expect(await errorOf(() => store.create({ at: value }))).toMatchObject({
        kind: 'value',
        fields: ['at'],
      })
      const isEarly = text < '1971'
      const count = (op: Comparison) => store.count({ op, field: 'at', value }, everything)
      expect([await count('lt'), await count('eq'), await count('gt')]).toEqual(
        isEarly ? [0, 0, 2] : [2, 0, 0],
      )
      if (zone !== zones.at(-1)) await opened.close()
    }
  })

  it.each([
    ['whole', '9007199254740993'],
    ['rate', '9007199254740993.0001'],
    ['at', `'0000-00-00'`],
    ['atText', `'0000-00-00'`],
    ['local', `'0000-00-00'`],
    ['local', `'2026-00-01'`],
    ['day', `'0000-00-00'`],
    ['clock', `'24:00:00'`],
    ['clock', `'-01:00:00'`],
    ['tag', `x'ff'`],
  ])('%s of %s is refused, its record and field named', async (field, stored) => {
    const store = await open({ session: `set sql_mode = 'STRICT_TRANS_TABLES'` })
    const column = field.replace('Text', '_text')
    await opened.pool.query(`insert into things (id, ${column}) values (7, ${stored})`)
    const error = (await errorOf(() => store.read([7], everything))) as SourceError
    expect(error).toMatchObject({ kind: 'unrepresentable', fields: [field] })
    expect(String(error.cause)).toMatch(naming('Thing', 7, field))
  })

  it.each([
    [16777216, 16777216],
    [3.4028234663852886e38, 3.4028235e38],
    [1.401298464324817e-45, 1e-45],
    [1 / 3, 0.33333334],
  ])('a number of 32 bits is the shortest one: %s', async (given, shown) => {
    const store = await open()
    expect((await store.create({ single: given }))['single']).toBe(shown)
    expect(await store.count({ op: 'eq', field: 'single', value: shown }, everything)).toBe(1)
  })

  it('what is no number of SQL, or too large, is refused', async () => {
    const store = await open()
    const refused = [{ weight: Number.NaN }, { weight: Number.POSITIVE_INFINITY }, { single: 1e300 }]
    for (const values of refused)
      expect(await errorOf(() => store.create(values))).toMatchObject({
        kind: 'value',
        fields: Object.keys(values),
      })
    await store.create({ single: 1, weight: 1 })
    for (const field of ['single', 'weight']) {
      const count = (op: Comparison, value: number) => store.count({ op, field, value }, everything)
      expect([await count('lt', 1e300), await count('gt', -1e300), await count('eq', 1e300)]).toEqual([
        1, 1, 0,
      ])
    }
  })

  it('decimals are compared by value, whatever they are compared with', async () => {
    const store = await open()
    await store.create({ price: '9007199254740993.0001' })
    const count = (op: Comparison, value: string) => store.count({ op, field: 'price', value }, everything)
    const beside = ['9007199254740993.00009', '9007199254740993.00010000001', '9007199254740993.00011']
    for (const value of beside) expect([value, await count('eq', value)]).toEqual([value, 0])
    expect(await Promise.all(beside.map((value) => count('gt', value)))).toEqual([1, 0, 0])
    expect(await count('eq', '9007199254740993.00010')).toBe(1)
    expect(await count('lt', '9'.repeat(60))).toBe(1)
    expect(await count('gt', `-${'9'.repeat(60)}.5`)).toBe(1)
    expect(await store.count({ op: 'in', field: 'price', values: beside }, everything)).toBe(0)
  })

  it('texts are equal byte for byte, and an enum is ordered as it is called', async () => {
    const store = await open()
    for (const name of ['Eden', 'eden', 'Eden ', 'Édèn']) await store.create({ name })
    const count = (op: Comparison, value: string) => store.count({ op, field: 'name', value }, everything)
    expect([await count('eq', 'Eden'), await count('ne', 'Eden'), await count('eq', 'EDEN')]).toEqual([
      1, 3, 0,
    ])
    expect([await count('contains', 'EDEN'), await count('contains', 'éD')]).toEqual([3, 1])
    const many = Array.from({ length: 50 }, (_, place) => `Eden${place}`)
    expect(await store.count({ op: 'in', field: 'name', values: [...many, 'Eden '] }, everything)).toBe(1)

    for (const mood of ['a', 'b']) await store.create({ mood })
    const page = { filter: { op: 'is-not-null', field: 'mood' }, limit: 9, offset: 0 } as const
    const sorted = await store.list({ ...page, order: [{ field: 'mood', direction: 'asc' }] }, everything)
    expect(sorted.map((found) => found['mood'])).toEqual(['a', 'b'])
    expect(await store.count({ op: 'gt', field: 'mood', value: 'a' }, everything)).toBe(1)
  })
})
