import { z } from 'zod'
import { toHttpError } from '../error/problem.ts'
import type { Field } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { readJson } from '../operation/body.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import { bodyRefusal, validateBody } from '../schema/issues.ts'
import type { Row } from '../source/source.ts'
import { limited, turnOf } from './limits/throttle.ts'
import { type AuthParts, authOperation, logEvent, sessionExample, sessionSchema } from './operation.ts'
import { passwordIssueOf, passwords } from './passwords/passwords.ts'
import { loginRefused, sessionReply } from './replies.ts'
import type { AuthSettings } from './settings/index.ts'
import { subjectWithClaims } from './tokens/claims.ts'
import { nowInSeconds, type Subject } from './tokens/tokens.ts'
import { isDisabled } from './users/accounts.ts'
import { normalised } from './users/identifiers.ts'
import { ANY_IDENTIFIER, LONGEST_IDENTIFIER } from './users/user-columns.ts'
import type { UserModel } from './users/users.ts'

/** `POST /auth/login` */
export const login = (parts: AuthParts): Operation => {
  const { accounts, sessions, settings, user } = parts
  const { schema, example, read } = loginBody(user, settings)
  return authOperation(parts, {
    id: 'login',
    method: 'POST',
    path: 'login',
    asks: [settings.ON_LOGIN, settings.CLAIMS],
    summary: 'Log in',
    description:
      'Opens a session. Send the access token in the header `Authorization: Bearer`. Browsers can use the cookies of the response instead.',
    body: { required: true, schema, example },
    success: {
      status: 200,
      description: 'The tokens of the new session and the user.',
      mediaType: 'application/json',
      schema: sessionSchema(parts, 'Session', ['access', 'refresh', 'user']),
      get example() {
        return sessionExample(parts)
      },
    },
    problems: ['unauthenticated', 'too_many_requests'],
    read: (bytes) => read(readJson(bytes)),
    *act(credentials, call) {
      const { row, subject } = yield* admit(parts, call, credentials)
      // An error of the application must leave no session behind.
      const shown = yield* accounts.shown(row, call, subject)
      const pair = yield* sessions.open(subject, call)
      logEvent(parts, call, 'login', accounts.toSub(row))
      return { pair, user: shown }
    },
    reply: (session) => sessionReply(settings, 200, session),
  })
}

interface Credentials {
  readonly field: Field | 'any'
  readonly identifier: string
  readonly password: string
}

/** The record of the user who logs in, as it is after the password check, and the subject of the tokens. */
function* admit(
  parts: AuthParts,
  call: Call,
  credentials: Credentials,
): Steps<{ readonly row: Row; readonly subject: Subject }> {
  const { accounts, settings } = parts
  const iat = nowInSeconds()
  const found = yield* accounts.find(credentials.field, credentials.identifier)
  try {
    const row = yield* throttled(parts, call, credentials, found)
    yield* waitInAnyMode(settings.ON_LOGIN?.(accounts.withoutPassword(row), call.request))
    return { row, subject: yield* subjectWithClaims(parts, row, iat) }
  } catch (thrown) {
    if (toHttpError(thrown).status < 500)
      logEvent(parts, call, 'login_refused', found && accounts.toSub(found))
    throw thrown
  }
}

/** The user with this password. Every failure costs the same work and has the same response. */
function* throttled(
  parts: AuthParts,
  call: Call,
  credentials: Credentials,
  found: Row | undefined,
): Steps<Row> {
  const { throttle } = parts
  // By the typed identifier: a counter per user would reveal which identifiers belong to the same user.
  const who = { account: normalised(credentials.identifier), address: call.address }
  // An impossible password is not counted: free attempts could evict the counters of others from the cache.
  if (passwordIssueOf(credentials.password) !== undefined) throw loginRefused()
  const row = yield* limited(throttle, who, (begin) => verified(parts, call, credentials, { found, begin }))
  if (row === undefined) throw loginRefused()
  return row
}

/** A record may change once during a login. If it changes again, the login fails. */
const ROUNDS = 2

/**
 * The record of the user with this password. A login may wait in the hashing queue for seconds; meanwhile the password may
 * be changed, or the user disabled or deleted. So the record is read again, and if its hash has changed, the password is
 * compared with the new hash.
 */
function* verified(
  parts: AuthParts,
  call: Call,
  { field, identifier, password }: Credentials,
  { found, begin }: { readonly found: Row | undefined; readonly begin: () => Promise<void> },
): Steps<Row | undefined> {
  const { accounts } = parts
  let row = found
  for (let round = 0; round < ROUNDS; round += 1) {
    const hash = row && accounts.hashIn(row)
    const isTheirs = yield* waitInAnyMode(passwords.verify(password, hash, { ...turnOf(call), begin }))
    if (row === undefined || hash === undefined || !isTheirs || isDisabled(row)) return undefined
    const stored = yield* rehashed(parts, call, { row, hash, password })
    const now = yield* accounts.find(field, identifier)
    const isSame =
      now !== undefined && accounts.toSub(now) === accounts.toSub(row) && accounts.hashIn(now) === stored
    if (isSame) return isDisabled(now) ? undefined : now
    row = now
  }
  return undefined
}

/** Replaces a stored hash with outdated parameters, and returns the stored hash. If that fails, the next login retries. */
function* rehashed(
  { accounts }: AuthParts,
  call: Call,
  { row, hash, password }: { readonly row: Row; readonly hash: string; readonly password: string },
): Steps<string> {
  if (!passwords.needsRehash(hash)) return hash
  try {
    const renewed = yield* waitInAnyMode(passwords.hash(password, turnOf(call)))
    const updated = yield* accounts.setPassword(row, renewed)
    return (updated && accounts.hashIn(updated)) ?? hash
  } catch (error) {
    // An overload is temporary, and a log line per login would be a flood.
    if (toHttpError(error).code !== 'unavailable')
      call.log.error('Could not rehash the password of a user', error)
    return hash
  }
}

/** Accepts the identifiers of LOGIN_FIELDS, or those of the user model and `login`, which means any of them. */
const loginBody = ({ identifiers }: UserModel, { LOGIN_FIELDS }: AuthSettings) => {
  const ofUser = new Map<string, Field | 'any'>(identifiers.map((field) => [field.name, field]))
  if (LOGIN_FIELDS === undefined || !ofUser.has(ANY_IDENTIFIER)) ofUser.set(ANY_IDENTIFIER, 'any')
  const names = [...new Set(LOGIN_FIELDS ?? ofUser.keys())]
  const text = z.string().min(1).max(LONGEST_IDENTIFIER)
  const body = z.strictObject({
    ...Object.fromEntries(names.map((name) => [name, text.optional()])),
    password: z.string().min(1).meta({ writeOnly: true }),
  })
  const { $schema: _dialect, ...documented } = z.toJSONSchema(body)
  const description = `The password and exactly one of: ${names.join(', ')}.`
  return {
    schema: {
      name: 'LoginRequest',
      schema: { ...documented, description, minProperties: 2, maxProperties: 2 },
    },
    example: { [names[0] ?? ANY_IDENTIFIER]: 'ada@example.com', password: 'a long and private sentence' },
    read: (sent: unknown): Credentials => {
      const given = validateBody(body, sent)
      const [name, another] = names.filter((known) => ownValue(given, known) !== undefined)
      if (name === undefined || another !== undefined) {
        const pointer = `/${another ?? names[0]}`
        const code = another === undefined ? 'required' : 'invalid'
        throw bodyRefusal([{ pointer, code, detail: `Send exactly one of ${names.join(', ')}.` }])
      }
      return {
        field: ofUser.get(name) ?? 'any',
        identifier: String(ownValue(given, name)),
        password: String(given['password']),
      }
    },
  }
}
