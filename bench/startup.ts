// node bench/startup.ts: how long 300 models of 12 columns take to start, to answer and to document.
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { drizzleModels } from 'modelrest/drizzle'
import { decimal } from 'modelrest/drizzle/sqlite'
import { ModelRest } from 'modelrest/fastify'

const MODELS = 300

const names = Array.from(
  { length: MODELS },
  (_, index) => `kind${String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26))}things`,
)

const table = (name: string) =>
  sqliteTable(name, {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text({ length: 100 }).notNull(),
    code: text({ length: 20 }).notNull().unique(),
    price: decimal({ precision: 10, scale: 2 }).notNull(),
    amount: integer().notNull().default(0),
    ratio: real(),
    active: integer({ mode: 'boolean' }).notNull().default(true),
    status: text({ enum: ['draft', 'live', 'gone'] })
      .notNull()
      .default('draft'),
    note: text(),
    data: text({ mode: 'json' }),
    starts_at: integer({ mode: 'timestamp' }),
    parent_id: integer(),
  })

const ddl = (name: string): string =>
  `create table ${name} (id integer primary key autoincrement not null, name text not null, code text not null unique,
   price integer not null, amount integer not null default 0, ratio real, active integer not null default 1,
   status text not null default 'draft', note text, data text, starts_at integer, parent_id integer);`

const tables = Object.fromEntries(names.map((name) => [name, table(name)]))
const client = new Database(':memory:')
client.exec(names.map(ddl).join('\n'))
const db = drizzle({ client })

const times: Record<string, { readonly time: string; readonly CPU: string }> = {}
const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
const timed = async <T>(what: string, act: () => T | Promise<T>): Promise<T> => {
  const start = performance.now()
  const before = process.cpuUsage()
  const result = await act()
  times[what] = {
    time: `${(performance.now() - start).toFixed(1)} ms`,
    CPU: `${cpuSince(before).toFixed(1)} ms`,
  }
  return result
}

const app = Fastify()
const models = await timed('drizzleModels()', () => drizzleModels(db, tables))
const rest = await timed('new ModelRest()', () => new ModelRest(app, { models }))
await timed('init()', () => rest.init())
await timed('app.ready()', async () => {
  await app.ready()
})
const get = async (url: string): Promise<void> => {
  const { statusCode } = await app.inject({ url })
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
}
const [first = '', second = ''] = rest.models.map(({ path }) => `/${path}/`)
await timed('first request', () => get(first))
await timed('the same again', () => get(first))
await timed('first request of another model', () => get(second))
await timed('first document', () => get('/openapi.json'))
await timed('the document again', () => get('/openapi.json'))
console.log(
  `${rest.models.length} models of ${rest.models[0]?.fields.length} columns, ${rest.operations.length} operations`,
)
console.table(times)
await app.close()
