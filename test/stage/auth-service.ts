import { pgTable, text as pgText, serial } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterEach, describe } from 'vitest'
import { usersTable as pgUsers } from '../../src/entry/drizzle-pg.ts'
import { usersTable as sqliteUsers } from '../../src/entry/drizzle-sqlite.ts'
import {
  defineSettings,
  type ModelRest,
  type ModelRestOptions,
  type ServiceAuth,
  type Settings,
} from '../../src/index.ts'
import { type Entry, type Host, onFastify, onFetch } from './apps.ts'
import { openPglite, openSqlite, type TestDatabase } from './databases.ts'
import { type Answer, type Send, type Sent, senderTo } from './requests.ts'

/** A running service with authentication, users and one protected model, `Note` (`/notes/`). */
export interface AuthService {
  readonly send: Send
  /** Runs a statement on the database itself, as the host's own code does. */
  execute(statement: string): Promise<void>
  readonly rows: TestDatabase['rows']
  readonly log: readonly Entry[]
  readonly rest: ModelRest
  /** A second service of the same kind on the same database, as another process or a later version of this one. */
  readonly another: Start
  stop(): Promise<void>
}

/** The secret of the services. */
export const secret = 'a secret of tests, with more than 64 bytes, so that HS512 takes it as well'

export type ServiceOptions = Partial<Omit<ModelRestOptions, 'models' | 'settings'>> & {
  readonly settings?: Settings
  /** Of Fastify: whether to believe `X-Forwarded-For`. @default false */
  readonly trustProxy?: boolean
}

/** @param options `settings.SERVICE_AUTH` joins a secret that is there already */
export type Start = (options?: ServiceOptions) => Promise<AuthService>

const sqliteNotes = sqliteTable('notes', {
  id: integer().primaryKey({ autoIncrement: true }),
  text: text().notNull(),
})

const pgNotes = pgTable('notes', { id: serial().primaryKey(), text: pgText().notNull() })

const onSqlite = async (): Promise<TestDatabase> =>
  openSqlite(
    { users: sqliteUsers, notes: sqliteNotes },
    `create table users (
       id integer primary key autoincrement, email text not null unique, username text unique, name text,
       password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch()));
     create table notes (id integer primary key autoincrement, text text not null)`,
  )

const onPglite = (): Promise<TestDatabase> =>
  openPglite(
    { users: pgUsers, notes: pgNotes },
    `create table users (
       id integer primary key generated always as identity, email varchar(320) not null unique,
       username varchar(150) unique, name varchar(200), password varchar(255) not null,
       is_active boolean not null default true, created_at timestamptz not null default now());
     create table notes (id serial primary key, text text not null)`,
  )

/** A service on a host and a database. */
export const serviceOn = async (
  host: Host,
  database: TestDatabase,
  { settings = {}, trustProxy = false, ...options }: ServiceOptions = {},
): Promise<AuthService> => {
  const app = await host(
    {
      ...{ models: database.models, auth: true },
      ...options,
      settings: defineSettings({
        ...settings,
        SERVICE_AUTH: { JWT_SECRET: secret, ...settings.SERVICE_AUTH },
      }),
    },
    { trustProxy },
  )
  const { execute, rows } = database
  return {
    ...{ execute, rows, log: app.log, rest: app.rest, send: senderTo(app) },
    // The database is left to the first service.
    another: (other) => serviceOn(host, { ...database, close: async () => undefined }, other),
    stop: async () => {
      await app.stop()
      await database.close()
    },
  }
}

export const startFastify: Start = async (options) => serviceOn(onFastify, await onSqlite(), options)

export const startFetch: Start = async (options) => serviceOn(onFetch, await onPglite(), options)

/** Both hosts, one on a driver that gives values, one on a driver that gives promises. */
export const services: readonly (readonly [string, Start])[] = [
  ['Fastify and better-sqlite3', startFastify],
  ['fetch and PGlite', startFetch],
]

/** Starts a service, which ends with its test. */
export type Serve = (serviceAuth?: ServiceAuth, options?: ServiceOptions) => Promise<AuthService>

/** Defines tests on each host. @param title what they are about */
export const describeServices = (title: string, define: (serve: Serve) => void): void => {
  describe.each(services)(`${title}, %s`, (_name, start) => {
    const started: AuthService[] = []
    afterEach(async () => {
      for (const { stop } of started.splice(0)) await stop()
    })
    define(async (serviceAuth = {}, { settings = {}, ...options } = {}) => {
      const service = await start({ ...options, settings: { ...settings, SERVICE_AUTH: serviceAuth } })
      started.push(service)
      return service
    })
  })
}

/** A request for each operation on notes. @param text what the bodies write */
export const noteRequests = (text: string) =>
  [
    ['GET', '/api/notes/'],
    ['POST', '/api/notes/', { text }],
    ['GET', '/api/notes/1'],
    ['PATCH', '/api/notes/1', { text }],
    ['PUT', '/api/notes/1', { text }],
    ['DELETE', '/api/notes/1'],
  ] as const

/** A user as tests register them. */
export const ada = {
  email: 'ada@example.com',
  username: 'ada',
  name: 'Ada Lovelace',
  password: 'correct horse battery',
} as const

/** What a login or registration gives. */
export interface Session {
  readonly access: string
  readonly refresh: string
  readonly user: Readonly<Record<string, unknown>>
}

/** Registers a user. */
export const registered = async (
  { send }: Pick<AuthService, 'send'>,
  user: Readonly<Record<string, unknown>> = ada,
): Promise<Session> => {
  const reply = await send('POST', '/api/auth/register', { body: user })
  if (reply.status !== 201) throw new Error(`POST /api/auth/register: ${reply.status} ${reply.text}`)
  return sessionIn(reply)
}

/** The tokens and the user of a reply. A refresh gives no user. */
export const sessionIn = ({ json }: Answer): Session => json as unknown as Session

/** Logs a user in. */
export const loggedIn = (
  { send }: Pick<AuthService, 'send'>,
  body: unknown = { email: ada.email, password: ada.password },
  sent: Sent = {},
): Promise<Answer> => send('POST', '/api/auth/login', { ...sent, body })

/** The value of a cookie that a reply sets. */
export const cookieIn = ({ cookies }: Pick<Answer, 'cookies'>, name: string): string | undefined =>
  cookies.flatMap((line) => new RegExp(`^${name}=([^;]*)`).exec(line)?.[1] ?? [])[0]
