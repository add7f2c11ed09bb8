import type { Hooks } from '../../../src/controller/controller.ts'
import {
  type ComputedFields,
  controllerFor,
  defineSettings,
  type ModelRestOptions,
  type ModelSource,
} from '../../../src/index.ts'
import type { Operation } from '../../../src/operation/operation.ts'
import type { Tables } from '../../../src/source/drizzle/index.ts'
import { onFastify as appOnFastify, onFetch as appOnFetch, type Host } from '../../stage/apps.ts'
import { openPglite, openSqlite, type Row, type TestDatabase } from '../../stage/databases.ts'
import { senderTo } from '../../stage/requests.ts'
import { ddl, rowsOf, tableNames, tables } from './tables.ts'
import { type SourceAct, watchedSource } from './watched-source.ts'

/** What a world is made of. */
export interface WorldTables {
  readonly tables: { readonly sqlite: Tables; readonly pg: Tables }
  readonly ddl: { readonly sqlite: string; readonly pg: string }
  /** In an order in which nothing is deleted that is still referred to. */
  readonly names: readonly string[]
  /** Those whose keys are counted up. */
  readonly counted: readonly string[]
  /** The statements that store what a tenant has. */
  readonly rowsOf: (tenant: number) => readonly string[]
}

/** A database with the tables, and nothing in them. */
export interface World extends Pick<WorldTables, 'names' | 'rowsOf'> {
  readonly models: ModelSource
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

export const worldOf = (
  given: Pick<WorldTables, 'names' | 'rowsOf'>,
  { models, execute, rows, close }: TestDatabase,
  sameIds: World['sameIds'],
): World => ({
  ...given,
  ...watchedSource(models),
  ...{ rows, close, sameIds },
  run: (statements) => execute(statements.join(';')),
})

export const sqliteIds = (counted: readonly string[]): World['sameIds'] => [
  'delete from sqlite_sequence',
  `insert into sqlite_sequence (name, seq) values ${counted.map((name) => `('${name}', 19999)`).join()}`,
]

export const sqliteWorld = async (given: WorldTables = accounts): Promise<World> =>
  worldOf(given, openSqlite(given.tables.sqlite, given.ddl.sqlite), sqliteIds(given.counted))

export const pgWorld = async (given: WorldTables): Promise<World> =>
  worldOf(
    given,
    await openPglite(given.tables.pg, given.ddl.pg),
    given.counted.map((name) => `alter table ${name} alter column id restart with 20000`),
  )

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

export type AnyHooks = Hooks<string, unknown> & { readonly computed?: ComputedFields }
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
  // Requests from the same process keep its event loop busy.
  settings: defineSettings({
    ...{ SECRET_KEY: 'a secret of the tests, of 32 bytes or more', MAX_WAITING: 0 },
    ...settings,
  }),
  modelConfig: { Order: { readOnly: ['tenantId'] }, Slot: { hidden: ['tenantId'] } },
  ...options,
})

export type Serve = (world: Pick<World, 'models'>, hooks: HooksByModel, options?: Options) => Promise<Served>

const serving =
  (host: Host): Serve =>
  async ({ models }, hooks, options = {}) => {
    const log: string[] = []
    const app = await host(
      { models, ...optionsWith(hooks, options) },
      { onlyModels: true, logger: 'error', onEntry: (entry) => log.push(JSON.stringify(entry)) },
    )
    const send = senderTo(app)
    return {
      ...{ log, operations: app.rest.operations, stop: app.stop },
      ask: async (tenant, { method, path, body, headers: given }) => {
        const told = await send(method, `/api${path}`, {
          body,
          headers: { 'x-tenant': String(tenant), ...given },
        })
        const { date: _date, ...headers } = told.headers
        return { status: told.status, headers, body: withoutRequestId(told.text) }
      },
    }
  }

export const onFetch: Serve = serving(appOnFetch)

export const onFastify: Serve = serving(appOnFastify)

const withoutRequestId = (body: string): string => body.replace(/"request_id":"[^"]*"/, '"request_id":""')
