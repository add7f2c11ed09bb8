import { integer as pgInteger, pgTable, text as pgText, timestamp } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { defineSettings } from '../../src/index.ts'
import { runs } from '../runs.ts'
import { type App, onFetch } from '../stage/apps.ts'
import { openPglite, openSqlite, type TestDatabase } from '../stage/databases.ts'
import { startError } from './start-error.ts'

interface Page {
  readonly items: readonly { readonly id: number }[]
  readonly count: number | null
  readonly count_exact: boolean
  readonly next: string | null
}

const sqlite = async (): Promise<TestDatabase> => {
  const rows = sqliteTable('rows', {
    id: integer().primaryKey(),
    name: text(),
    rank: integer().notNull(),
    at: integer({ mode: 'timestamp_ms' }),
  })
  const columns = 'id integer primary key, name text collate nocase, rank integer not null, at integer'
  return openSqlite({ rows }, `create table rows (${columns})`)
}

const pglite = (): Promise<TestDatabase> => {
  const rows = pgTable('rows', {
    id: pgInteger().primaryKey(),
    name: pgText(),
    rank: pgInteger().notNull(),
    at: timestamp({ withTimezone: true }),
  })
  const columns = 'id integer primary key, name text, rank integer not null, at timestamptz'
  return openPglite({ rows }, `create table rows (${columns})`)
}

/** One moment of a million: PostgreSQL keeps microseconds, SQLite's column milliseconds. */
const moments = {
  sqlite: (at: number) => String(1_700_000_000_000 + at),
  pglite: (at: number) => `'2026-01-01T00:00:00.${String(at).padStart(6, '0')}Z'`,
} as const

const names = [null, 'a', 'A', 'b', 'B', 'é', '', 'a ', '%']
const literal = (name: string | null) => (name === null ? 'null' : `'${name}'`)

describe.each([
  ['sqlite', sqlite],
  ['pglite', pglite],
] as const)('cursor pages on %s', (dialect, open) => {
  let stage: TestDatabase
  let app: App
  const get = async (query: string): Promise<Page> => {
    const reply = await app.ask(`/rows?${query}`)
    expect(reply.status, await reply.clone().text()).toBe(200)
    return (await reply.json()) as Page
  }

  beforeAll(async () => {
    stage = await open()
    const settings = defineSettings({ SECRET_KEY: 'a secret of the tests, with 32 bytes or more' })
    app = await onFetch({ models: stage.models, paginationType: 'cursor', settings }, { base: '' })
  })
  afterAll(() => stage.close())

  const insert = (ids: readonly number[], seed: number) =>
    stage.execute(
      ids
        .map((id) => {
          const name = names[(id * 7 + seed) % names.length] ?? null
          const at = (id + seed) % 4 === 0 ? 'null' : moments[dialect]((id * 13) % 5)
          return `insert into rows values (${id}, ${literal(name)}, ${(id * 5 + seed) % 3}, ${at});`
        })
        .join(''),
    )

  const keys = fc.uniqueArray(
    fc.tuple(fc.constantFrom('name', 'rank', 'at', 'id'), fc.constantFrom('asc', 'desc')),
    {
      selector: ([field]) => field,
      maxLength: 4,
    },
  )

  it('show every record that existed throughout exactly once, whatever comes and goes between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        keys,
        fc.integer({ min: 1, max: 7 }),
        fc.nat(20),
        fc.infiniteStream(fc.tuple(fc.nat(200), fc.nat(200))),
        async (sort, limit, seed, changes) => {
          await stage.execute('delete from rows')
          const stay = Array.from({ length: 25 }, (_, index) => index * 8)
          await insert(stay, seed)
          const query = sort.map(([field, order]) => `sort=${field}&order=${order}&`).join('')
          const seen: number[] = []
          const order: string[] = []
          let next: string | null = ''
          while (next !== null) {
            const page: Page = await get(`${query}limit=${limit}${next === '' ? '' : `&cursor=${next}`}`)
            seen.push(...page.items.map(({ id }) => id))
            order.push(...page.items.map((item) => JSON.stringify(item)))
            next = page.next
            const [come = 0, go = 0] = changes.next().value ?? []
            if (come % 8 !== 0)
              await stage.execute(`insert into rows values (${come}, 'x', 1, null) on conflict do nothing`)
            if (go % 8 !== 0) await stage.execute(`delete from rows where id = ${go}`)
          }
          const stayed = seen.filter((id) => id % 8 === 0)
          expect([...stayed].sort((a, b) => a - b)).toEqual(stay)
          const whole = await get(`${query}limit=1000`)
          expect(stayed).toEqual(whole.items.map(({ id }) => id).filter((id) => id % 8 === 0))
        },
      ),
      runs(25),
    )
  })

  it('end with null, count when asked, and count all pages', async () => {
    await stage.execute('delete from rows')
    await insert([1, 2, 3, 4], 0)
    const first = await get('limit=2&count=exact')
    expect(first).toMatchObject({ count: 4, count_exact: true, next: expect.any(String) })
    const second = await get(`limit=2&count=exact&cursor=${first.next}`)
    expect(second).toMatchObject({ items: [{ id: 3 }, { id: 4 }], count: 4, next: null })
    expect(await get('limit=9')).toMatchObject({ count: null, count_exact: false, next: null })
  })
})

describe('cursor pages at start', () => {
  it('need a secret in production, and warn without one elsewhere', async () => {
    const { models, close } = await sqlite()
    const before = process.env['NODE_ENV']
    process.env['NODE_ENV'] = 'production'
    expect(() => new ModelRest(fetchApp(), { models, paginationType: 'cursor' })).toThrow(
      startError('SECRET_KEY', 'defineSettings({ SECRET_KEY'),
    )
    expect(() => new ModelRest(fetchApp(), { models })).not.toThrow()
    process.env['NODE_ENV'] = before
    await close()
  })
})
