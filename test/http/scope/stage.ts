import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as overPglite } from 'drizzle-orm/pglite'
import Fastify from 'fastify'
import type { Hooks } from '../../../src/controller/hooks.ts'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { type FastifyApp, ModelRest as FastifyModelRest } from '../../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../../src/entry/fetch.ts'
import { controllerFor, defineSettings, type ModelRestOptions } from '../../../src/index.ts'
import type { Operation } from '../../../src/operation/operation.ts'
import type { Tables } from '../../../src/source/drizzle/index.ts'
import { ddl, rowsOf, tableNames, tables } from './tables.ts'
import { type SourceAct, watchedSource } from './watched-source.ts'

type Row = Readonly<Record<string, unknown>>

/** What a world is made of. */
export interface WorldTables {
  readonly tables: { readonly sqlite: Tables; readonly pg: Tables }
  readonly ddl: { readonly sqlite: readonly string[]; readonly pg: readonly string[] }
  /** In an order in which nothing is deleted that is still referred to. */
  readonly names: readonly string[]
  /** Those whose keys are counted up. */
  readonly counted: readonly string[]
  /** The statements that store what a tenant has. */
  readonly rowsOf: (tenant: number) => readonly string[]
}

/** A database with the tables, and nothing in them. */
export interface World extends Pick<WorldTables, 'names' | 'rowsOf'> {
  readonly models: ModelRestOptions['models']
  /** What the source was asked for since the last time that this was called. */
  takeActs(): readonly SourceAct[]
  run(statements: readonly string[]): Promise<unknown>
  rows(statement: string): Promise<readonly Row[]>
  close(): Promise<unknown>
  /** What makes the next ids the same, whatever is there. */
  readonly sameIds: readonly string[]
}

const accounts: WorldTables = {
  ...{ tables, ddl, rowsOf },
  names: tableNames,
  counted: ['accounts', 'orders', 'tickets', 'entries'],
}

export const sqliteWorld = async (given: WorldTables = accounts): Promise<World> => {
  const client = new Database(':memory:')
  for (const statement of given.ddl.sqlite) client.exec(statement)
  return {
    ...given,
    ...watchedSource(
      drizzleModels(overSqlite({ client }), given.tables.sqlite) as ModelRestOptions['models'],
    ),
    run: async (statements) => {
      for (const statement of statements) client.exec(statement)
    },
    rows: async (statement) => client.prepare<[], Row>(statement).all(),
    close: async () => client.close(),
    sameIds: [
      'delete from sqlite_sequence',
      `insert into sqlite_sequence (name, seq) values ${given.counted.map((name) => `('${name}', 19999)`).join()}`,
    ],
  }
}

export const pgWorld = async (given: WorldTables = accounts): Promise<World> => {
  const client = new PGlite()
  for (const statement of given.ddl.pg) await client.exec(statement)
  return {
    ...given,
    ...watchedSource(drizzleModels(overPglite({ client }), given.tables.pg) as ModelRestOptions['models']),
    run: (statements) => client.exec(statements.join(';')),
    rows: async (statement) => (await client.query<Row>(statement)).rows,
    close: () => client.close(),
    sameIds: given.counted.map((name) => `alter table ${name} alter column id restart with 20000`),
  }
}

/** Empties the tables and fills them with the rows of these tenants. */
export const refill = async (world: World, tenants: readonly number[]): Promise<void> => {
  const { run, sameIds, names } = world
  await run([...names.map((name) => `delete from ${name}`), ...tenants.flatMap(world.rowsOf), ...sameIds])
}

/** Everything that is stored. */
export const stored = async ({ rows, names }: World): Promise<Readonly<Record<string, readonly Row[]>>> =>
  Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await rows(`select * from ${name} order by 1, 2`)] as const),
    ),
  )

/** A request. The path is below the base. */
export interface Asked {
  readonly method: string
  readonly path: string
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A reply, but for the clock and the names of the request. */
export interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export interface Served {
  readonly operations: readonly Operation[]
  ask(tenant: number, asked: Asked): Promise<Told>
  readonly log: readonly string[]
  stop(): Promise<void>
}

type Options = Omit<Partial<ModelRestOptions>, 'models'>

export const tenantIn = (request: unknown): number => {
  const { headers } = request as { headers: Headers | Record<string, string> }
  return Number(headers instanceof Headers ? headers.get('x-tenant') : headers['x-tenant'])
}

export type AnyHooks = Hooks<string, unknown>
export type HooksByModel = Readonly<Record<string, AnyHooks>>

/** Scopes of every form, each for the tenant who asks. */
export const tenantScopes: HooksByModel = {
  Account: { scope: (request) => ({ tenantId: tenantIn(request) }) },
  AccountName: { scope: (request) => ({ tenantId: [tenantIn(request)] }) },
  Order: { scope: (request) => [{ tenantId: tenantIn(request) }] },
  OrderItem: { scope: (request) => ({ order: { tenantId: tenantIn(request) } }) },
  Slot: { scope: (request) => ({ tenantId: tenantIn(request) }) },
  Ticket: { scope: (request) => [{ tenantId: tenantIn(request) }, { tenantId: -1, room: null }] },
}

export const controllersOf = (hooks: HooksByModel): NonNullable<ModelRestOptions['controllers']> =>
  Object.entries(hooks).map(([model, own]) => controllerFor(model, own as never))

export const optionsWith = (hooks: HooksByModel, { settings, ...options }: Options) => ({
  controllers: controllersOf(hooks),
  settings: defineSettings({ SECRET_KEY: 'a secret of the tests, of 32 bytes or more', ...settings }),
  modelConfig: { Order: { readOnly: ['tenantId'] }, Slot: { hidden: ['tenantId'] } },
  ...options,
})

const bodyIn = ({ body }: Asked): { readonly body?: string } => {
  if (body === undefined) return {}
  return { body: typeof body === 'string' ? body : JSON.stringify(body) }
}

const headersIn = (tenant: number, { headers, body }: Asked): Record<string, string> => ({
  'x-tenant': String(tenant),
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...headers,
})

export type Serve = (world: World, hooks: HooksByModel, options?: Options) => Promise<Served>

export const onFetch: Serve = async ({ models }, hooks, options = {}) => {
  const app = fetchApp({ base: '/api' })
  const rest = new FetchModelRest(app, { models, ...optionsWith(hooks, options) })
  await rest.registerAllModels()
  return {
    operations: rest.operations,
    log: [],
    ask: async (tenant, asked) => {
      const url = new URL(`http://localhost/api${asked.path}`)
      const init = { method: asked.method, headers: headersIn(tenant, asked), ...bodyIn(asked) }
      const reply = await app.fetch(new Request(url, init))
      return {
        status: reply.status,
        headers: Object.fromEntries(reply.headers),
        body: withoutRequestId(await reply.text()),
      }
    },
    stop: () => rest.close(),
  }
}

export const onFastify: Serve = async ({ models }, hooks, options = {}) => {
  const log: string[] = []
  const app = Fastify({ logger: { level: 'error', stream: { write: (line) => log.push(line) } } })
  const mounted: FastifyModelRest<unknown>[] = []
  await app.register(
    async (api) => {
      const rest = new FastifyModelRest(api as unknown as FastifyApp, {
        models,
        ...optionsWith(hooks, options),
      })
      await rest.registerAllModels()
      mounted.push(rest)
    },
    { prefix: '/api' },
  )
  return {
    operations: mounted.flatMap(({ operations }) => operations),
    log,
    ask: async (tenant, asked) => {
      const reply = await app.inject({
        method: asked.method as 'GET',
        url: `/api${asked.path}`,
        headers: headersIn(tenant, asked),
        ...bodyIn(asked),
      })
      const { date: _date, ...headers } = reply.headers
      return { status: reply.statusCode, headers, body: withoutRequestId(reply.body) }
    },
    stop: async () => {
      for (const rest of mounted) await rest.close()
      await app.close()
    },
  }
}

const withoutRequestId = (body: string): string => body.replace(/"request_id":"[^"]*"/, '"request_id":""')

/** Every kind of driver, and every host. */
export const stages: readonly (readonly [string, () => Promise<World>, Serve])[] = [
  ['better-sqlite3 and Fastify', sqliteWorld, onFastify],
  ['better-sqlite3 and fetch', sqliteWorld, onFetch],
  ['PGlite and fetch', pgWorld, onFetch],
]
