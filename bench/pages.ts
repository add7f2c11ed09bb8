// node bench/pages.ts: what a page of 20 costs at the start and at the end of a million records, on SQLite.
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzleModels } from 'modelrest/drizzle'
import { defineSettings, fetchApp, ModelRest, type PaginationType } from 'modelrest/fetch'

const ROWS = 1_000_000
const REQUESTS = 300

const client = new Database(':memory:')
client.exec(`create table records (id integer primary key, name text not null, rank integer);
  with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
  insert into records select i, 'record ' || (i * 7919 % ${ROWS}), nullif(i % 1000, 0) from n;
  create index by_name on records (name); create index by_rank on records (rank);`)
const records = sqliteTable(
  'records',
  { id: integer().primaryKey(), name: text().notNull(), rank: integer() },
  (table) => [index('by_name').on(table.name), index('by_rank').on(table.rank)],
)

interface Page {
  readonly items: readonly { readonly id: number; readonly name: string }[]
  readonly next?: string | null
}

const serve = async (paginationType: PaginationType): Promise<(query: string) => Promise<Page>> => {
  const app = fetchApp()
  const settings = defineSettings({ SECRET_KEY: 'of the benchmark', NINJA_PAGINATION_MAX_LIMIT: ROWS })
  await new ModelRest(app, {
    models: drizzleModels(drizzle({ client }), { records }),
    paginationType,
    settings,
  }).init()
  return async (query) => {
    const reply = await app.fetch(new Request(`http://localhost/records/?${query}`))
    if (reply.status !== 200) throw new Error(await reply.text())
    return (await reply.json()) as Page
  }
}

const medianOf = async (act: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let run = 0; run < REQUESTS; run++) {
    const start = performance.now()
    await act()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[REQUESTS / 2] ?? 0
}

const byCursor = await serve('cursor')
const byOffset = await serve('limit-offset')
const rows: Record<string, object> = {}
for (const sort of ['sort=id', 'sort=name', 'sort=name&order=desc', 'sort=rank']) {
  const { next } = await byCursor(`${sort}&limit=${ROWS - 20}`)
  const first = await medianOf(() => byCursor(`${sort}&limit=20`))
  const last = await medianOf(() => byCursor(`${sort}&limit=20&cursor=${next}`))
  const start = performance.now()
  await byOffset(`${sort}&limit=20&offset=${ROWS - 20}&count=none`)
  const offset = performance.now() - start
  rows[sort] = {
    'first page': `${first.toFixed(3)} ms`,
    'last page': `${last.toFixed(3)} ms`,
    ratio: (last / first).toFixed(2),
    'last page by offset': `${offset.toFixed(1)} ms`,
  }
}
console.log(`a page of 20 among ${ROWS} records, medians of ${REQUESTS} requests`)
console.table(rows)
