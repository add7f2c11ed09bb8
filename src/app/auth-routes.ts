import { callerOf } from '../auth/authenticate.ts'
import { revokeTokensOf } from '../auth/index.ts'
import { assertKnown, StartError } from '../error/errors.ts'
import { serveWith } from '../host/serve.ts'
import type { ModelConfigs } from '../model/configure.ts'
import { assertConfigs } from '../model/served.ts'
import type { Registered } from '../model/types.ts'
import type { Caller } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { runAsync } from '../operation/steps.ts'
import type { ModelSource } from '../source/source.ts'
import { authenticationOf } from './authentication.ts'
import { assertModelSource, resolveSettings, type Settings } from './options.ts'
import { hostOf, inspectionOf } from './setup.ts'
import { assertFree, assertTables } from './start-checks.ts'

/** What `registerAuthRoutes` takes. */
export interface AuthRoutesOptions<Types = Registered> {
  /** Where the user model comes from: `drizzleModels(db, { users })`. */
  readonly models: ModelSource<Types>
  /** Model name -> what the model cannot say of itself, as which columns of users are hidden. */
  readonly modelConfig?: ModelConfigs<Types>
  /** Made by `defineSettings`. */
  readonly settings?: Settings
}

/** The routes of authentication, once they are registered. */
export interface AuthRoutes<Request = unknown> {
  /** What is served: one entry for each route. */
  readonly operations: readonly Operation[]
  /**
   * Who sent a request of the application's own routes, by its token; null for the anonymous.
   *
   * @throws HttpError 403 for a cookie that another site made the browser send; 503 where sessions cannot be checked
   */
  authenticate(request: Request): Promise<Caller | null>
  /**
   * Ends every session of a user, as after a change of the password. It takes about a second, longer over a slow cache.
   *
   * @param id the user's key
   * @throws Error without `STATEFUL`; HttpError 503 where the cache is away
   */
  revokeTokens(id: unknown): Promise<void>
}

/**
 * Registers only the routes of authentication: login, register, refresh, me and logout below `/auth`.
 *
 * @throws StartError for a mistake in options or settings, or where there is no user model
 * @example
 * ```ts
 * import { fetchApp } from 'modelrest/fetch'
 * import { drizzleModels } from 'modelrest/drizzle'
 * import { usersTable } from 'modelrest/drizzle/sqlite'
 * import { defineSettings, registerAuthRoutes } from 'modelrest'
 * import Database from 'better-sqlite3'
 * import { drizzle } from 'drizzle-orm/better-sqlite3'
 *
 * const app = fetchApp({ base: '/api' })
 * const auth = await registerAuthRoutes(app, {
 *   models: drizzleModels(drizzle(new Database('shop.db')), { users: usersTable }),
 *   settings: defineSettings({ SECRET_KEY: process.env['SECRET_KEY'] ?? '' }),
 * })
 *
 * export const isKnown = async (request: Request): Promise<boolean> => (await auth.authenticate(request)) !== null
 * ```
 */
export const registerAuthRoutes = async (
  app: object,
  options: AuthRoutesOptions<unknown>,
): Promise<AuthRoutes> => {
  assertOptions(options)
  const host = hostOf(app, inspectionOf())
  const settings = resolveSettings(options.settings)
  const { auth, users, notes } = authenticationOf({ ...options, auth: true }, settings, [], host)
  if (auth === undefined || users === undefined) throw new Error('There is no authentication.')
  const operations = auth.operations()
  assertFree(host, [], operations)
  await assertTables(options.models, [users.model], host.log)
  await host.mount(
    operations,
    serveWith(runAsync, (error) => options.models.loggable(error)),
  )
  for (const note of notes) host.log.warn(note)
  return Object.freeze({
    operations,
    authenticate: (request: unknown) => callerOf(auth, options.models, host.callOf(request)),
    revokeTokens: (id: unknown) => revokeTokensOf(auth, id),
  })
}

const names = ['models', 'modelConfig', 'settings'] satisfies readonly (keyof AuthRoutesOptions)[]

const assertOptions = (options: AuthRoutesOptions<unknown>): void => {
  if (typeof options !== 'object' || options === null) {
    throw new StartError(
      'registerAuthRoutes needs options. Write registerAuthRoutes(app, { models: drizzleModels(db, { users }) }).',
    )
  }
  for (const name of Object.keys(options)) assertKnown('registerAuthRoutes: there is no option', name, names)
  assertModelSource(options.models)
  assertConfigs(options.models.models, options.modelConfig ?? {})
}
