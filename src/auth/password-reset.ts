import { z } from 'zod'
import { CacheError } from '../cache/cache.ts'
import { ownValue } from '../model/objects.ts'
import { readJson } from '../operation/body.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import { validateBody } from '../schema/issues.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import type { Row } from '../source/source.ts'
import { turnOf } from './limits/throttle.ts'
import type { Mailed, MailPurpose } from './mails/mail-tokens.ts'
import { type Mail, mailedUser, mailOperation, mailTokenRefused, onceWith } from './mails.ts'
import { type AuthParts, authOperation, logEvent } from './operation.ts'
import { tellPasswordChange, visibleFields } from './password-change.ts'
import { passwords } from './passwords/passwords.ts'
import { assertPassword } from './passwords/validators.ts'
import { noStore } from './replies.ts'
import { isDisabled } from './users/accounts.ts'
import { normalised } from './users/identifiers.ts'
import { isInvited } from './users/invited.ts'
import { verifiedValues } from './users/user-columns.ts'

export const resetMail: Mail = {
  purpose: 'password-reset',
  hook: 'ON_PASSWORD_RESET',
  event: 'password_reset_sent',
  // An invitation that has expired must not be used in another way.
  isFor: ({ user }, row) => !(isDisabled(row) || isInvited(row, user.password)),
}

/** `POST /auth/password/reset` */
export const requestReset = (parts: AuthParts): Operation =>
  mailOperation(parts, resetMail, {
    id: 'requestPasswordReset',
    path: 'password/reset',
    summary: 'Ask for a new password',
    description:
      'Sends a mail with a token for `POST /auth/password/reset/confirm` if the address belongs to a user. The pause between two mails grows with each mail. The response does not tell whether it does.',
  })

/** `POST /auth/password/reset/confirm` */
export const confirmReset = (parts: AuthParts): Operation =>
  settingPassword(parts, resetMail.purpose, {
    id: 'resetPassword',
    path: 'password/reset/confirm',
    summary: 'Set a new password',
    description:
      'Sets a new password with the token of a mail. Ends the sessions of the user; access tokens of stateless mode stay valid until they expire.',
    schema: passwordRequest('PasswordResetRequest'),
    done: 'The password is changed. The user can log in with it.',
    *told(call, stored) {
      logEvent(parts, call, 'password_reset', parts.accounts.toSub(stored))
      yield* tellPasswordChange(parts, call, stored)
    },
  })

/** An operation that sets a password with the token of a mail. */
interface SettingPassword extends Pick<Operation, 'id' | 'summary' | 'description'> {
  /** Below `/auth`. */
  readonly path: string
  readonly schema: NamedSchema
  /** The description of the response. */
  readonly done: string
  /** Who learns of it. The password is set by now. */
  readonly told: (call: Call, stored: Row) => Steps<void>
}

/** Sets a password with a token of this purpose, which ends with it. */
export const settingPassword = (
  parts: AuthParts,
  purpose: MailPurpose,
  { schema, done, told, ...described }: SettingPassword,
): Operation =>
  authOperation(parts, {
    ...described,
    method: 'POST',
    body: {
      ...{ required: true, schema },
      example: { token: 'x'.repeat(43), password: 'a long and private sentence' },
    },
    success: { status: 204, description: done },
    problems: ['unavailable'],
    read: (bytes) => {
      const { token, password } = validateBody(resetBody, readJson(bytes))
      return { token: String(token), password }
    },
    *act({ token, password }, call) {
      const mailed = yield* parts.mailTokens.find(token, purpose)
      const row = mailed && (yield* userOf(parts, mailed))
      if (mailed === undefined || row === undefined) throw mailTokenRefused()
      assertPassword(password, visibleFields(parts.user, row), parts.settings)
      const stored = yield* onceWith(parts, token, mailed, () => replaced(parts, call, row, password))
      yield* forgetFailures(parts, stored)
      yield* told(call, stored)
    },
    reply: () => ({ status: 204, headers: noStore, body: undefined }),
  })

/** The active user of a token, if neither the password nor the address has changed since. */
function* userOf(parts: AuthParts, mailed: Mailed): Steps<Row | undefined> {
  const row = yield* mailedUser(parts, mailed)
  if (row === undefined || isDisabled(row)) return undefined
  return parts.accounts.subjectOf(row, 0).account === mailed.account ? row : undefined
}

/** Stores the new password, unless the password or the address has changed meanwhile: the mail proves both. */
function* replaced(parts: AuthParts, call: Call, row: Row, password: string): Steps<Row> {
  const { accounts, user } = parts
  const stored = yield* waitInAnyMode(passwords.hash(password, turnOf(call)))
  const unchanged = user.email === undefined ? [user.password] : [user.password, user.email]
  const values = { [user.password.name]: stored, ...verifiedValues(user.verified, true) }
  const changed = yield* accounts.change(row, unchanged, values, call)
  if (changed === undefined) throw mailTokenRefused()
  return changed
}

/** A user who has failed to log in may do so with the new password at once; if the cache is unavailable, after a while. */
function* forgetFailures({ throttle, user }: AuthParts, row: Row): Steps<void> {
  const texts = user.identifiers
    .map(({ name }) => ownValue(row, name))
    .filter((value) => typeof value === 'string')
  try {
    yield* throttle.forget(texts.map(normalised))
  } catch (error) {
    if (!(error instanceof CacheError)) throw error
  }
}

const resetBody = z.strictObject({ token: z.string(), password: z.string() })

/** The body of an operation that sets a password. */
export const passwordRequest = (name: string): NamedSchema => ({
  name,
  schema: {
    type: 'object',
    required: ['token', 'password'],
    properties: {
      token: { type: 'string', description: 'The token of the mail.' },
      password: { type: 'string', description: 'The new password.', writeOnly: true },
    },
    additionalProperties: false,
  },
})
