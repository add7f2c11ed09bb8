// Serves models that anybody may write: fork(body-server.ts, [host, settings in JSON]). It sends its port, and for each
// message the microseconds of CPU and the bytes of memory that it has used at most. It ends when it is disconnected.

import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { decimal, usersTable as users } from '../../src/entry/drizzle-sqlite.ts'
import { defineSettings } from '../../src/index.ts'
import { onFastify, onFetchBehindNode } from '../stage/apps.ts'
import { peakMemory } from './peak-memory.ts'

const things = sqliteTable('things', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 20 }).notNull(),
  about: text(),
  price: decimal({ precision: 10, scale: 2 }),
  data: text({ mode: 'json' }),
})
const bags = sqliteTable('bags', { id: integer().primaryKey(), data: text({ mode: 'json' }).notNull() })
const labels = sqliteTable('labels', { key: text().primaryKey(), about: text() })

const database = new Database(':memory:')
database.exec(`
  create table users (id integer primary key autoincrement, email text not null unique, username text unique, name text,
    password text not null, is_active integer not null default 1, created_at integer not null default 0);
  create table things (id integer primary key autoincrement, name text not null, about text, price integer, data text);
  create table bags (id integer primary key, data text not null);
  create table labels (key text primary key not null, about text);`)

const options = {
  models: drizzleModels(drizzle(database), { users, things, bags, labels }),
  auth: true,
  modelConfig: { Thing: { public: true }, Bag: { public: true }, Label: { public: true } },
  customSchemas: { Bag: { create: z.object({ data: z.record(z.string(), z.number().int()) }) } },
  settings: defineSettings({
    SECRET_KEY: 'a secret for tests that is long enough',
    ...(JSON.parse(process.argv[3] ?? '{}') as object),
  }),
} as const

const host = process.argv[2] === 'fetch' ? onFetchBehindNode : onFastify
const { port, stop } = await host(options, { base: '', listening: true, logger: false })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, memory: peakMemory() })
})
process.on('disconnect', () => void stop().then(() => database.close()))
process.send?.(port)
