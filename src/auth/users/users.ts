import { StartError } from '../../error/errors.ts'
import { kinds, rowOf } from '../../model/kinds/index.ts'
import { type Field, fieldOf, isNeeded, type Model } from '../../model/model.ts'
import { modelNamed } from '../../model/named.ts'
import type { Awaitable } from '../../model/objects.ts'
import { LONG_AGO } from '../../operation/path.ts'
import { runNested, type Steps, waitInAnyMode } from '../../operation/steps.ts'
import { everything } from '../../query/ast.ts'
import { type Advice, adviceOf } from '../../source/advice.ts'
import type { ModelSource, Row, Session } from '../../source/source.ts'
import type { AuthSettings } from '../settings/index.ts'
import {
  allowedFields,
  emailColumnOf,
  identifiersOf,
  mayGivePower,
  passwordColumnOf,
  passwordNames,
  verifiedColumnOf,
  withPasswordHidden,
} from './user-columns.ts'

/** The users of an application, with `auth: true` or their own authentication. */
export interface Users {
  /** With the password hidden. */
  readonly model: Model
  /** The field of the primary key. `undefined` if the key has several. */
  readonly key: Field | undefined
  readonly identifiers: readonly Field[]
  /** The identifiers, and `email` if mail is sent to it: stored in normalized form, and each text belongs to one user. */
  readonly claimed: readonly Field[]
  /** The column `email`, if mail is sent to it. */
  readonly email: Field | undefined
  /** The column that says whether the address is verified, with `EMAIL_VERIFY`. */
  readonly verified: Field | undefined
  /** The column that holds the hash. */
  readonly password: Field | undefined
  /** The columns that users may write, at registration and in their own record. */
  readonly allowed: readonly Field[]
}

type UserSettings = Pick<AuthSettings, 'LOGIN_FIELDS' | 'REGISTER_FIELDS'> &
  Partial<Pick<AuthSettings, 'PASSWORD_RESET' | 'EMAIL_VERIFY' | 'ON_INVITATION'>>

/** Without registration, nothing has to be able to create users. @default REGISTRATION: true */
type RegistrationSettings = UserSettings & Partial<Pick<AuthSettings, 'REGISTRATION'>>

/** The model that `AUTH_USER_MODEL` names, otherwise `User` if it has a password. @param userModel `app.Model` */
export const findUserModel = (models: readonly Model[], userModel: string | undefined): Model | undefined =>
  userModel === undefined
    ? models.find((model) => model.name === 'User' && passwordColumnOf(model) !== undefined)
    : modelNamed(models, 'AUTH_USER_MODEL', userModel)

/** @param configured the model with its `modelConfig` applied */
export const usersOf = (configured: Model, settings: UserSettings): Users => {
  const { LOGIN_FIELDS, REGISTER_FIELDS, EMAIL_VERIFY = false } = settings
  const model = withPasswordHidden(configured)
  const password = passwordColumnOf(model)
  const identifiers = identifiersOf(model, LOGIN_FIELDS)
  const email = mailingSetting(settings) === undefined ? undefined : emailColumnOf(model)
  const [name, ...more] = model.primaryKey
  return Object.freeze<Users>({
    ...{ model, password, identifiers, email },
    claimed: email === undefined || identifiers.includes(email) ? identifiers : [...identifiers, email],
    verified: EMAIL_VERIFY ? verifiedColumnOf(model) : undefined,
    key: name !== undefined && more.length === 0 ? fieldOf(model, name) : undefined,
    allowed: allowedFields(model, identifiers, REGISTER_FIELDS),
  })
}

/** The user model of `auth: true`. */
export interface UserModel extends Users {
  readonly key: Field
  readonly password: Field
}

/**
 * @throws StartError if users could not register or log in, would be ambiguous, or could grant themselves privileges
 */
export const userModelOf = (
  configured: Model,
  { REGISTRATION = true, ...settings }: RegistrationSettings,
  advice: Pick<Advice, 'keyDefault'> = adviceOf({}),
): UserModel => {
  const users = usersOf(configured, settings)
  const key = userKeyOf(users)
  const password = passwordFieldOf(users)
  assertIdentified(users)
  if (REGISTRATION) assertComplete(users, advice)
  assertMailable(users, settings)
  return Object.freeze<UserModel>({ ...users, key, password })
}

const userModelError = ({ name }: Model, why: string): StartError =>
  new StartError(`The user model ${name} ${why}.`)

/** The field that identifies a caller. */
export const userKeyOf = ({ model, key }: Users): Field => {
  if (key !== undefined) return key
  throw userModelError(
    model,
    model.primaryKey.length === 0
      ? 'has no primary key. Add one'
      : `has a composite primary key (${model.primaryKey.join(', ')}). Use a key with a single column`,
  )
}

/** An argon2id hash has 97 characters, or more with higher parameters. */
const SHORTEST_COLUMN = 100

const passwordFieldOf = ({ model, password }: Users): Field => {
  if (password === undefined)
    throw userModelError(model, `has no password column. Add one of ${passwordNames.join(', ')}`)
  if (!kinds[password.kind].textual || password.generated)
    throw userModelError(model, `stores passwords in ${password.name}, which must be a writable text column`)
  if ((password.maxLength ?? SHORTEST_COLUMN) < SHORTEST_COLUMN)
    throw userModelError(
      model,
      `stores passwords in ${password.name}, which is too short for a hash. Increase its length to 255 characters`,
    )
  return password
}

const assertIdentified = ({ model, identifiers }: Users): void => {
  if (identifiers.length === 0)
    throw userModelError(
      model,
      'has no column that identifies users at login. Add email or username, or name another column in SERVICE_AUTH.LOGIN_FIELDS',
    )
  const inexact = identifiers.find((field) => !rowOf(field).comparable)
  if (inexact !== undefined)
    throw userModelError(
      model,
      `identifies users by ${inexact.name}, but the source does not compare strings exactly. Use a column with a binary collation`,
    )
}

/** Registration must be able to fill in every required column; clients do so only if the application allows it. */
const assertComplete = (
  { model, identifiers, allowed, password }: Users,
  { keyDefault }: Pick<Advice, 'keyDefault'>,
): void => {
  if (!identifiers.some((field) => allowed.includes(field)))
    throw new StartError(
      `New users of ${model.name} could not log in. Add ${identifiers.length === 1 ? '' : 'one of '}${namesOf(identifiers)} to SERVICE_AUTH.REGISTER_FIELDS.`,
    )
  const missing = model.fields.filter(
    (field) => isNeeded(field) && field !== password && !allowed.includes(field),
  )
  const key = missing.find(({ name }) => model.primaryKey.includes(name))
  if (key !== undefined)
    throw userModelError(model, `needs a default for its key ${key.name}. Add one, such as ${keyDefault}`)
  if (missing.length > 0) throw userModelError(model, unfilled(model, missing, [...allowed, ...missing]))
}

/** Names the required columns that registration leaves out, and the remedy. */
const unfilled = (model: Model, missing: readonly Field[], all: readonly Field[]): string => {
  const setting = `SERVICE_AUTH: { REGISTER_FIELDS: [${all.map(({ name }) => `'${name}'`).join(', ')}] }`
  const powerful = missing.filter((field) => mayGivePower(model, field))
  return powerful.length > 0
    ? `requires ${namesOf(powerful)}, which may grant privileges. Add a default, because with ${setting} anyone who registers could choose the value`
    : `requires ${namesOf(missing)}, which registration does not accept by default. Add a default, or let anyone who registers choose the value: ${setting}`
}

/** The first setting with which mail is sent to users. */
export const mailingSetting = ({
  PASSWORD_RESET,
  EMAIL_VERIFY,
  ON_INVITATION,
}: UserSettings): string | undefined => {
  if (PASSWORD_RESET) return 'PASSWORD_RESET'
  if (EMAIL_VERIFY) return 'EMAIL_VERIFY'
  return ON_INVITATION === undefined ? undefined : 'ON_INVITATION'
}

/** Mail needs an address, and its verification a column. */
const assertMailable = ({ model, email, verified }: Users, settings: UserSettings): void => {
  const { EMAIL_VERIFY } = settings
  const mailing = mailingSetting(settings)
  if (email === undefined && mailing !== undefined)
    throw userModelError(model, `has no text column email, which ${mailing} needs. Add it`)
  if (verified === undefined && EMAIL_VERIFY)
    throw userModelError(
      model,
      'has no column for verified addresses, which EMAIL_VERIFY needs. Add email_verified, a boolean with the default false, or email_verified_at, a timestamp that may be null',
    )
}

const namesOf = (fields: readonly Field[]): string => fields.map(({ name }) => name).join(', ')

/** User records for hooks. */
export interface UserRecords {
  /** @param id the key @param session the transaction that reads it. @default none */
  read(id: unknown, session?: Session): Steps<Row | undefined>
  withoutPassword(row: Row): Row
}

export const userRecordsOf = (model: Model, source: ModelSource): UserRecords => {
  const password = passwordColumnOf(model)?.name
  return Object.freeze<UserRecords>({
    *read(id, session = source) {
      return yield* waitInAnyMode(session.store(model).read([id], everything))
    },
    withoutPassword: (row) =>
      Object.freeze(Object.fromEntries(Object.entries(row).filter(([name]) => name !== password))),
  })
}

/**
 * A caller's record without the password, for hooks: `context.user()`. `null` if it is deleted. It is read once, and again
 * if the last read was more than a second ago or failed.
 *
 * A transaction reads it itself: if each waited for another connection, as many requests as there are connections would wait for
 * each other.
 */
export const currentUser = (
  users: UserRecords,
  id: unknown,
): ((session: Session) => Awaitable<Row | null>) => {
  let latest: { readonly user: Awaitable<Row | null>; readonly at: number } | undefined
  function* find(session: Session): Steps<Row | null> {
    try {
      const row = yield* users.read(id, session)
      return row === undefined ? null : users.withoutPassword(row)
    } catch (error) {
      // A repeated transaction reads it again.
      latest = undefined
      throw error
    }
  }
  return (session) => {
    const now = performance.now()
    if (latest === undefined || now - latest.at >= LONG_AGO)
      latest = { user: runNested(find(session)), at: now }
    return latest.user
  }
}
