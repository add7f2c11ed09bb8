import { randomBytes } from 'node:crypto'
import { ModelRest } from '../../app/model-rest.ts'
import { defineSettings, type ModelRestOptions, optionNames, type Settings } from '../../app/options.ts'
import { memoryCache } from '../../cache/cache.ts'
import { assertKnown } from '../../error/errors.ts'
import { answerer, FetchHead } from '../../host/fetch/answer.ts'
import { defineHost } from '../../host/host.ts'
import { routeTable } from '../../host/routes.ts'
import { type Log, stderrLog } from '../../observe/log.ts'
import { clientOver, type TestClient } from './client.ts'

/** The options of {@link testApi}: those of `ModelRest`, and some for the test. */
export interface TestApiOptions<Types> extends ModelRestOptions<Types, Request> {
  /** The path where the API is mounted, such as `/api`. Every path starts with it. @default '' */
  readonly base?: string
  /** Receives the log. `console` prints all of it. @default errors on stderr, and nothing else */
  readonly log?: Log
}

/** An API in this process, for tests. */
export interface TestApi<Types = unknown> extends TestClient {
  readonly rest: ModelRest<Types>
  /** Waits for running `afterCommit` hooks. Later requests throw an error. Close the database yourself. */
  close(): Promise<void>
}

const errorsOnly: Log = { info: () => undefined, warn: () => undefined, error: stderrLog.error }

/**
 * Starts an API in this process, for tests: with your models and options, without a port and without an application. Hooks
 * get a Fetch `Request`, from the address 127.0.0.1. To test an application with your own routes, use `testClient`.
 *
 * Differences to production are only in these settings, unless you set them: `secretKey` is random, `cache` is a new
 * `memoryCache()`, so failed logins of one API do not count in another, and `maxWaiting` is 0, because a test that sends
 * many requests from the same process keeps its event loop busy. Passwords are hashed as in production.
 *
 * @throws StartError for a mistake in options, settings or models, such as `auth: true` without a user model
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { after, test } from 'node:test'
 * import Database from 'better-sqlite3'
 * import { drizzle } from 'drizzle-orm/better-sqlite3'
 * import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
 * import { drizzleModels } from 'modelrest/drizzle'
 * import { testApi } from 'modelrest/testing'
 *
 * const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })
 * const client = new Database(':memory:')
 * client.exec('create table products (id integer primary key, name text not null)')
 *
 * const api = await testApi({ models: drizzleModels(drizzle({ client }), { products }) })
 * after(() => api.close())
 *
 * test('a product has a name', async () => {
 *   const { status, problem } = await api.post('/products/', {})
 *   assert.equal(status, 422)
 *   assert.equal(problem.errors?.[0]?.pointer, '/name')
 * })
 * ```
 */
export const testApi = async <Types>(given: TestApiOptions<Types>): Promise<TestApi<Types>> => {
  const { base = '', log = errorsOnly, ...options } = Object(given) as TestApiOptions<Types>
  for (const name of Object.keys(Object(given)))
    assertKnown('testApi(): unknown option', name, [...optionNames, 'base', 'log'])
  const table = routeTable(base)
  const headOf = (request: Request): FetchHead => new TestHead(request, log)
  const app = defineHost(
    {
      ...{ base, log, mount: table.add, serves: table.serves },
      headOf: (request) => (request instanceof Request ? headOf(request) : undefined),
      operationOf: (request) => (request instanceof Request ? table.operationOf(headOf(request)) : undefined),
    },
    { fetch: answerer(table, headOf) },
  )
  // Before anything is awaited: the search for controllers looks at the calling files.
  const rest = new ModelRest<Types>(app, { ...options, settings: settingsOf(options.settings) })
  await rest.init()
  let isClosed = false
  const exchange = async (request: Request): Promise<Response> => {
    if (isClosed) throw new Error('The API is closed. Send requests before close().')
    return app.fetch(request)
  }
  return Object.freeze<TestApi<Types>>({
    ...clientOver(exchange, base, {}),
    rest,
    close: async () => {
      isClosed = true
      await rest.close()
    },
  })
}

const ADDRESS = '127.0.0.1'

class TestHead extends FetchHead {
  readonly log: Log

  constructor(request: Request, log: Log) {
    super(request, () => ADDRESS)
    this.log = log
  }
}

/** Settings for a test. An empty SECRET_KEY comes from an environment variable that is not set. */
const settingsOf = (given: Settings = {}): Settings => {
  const settings = defineSettings(given)
  return {
    ...settings,
    SECRET_KEY: settings.SECRET_KEY || randomBytes(32).toString('base64url'),
    CACHE: settings.CACHE ?? memoryCache(),
    MAX_WAITING: settings.MAX_WAITING ?? 0,
  }
}
