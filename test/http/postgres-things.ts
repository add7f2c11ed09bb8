import { drizzle as overNodePostgres } from 'drizzle-orm/node-postgres'
import { integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { drizzle as overPostgresJs } from 'drizzle-orm/postgres-js'
import pg from 'pg'
import postgres from 'postgres'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { controllerFor, type ModelSource, type Settings } from '../../src/index.ts'
import { onFastify } from '../stage/apps.ts'
import { senderTo } from '../stage/requests.ts'
import type { ThingHooks } from './hooked.ts'
import { type OrmPool, ormPools } from './orm-things.ts'

const things = pgTable('things', {
  id: serial().primaryKey(),
  name: text().notNull(),
  times: integer().notNull().default(0),
})

/** Makes the table of things. */
export const createThings: string =
  'create table things (id serial primary key, name text not null, times integer not null default 0)'

/** How a pool is opened. */
export interface PoolOptions {
  readonly url: string
  /** Its connections. @default 4 */
  readonly max?: number
  /** Milliseconds that node-postgres waits for a connection. @default 10000 */
  readonly connectWithin?: number
  /** Milliseconds that node-postgres waits for an answer. @default without end */
  readonly patience?: number
  /** Settings of its sessions: `statement_timeout`. */
  readonly session?: Readonly<Record<string, string>>
}

interface Opened {
  readonly models: ModelSource
  end(): Promise<void>
}

type Open = (pool: OrmPool) => Opened | Promise<Opened>

const openNodePostgres: Open = ({ url, max, connectWithin, patience, options }) => {
  const pool = new pg.Pool({
    ...{ connectionString: url, max, connectionTimeoutMillis: connectWithin, options },
    ...(patience !== undefined && { query_timeout: patience }),
  })
  return { models: drizzleModels(overNodePostgres(pool), { things }), end: () => pool.end() }
}

const openPostgresJs: Open = ({ url, max, session = {} }) => {
  const client = postgres(url, {
    ...{ max, connection: session, onnotice: () => undefined },
    // As the documentation has them, in docs/databases.md.
    ...{ fetch_types: false, backoff: false },
  })
  return { models: drizzleModels(overPostgresJs(client), { things }), end: () => client.end({ timeout: 0 }) }
}

const opens = {
  ...{ 'node-postgres': openNodePostgres, 'postgres.js': openPostgresJs },
  ...ormPools,
} as const satisfies Readonly<Record<string, Open>>

export type PostgresDriver = keyof typeof opens

/** The drivers of Drizzle, and the other ORMs. */
export const postgresDrivers = Object.keys(opens) as readonly PostgresDriver[]

export interface Answered {
  readonly status: number
  readonly code: unknown
  readonly retry: unknown
  readonly text: string
}

/** A service with one model, `Thing`, over a pool of its own. */
export interface PostgresThings {
  send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Answered>
  /** What it logged of errors. */
  readonly log: readonly string[]
  stop(): Promise<void>
}

export const startThings = async (
  driver: PostgresDriver,
  { settings = {}, ...pool }: PoolOptions & { readonly settings?: Settings },
  hooks: ThingHooks = {},
): Promise<PostgresThings> => {
  const { max = 4, connectWithin = 10_000, patience, session = {} } = pool
  const options = Object.entries(session).map(([name, value]) => `-c ${name}=${value}`)
  const { models, end } = await opens[driver]({
    ...{ url: pool.url, max, connectWithin, patience, session, options: options.join(' ') },
  })
  const log: string[] = []
  const app = await onFastify(
    { models, controllers: [controllerFor('Thing', hooks as never)], settings },
    { base: '', logger: 'error', onEntry: (entry) => log.push(JSON.stringify(entry)) },
  )
  const send = senderTo(app)
  return {
    log,
    send: async (method, path, body) => {
      const { status, headers, json, text } = await send(method, path, { body })
      return { status, code: json['code'], retry: headers['retry-after'], text }
    },
    stop: async () => {
      await app.stop()
      await end()
    },
  }
}
