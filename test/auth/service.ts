import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import { pgTable, text as pgText, serial } from 'drizzle-orm/pg-core'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { afterEach, describe } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { usersTable as pgUsers } from '../../src/entry/drizzle-pg.ts'
import { usersTable as sqliteUsers } from '../../src/entry/drizzle-sqlite.ts'
import { type FastifyApp, ModelRest as FastifyModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import {
  defineSettings,
  type ModelRest,
  type ModelRestOptions,
  type ServiceAuth,
  type Settings,
} from '../../src/index.ts'

/** A reply as a test sees it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The lines of `Set-Cookie`. */
  readonly cookies: readonly string[]
  readonly text: string
  /** The body as JSON; an empty object where it is none. */
  readonly json: Readonly<Record<string, unknown>>
}

export interface Sent {
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** For `Authorization: Bearer`. */
  readonly token?: string
  /** Cookies by name. */
  readonly cookies?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Where the request comes from. @default 127.0.0.1 */
  readonly address?: string
}

/** One entry of the log. */
export interface Entry {
  readonly level: 'info' | 'warn' | 'error'
  readonly line: string
  readonly details: Readonly<Record<string, unknown>>
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A running service with authentication, users and one protected model, `Note` (`/notes/`). */
export interface AuthService {
  send(method: Method, path: string, sent?: Sent): Promise<Answer>
  /** Runs a statement on the database itself, as the host's own code does. */
  execute(statement: string): Promise<void>
  rows(query: string): Promise<readonly Record<string, unknown>[]>
  readonly log: readonly Entry[]
  readonly rest: ModelRest
  /** A second service of the same kind on the same database, as another process or a later version of this one. */
  another: Start
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

interface Opened extends Pick<AuthService, 'execute' | 'rows'> {
  readonly models: ModelRestOptions['models']
  close(): Promise<void>
}

const openSqlite = async (): Promise<Opened> => {
  const client = new Database(':memory:')
  client.exec(`
    create table users (
      id integer primary key autoincrement, email text not null unique, username text unique, name text,
      password text not null, is_active integer not null default 1, created_at integer not null default (unixepoch()));
    create table notes (id integer primary key autoincrement, text text not null)`)
  const notes = sqliteTable('notes', {
    id: integer().primaryKey({ autoIncrement: true }),
    text: text().notNull(),
  })
  return {
    models: drizzleModels(overSqlite({ client }), { users: sqliteUsers, notes }),
    execute: async (statement) => {
      client.exec(statement)
    },
    rows: async (query) => client.prepare(query).all() as Record<string, unknown>[],
    close: async () => {
      client.close()
    },
  }
}

/** Starting one takes seconds: the services of a test file follow each other on it. */
let pglite: PGlite | undefined

const openPglite = async (): Promise<Opened> => {
  pglite ??= new PGlite()
  const client = pglite
  await client.exec(`
    drop table if exists users; drop table if exists notes;
    create table users (
      id integer primary key generated always as identity, email varchar(320) not null unique,
      username varchar(150) unique, name varchar(200), password varchar(255) not null,
      is_active boolean not null default true, created_at timestamptz not null default now());
    create table notes (id serial primary key, text text not null)`)
  const notes = pgTable('notes', { id: serial().primaryKey(), text: pgText().notNull() })
  return {
    models: drizzleModels(overPglite({ client }), { users: pgUsers, notes }),
    execute: async (statement) => {
      await client.exec(statement)
    },
    rows: async (query) => (await client.query<Record<string, unknown>>(query)).rows,
    close: async () => undefined,
  }
}

const optionsOf = (
  { settings = {}, trustProxy: _trustProxy, ...rest }: ServiceOptions,
  models: Opened['models'],
): ModelRestOptions => ({
  ...{ models, auth: true },
  ...rest,
  settings: defineSettings({
    ...settings,
    SERVICE_AUTH: { JWT_SECRET: secret, ...settings.SERVICE_AUTH },
  }),
})

const requestOf = ({ body, token, cookies, headers }: Sent) => ({
  headers: {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(cookies !== undefined && {
      cookie: Object.entries(cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; '),
    }),
    ...headers,
  } as Record<string, string>,
  ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
})

const jsonIn = (text: string): Readonly<Record<string, unknown>> =>
  text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}

const levels: Readonly<Record<number, Entry['level']>> = { 30: 'info', 40: 'warn', 50: 'error' }

/** What Fastify itself says of each request. */
const ofFastify = ['incoming request', 'request completed']

const entriesIn = (text: string): readonly Entry[] => {
  const { level, msg, ...details } = JSON.parse(text) as { level: number; msg: string }
  return ofFastify.includes(msg) ? [] : [{ level: levels[level] ?? 'error', line: msg, details }]
}

type StartOn = (opened: Opened, options?: ServiceOptions) => Promise<AuthService>

/** A second service leaves the database to the first. */
const anotherOf =
  (startOn: StartOn, opened: Opened): Start =>
  (options) =>
    startOn({ ...opened, close: async () => undefined }, options)

/** Fastify on better-sqlite3, under `/api`. */
export const startFastify: Start = async (options) => fastifyOn(await openSqlite(), options)

const fastifyOn: StartOn = async (opened, options = {}) => {
  const { models, execute, rows, close } = opened
  const log: Entry[] = []
  const app = Fastify({
    logger: { level: 'info', stream: { write: (line) => log.push(...entriesIn(line)) } },
    trustProxy: options.trustProxy ?? false,
  })
  let rest: ModelRest | undefined
  await app.register(
    async (api) => {
      rest = new FastifyModelRest(
        api as unknown as FastifyApp,
        optionsOf(options, models) as never,
      ) as ModelRest
      await rest.init()
    },
    { prefix: '/api' },
  )
  if (rest === undefined) throw new Error('The service was not made.')
  const started = rest
  return {
    ...{ execute, rows, log, rest, another: anotherOf(fastifyOn, opened) },
    send: async (method, path, sent = {}) => {
      const reply = await app.inject({
        ...{ method, url: path, ...requestOf(sent) },
        ...(sent.address !== undefined && { remoteAddress: sent.address }),
      })
      const cookies = reply.headers['set-cookie']
      return {
        status: reply.statusCode,
        headers: reply.headers as Record<string, string>,
        cookies: cookies === undefined ? [] : [cookies].flat(),
        text: reply.body,
        json: jsonIn(reply.body),
      }
    },
    stop: async () => {
      await started.close()
      await app.close()
      await close()
    },
  }
}

/** The Fetch API on PGlite, under `/api`. Nothing of its log is kept: it goes to stderr. */
export const startFetch: Start = async (options) => fetchOn(await openPglite(), options)

/** How a test sends requests to what serves them by the Fetch API. */
export const sendBy =
  (fetch: (request: Request, sent: Sent) => Promise<Response>): AuthService['send'] =>
  async (method, path, sent = {}) => {
    const request = new Request(`http://localhost${path}`, { method, ...requestOf(sent) })
    const response = await fetch(request, sent)
    const text = await response.text()
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      cookies: response.headers.getSetCookie(),
      text,
      json: jsonIn(text),
    }
  }

const fetchOn: StartOn = async (opened, options = {}) => {
  const { models, execute, rows, close } = opened
  const addresses = new WeakMap<Request, string>()
  const app = fetchApp({ base: '/api', clientAddress: (request) => addresses.get(request) ?? '127.0.0.1' })
  const rest = new FetchModelRest(app, optionsOf(options, models) as never) as ModelRest
  await rest.init()
  return {
    ...{ execute, rows, log: [], rest, another: anotherOf(fetchOn, opened) },
    send: sendBy((request, { address }) => {
      if (address !== undefined) addresses.set(request, address)
      return app.fetch(request)
    }),
    stop: async () => {
      await rest.close()
      await close()
    },
  }
}

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
  if (reply.status !== 201) throw new Error(`The registration was refused: ${reply.text}`)
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
