import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { blob, index, integer, numeric, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify, { type FastifyInstance } from 'fastify'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { decimal, file, image, usersTable } from '../../src/entry/drizzle-sqlite.ts'
import { ModelRest } from '../../src/entry/fastify.ts'
import { defineSettings, diskStorage } from '../../src/index.ts'
import { type Application, type Opening, routesOf } from './stage-shop.ts'

const parts = sqliteTable(
  'parts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text({ length: 200 }).notNull(),
    about: text(),
    state: text({ enum: ['new', 'used', 'broken'] })
      .notNull()
      .default('new'),
    price: decimal({ precision: 10, scale: 2 }),
    exact: numeric(),
    amount: integer(),
    serial: blob({ mode: 'bigint' }),
    weight: real(),
    is_spare: integer({ mode: 'boolean' }).notNull().default(false),
    made_at: integer({ mode: 'timestamp_ms' }),
    facts: text({ mode: 'json' }),
    print: blob({ mode: 'buffer' }),
    manual: file(),
    picture: image(),
    owner_id: integer().references(() => usersTable.id),
  },
  (table) => [index('parts_name').on(table.name)],
)

const labels = sqliteTable(
  'labels',
  {
    part_id: integer()
      .notNull()
      .references(() => parts.id),
    // A key of any length.
    name: text().notNull(),
    note: text(),
  },
  (table) => [primaryKey({ columns: [table.part_id, table.name] })],
)

const codes = sqliteTable('codes', { code: text().primaryKey(), meaning: text() })

const base = '/api'

/** Where the usual limits are so large that a request at them would be slow to send. */
export const workshopLimits = {
  UPLOAD_FILE_LIMIT: 262_144,
  UPLOAD_BODY_LIMIT: 524_288,
  UPLOAD_TEXT_LIMIT: 65_536,
} as const

/** Every kind of column that SQLite has, texts without a length, files, cursor pages, users that are served and sessions. */
export const open = async ({ folder, products }: Opening): Promise<Application> => {
  const client = new Database(join(folder, 'workshop.db'))
  client.pragma('journal_mode = WAL')
  client.pragma('synchronous = NORMAL')
  client.pragma('foreign_keys = ON')
  client.exec(tables)
  client
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       insert into parts (name, about, price, amount, weight, made_at, facts, is_spare)
       select 'part ' || i, 'about the part ' || i, 100 * i, i % 100, i / 7.0, 1700000000000 + i, '{"a":' || i || '}', i % 2 from n`,
    )
    .run(products)
  const db = drizzle({ client })
  const app: FastifyInstance = Fastify()
  const rest = await new Promise<ModelRest>((resolve, reject) => {
    const api = async (context: FastifyInstance): Promise<void> => {
      const generator = new ModelRest(context, {
        models: drizzleModels(db, { workshop: { parts, labels, codes, users: usersTable } }),
        auth: true,
        health: true,
        paginationType: 'cursor',
        modelConfig: { User: { internal: false } },
        storage: diskStorage({ directory: join(folder, 'media') }),
        settings: defineSettings({
          BASE_DIR: folder,
          SECRET_KEY: 'only-for-attacks-'.repeat(3),
          DEBUG: true,
          ...workshopLimits,
          // Those limits have tests of their own, and would keep these requests from what is behind them.
          SERVICE_AUTH: { STATEFUL: true, LOGIN_MAX_FAILURES: 0, LOGIN_MAX_FAILURES_PER_ADDRESS: 0 },
        }),
      })
      await generator.init()
      resolve(generator)
    }
    app.register(api, { prefix: base }).then(() => undefined, reject)
  })
  app.addHook('onClose', () => rest.close())
  return { app, operations: routesOf(rest.operations, base) }
}

const tables = `
  create table users (
    id integer primary key autoincrement, email text not null unique, username text unique, name text,
    password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch())
  );
  create table parts (
    id integer primary key autoincrement, name text not null, about text, state text not null default 'new',
    price integer, exact numeric, amount integer, serial blob, weight real, is_spare integer not null default 0,
    made_at integer, facts text, print blob, manual text, picture text, owner_id integer references users (id)
  );
  create index parts_name on parts (name);
  create table labels (
    part_id integer not null references parts (id), name text not null, note text, primary key (part_id, name)
  );
  create table codes (code text primary key not null, meaning text);
`
