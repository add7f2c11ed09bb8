import { boolean, pgTable, text as pgText, serial, varchar } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { onTestFinished } from 'vitest'
import { auditTable as pgAudit } from '../../../src/entry/drizzle-pg.ts'
import { auditTable as sqliteAudit } from '../../../src/entry/drizzle-sqlite.ts'
import type { ServiceAuth } from '../../../src/index.ts'
import { type Host, onFastify, onFetch } from '../../stage/apps.ts'
import { type AuthService, type ServiceOptions, serviceOn } from '../../stage/auth-service.ts'
import { openSqlite, type Row, type TestDatabase } from '../../stage/databases.ts'
import { sqliteUsers } from '../../stage/mail-service.ts'
import { openPostgres } from '../../stage/postgres.ts'
import type { Entry } from './stage.ts'

export interface AuditedUsers extends AuthService {
  /** The entries since the last call, in their order. */
  entries(): Promise<readonly Entry[]>
}

export type StartUsers = (auth?: ServiceAuth, options?: ServiceOptions) => Promise<AuditedUsers>

const starting =
  (host: Host, open: () => TestDatabase | Promise<TestDatabase>): StartUsers =>
  async (SERVICE_AUTH = {}, options = {}) => {
    const service = await serviceOn(host, await open(), {
      audit: true,
      ...options,
      settings: { SERVICE_AUTH },
    })
    onTestFinished(service.stop)
    let seen = 0
    return {
      ...service,
      entries: async () => {
        const rows = (await service.rows(
          `select id, caller, act, model, record, changes from audit_entries where id > ${seen} order by id`,
        )) as readonly (Entry & Row)[]
        seen = Number(rows.at(-1)?.['id'] ?? seen)
        return rows.map(({ id: _, changes, ...entry }) => ({
          ...(entry as unknown as Entry),
          changes: typeof changes === 'string' ? JSON.parse(changes) : changes,
        }))
      },
    }
  }

const notes = sqliteTable('notes', {
  id: integer().primaryKey({ autoIncrement: true }),
  text: text().notNull(),
})

export const startUsers = starting(onFastify, () =>
  openSqlite(
    { users: sqliteUsers, notes, auditEntries: sqliteAudit },
    `create table users (
       id integer primary key autoincrement, email text not null unique, username text unique, name text,
       password text, is_active integer not null default 1, email_verified integer not null default 0);
     create table notes (id integer primary key autoincrement, text text not null);
     create table audit_entries (id integer primary key autoincrement, at integer not null, caller text, act text not null,
       model text not null, record text not null, changes text not null)`,
  ),
)

export const onPostgresUsers = starting(onFetch, () =>
  openPostgres(
    {
      users: pgTable('users', {
        id: serial().primaryKey(),
        email: varchar({ length: 320 }).notNull().unique(),
        username: varchar({ length: 150 }).unique(),
        name: pgText(),
        password: pgText(),
        is_active: boolean().notNull().default(true),
        email_verified: boolean().notNull().default(false),
      }),
      notes: pgTable('notes', { id: serial().primaryKey(), text: pgText().notNull() }),
      auditEntries: pgAudit,
    },
    `create table users (
       id serial primary key, email varchar(320) not null unique, username varchar(150) unique, name text,
       password text, is_active boolean not null default true, email_verified boolean not null default false);
     create table notes (id serial primary key, text text not null);
     create table audit_entries (id bigint primary key generated always as identity, at timestamptz not null,
       caller varchar(255), act varchar(10) not null, model varchar(100) not null, record varchar(500) not null,
       changes jsonb not null)`,
  ),
)
