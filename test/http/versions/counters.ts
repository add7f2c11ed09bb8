import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import type { Send } from '../../stage/requests.ts'

const MADE = new Date('2026-01-01T00:00:00.000Z')

const sqlite = () => {
  const { sqliteTable, integer, text } = lite
  return {
    counters: sqliteTable('counters', {
      id: integer().primaryKey({ autoIncrement: true }),
      name: text().notNull().default('one'),
      count: integer().notNull(),
      secret_word: text().notNull().default('a'),
      revision: integer().notNull().default(0),
      changed: integer({ mode: 'timestamp' }).notNull().default(MADE),
    }),
  }
}

const postgres = () => {
  const { pgTable, serial, integer, text, timestamp } = pg
  return {
    counters: pgTable('counters', {
      id: serial().primaryKey(),
      name: text().notNull().default('one'),
      count: integer().notNull(),
      secret_word: text().notNull().default('a'),
      revision: integer().notNull().default(0),
      changed: timestamp({ withTimezone: true }).notNull().defaultNow(),
    }),
  }
}

const mysql = () => {
  const { mysqlTable, int, varchar, datetime } = my
  return {
    counters: mysqlTable('counters', {
      id: int().primaryKey().autoincrement(),
      name: varchar({ length: 20 }).notNull().default('one'),
      count: int().notNull(),
      secret_word: varchar({ length: 20 }).notNull().default('a'),
      revision: int().notNull().default(0),
      changed: datetime().notNull().default(MADE),
    }),
  }
}

/** One table whose records count, with a column for each kind of version. */
export const tables = { sqlite: sqlite(), postgres: postgres(), mysql: mysql() }

const words =
  "name varchar(20) not null default 'one', count int not null, secret_word varchar(20) not null default 'a'"

export const ddl = {
  sqlite: `create table counters (id integer primary key autoincrement, ${words}, revision integer not null default 0, changed integer not null default 0)`,
  postgres: `create table counters (id serial primary key, ${words}, revision int not null default 0, changed timestamptz not null default now())`,
  mysql: `create table counters (id int primary key auto_increment, ${words}, revision int not null default 0, changed datetime not null default '2026-01-01')`,
} as const

/** The versions that a model may have. */
export const versions = {
  integer: { version: 'revision' },
  timestamp: { version: 'changed' },
  none: undefined,
} as const

/** Clients that each add one to a number: each reads the record, and writes it if it is still the same. */
export const countUp = async (
  send: Send,
  path: string,
  {
    clients,
    field = 'count',
    inJson = (count) => count,
  }: { readonly clients: number; readonly field?: string; readonly inJson?: (count: number) => unknown },
): Promise<readonly string[]> => {
  const refused: string[] = []
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (;;) {
        const { headers, json } = await send('GET', path)
        const body = { [field]: inJson(Number(json[field]) + 1) }
        const { status, json: stored } = await send('PATCH', path, {
          body,
          headers: { 'if-match': headers['etag'] ?? '' },
        })
        if (status === 200) return
        refused.push(`${status} ${stored['code']}`)
      }
    }),
  )
  return [...new Set(refused)]
}
