// npm run build && node bench/pages.ts: what a page of 20 costs at the start, in the middle and at the end of a million records.
import Database from 'better-sqlite3'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { index as pgIndex, integer as pgInteger, pgTable, text as pgText } from 'drizzle-orm/pg-core'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { drizzleModels } from 'modelrest/drizzle'
import { defineSettings, fetchApp, ModelRest, type ModelSource, type PaginationType } from 'modelrest/fetch'
import pg from 'pg'
import { startPostgres } from '../test/servers/postgres.ts'

const ROWS = 1_000_000
const REQUESTS = 300
const indexes = `create index by_name on records (name); create index by_rank on records (rank);
  create index by_kind on records (kind, id)`

interface Open {
  readonly models: ModelSource
  close(): Promise<void> | void
}

const sqlite = (): Open => {
  const client = new Database(':memory:')
  client.exec(`create table records (id integer primary key, name text not null, rank integer, kind integer not null);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
    insert into records select i, 'record ' || (i * 7919 % ${ROWS}), nullif(i % 1000, 0), i % 4 from n; ${indexes}`)
  const records = sqliteTable(
    'records',
    { id: integer().primaryKey(), name: text().notNull(), rank: integer(), kind: integer().notNull() },
    (table) => [index('by_name').on(table.name), index('by_rank').on(table.rank)],
  )
  return {
    models: drizzleModels(drizzleSqlite({ client }), { records }),
    close: () => {
      client.close()
    },
  }
}

const postgres = async (): Promise<Open> => {
  const server = await startPostgres({ settings: { shared_buffers: '512MB' } })
  const pool = new pg.Pool({ connectionString: server.url })
  await pool.query(`create table records (id integer primary key, name text not null, rank integer, kind integer not null);
    insert into records select i, 'record ' || (i::bigint * 7919 % ${ROWS}), nullif(i % 1000, 0), i % 4 from generate_series(1, ${ROWS}) i; ${indexes}`)
  await pool.query('vacuum analyze records')
  const records = pgTable(
    'records',
    {
      id: pgInteger().primaryKey(),
      name: pgText().notNull(),
      rank: pgInteger(),
      kind: pgInteger().notNull(),
    },
    (table) => [pgIndex('by_name').on(table.name), pgIndex('by_rank').on(table.rank)],
  )
  const close = async () => {
    await pool.end()
    await server.stop()
  }
  return { models: drizzleModels(drizzlePg(pool), { records }), close }
}

interface Page {
  readonly items: readonly { readonly id: number; readonly name: string }[]
  readonly next?: string | null
}

const serve = async (
  models: ModelSource,
  paginationType: PaginationType,
): Promise<(query: string) => Promise<Page>> => {
  const app = fetchApp()
  const settings = defineSettings({
    SECRET_KEY: 'of the benchmark, and as long as it has to be',
    NINJA_PAGINATION_MAX_LIMIT: ROWS,
  })
  await new ModelRest(app, { models, paginationType, settings }).init()
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

const ms = (time: number): string => `${time.toFixed(3)} ms`

for (const [name, open] of Object.entries({ sqlite, postgres })) {
  const { models, close } = await open()
  const byCursor = await serve(models, 'cursor')
  const byOffset = await serve(models, 'limit-offset')
  const rows: Record<string, object> = {}
  for (const sort of [
    'sort=id',
    'sort=name',
    'sort=name&order=desc',
    'sort=rank',
    'sort=rank&order=desc',
    'sort=kind',
  ]) {
    const at = async (depth: number): Promise<number> => {
      const { next } = await byCursor(`${sort}&limit=${depth}&fields=id`)
      return await medianOf(() => byCursor(`${sort}&limit=20&cursor=${next}`))
    }
    const first = await medianOf(() => byCursor(`${sort}&limit=20`))
    const middle = await at(ROWS / 2)
    const last = await at(ROWS - 20)
    const start = performance.now()
    await byOffset(`${sort}&limit=20&offset=${ROWS - 20}&count=none`)
    const offset = performance.now() - start
    rows[sort] = {
      'first page': ms(first),
      'middle page': ms(middle),
      'last page': ms(last),
      'middle / first': (middle / first).toFixed(2),
      'last / first': (last / first).toFixed(2),
      'last page by offset': ms(offset),
    }
  }
  console.log(`${name}: a page of 20 among ${ROWS} records, medians of ${REQUESTS} requests`)
  console.table(rows)
  await close()
}
