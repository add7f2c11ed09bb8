import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, type SQLiteTable, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'

const models = ['apple', 'date', 'elder', 'fig']
const columns = Array.from({ length: 30 }, (_, at) => `c${at}`)
const signs = ['==', '!=']
const CONDITIONS = 150

/** As many conditions as a statement that is kept may have, each time others. */
const queryOf = (seed: number): string => {
  const conditions = Array.from(
    { length: CONDITIONS },
    (_, at) => `${columns[(at * 7 + seed) % 30]}${signs[(seed >> (at % 6)) % 2]}x`,
  )
  return `q=${encodeURIComponent(`(${conditions.join('|')})`)}&sort=c${seed % 30}&limit=1`
}

it('prepared statements are kept within one bound for all models, whatever is asked', async () => {
  const client = new Database(':memory:')
  const tables: Record<string, SQLiteTable> = {}
  for (const name of models) {
    tables[name] = sqliteTable(name, {
      id: integer().primaryKey(),
      ...Object.fromEntries(columns.map((column) => [column, text()])),
    })
    client.exec(
      `create table ${name} (id integer primary key, ${columns.map((one) => `${one} text`).join()})`,
    )
    client.exec(`insert into ${name} (c0) values ('a'), ('b')`)
  }
  const app = fetchApp()
  await new ModelRest(app, {
    models: drizzleModels(drizzle({ client }), tables),
    controllers: [],
    settings: { QUERY_MAX_CONDITIONS: CONDITIONS },
  }).init()
  const prepare = client.prepare.bind(client)
  let prepared = 0
  client.prepare = ((statement: string) => {
    prepared += statement.length
    return prepare(statement)
  }) as typeof client.prepare

  const paths = models.flatMap((name) =>
    Array.from({ length: 60 }, (_, seed) => `/${name}s/?${queryOf(seed)}`),
  )
  const ask = async (all: readonly string[]): Promise<number> => {
    prepared = 0
    for (const path of all) {
      const { status } = await app.fetch(new Request(`http://localhost${path}`))
      expect(status).toBe(200)
    }
    return prepared
  }
  const all = await ask(paths)
  const kept = all - (await ask(paths.toReversed()))
  expect(all).toBeGreaterThan(2_500_000)
  expect(kept).toBeGreaterThan(1_000_000)
  // Each purpose has its last one at hand besides.
  expect(kept).toBeLessThanOrEqual(2_050_000)
})
