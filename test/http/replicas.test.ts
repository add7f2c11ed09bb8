import Database from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, serial, text, withReplicas } from 'drizzle-orm/pg-core'
import {
  integer,
  sqliteTable,
  text as sqliteText,
  withReplicas as withSqliteReplicas,
} from 'drizzle-orm/sqlite-core'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import type { ModelSource } from '../../src/index.ts'
import { cuttingBefore } from '../servers/cutting.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createThings } from './postgres-things.ts'

/** Asks for a list, and says whose rows they are and how many it counts. */
const serve = async (models: ModelSource): Promise<(query?: string) => Promise<string>> => {
  const app = fetchApp()
  await new ModelRest(app, { models }).init()
  return async (query = 'count=exact&limit=2') => {
    const reply = await app.fetch(new Request(`http://localhost/things/?${query}`))
    const { items, count } = (await reply.json()) as { items: { name: string }[]; count: number }
    return `${[...new Set(items.map(({ name }) => name))].join()} of ${count}`
  }
}

describe('lists with several replicas', () => {
  const things = sqliteTable('things', { id: integer().primaryKey(), name: sqliteText().notNull() })

  const open = (name: string, rows: number) => {
    const client = new Database(':memory:')
    client.exec('create table things (id integer primary key, name text not null)')
    for (let row = 0; row < rows; row += 1) client.prepare('insert into things (name) values (?)').run(name)
    return overSqlite(client)
  }
  const replicas = { freshFor: 0 }
  const [primary, four, three] = [open('primary', 5), open('four', 4), open('three', 3)]

  it('have their rows and their count from the same one', async () => {
    const list = await serve(
      drizzleModels(withSqliteReplicas(primary, [four, three]), { things }, { replicas }),
    )
    const answers = new Set<string>()
    for (let asked = 0; asked < 60; asked += 1) answers.add(await list())
    expect([...answers].sort()).toEqual(['four of 4', 'three of 3'])
  })

  it('have the records that they include from the same one, and single records from the primary', async () => {
    const parts = sqliteTable('parts', {
      id: integer().primaryKey(),
      thing_id: integer().references(() => things.id),
      name: sqliteText().notNull(),
    })
    const withParts = (name: string) => {
      const db = open(name, 3)
      db.run(
        sql`create table parts (id integer primary key, thing_id integer references things, name text not null)`,
      )
      db.run(sql`insert into parts (thing_id, name) select id, name from things`)
      return db
    }
    const given = withSqliteReplicas(withParts('primary'), [withParts('one'), withParts('two')])
    const app = fetchApp()
    const models = drizzleModels(given, { things, parts }, { replicas })
    await new ModelRest(app, { models }).init()
    const namesIn = async (path: string): Promise<string> => {
      const reply = await app.fetch(
        new Request(`http://localhost/${path}include=parts(count=exact).thing.parts`),
      )
      return [...new Set((await reply.text()).match(/primary|one|two/g))].join()
    }
    const [lists, singles] = [new Set<string>(), new Set<string>()]
    for (let asked = 0; asked < 40; asked += 1) {
      lists.add(await namesIn('things/?'))
      singles.add(await namesIn('things/1?'))
    }
    expect([...lists].sort()).toEqual(['one', 'two'])
    expect([...singles]).toEqual(['primary'])
  })

  it('are read where the getReplica of the application says', async () => {
    let at = 0
    const choose = () => [four, three, primary][at] ?? primary
    const given = withSqliteReplicas(primary, [four, three], choose)
    const list = await serve(drizzleModels(given, { things }, { replicas }))
    const answers: string[] = []
    for (const chosen of [1, 1, 0, 1, 0, 0, 2]) {
      at = chosen
      answers.push(await list())
    }
    const [zero, one, two] = ['four of 4', 'three of 3', 'primary of 5']
    expect(answers).toEqual([one, one, zero, one, zero, zero, two])
  })
})

onPostgres('lists whose replica is away', () => {
  const things = pgTable('things', { id: serial().primaryKey(), name: text().notNull() })
  const opened: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const close of opened.splice(0).toReversed()) await close()
  })

  const open = async (name: string, rows: number) => {
    const { url, drop } = await createDatabase('replicas')
    const admin = new pg.Client(url)
    await admin.connect()
    await admin.query(createThings)
    await admin.query('insert into things (name) select $1 from generate_series(1, $2)', [name, rows])
    await admin.end()
    const way = await cuttingBefore(url)
    const pool = new pg.Pool({ connectionString: way.url, query_timeout: 500, connectionTimeoutMillis: 1000 })
    opened.push(
      drop,
      () => way.close(),
      () => pool.end(),
    )
    return { db: drizzle(pool), way }
  }

  it.each(['question', 'both, in silence'] as const)('leave it out for ten seconds (%s)', async (lost) => {
    const [primary, replica] = [await open('primary', 5), await open('replica', 3)]
    const given = withReplicas(primary.db, [replica.db])
    const list = await serve(drizzleModels(given, { things }, { replicas: { freshFor: 0 } }))
    expect(await list()).toBe('replica of 3')
    let asked = 0
    const at = (sent: string): boolean => {
      if (sent.includes('"things"')) asked += 1
      return sent.includes('"things"')
    }
    replica.way.plan({ at, lost, times: 1 })
    expect(await list()).toBe('primary of 5')
    const askedAtFirst = asked
    for (let times = 0; times < 4; times += 1) expect(await list()).toBe('primary of 5')
    expect(asked).toBe(askedAtFirst)
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000)
    expect(await list()).toBe('replica of 3')
    expect(await list()).toBe('replica of 3')
  })

  it('are read from the other one meanwhile', async () => {
    const [primary, one, two] = [await open('primary', 5), await open('one', 3), await open('two', 4)]
    const given = withReplicas(primary.db, [one.db, two.db], (all) => all[0] ?? one.db)
    const list = await serve(drizzleModels(given, { things }, { replicas: { freshFor: 0 } }))
    one.way.plan({ at: (sent) => sent.includes('"things"'), lost: 'question', times: 99 })
    expect(await list()).toBe('primary of 5')
    expect(await list()).toBe('two of 4')
    two.way.plan({ at: (sent) => sent.includes('"things"'), lost: 'question', times: 99 })
    expect(await list()).toBe('primary of 5')
    const cut = [one.way.done, two.way.done]
    expect(await list()).toBe('primary of 5')
    expect([one.way.done, two.way.done]).toEqual(cut)
  })

  it('refuse no request while a connection to it does not open', async () => {
    const [primary, replica] = [await open('primary', 5), await open('replica', 3)]
    const given = withReplicas(primary.db, [replica.db])
    const app = fetchApp()
    const models = drizzleModels(given, { things }, { replicas: { freshFor: 0 } })
    const settings = { MAX_WAITING: 100 }
    await new ModelRest(app, { models, settings }).init()
    const statusOf = async (path: string) => (await app.fetch(new Request(`http://localhost${path}`))).status
    replica.way.plan({ at: (sent) => sent.includes('user\0'), lost: 'both, in silence', times: 99 })
    expect(await statusOf('/things/')).toBe(200)
    const { done } = replica.way
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000)
    const list = statusOf('/things/')
    while (replica.way.done === done) await new Promise(setImmediate)
    const end = now() + 500
    while (now() < end) {
      expect(await statusOf('/things/1')).toBe(200)
      await new Promise(setImmediate)
    }
    expect(await list).toBe(200)
  })
})
