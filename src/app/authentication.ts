import { type Auth, type OwnAuth, ownAuth } from '../auth/authenticate.ts'
import { tokenAuth } from '../auth/index.ts'
import { findKeyModel, type KeyModel, keyModelOf } from '../auth/keys/key-model.ts'
import { type AuthSettings, resolveAuth, resolveServiceAuth } from '../auth/settings/index.ts'
import { ownRecordOf, powersOf, registeredPowers } from '../auth/users/own-record.ts'
import { passwordColumnOf } from '../auth/users/user-columns.ts'
import type { Recording } from '../auth/users/user-writes.ts'
import {
  findUserModel,
  mailingSetting,
  type UserModel,
  type Users,
  userModelOf,
  usersOf,
} from '../auth/users/users.ts'
import type { Controller } from '../controller/controller.ts'
import { StartError } from '../error/errors.ts'
import type { Host } from '../host/host.ts'
import type { AuditTrail } from '../model/audit.ts'
import type { Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { configureModel, type ModelConfig, type ModelConfigs } from '../model/setup/configure.ts'
import type { SecretFields } from '../model/setup/secret.ts'
import { secretsOf } from '../model/setup/served.ts'
import type { OpenApiOptions } from '../openapi/options.ts'
import { bodyBoundsOf } from '../operation/operation.ts'
import type { Transactional } from '../operation/transaction.ts'
import type { CustomBodies } from '../schema/custom/standard-schema.ts'
import { type Envelope, readEnvelope } from '../schema/envelope.ts'
import { adviceOf } from '../source/advice.ts'
import { assertTransactions, type ModelSource } from '../source/source.ts'
import type { ResolvedSettings } from './options.ts'

/** The options that determine how callers are authenticated. */
interface AuthOptions {
  readonly models: ModelSource<unknown>
  readonly auth?: boolean | OwnAuth
  readonly modelConfig?: ModelConfigs
  readonly openapi?: Pick<OpenApiOptions, 'codes'>
}

/** The authentication and the user model of an application, if any. */
export interface Authentication {
  readonly auth: Auth | undefined
  readonly users: Users | undefined
  /** The model of API keys. Absent: there are none. */
  readonly keys?: Model
  /** Startup warnings. */
  readonly notes: readonly string[]
}

interface UsersOf {
  /** The models that are served: error messages must not name others. */
  readonly served: readonly Model[]
  /** @default writes below `/auth` are not recorded */
  readonly audit?: AuditTrail | undefined
  /** Of transactions. */
  readonly limits: Omit<Transactional, 'source'>
  /** @default the usual names */
  readonly envelope?: Envelope
}

/**
 * Resolves the option `auth` and the user model.
 *
 * @throws StartError if users could not log in, or if authentication would not be safe
 */
export const authenticationOf = (
  { models: source, auth = false, modelConfig = {}, openapi }: AuthOptions,
  given: ResolvedSettings,
  host: Pick<Host, 'knowsAddresses' | 'log'>,
  { served, audit, limits, envelope = readEnvelope() }: UsersOf,
): Authentication => {
  if (auth === false) return { auth: undefined, users: undefined, notes: [] }
  const settings = resolveAuth(given)
  const found = findUserModel(source.models, settings.userModel)
  const secret = secretsOf(source.models, modelConfig)
  const model = found && configureModel(found, ownValue(modelConfig, found.name), secret)
  if (auth !== true) {
    const users = model && usersOf(model, settings)
    return {
      auth: ownAuth(auth, source, users),
      users,
      notes: users ? registeredPowers(users) : [],
    }
  }
  if (model === undefined) {
    const similar = source.models.find((other) => passwordColumnOf(other) !== undefined)
    const named = similar === undefined ? 'app.Model' : `${similar.app}.${similar.name}`
    throw new StartError(
      `auth: true needs a model User with a key, an email or username, and a password. ${adviceOf(source).declare('User')}, or set authUserModel: '${named}'.`,
    )
  }
  const users = userModelOf(model, settings, adviceOf(source))
  const keys = settings.API_KEYS ? keyModelIn(source, modelConfig, { settings, users, secret }) : undefined
  const recordingOf = ({ name }: Model): Recording => {
    const audited = audit?.get(name)
    return { ...limits, ...(audited && { audited }) }
  }
  const names = new Set(served.map(({ name }) => name))
  const knowsAddresses = host.knowsAddresses !== false
  const parts = {
    bodyBounds: bodyBoundsOf(given),
    codes: openapi?.codes,
    envelope,
    knowsAddresses,
    ...(keys && { keys: { ...keys, recording: recordingOf(keys.model) } }),
    recording: recordingOf(users.model),
    log: host.log,
  }
  return {
    auth: tokenAuth({ source, user: users, settings, served: names, ...parts }),
    users,
    ...(keys && { keys: keys.model }),
    notes: [...notesOf(settings, given, knowsAddresses), ...registeredPowers(users)],
  }
}

/** @throws StartError */
const keyModelIn = (
  source: ModelSource<unknown>,
  modelConfig: ModelConfigs,
  { settings, users, secret }: { settings: AuthSettings; users: UserModel; secret: SecretFields },
): KeyModel => {
  assertTransactions(source, 'The setting SERVICE_AUTH.API_KEYS needs')
  const found = findKeyModel(source.models, settings)
  const model = found && configureModel(found, ownValue(modelConfig, found.name), secret)
  return keyModelOf(model, users.key, adviceOf(source).declare('ApiKey'))
}

const notesOf = (
  settings: AuthSettings,
  { CACHE }: ResolvedSettings,
  knowsAddresses: boolean,
): readonly string[] => {
  const { STATEFUL, LOGIN_MAX_FAILURES_PER_ADDRESS, REGISTER_MAX_PER_ADDRESS, MAIL_MAX_PER_ADDRESS } =
    settings
  const notes: string[] = []
  if (STATEFUL && CACHE === undefined) {
    notes.push(
      'SERVICE_AUTH.STATEFUL is set, but CACHE is not: revoked tokens are lost when this process ends, and other processes do not see them. Set a shared cache: CACHE: redisCache(client).',
    )
  }
  const mailing = mailingSetting(settings)
  const sendsMail = mailing !== undefined
  if (sendsMail && CACHE === undefined) {
    notes.push(
      `SERVICE_AUTH.${mailing} is set, but CACHE is not: the tokens in mails are lost when this process ends, and other processes do not know them. Set a shared cache: CACHE: redisCache(client).`,
    )
  }
  const limits = [
    LOGIN_MAX_FAILURES_PER_ADDRESS,
    REGISTER_MAX_PER_ADDRESS,
    sendsMail ? MAIL_MAX_PER_ADDRESS : 0,
  ]
  if (!knowsAddresses && limits.some((most) => most > 0)) {
    notes.push(
      `Client addresses are unknown, so logins${sendsMail ? ', registrations and mails' : ' and registrations'} are not limited per address. Use fetchApp({ clientAddress: (request) => … }).`,
    )
  }
  return notes
}

/** The models and controllers that are served, with warnings. */
interface ServedModels {
  readonly models: readonly Model[]
  /** Keyed by model name. */
  readonly controllers: ReadonlyMap<string, Controller>
  readonly notes: readonly string[]
}

/**
 * Applies the rule for users if the user model is served: callers can reach only their own record, and write only the
 * fields that registration accepts or `modelConfig` makes writable.
 *
 * @throws StartError if the rule cannot be enforced
 */
export const withOwnRecord = (
  models: readonly Model[],
  controllers: ReadonlyMap<string, Controller>,
  { auth, users, keys }: Authentication,
  { models: source, modelConfig = {} }: AuthOptions,
): ServedModels => {
  const model = models.find(({ name }) => name === users?.model.name)
  for (const [name, config] of Object.entries<ModelConfig | undefined>(modelConfig)) {
    if (config?.writable === undefined || name === model?.name) continue
    throw new StartError(
      name === users?.model.name
        ? `modelConfig.${name}.writable: ${name} is not served. Set internal: false and do not list it in exclude, or remove writable.`
        : `modelConfig.${name}.writable: only a user model that is served with auth needs writable. Remove it; columns of ${name} are writable unless they are in readOnly.`,
    )
  }
  if (users === undefined || model === undefined) return { models, controllers, notes: [] }
  const own = ownRecordOf({
    ...{ users, served: model, source, own: controllers.get(model.name) },
    opened: ownValue(modelConfig, model.name)?.writable ?? [],
    hasKeys: keys !== undefined,
    managed: auth?.managed,
  })
  return {
    models: Object.freeze(models.map((known) => (known === model ? own.model : known))),
    controllers: new Map([...controllers, [model.name, own.controller]]),
    notes: own.notes,
  }
}

/** @throws StartError if `permissions.manageUsers` or `ON_INVITATION` cannot work */
export const assertManaged = (
  controllers: Iterable<Controller>,
  { auth, users }: Authentication,
  { SERVICE_AUTH }: Pick<ResolvedSettings, 'SERVICE_AUTH'>,
): void => {
  const managing = [...controllers].find(({ permissions }) => permissions.manageUsers !== undefined)
  if (managing === undefined) {
    if (auth?.managed !== undefined) assertNoInvitations(SERVICE_AUTH, 'permissions.manageUsers')
    return
  }
  const place = `${managing.place}: permissions.manageUsers`
  if (auth?.managed === undefined)
    throw new StartError(`${place} needs auth: true. Set it, or remove permissions.manageUsers.`)
  if (managing.model !== users?.model.name)
    throw new StartError(
      `${place}: ${managing.model} is not the user model. Move it to the controller of ${users?.model.name}.`,
    )
}

/** @param needs what is missing for invitations @throws StartError */
export const assertNoInvitations = (given: ResolvedSettings['SERVICE_AUTH'], needs: string): void => {
  if (resolveServiceAuth(given).ON_INVITATION !== undefined)
    throw new StartError(
      `The setting SERVICE_AUTH.ON_INVITATION needs ${needs} in the controller of the user model. Add it, or remove the setting.`,
    )
}

/** Startup warnings about columns that may grant privileges and that a custom schema accepts. */
export const customPowers = (
  users: Users | undefined,
  bodies: ReadonlyMap<string, CustomBodies>,
): readonly string[] => {
  if (users === undefined) return []
  const { create, update } = bodies.get(users.model.name) ?? {}
  return [create, update].flatMap((body) => {
    const names = powersOf(users).filter((name) => body?.declared.has(name))
    return body === undefined || names.length === 0
      ? []
      : [`${body.place} accepts ${names.join(', ')}, which may grant privileges.`]
  })
}
