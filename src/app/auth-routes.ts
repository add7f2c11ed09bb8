import { callerOf } from '../auth/authenticate.ts'
import { issueTokensOf, revokeTokensOf } from '../auth/index.ts'
import type { IssuedTokens, IssueTokensOptions } from '../auth/issue-tokens.ts'
import { resolveServiceAuth } from '../auth/settings/index.ts'
import { findUserModel } from '../auth/users/users.ts'
import { assertKnown, StartError } from '../error/errors.ts'
import { callOf } from '../host/host.ts'
import { serveWith } from '../host/serve.ts'
import { ownValue } from '../model/objects.ts'
import { configureModel, type ModelConfigs } from '../model/setup/configure.ts'
import { assertConfigs } from '../model/setup/served.ts'
import type { GivenCallerKey, Registered } from '../model/types.ts'
import type { Caller } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { runAsync } from '../operation/steps.ts'
import { type EnvelopeOptions, readEnvelope } from '../schema/envelope.ts'
import { assertSource, sourceExamples } from '../source/define.ts'
import { forLog, type ModelSource } from '../source/source.ts'
import { hostOf, inspectionOf } from './application.ts'
import { assertNoInvitations, authenticationOf } from './authentication.ts'
import { layersOn } from './layers.ts'
import { type ResolvedSettings, resolveSettings, type Settings } from './options.ts'
import { assertFree, tableCheckOf } from './start-checks.ts'

/** The options of `registerAuthRoutes`. */
export interface AuthRoutesOptions<Types = Registered> {
  /** The source of the user model, such as the result of `drizzleModels(db, { users })`. */
  readonly models: ModelSource<Types>
  /** Model name -> settings that a table does not have, such as hidden columns. See docs/models.md. @default none */
  readonly modelConfig?: ModelConfigs<Types>
  /** Limits, lifetimes and secrets, checked by `defineSettings`. See docs/settings.md. @default the defaults */
  readonly settings?: Settings
  /** New names for members of responses, of which `items` applies to the sessions of a user. See docs/list-responses.md. @default `items` */
  readonly envelope?: EnvelopeOptions
}

/** The result of `registerAuthRoutes`. */
export interface AuthRoutes<Request = unknown> {
  /** The registered operations, one for each route. */
  readonly operations: readonly Operation[]
  /**
   * Returns the caller of a request to your own routes, by its token, or `null` if it is anonymous.
   *
   * @throws HttpError 403 for cookies in a request that another site makes, and for a write with an API key that reads; 429 after many
   * wrong API keys; 503 if sessions cannot be checked
   */
  authenticate(request: Request): Promise<Caller | null>
  /**
   * Opens a session for a user after your own code has authenticated them. `onLogin` does not run.
   *
   * @param userId the user's key, also in its JSON form
   * @throws HttpError 401 if the user does not exist or is disabled, 503 if the cache is unavailable; Error for claims that
   * tokens cannot have
   */
  issueTokens(userId: GivenCallerKey, options?: IssueTokensOptions): Promise<IssuedTokens>
  /**
   * Ends all sessions of a user, for example after a changed password. It takes about a second, or longer if the cache is
   * slow.
   *
   * @param id the user's key
   * @throws Error without `stateful`; HttpError 503 if the cache is unavailable
   */
  revokeTokens(id: unknown): Promise<void>
}

/**
 * Registers only the endpoints of authentication below `/auth`: login, register, refresh, me and logout. See
 * docs/security.md.
 *
 * @throws StartError for a mistake in options or settings, or without a user model
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
 *   settings: defineSettings({ secretKey: process.env['SECRET_KEY'] ?? '' }),
 * })
 *
 * export const isKnown = async (request: Request): Promise<boolean> => (await auth.authenticate(request)) !== null
 * ```
 */
export const registerAuthRoutes = async (
  app: object,
  given: AuthRoutesOptions<unknown>,
): Promise<AuthRoutes> => {
  assertOptions(given)
  const host = hostOf(app, inspectionOf())
  const settings = resolveSettings(given.settings)
  assertNoInvitations(settings.SERVICE_AUTH, 'ModelRest, with permissions.manageUsers')
  const options = { ...given, models: configuredSource(given, settings) }
  const envelope = readEnvelope(given.envelope)
  const { auth, users, keys, notes } = authenticationOf({ ...options, auth: true }, settings, host, {
    ...{ served: [], envelope },
    limits: { transactionTimeout: settings.TRANSACTION_TIMEOUT, databaseRetries: settings.DATABASE_RETRIES },
  })
  if (auth === undefined || users === undefined)
    throw new Error('registerAuthRoutes() did not create the authentication routes.')
  const operations = auth.operations()
  assertFree(host, [], operations)
  await tableCheckOf(options.models, [users.model, ...(keys ? [keys] : [])]).atStart(host.log)
  await host.mount(
    operations,
    serveWith(runAsync, (error) => forLog(options.models, error)),
  )
  for (const note of notes) host.log.warn(note)
  return Object.freeze({
    operations,
    authenticate: async (request: unknown) =>
      callerOf(auth, options.models, callOf(host, request, 'authenticate')),
    issueTokens: async (id: unknown, about: IssueTokensOptions = {}) => {
      const { request } = about
      const call = request === undefined ? undefined : callOf(host, request, 'issueTokens')
      return issueTokensOf(auth, id, about, { call, log: host.log })
    },
    revokeTokens: (id: unknown) => revokeTokensOf(auth, id),
  })
}

/** The source whose writes raise versions, and to which users that are deleted softly do not exist. @throws StartError */
const configuredSource = (options: AuthRoutesOptions<unknown>, settings: ResolvedSettings): ModelSource => {
  const user = findUserModel(options.models.models, settings.AUTH_USER_MODEL)
  const layers = layersOn(options.models, options, user, resolveServiceAuth(settings.SERVICE_AUTH))
  const versioned = layers.models.flatMap((model) => {
    const config = ownValue(layers.modelConfig, model.name)
    return config?.version === undefined ? [] : [configureModel(model, config)]
  })
  return layers.source(versioned)
}

const names = ['models', 'modelConfig', 'settings', 'envelope'] satisfies readonly (keyof AuthRoutesOptions)[]

const assertOptions = (options: AuthRoutesOptions<unknown>): void => {
  if (typeof options !== 'object' || options === null) {
    throw new StartError(
      `registerAuthRoutes() needs options. Use registerAuthRoutes(app, { models }), where models is ${sourceExamples}.`,
    )
  }
  for (const name of Object.keys(options)) assertKnown('registerAuthRoutes(): unknown option', name, names)
  assertSource(options.models)
  assertConfigs(options.models.models, options.modelConfig ?? {})
}
