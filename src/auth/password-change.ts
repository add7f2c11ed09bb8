import { z } from 'zod'
import type { Issue } from '../error/errors.ts'
import { toHttpError } from '../error/problem.ts'
import { isReadable } from '../model/model.ts'
import { readJson } from '../operation/body.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import { bodyRefusal, validateBody } from '../schema/issues.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import type { Row } from '../source/source.ts'
import { requireCaller, sentToken } from './authenticate.ts'
import { limited, turnOf } from './limits/throttle.ts'
import { type AuthParts, authOperation, logEvent } from './operation.ts'
import { hashedForm, MOST_BYTES, passwords } from './passwords/passwords.ts'
import { assertPassword } from './passwords/validators.ts'
import { tokenRefused } from './replies.ts'
import { newTokens, pairReply } from './session-operations.ts'
import type { TokenPair } from './sessions/sessions.ts'
import { keptClaims, subjectWithClaims } from './tokens/claims.ts'
import { nowInSeconds, type TokenClaims } from './tokens/tokens.ts'
import { isDisabled } from './users/accounts.ts'
import type { UserModel } from './users/users.ts'

/** `POST /auth/password/change` */
export const changePassword = (parts: AuthParts): Operation => {
  const { authenticate, settings } = parts
  return authOperation(parts, {
    id: 'changePassword',
    method: 'POST',
    path: 'password/change',
    asks: [settings.CLAIMS],
    summary: 'Change the password',
    description:
      'Replaces the password of the caller and ends all other sessions. The response has new tokens for this client.',
    caller: 'session',
    body: {
      required: true,
      schema: changeRequest,
      example: { old_password: 'a long and private sentence', new_password: 'a longer and private sentence' },
    },
    success: newTokens,
    problems: ['unauthenticated', 'too_many_requests'],
    *enter(call) {
      yield* requireCaller(call, authenticate)
    },
    read: (bytes) => {
      const { old_password: old, new_password: next } = validateBody(changeBody, readJson(bytes))
      return { old: String(old), next: String(next) }
    },
    *act(sent, call) {
      // The body may have taken long.
      const { claims } = yield* requireCaller(call, authenticate)
      const pair = yield* changed(parts, call, { ...sent, claims })
      return { pair, byCookie: sentToken(call, settings)?.by === 'cookie' }
    },
    reply: (outcome) => pairReply(settings, outcome),
  })
}

interface PasswordChange {
  readonly old: string
  readonly next: string
  readonly claims: TokenClaims
}

/** The tokens of a new session. Those of all others name the old hash, so they end. @throws HttpError 401, 422, 429, 503 */
function* changed(parts: AuthParts, call: Call, change: PasswordChange): Steps<TokenPair> {
  const { accounts, sessions, settings, throttle, user } = parts
  const { old, next, claims } = change
  const iat = nowInSeconds()
  const row = yield* accounts.active(claims)
  if (row === undefined) throw tokenRefused()
  assertPassword(next, visibleFields(user, row), settings, NEW)
  if (hashedForm(next) === hashedForm(old)) throw bodyRefusal([unchanged])
  const sub = accounts.toSub(row)
  // Before the change, which an error must not follow.
  const subject = yield* subjectWithClaims(parts, row, iat, keptClaims(claims))
  const who = { account: sub, by: 'user', address: call.address } as const
  let stored: Row | undefined
  try {
    stored = yield* limited(throttle, who, (begin) => replaced(parts, call, change, { row, begin }))
    if (stored === undefined) throw bodyRefusal([wrong])
  } catch (thrown) {
    if (toHttpError(thrown).status < 500) logEvent(parts, call, 'password_change_refused', sub)
    throw thrown
  }
  if (isDisabled(stored)) throw tokenRefused()
  return yield* sessions.open({ ...subject, ...accounts.subjectOf(stored, iat) }, call)
}

/** The hash may change once while this request waits, because a login rehashes the old password. */
const ROUNDS = 2

/** Replaces the hash, and returns the record. `undefined` if the old password is wrong. */
function* replaced(
  parts: AuthParts,
  call: Call,
  { old, next, claims }: PasswordChange,
  { row, begin }: { readonly row: Row; readonly begin: () => Promise<void> },
): Steps<Row | undefined> {
  const { accounts } = parts
  let current: Row | undefined = row
  for (let round = 0; round < ROUNDS; round += 1) {
    if (current === undefined) throw tokenRefused()
    const hash = accounts.hashIn(current)
    const isTheirs = yield* waitInAnyMode(passwords.verify(old, hash, { ...turnOf(call), begin }))
    if (!isTheirs) return undefined
    const renewed = yield* waitInAnyMode(passwords.hash(next, turnOf(call)))
    // The session may have ended in the queue.
    if (call.confirm !== undefined) yield* call.confirm()
    const stored = yield* accounts.setPassword(current, renewed, call)
    if (stored !== undefined) {
      // Before anything that may fail, such as the cache: the user must learn of the change.
      logEvent(parts, call, 'password_change', accounts.toSub(stored))
      yield* tellPasswordChange(parts, call, stored)
      return stored
    }
    current = yield* accounts.active(claims)
  }
  return undefined
}

/** Runs ON_PASSWORD_CHANGE. The password is changed by now, so an error is only logged. */
export function* tellPasswordChange(
  { accounts, settings }: Pick<AuthParts, 'accounts' | 'settings'>,
  call: Call,
  row: Row,
): Steps<void> {
  try {
    yield* waitInAnyMode(settings.ON_PASSWORD_CHANGE?.(accounts.withoutPassword(row), call.request))
  } catch (error) {
    call.log.error('ON_PASSWORD_CHANGE failed', error)
  }
}

/** The fields that messages about a password may name. */
export const visibleFields = ({ model }: UserModel, row: Row): Row => {
  const names = new Set(model.fields.filter(isReadable).map(({ name }) => name))
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name)))
}

const NEW = '/new_password'

const wrong: Issue = { pointer: '/old_password', code: 'invalid', detail: 'The old password is wrong.' }

const unchanged: Issue = {
  pointer: NEW,
  code: 'invalid',
  detail: 'The new password must differ from the old one.',
}

const changeBody = z.strictObject({
  old_password: z.string().min(1).meta({ writeOnly: true }),
  new_password: z.string().min(1).max(MOST_BYTES).meta({ writeOnly: true }),
})

const { $schema: _dialect, ...documented } = z.toJSONSchema(changeBody)
const changeRequest: NamedSchema = { name: 'PasswordChangeRequest', schema: documented }
