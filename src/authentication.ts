import type { Auth } from './auth/auth.ts'
import { type OwnAuth, ownAuth } from './auth/own.ts'
import { type AuthSettings, resolveAuth } from './auth/settings.ts'
import { tokenAuth } from './auth/token-auth.ts'
import { registeredPowers } from './auth/user/own-record.ts'
import { userModelOf } from './auth/user/user-model.ts'
import { findUserModel, type Users, usersOf } from './auth/user/users.ts'
import { StartError } from './error/start-error.ts'
import type { Host } from './host/host.ts'
import { configureModel, type ModelConfigs } from './model/configure.ts'
import type { Model } from './model/model.ts'
import { ownValue } from './model/own-value.ts'
import { secretsOf } from './model/served.ts'
import { bodyBoundsOf } from './operation/settings.ts'
import { type ResolvedSettings, resolveSettings, type Settings } from './options.ts'
import type { ModelSource } from './source/source.ts'

/** What says how users are known. */
export interface AuthOptions {
  readonly models: ModelSource<unknown>
  readonly auth?: boolean | OwnAuth
  readonly modelConfig?: ModelConfigs
  readonly settings?: Settings
}

/** Authentication where there is any, and the model of its users where there is one. */
export interface Authentication {
  readonly auth: Auth | undefined
  readonly users: Users | undefined
  /** What the log should say once. */
  readonly notes: readonly string[]
}

/**
 * How an application knows its users.
 *
 * @param served the models that are served: refusals name no other
 * @throws StartError for what would let nobody in, or the wrong people
 */
export const authenticationOf = (
  options: AuthOptions,
  served: readonly Model[],
  host: Pick<Host, 'knowsAddresses'>,
): Authentication => {
  const { models: source, auth = false } = options
  if (auth === false) return { auth: undefined, users: undefined, notes: [] }
  const given = resolveSettings(options.settings)
  const settings = resolveAuth(given)
  const model = userModelIn(options, settings)
  if (auth !== true) {
    const users = model && usersOf(model, settings)
    return {
      auth: ownAuth(auth, users && { source, users }),
      users,
      notes: users ? registeredPowers(users) : [],
    }
  }
  if (model === undefined) throw noUserModel()
  const user = userModelOf(model, settings)
  const names = new Set(served.map(({ name }) => name))
  const bodyBounds = bodyBoundsOf(given)
  return {
    auth: tokenAuth({ source, user, settings, served: names, bodyBounds }),
    users: user,
    notes: [...notesOf(settings, given), ...addressNotes(settings, host), ...registeredPowers(user)],
  }
}

const userModelIn = (
  { models: source, modelConfig = {} }: AuthOptions,
  { userModel }: AuthSettings,
): Model | undefined => {
  const found = findUserModel(source.models, userModel)
  const secret = secretsOf(source.models, modelConfig)
  return found && configureModel(found, ownValue(modelConfig, found.name), secret)
}

const noUserModel = (): StartError =>
  new StartError(
    "auth: true needs a model of users with a password. Add one: export { usersTable as users } from 'modelrest/drizzle/sqlite', or name yours: AUTH_USER_MODEL: 'app.Model'.",
  )

const notesOf = ({ stateful }: AuthSettings, { CACHE }: ResolvedSettings): readonly string[] =>
  stateful && CACHE === undefined
    ? [
        'STATEFUL without CACHE: what is revoked is known to this process alone, and forgotten when it ends. Give the processes one: CACHE: redisCache(client).',
      ]
    : []

const addressNotes = (
  { maxFailuresPerAddress, maxRegistrationsPerAddress }: AuthSettings,
  { knowsAddresses }: Pick<Host, 'knowsAddresses'>,
): readonly string[] =>
  knowsAddresses === false && (maxFailuresPerAddress > 0 || maxRegistrationsPerAddress > 0)
    ? [
        'The addresses of clients are not known, so logins and registrations have no limit per address. Write fetchApp({ clientAddress: (request) => … }).',
      ]
    : []
