import { describe } from 'vitest'
import { usersTable } from '../../src/entry/drizzle-sqlite.ts'
import {
  defineSettings,
  type ModelRest,
  type ModelRestOptions,
  type ServiceAuth,
  type Settings,
} from '../../src/index.ts'
import { type Entry, type Host, onFastify, onFetch } from './apps.ts'
import { counted, text } from './columns.ts'
import { openSqlite, type TestDatabase } from './databases.ts'
import { declare } from './declared.ts'
import { type Answer, type Send, type Sent, senderTo } from './requests.ts'
import { inTest } from './service.ts'

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

const notes = declare({ notes: { id: counted, text: text() } }).sqlite

/** The users whose table the package publishes. */
const onSqlite = (): TestDatabase =>
  openSqlite(
    { users: usersTable, notes: notes.tables['notes'] } as never,
    `create table users (
       id integer primary key autoincrement, email text not null unique, username text unique, name text,
       password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch()));
     ${notes.ddl}`,
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

export const startFastify: Start = (options) => serviceOn(onFastify, onSqlite(), options)

/** On the host that takes what drivers return. */
export const startFetch: Start = (options) => serviceOn(onFetch, onSqlite(), options)

/** Starts a service, which ends with its test. */
export type Serve = (serviceAuth?: ServiceAuth, options?: ServiceOptions) => Promise<AuthService>

/** Defines tests. @param title what they are about */
export const describeServices = (title: string, define: (serve: Serve) => void): void => {
  describe(title, () =>
    define((serviceAuth = {}, { settings = {}, ...options } = {}) =>
      inTest(startFastify({ ...options, settings: { ...settings, SERVICE_AUTH: serviceAuth } })),
    ),
  )
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
