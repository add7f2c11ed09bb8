import { datetime, decimal, int, mysqlTable, primaryKey, timestamp, varchar } from 'drizzle-orm/mysql-core'
import type mysql from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Condition, everything, type Order } from '../../../src/query/ast.ts'
import { rangesAfter } from '../../../src/query/keyset.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { type OpenMysql, openMysql } from './open-mysql.ts'

const things = mysqlTable(
  'things',
  {
    tenant: int().notNull(),
    code: varchar({ length: 20 }).notNull(),
    name: varchar({ length: 50 }).notNull(),
    at: timestamp().notNull(),
    local: datetime().notNull(),
    price: decimal({ precision: 10, scale: 2 }).notNull(),
    plain: varchar({ length: 50 }),
    number: int().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.code] })],
)

const create = [
  'create table numbers (seq int primary key)',
  'insert into numbers with recursive n as (select 1 as seq union all select seq + 1 from n where seq < 1000) select seq from n',
  ...Array.from(
    { length: 19 },
    (_, turn) => `insert into numbers select seq + ${(turn + 1) * 1000} from numbers where seq <= 1000`,
  ),
  `create table things (tenant int not null, code varchar(20) not null, name varchar(50) not null, at timestamp not null,
    local datetime not null, price decimal(10, 2) not null, plain varchar(50),
    number int not null, primary key (tenant, code), key names (name),
    key moments (at, tenant, code), key locals (local), key prices (price), key numbers (number))`,
  `insert into things select 1 + seq % 7, concat('code ', seq), concat('name ', seq % 5000),
    timestamp '2026-01-01 00:00:00' + interval seq minute, timestamp '2026-01-01 00:00:00' + interval seq minute, seq / 100, 'x', seq from numbers`,
  'analyze table things',
]

onEachMysql('plans', (kind) => {
  let statements: { readonly query: string; readonly values: readonly unknown[] }[]
  let opened: OpenMysql

  beforeAll(async () => {
    const logQuery = (query: string, values: unknown[]): void => void statements.push({ query, values })
    opened = await openMysql(create, { things }, { kind, collation: 'as the server does', logQuery })
  })
  afterAll(() => opened.close())
  beforeEach(() => {
    statements = []
  })

  /** How the last statement finds its rows: `ref names`, `range moments`, and whether it sorts them. */
  const plan = async (): Promise<string> => {
    const { query = '', values = [] } = statements.at(-1) ?? {}
    const [rows] = await opened.pool.query<mysql.RowDataPacket[]>(`explain format=traditional ${query}`, [
      ...values,
    ])
    const things = rows.find((row) => row['table'] === 'things')
    const sorts = rows.some((row) => String(row['Extra']).includes('filesort')) ? ', sorted' : ''
    return `${things?.['type']} ${things?.['key']}${sorts}`
  }

  const list = async (filter: Condition, order: readonly Order[] = []): Promise<string> => {
    await opened.store.list({ filter, order, limit: 20, offset: 0 }, everything)
    return plan()
  }

  const ordered = (field: string, direction: Order['direction']): readonly Order[] => [
    { field, direction },
    { field: 'tenant', direction },
    { field: 'code', direction },
  ]

  it('a key is searched by all of its parts, with a guard too', async () => {
    await opened.store.read([1, 'code 7'], { op: 'eq', field: 'plain', value: 'x' })
    expect(await plan()).toBe('const PRIMARY')
  })

  it.each(['asc', 'desc'] as const)('a sort by what is never null takes its index: %s', async (direction) => {
    expect(await list(everything, ordered('at', direction))).toBe('index moments')
    expect(await list(everything, ordered('tenant', direction).slice(1))).toBe('index PRIMARY')
  })

  it.each(['asc', 'desc'] as const)('a page behind a cursor starts in the index: %s', async (direction) => {
    const order = ordered('at', direction)
    const middle = new Date('2026-01-10T00:00:00Z')
    const [range = everything] = rangesAfter(opened.model, order, {
      values: [middle, 3, 'code 7'],
      ties: 0,
    })
    expect(await list(range, order)).toBe('range moments')
  })

  it.each<[string, Condition, string]>([
    ['a text', { op: 'eq', field: 'name', value: 'name 7' }, 'ref names'],
    ['any of a few texts', { op: 'in', field: 'name', values: ['name 7', 'name 8'] }, 'range names'],
    ['larger texts', { op: 'gt', field: 'name', value: 'name 999' }, 'range names'],
    ['texts that start alike', { op: 'starts-with', field: 'name', value: 'name 77' }, 'range names'],
    ['an instant', { op: 'eq', field: 'at', value: new Date('2026-01-10T00:00:00Z') }, 'ref moments'],
    ['later ones', { op: 'gt', field: 'at', value: new Date('2026-01-14T20:00:00Z') }, 'range moments'],
    ['local ones', { op: 'lt', field: 'local', value: new Date('2026-01-01T01:00:00Z') }, 'range locals'],
    ['a decimal', { op: 'eq', field: 'price', value: '9.90' }, 'ref prices'],
    ['smaller ones', { op: 'lt', field: 'price', value: '0.505' }, 'range prices'],
  ])('%s is found by the index', async (_what, filter, found) => {
    expect(await list(filter)).toBe(found)
  })

  it('many keys are one parameter, and each is looked up', async () => {
    const values = Array.from({ length: 50 }, (_, place) => place * 1000)
    await opened.store.count({ op: 'in', field: 'number', values }, everything)
    expect(statements.at(-1)?.values).toHaveLength(1)
    expect(await plan()).toBe('ref numbers')
  })
})
