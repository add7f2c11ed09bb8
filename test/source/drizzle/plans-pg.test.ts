import { drizzle } from 'drizzle-orm/node-postgres'
import { index, integer, pgTable, primaryKey, text, timestamp, varchar } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import type { Model } from '../../../src/model/model.ts'
import { type Condition, everything, type Order } from '../../../src/query/ast.ts'
import { rangesAfter } from '../../../src/query/keyset.ts'
import type { RecordStore } from '../../../src/source/source.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'

const things = pgTable(
  'things',
  {
    tenant: integer().notNull(),
    code: varchar({ length: 20 }).notNull(),
    name: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    note: text(),
    plain: text(),
    tags: text().array(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.code] }), index('names').on(table.name)],
)

const create = `
  create table things (tenant integer not null, code varchar(20) not null, name text not null, at timestamptz not null,
    note text, plain text, tags text[], primary key (tenant, code));
  create index names on things (name);
  create index moments on things (at, tenant, code);
  create index notes on things (note);
  create index notes_by_key on things (note desc nulls first, tenant, code);
  insert into things select 1 + n % 7, 'code ' || n, 'name ' || n % 5000, timestamptz '2026-01-01' + n * interval '1 minute',
    case when n % 10 > 0 then 'note ' || n % 1000 end, 'x' from generate_series(1, 50000) as n;
  analyze things`

onPostgres('the plans of PostgreSQL', () => {
  let statements: { readonly query: string; readonly values: readonly unknown[] }[]
  let pool: pg.Pool
  let drop: () => Promise<void>
  let store: RecordStore
  let model: Model

  beforeAll(async () => {
    const database = await createDatabase('plans')
    drop = database.drop
    pool = new pg.Pool({ connectionString: database.url, max: 2 })
    await pool.query(create)
    const logger = { logQuery: (query: string, values: unknown[]) => void statements.push({ query, values }) }
    const source = drizzleModels(drizzle(pool, { logger }), { things })
    const [only] = source.models
    if (only === undefined) throw new Error((source.notes ?? []).join())
    model = only
    store = source.store(model)
  })
  afterAll(async () => {
    await pool.end()
    await drop()
  })
  beforeEach(() => {
    statements = []
  })

  /** The nodes of the plan of the last statement, the outermost first. */
  const plan = async (): Promise<readonly string[]> => {
    const { query = '', values = [] } = statements.at(-1) ?? {}
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${query}`, [...values])
    return rows
      .map((row) => row['QUERY PLAN'].replace(/^[\s>-]*/, ''))
      .filter((line) => !/^(?:Index Cond|Filter|Heap Fetches)/.test(line))
  }

  const list = async (filter: Condition, order: readonly Order[]): Promise<readonly string[]> => {
    await store.list({ filter, order, limit: 20, offset: 0 }, everything)
    return plan()
  }

  const ordered = (field: string, direction: Order['direction'], key = direction): readonly Order[] => [
    { field, direction },
    { field: 'tenant', direction: key },
    { field: 'code', direction: key },
  ]

  it.each([
    ['asc', 'Index Scan using moments on things'],
    ['desc', 'Index Scan Backward using moments on things'],
  ] as const)('a sort by what is never null takes its index: %s', async (direction, scan) => {
    expect(await list(everything, ordered('at', direction))).toEqual(['Limit', scan])
  })

  it.each([
    ['asc', 'Index Scan using names on things'],
    ['desc', 'Index Scan Backward using names on things'],
  ] as const)('where the index ends before the key, only ties are sorted: %s', async (direction, scan) => {
    const steps = await list(everything, ordered('name', direction, 'asc'))
    expect(steps.filter((step) => !/^(?:Sort Key|Presorted Key)/.test(step))).toEqual([
      'Limit',
      'Incremental Sort',
      scan,
    ])
  })

  it.each([
    ['asc', 'Index Scan using moments on things'],
    ['desc', 'Index Scan Backward using moments on things'],
  ] as const)('a page behind a cursor starts in the index: %s', async (direction, scan) => {
    const order = ordered('at', direction)
    const middle = new Date('2026-01-20T00:00:00Z')
    const [range = everything] = rangesAfter(model, order, { values: [middle, 3, 'code 7'], ties: 0 })
    const steps = await list(range, order)
    expect(steps).toEqual(['Limit', scan])
    const { query = '', values = [] } = statements.at(-1) ?? {}
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off, summary off) ${query}`,
      [...values],
    )
    const text = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toMatch(/Index Cond: \(at [<>]=/)
    // Records before the page are not read: at most the one with the same moment is looked at and left out.
    expect(Number(/Rows Removed by Filter: (\d+)/.exec(text)?.[1] ?? 0)).toBeLessThan(3)
  })

  it.each([
    ['asc', 'Index Scan using notes on things'],
    ['desc', 'Index Scan Backward using notes on things'],
  ] as const)(
    'what may be null takes a plain index, too: its nulls are last: %s',
    async (direction, scan) => {
      expect(await list(everything, [{ field: 'note', direction }])).toEqual(['Limit', scan])
    },
  )

  it('and one that holds the key', async () => {
    expect(await list(everything, [...ordered('note', 'desc', 'asc')])).toEqual([
      'Limit',
      'Index Scan using notes_by_key on things',
    ])
  })

  it('a page behind a cursor among ties starts in the index', async () => {
    const order = ordered('tenant', 'asc').slice(1)
    const [range = everything] = rangesAfter(model, order, { values: [3, 'code 7'], ties: 1 })
    expect(await list(range, order)).toEqual(['Limit', 'Index Scan using things_pkey on things'])
    const { query = '', values = [] } = statements.at(-1) ?? {}
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${query}`, [...values])
    const text = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toMatch(/Index Cond: .*ROW\(tenant, /)
    expect(text).not.toContain('Filter')
  })

  it('a sort by the primary key needs no sorting', async () => {
    expect(await list(everything, ordered('tenant', 'asc').slice(1))).toEqual([
      'Limit',
      'Index Scan using things_pkey on things',
    ])
  })

  it('equality, any of, ranges and null take the index', async () => {
    const scan = (filter: Condition) => list(filter, [])
    const byName = /(?:Index Scan using|Bitmap Index Scan on) names/
    expect((await scan({ op: 'eq', field: 'name', value: 'name 7' })).join('; ')).toMatch(byName)
    expect((await scan({ op: 'in', field: 'name', values: ['name 7', 'name 8'] })).join('; ')).toMatch(byName)
    expect((await scan({ op: 'gt', field: 'name', value: 'name 999' })).join('; ')).toMatch(byName)
  })

  it('contains takes an index on trigrams, and any of many values a plain one', async () => {
    await pool.query(
      'create extension pg_trgm; create index trigrams on things using gin (plain gin_trgm_ops)',
    )
    await pool.query(`update things set plain = 'plain ' || code; analyze things`)
    expect(await list({ op: 'contains', field: 'plain', value: 'code 4711' }, [])).toContain(
      'Bitmap Index Scan on trigrams',
    )
    const values = Array.from({ length: 50 }, (_, place) => `name ${place}`)
    await store.count({ op: 'in', field: 'name', values }, everything)
    expect((await plan()).join('; ')).toMatch(/(?:Index (?:Only )?Scan using|Bitmap Index Scan on) names/)
  })

  it('an element of an array takes a GIN index', async () => {
    await pool.query('update things set tags = array[code]; create index tagged on things using gin (tags)')
    await pool.query('analyze things')
    const plans = await list({ op: 'has-element', field: 'tags', value: 'code 4711' }, [])
    expect(plans.join('; ')).toMatch(/Bitmap Index Scan on tagged/)
  })

  it('how a text starts takes an index whose collation or operators allow it', async () => {
    await pool.query(`create index patterns on things (plain text_pattern_ops)`)
    await pool.query(`update things set plain = 'plain ' || code; analyze things`)
    const plans = await list({ op: 'starts-with', field: 'plain', value: 'plain code 4711' }, [])
    expect(plans.join('; ')).toMatch(/(?:Index Scan using|Bitmap Index Scan on) patterns/)
    await pool.query('drop index patterns')
  })

  it('a key is searched by all of its parts, with a guard too', async () => {
    const guard: Condition = { op: 'eq', field: 'plain', value: 'x' }
    await store.read([1, 'code 7'], guard)
    expect(await plan()).toEqual(['Index Scan using things_pkey on things'])
  })
})
