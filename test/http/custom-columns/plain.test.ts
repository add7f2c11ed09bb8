import { expect, it } from 'vitest'
import { type Dialect, onEachDialect } from './dialects.ts'

const texts = {
  name: ['varchar(48) COLLATE nocase', 'Ab'],
  label: ['character varying(20)', 'x y'],
  short: ['CHAR(3)', 'abc'],
  body: ['text', ' as it is '],
} as const

const numbers = {
  price: ['NUMERIC( 10 , 2 )', '12.50'],
  small: ['smallint', 3],
  whole: ['INT', -7],
  ratio: ['double precision', 1.5],
} as const

/** The SQL type of a column, and a value. */
const columnsOf: Readonly<Record<Dialect['name'], Readonly<Record<string, readonly [string, unknown]>>>> = {
  sqlite: {
    ...texts,
    ...numbers,
    price: ['decimal(10, 2)', '12.50'],
    big: ['bigint', 9007199254740991],
    yes: ['boolean', true],
    key: ['uuid', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    data: ['json', { a: [1, 'x'] }],
    bytes: ['BLOB', 'aGVsbG8='],
  },
  pg: {
    ...texts,
    ...numbers,
    name: ['varchar(48) COLLATE "C"', 'Ab'],
    big: ['pg_catalog.int8', '9223372036854775807'],
    yes: ['bool', true],
    key: ['"uuid"', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    data: ['jsonb', { a: [1, 'x'] }],
    said: ['json', 'text'],
    at: ['timestamp(3) with time zone', '2026-01-31T23:59:59.123Z'],
    local: ['timestamp (0)', '2026-01-31T23:59:59'],
    day: ['date', '2026-01-31'],
    time: ['time(0)', '09:30:00'],
    bytes: ['bytea', 'aGVsbG8='],
    single: ['real', 0.1],
    address: ['inet', '10.0.0.1'],
    tags: ['text[]', ['a,"b\\', 'c']],
    prices: ['numeric(6,1)[]', ['1.5']],
    grid: ['integer[][]', [[1], [2]]],
  },
  mysql: {
    ...texts,
    ...numbers,
    name: ['varchar(48) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci', 'Ab'],
    price: ['DECIMAL(10, 2) unsigned', '12.50'],
    whole: ['int(11) UNSIGNED', 7],
    big: ['bigint', 9007199254740991],
    yes: ['tinyint(1)', true],
    data: ['json', { a: [1, 'x'] }],
    at: ['timestamp(3) NULL', '2026-01-31T23:59:59.123Z'],
    local: ['datetime', '2026-01-31T23:59:59'],
    day: ['date', '2026-01-31'],
    time: ['time', '09:30:00'],
    bytes: ['varbinary(40)', 'aGVsbG8='],
    single: ['float', 0.1],
    mood: ["enum('low','it''s high')", "it's high"],
    year: ['year', 2026],
  },
}

const bad: Readonly<Record<string, unknown>> = {
  name: 'x'.repeat(49),
  short: 'abcd',
  price: '123456789.00',
  small: 1.5,
  whole: 2 ** 60,
  big: '9223372036854775808',
  yes: 'yes',
  data: undefined,
  at: '2026-13-01T00:00:00Z',
  day: '31.01.2026',
  bytes: 'not base64',
  tags: 'a',
  mood: 'high',
}

onEachDialect('custom columns without mappers', (dialect) => {
  it('are read, checked, filtered and sorted as the built-in ones of their SQL types', async () => {
    const columns = columnsOf[dialect.name]
    const values = Object.fromEntries(Object.entries(columns).map(([name, [, value]]) => [name, value]))
    const things = Object.fromEntries(Object.entries(columns).map(([name, [type]]) => [name, { type }]))
    const service = await dialect.serve({ things })
    try {
      expect(service.notes).toEqual([])
      const made = await service.send('POST', '/things/', values)
      expect([made.status, made.json]).toEqual([201, { id: 1, ...values }])
      const before = await service.query('select * from things')
      expect(await service.send('PUT', '/things/1', values)).toMatchObject({ status: 200, json: made.json })
      expect(await service.query('select * from things')).toEqual(before)

      for (const [name, value] of Object.entries(values)) {
        const isPlain = typeof value !== 'object' && name !== 'said'
        if (!isPlain) continue
        const q = encodeURIComponent(`${name}==${JSON.stringify(String(value))}`)
        const found = await service.send('GET', `/things/?q=${q}&sort=${name}&order=desc`)
        expect([name, found.status, found.json['count']]).toEqual([name, 200, 1])
        const other = await service.send('GET', `/things/?q=${encodeURIComponent(`${name}!=null`)}`)
        expect([name, other.json['count']]).toEqual([name, 1])
      }
      for (const [name, value] of Object.entries(bad).filter(([name]) => name in values)) {
        if (value === undefined) continue
        const refused = await service.send('PATCH', '/things/1', { [name]: value })
        expect([name, refused.status, refused.json['errors']]).toMatchObject([
          name,
          422,
          [{ pointer: `/${name}` }],
        ])
      }
      const search = await service.send('GET', '/things/?search=AS%20IT')
      expect(search.json['count']).toBe(1)
    } finally {
      await service.stop()
    }
  }, 60_000)
})
