import { integer as pgInteger, pgTable, text as pgText } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { defineSettings, type ModelRestOptions } from '../../src/index.ts'
import { onFetch } from '../stage/apps.ts'
import { type OpenOptions, openPglite, openSqlite, type TestDatabase } from '../stage/databases.ts'

/** Opens a database of 30 records. */
type Open = (options: OpenOptions) => Promise<TestDatabase>

const rowsIn = (from: number, to: number) =>
  `insert into rows (id, name) values ${Array.from({ length: to - from + 1 }, (_, n) => `(${from + n}, 'row ${(from + n) % 2}')`).join()}`
const create = 'create table rows (id integer primary key, name text not null)'

const sqlite: Open = async (options) => {
  const rows = sqliteTable('rows', { id: integer().primaryKey(), name: text().notNull() })
  return openSqlite({ rows }, `${create}; ${rowsIn(1, 30)}`, options)
}

const pglite: Open = (options) => {
  const rows = pgTable('rows', { id: pgInteger().primaryKey(), name: pgText().notNull() })
  const ddl = `${create}; alter table rows set (autovacuum_enabled = false); ${rowsIn(1, 30)}`
  return openPglite({ rows }, ddl, options)
}

interface Page {
  readonly items: readonly { readonly id: number }[]
  readonly count: number | null
  readonly count_exact: boolean
  readonly next?: string | null
}

interface Client {
  get(query: string): Promise<Page>
  /** What a list says of its count. */
  total(query: string): Promise<readonly [number | null, boolean]>
  run(statement: string): Promise<unknown>
  /** The statements since the last time that this was asked, in short. */
  asked(): string
}

const short = (statement: string): string =>
  [
    ['page', /order by/],
    ['bounded', /^select count\(\*\) from \(/],
    ['count', /^select count/],
    ['plan', /^explain/],
    ['statistics', /sqlite_stat1|pg_class/],
  ].find(([, pattern]) => (pattern as RegExp).test(statement))?.[0] as string

const serving = async (
  open: Open,
  options: Partial<ModelRestOptions>,
  use: (client: Client) => Promise<void>,
): Promise<void> => {
  const statements: string[] = []
  const { models, execute, close } = await open({ onStatement: (text) => statements.push(text) })
  const settings = defineSettings({
    QUERY_COUNT_BOUND: 10,
    SECRET_KEY: 'a secret of the tests, with 32 bytes or more',
  })
  const app = await onFetch({ models, settings, ...options }, { base: '' })
  statements.splice(0)
  const get = async (query: string): Promise<Page> => {
    const reply = await app.ask(`/rows?${query}`)
    expect([query, reply.status]).toEqual([query, 200])
    return (await reply.json()) as Page
  }
  const total = async (query: string) => {
    const { count, count_exact } = await get(query)
    return [count, count_exact] as const
  }
  const asked = () => statements.splice(0).map(short).join(' ')
  await use({ get, total, run: execute, asked }).finally(close)
}

describe.each([
  ['sqlite', sqlite],
  ['pglite', pglite],
] as const)('counts on %s', (dialect, open) => {
  it('are exact, without a statement where the page tells the total', () =>
    serving(open, {}, async ({ total, asked }) => {
      for (const [query, count, statements] of [
        ['limit=5', 30, 'page count'],
        ['limit=30', 30, 'page count'],
        ['limit=31', 30, 'page'],
        ['limit=10&offset=25', 30, 'page'],
        ['limit=10&offset=30', 30, 'page count'],
        ['limit=0', 30, 'count'],
        ['q=id>28', 2, 'page'],
        ['q=id>30', 0, 'page'],
      ] as const) {
        expect([query, await total(query)]).toEqual([query, [count, true]])
        expect([query, asked()]).toEqual([query, statements])
      }
    }))

  it('are none where none is asked for', () =>
    serving(open, {}, async ({ total, asked }) => {
      expect(await total('limit=5&count=none')).toEqual([null, false])
      expect(asked()).toBe('page')
    }))

  it('are exact up to the bound where they are estimated', () =>
    serving(open, {}, async ({ total, asked }) => {
      expect(await total('limit=5&count=estimated&q=id<=10')).toEqual([10, true])
      expect(asked()).toBe('page bounded')
      expect(await total('limit=20&count=estimated&q=id<=10')).toEqual([10, true])
      expect(asked()).toBe('page')
      expect(await total('limit=10&count=estimated&offset=25')).toEqual([30, true])
      expect(asked()).toBe('page')
      expect(await total('limit=0&count=estimated&q=id<=10')).toEqual([10, true])
      expect(asked()).toBe('bounded')
    }))

  it('are the bound beyond it, as long as there are no statistics', () =>
    serving(open, {}, async ({ total, asked }) => {
      expect(await total('limit=5&count=estimated')).toEqual([10, false])
      expect(asked()).toMatch(/^page bounded/)
      expect(await total('limit=5&offset=15&count=estimated')).toEqual([20, false])
      expect(asked()).toMatch(/^page( statistics)?$/)
    }))

  it('are what the statistics say, once there are some', () =>
    serving(open, {}, async ({ total, run, asked }) => {
      await run('analyze rows')
      await run('delete from rows where id > 25')
      expect(await total('limit=5&count=estimated')).toEqual([30, false])
      expect(asked()).toBe('page bounded statistics')
      await run(rowsIn(26, 60))
      expect(await total('limit=5&count=estimated')).toEqual([30, false])
      expect(await total('limit=5&offset=40&count=estimated')).toEqual([45, false])
      await run('delete from rows where id > 3; analyze rows')
      await run(rowsIn(4, 60))
      expect(await total('limit=5&count=estimated')).toEqual([11, false])
      expect(await total('limit=5')).toEqual([60, true])
    }))

  it('of a filter are what the planner says, where it says something', () =>
    serving(open, {}, async ({ total, run, asked }) => {
      await run(`${rowsIn(31, 400)}; analyze rows`)
      const [count, exact] = await total('limit=5&count=estimated&q=name==row 1')
      expect(exact).toBe(false)
      expect(asked()).toBe(dialect === 'sqlite' ? 'page bounded' : 'page bounded plan')
      if (dialect === 'sqlite') expect(count).toBe(10)
      else expect(Math.abs(Number(count) - 200)).toBeLessThan(20)
    }))

  it('take what modelConfig says', () =>
    serving(
      open,
      { modelConfig: { Row: { count: { default: 'estimated', allowed: ['estimated', 'none'] } } } },
      async ({ total }) => {
        expect(await total('limit=5')).toEqual([10, false])
        expect(await total('limit=5&count=none')).toEqual([null, false])
        await expect(total('limit=5&count=exact')).rejects.toThrow(/400/)
      },
    ))

  it('of cursor pages are asked for, and need no statement where the first page is all', () =>
    serving(open, { paginationType: 'cursor' }, async ({ get, total, asked }) => {
      expect(await total('limit=5')).toEqual([null, false])
      expect(asked()).toBe('page')
      expect(await total('limit=30&count=exact')).toEqual([30, true])
      expect(asked()).toBe('page')
      expect(await total('limit=5&count=estimated')).toEqual([10, false])
      asked()
      const { next } = await get('limit=25&count=exact')
      expect(asked()).toBe('page count')
      const last = await get(`limit=25&count=exact&cursor=${next}`)
      expect(asked()).toBe('page count')
      expect(last).toMatchObject({ count: 30, count_exact: true, next: null })
      expect(last.items).toHaveLength(5)
    }))

  it('begin with the page once it did not tell the total, on asynchronous drivers', () =>
    serving(open, {}, async ({ get, total, run, asked }) => {
      await get('limit=5')
      expect(await total('limit=5')).toEqual([30, true])
      expect(asked()).toBe('page count page count')
      await run('delete from rows where id > 3')
      expect(await total('limit=5')).toEqual([3, true])
      expect(asked()).toBe(dialect === 'sqlite' ? 'page' : 'page count')
      expect(await total('limit=5')).toEqual([3, true])
      expect(asked()).toBe('page')
    }))

  it('asked for at once share statements, on asynchronous drivers', () =>
    serving(open, {}, async ({ get, asked }) => {
      const before = await Promise.all(Array.from({ length: 20 }, () => get('limit=5&offset=0')))
      expect(before.every(({ count }) => count === 30)).toBe(true)
      const counts = asked()
        .split(' ')
        .filter((statement) => statement === 'count')
      if (dialect === 'sqlite') expect(counts).toHaveLength(20)
      // The first, those that gather for it, and the lists that gather for the first lists.
      else expect(counts.length).toBeLessThanOrEqual(3)
    }))

  it('asked for at once share no statement where one value holds what separates two others', () =>
    serving(open, {}, async ({ get, run }) => {
      await run(rowsIn(31, 31))
      const query = (...names: readonly string[]) =>
        `limit=0&q=${encodeURIComponent(`(${names.map((name) => `name=="${name}"`).join('|')})`)}`
      for (const between of [';string:', ';string', ';', ':', ',', '\u0001']) {
        const even = query('row 0', `x${between}row 1`)
        const odd = query(`row 0${between}x`, 'row 1')
        const pages = await Promise.all([even, odd, even, odd].map(get))
        expect([between, ...pages.map(({ count }) => count)]).toEqual([between, 15, 16, 15, 16])
      }
      const [even, odd] = [query('row 0', 'the same'), query('row 1', 'the same')]
      const pages = await Promise.all([even, odd, even, odd].map(get))
      expect(pages.map(({ count }) => count)).toEqual([15, 16, 15, 16])
    }))
})

it('where policies hide rows are what the planner says', () =>
  serving(pglite, {}, async ({ total, run, asked }) => {
    await run(`${rowsIn(31, 400)}; analyze rows; alter table rows enable row level security`)
    const [count] = await total('limit=5&count=estimated')
    expect(asked()).toBe('page bounded statistics plan')
    expect(Math.abs(Number(count) - 400)).toBeLessThan(40)
  }))
