import { boolean, pgTable, text as pgText, serial, timestamp } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe } from 'vitest'
import type { AuthMailHook, ServiceAuth } from '../../src/index.ts'
import { onRedis } from '../servers/test-redis.ts'
import { onFastify, onFetch } from './apps.ts'
import { type AuthService, type Start, serviceOn } from './auth-service.ts'
import { openPglite, openSqlite } from './databases.ts'
import { openMemory, openNodeRedis, type Serve, serving } from './stateful.ts'

/** Users of SQLite. */
export const sqliteUsers = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text({ length: 320 }).notNull().unique(),
  username: text({ length: 150 }).unique(),
  name: text({ length: 200 }),
  password: text({ length: 255 }),
  is_active: integer({ mode: 'boolean' }).notNull().default(true),
  email_verified: integer({ mode: 'boolean' }).notNull().default(false),
})

const pgUsers = pgTable('users', {
  id: serial().primaryKey(),
  email: pgText().notNull().unique(),
  username: pgText().unique(),
  name: pgText(),
  password: pgText(),
  is_active: boolean().notNull().default(true),
  emailVerifiedAt: timestamp('email_verified_at', { withTimezone: true }),
})

const sqliteNotes = sqliteTable('notes', {
  id: integer().primaryKey({ autoIncrement: true }),
  text: text().notNull(),
})

const pgNotes = pgTable('notes', { id: serial().primaryKey(), text: pgText().notNull() })

const startFastify: Start = async (options) =>
  serviceOn(
    onFastify,
    openSqlite(
      { users: sqliteUsers, notes: sqliteNotes },
      `create table users (
         id integer primary key autoincrement, email text not null unique, username text unique, name text,
         password text, is_active integer not null default 1, email_verified integer not null default 0);
       create table notes (id integer primary key autoincrement, text text not null)`,
    ),
    options,
  )

const startFetch: Start = async (options) =>
  serviceOn(
    onFetch,
    await openPglite(
      { users: pgUsers, notes: pgNotes },
      `create table users (
         id serial primary key, email text not null unique, username text unique, name text,
         password text, is_active boolean not null default true, email_verified_at timestamptz);
       create table notes (id serial primary key, text text not null)`,
    ),
    options,
  )

/** Services whose users have a column for verified addresses: a boolean on one, a time on the other. */
export const mailServices: readonly (readonly [string, Start])[] = [
  ['Fastify and better-sqlite3', startFastify],
  ['fetch and PGlite', startFetch],
]

/** Whether an address is verified, as the database has it. */
export const isVerifiedIn = async ({ rows }: AuthService, email: string): Promise<boolean> => {
  const [row] = await rows(`select * from users where email = '${email}'`)
  const value = row?.['email_verified'] ?? row?.['email_verified_at'] ?? false
  return value !== false && value !== 0
}

/** A mail as the application sends it. */
export interface SentMail {
  readonly what: 'reset' | 'verify'
  readonly to: string
  readonly token: string
  readonly user: Readonly<Record<string, unknown>>
}

/** The functions that send mail, and what they have sent. */
export const mailbox = (before: () => unknown = () => undefined) => {
  const mails: SentMail[] = []
  const sending =
    (what: SentMail['what']): AuthMailHook =>
    async (user, token) => {
      await before()
      mails.push({ what, to: String(Reflect.get(user, 'email')), token, user: { ...user } })
    }
  const hooks: ServiceAuth = {
    ...{ PASSWORD_RESET: true, ON_PASSWORD_RESET: sending('reset') },
    ...{ EMAIL_VERIFY: true, ON_EMAIL_VERIFY: sending('verify') },
  }
  return { mails, hooks }
}

/** All mails of this kind, once none is on its way. A service that was closed goes on to answer. */
export const arrived = async (
  { rest }: AuthService,
  { mails }: { readonly mails: readonly SentMail[] },
  what: SentMail['what'],
): Promise<readonly SentMail[]> => {
  await rest.close()
  return mails.filter((mail) => mail.what === what)
}

/** Defines tests on each host: stateless, and stateful in memory and on Redis. */
export const describeMails = (tests: string, define: (serve: Serve, isStateful: boolean) => void): void => {
  describe.each(mailServices)('%s', (_name, start) => {
    describe('stateless', () => define(serving(start), false))
    describe('stateful in memory', () => define(serving(start, openMemory), true))
    onRedis(tests, () => {
      describe('stateful on node-redis', () => define(serving(start, openNodeRedis), true))
    })
  })
}
