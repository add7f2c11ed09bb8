import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import type { FastifyRequest } from 'fastify'
import { onTestFinished } from 'vitest'
import { auditTable as mysqlAudit } from '../../../src/entry/drizzle-mysql.ts'
import { auditTable as pgAudit } from '../../../src/entry/drizzle-pg.ts'
import { auditTable as sqliteAudit } from '../../../src/entry/drizzle-sqlite.ts'
import { controllerFor, type ModelRestOptions } from '../../../src/index.ts'
import { type Host, onFastify, onFetch } from '../../stage/apps.ts'
import { openPglite, openSqlite, type Row, type TestDatabase } from '../../stage/databases.ts'
import { openMysql } from '../../stage/mysql.ts'
import { openPostgres } from '../../stage/postgres.ts'
import { type Answer, type Method, senderTo } from '../../stage/requests.ts'
import type { Parts } from '../actions/stage.ts'

/** The tables on SQLite. */
export const sqlite = {
  teams: lite.sqliteTable('teams', { id: lite.integer().primaryKey(), name: lite.text().notNull().unique() }),
  tickets: lite.sqliteTable('tickets', {
    id: lite.integer().primaryKey(),
    title: lite.text({ length: 20 }).notNull(),
    opened: lite.integer({ mode: 'timestamp_ms' }),
    revision: lite.integer().notNull().default(1),
    api_token: lite.text(),
    created_by: lite.text(),
    updated_by: lite.text(),
    updated_at: lite.integer({ mode: 'timestamp_ms' }),
    note: lite.text(),
  }),
  items: lite.sqliteTable('items', {
    id: lite.integer().primaryKey(),
    ticket_id: lite
      .integer()
      .notNull()
      .references((): lite.AnySQLiteColumn => sqlite.tickets.id),
    name: lite.text({ length: 20 }).notNull(),
    maker: lite.text(),
  }),
  links: lite.sqliteTable(
    'links',
    {
      ticket_id: lite
        .integer()
        .notNull()
        .references((): lite.AnySQLiteColumn => sqlite.tickets.id),
      team_id: lite
        .integer()
        .notNull()
        .references((): lite.AnySQLiteColumn => sqlite.teams.id),
    },
    (table) => [lite.primaryKey({ columns: [table.ticket_id, table.team_id] })],
  ),
  auditEntries: sqliteAudit,
}

const postgres = {
  teams: pg.pgTable('teams', { id: pg.serial().primaryKey(), name: pg.text().notNull().unique() }),
  tickets: pg.pgTable('tickets', {
    id: pg.serial().primaryKey(),
    title: pg.varchar({ length: 20 }).notNull(),
    opened: pg.timestamp({ withTimezone: true }),
    revision: pg.integer().notNull().default(1),
    api_token: pg.text(),
    created_by: pg.text(),
    updated_by: pg.text(),
    updated_at: pg.timestamp({ withTimezone: true }),
    note: pg.text(),
  }),
  items: pg.pgTable('items', {
    id: pg.serial().primaryKey(),
    ticket_id: pg
      .integer()
      .notNull()
      .references((): pg.AnyPgColumn => postgres.tickets.id),
    name: pg.varchar({ length: 20 }).notNull(),
    maker: pg.text(),
  }),
  links: pg.pgTable(
    'links',
    {
      ticket_id: pg
        .integer()
        .notNull()
        .references((): pg.AnyPgColumn => postgres.tickets.id),
      team_id: pg
        .integer()
        .notNull()
        .references((): pg.AnyPgColumn => postgres.teams.id),
    },
    (table) => [pg.primaryKey({ columns: [table.ticket_id, table.team_id] })],
  ),
  auditEntries: pgAudit,
}

const inMysql = {
  teams: mysql.mysqlTable('teams', {
    id: mysql.int().primaryKey().autoincrement(),
    name: mysql.varchar({ length: 50 }).notNull().unique(),
  }),
  tickets: mysql.mysqlTable('tickets', {
    id: mysql.int().primaryKey().autoincrement(),
    title: mysql.varchar({ length: 20 }).notNull(),
    opened: mysql.timestamp({ fsp: 3 }),
    revision: mysql.int().notNull().default(1),
    api_token: mysql.text(),
    created_by: mysql.text(),
    updated_by: mysql.text(),
    updated_at: mysql.timestamp({ fsp: 3 }),
    note: mysql.text(),
  }),
  items: mysql.mysqlTable('items', {
    id: mysql.int().primaryKey().autoincrement(),
    ticket_id: mysql
      .int()
      .notNull()
      .references((): mysql.AnyMySqlColumn => inMysql.tickets.id),
    name: mysql.varchar({ length: 20 }).notNull(),
    maker: mysql.text(),
  }),
  links: mysql.mysqlTable(
    'links',
    {
      ticket_id: mysql
        .int()
        .notNull()
        .references((): mysql.AnyMySqlColumn => inMysql.tickets.id),
      team_id: mysql
        .int()
        .notNull()
        .references((): mysql.AnyMySqlColumn => inMysql.teams.id),
    },
    (table) => [mysql.primaryKey({ columns: [table.ticket_id, table.team_id] })],
  ),
  auditEntries: mysqlAudit,
}

interface Types {
  readonly id: string
  readonly big: string
  readonly time: string
  readonly json: string
}

const ddlWith = ({ id, big, time, json }: Types): string => `
create table teams (id ${id}, name varchar(50) not null unique);
create table tickets (id ${id}, title varchar(20) not null, opened ${time}, revision integer not null default 1, api_token text, note text,
  created_by text, updated_by text, updated_at ${time});
create table items (id ${id}, ticket_id integer not null references tickets (id), name varchar(20) not null, maker text);
create table links (ticket_id integer not null references tickets (id), team_id integer not null references teams (id),
  primary key (ticket_id, team_id));
create table audit_entries (id ${big}, at ${time} not null, caller varchar(255), act varchar(10) not null,
  model varchar(100) not null, record varchar(500) not null, changes ${json} not null);
insert into teams (id, name) values (91, 'red'), (92, 'blue');
insert into tickets (id, title, api_token, note) values (90, 'old', 'abc', 'mind');
`

const ddl = {
  sqlite: ddlWith({
    id: 'integer primary key autoincrement',
    big: 'integer primary key autoincrement',
    time: 'integer',
    json: 'text',
  }),
  postgres: ddlWith({
    id: 'integer primary key generated by default as identity',
    big: 'bigint primary key generated always as identity',
    ...{ time: 'timestamptz', json: 'jsonb' },
  }),
  mysql: ddlWith({
    id: 'integer primary key auto_increment',
    big: 'bigint primary key auto_increment',
    ...{ time: 'timestamp(3)', json: 'json' },
  }),
}

export interface Options extends Partial<ModelRestOptions> {
  readonly controllers?: never
  readonly host?: Host
  readonly parts?: Readonly<Record<string, Parts>>
}

/** What an entry says, apart from its key and its time. */
export interface Entry {
  readonly caller: string | null
  readonly act: string
  readonly model: string
  readonly record: string
  readonly changes: unknown
}

export interface Audited {
  send(
    method: Method,
    path: string,
    body?: unknown,
    user?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  /** The entries since the last call, in their order. */
  entries(): Promise<readonly Entry[]>
  rows: TestDatabase['rows']
}

export type Start = (options?: Options) => Promise<Audited>

/** Callers name themselves. */
const auth = {
  authenticate: (request: unknown) => {
    const headers: unknown = Reflect.get(Object(request), 'headers')
    const user = headers instanceof Headers ? headers.get('x-user') : Reflect.get(Object(headers), 'x-user')
    return typeof user === 'string' ? { id: user, claims: {} } : null
  },
}

const starting =
  (open: () => Promise<TestDatabase>): Start =>
  async ({ host = onFastify, parts = {}, ...options } = {}) => {
    const database = await open()
    onTestFinished(database.close)
    const app = await host(
      {
        ...{ models: database.models, auth, audit: true },
        controllers: Object.entries(parts).map(([name, own]) => controllerFor(name, own as never)),
        ...options,
        modelConfig: {
          Ticket: { public: true, hidden: ['note'], write: ['items', 'teams'] },
          Item: { public: true },
          ...{ Link: { public: true }, Team: { public: true } },
          ...options.modelConfig,
        },
      } as Partial<ModelRestOptions<unknown, FastifyRequest>>,
      { base: '' },
    )
    onTestFinished(app.stop)
    const send = senderTo(app)
    let seen = 0
    return {
      send: (method, path, body, user, headers = {}) =>
        send(method, path, { body, headers: { ...headers, ...(user !== undefined && { 'x-user': user }) } }),
      rows: database.rows,
      entries: async () => {
        const rows = await database.rows<Entry & { id: number } & Row>(
          `select id, caller, act, model, record, changes from audit_entries where id > ${seen} order by id`,
        )
        seen = Number(rows.at(-1)?.id ?? seen)
        return rows.map(({ id: _, changes, ...entry }) => ({
          ...entry,
          changes: typeof changes === 'string' ? JSON.parse(changes) : changes,
        }))
      },
    }
  }

const onSqlite = starting(async () => openSqlite(sqlite, ddl.sqlite))

export const audited: readonly (readonly [string, Start])[] = [
  ['better-sqlite3', onSqlite],
  ['better-sqlite3 in one tick', (options) => onSqlite({ isAsync: false, host: onFetch, ...options })],
  ['PGlite', starting(() => openPglite(postgres, ddl.postgres))],
]

export const onServers = {
  postgres: starting(() => openPostgres(postgres, ddl.postgres)),
  mariadb: starting(() => openMysql('mariadb', inMysql, ddl.mysql)),
  mysql: starting(() => openMysql('mysql', inMysql, ddl.mysql)),
}
