import { z } from 'zod'
import type { Issue } from '../error/errors.ts'
import { toHttpError } from '../error/problem.ts'
import type { Field } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { bodyProblems, readJson } from '../operation/body.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { assertNoQuery, skip, takePath } from '../operation/path.ts'
import { runNested, type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { bodyRefusal, validateBody } from '../schema/issues.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import type { Row } from '../source/source.ts'
import { type AuthParts, authBody, authOperation, sessionReply, sessionSchema } from './operation.ts'
import { type Turn, unacceptable } from './passwords.ts'
import { loginRefused } from './refusals.ts'
import { nowInSeconds } from './sessions.ts'
import type { AuthSettings } from './settings.ts'
import { type Attempt, largestBlock } from './throttle.ts'
import { ANY_IDENTIFIER, normalised } from './user-columns.ts'
import type { UserModel } from './users.ts'

/** `POST /auth/login` */
export const login = (parts: AuthParts): Operation => {
  const { accounts, events, sessions, settings, user } = parts
  const credentials = loginBody(user, settings)
  const body = authBody(parts, credentials.schema, { required: true, example: credentials.example })
  return authOperation(parts, {
    id: 'login',
    method: 'POST',
    path: 'login',
    summary: 'Log in',
    description:
      'Opens a session. Send the access token as `Authorization: Bearer`, or let a browser keep the cookies that come with it.',
    body,
    success: {
      status: 200,
      description: 'The tokens of a new session, and the user.',
      mediaType: 'application/json',
      schema: sessionSchema(user),
    },
    problems: [
      ...bodyProblems,
      'unauthenticated',
      'forbidden',
      'rejected',
      'not_acceptable',
      'too_many_requests',
    ],
    run: takePath({
      mediaType: 'application/json',
      body,
      ask: assertNoQuery,
      enter: (call) => wait(call),
      find: skip,
      validate: (bytes) => wait(credentials.read(readJson(bytes))),
      *act(_asked, input, call) {
        const { row, iat } = yield* verifyLogin(parts, call, input)
        const pair = yield* sessions.open(accounts.subjectOf(row, iat))
        events(call, 'login', accounts.toSub(row))
        return { pair, user: yield* accounts.shown(row) }
      },
      reply: (session) => sessionReply(parts, { status: 200, ...session }),
    }),
  })
}

/** A user who may have a session. */
interface VerifiedLogin {
  /** Their record, as it was after everything that a login waits for in here. */
  readonly row: Row
  /** The second in which the login began. */
  readonly iat: number
}

/** The user who logs in. @throws HttpError for whom the password, the number of tries or the hook refuses */
function* verifyLogin(parts: AuthParts, call: Call, credentials: Credentials): Steps<VerifiedLogin> {
  const { accounts, events, settings } = parts
  const iat = nowInSeconds()
  const found = yield* accounts.find(credentials.field, credentials.identifier)
  try {
    const row = yield* verifyCredentials(parts, call, credentials, found)
    yield* waitInAnyMode(settings.ON_LOGIN?.(accounts.withoutPassword(row), call.request))
    return { row, iat }
  } catch (thrown) {
    if (toHttpError(thrown).status < 500) events(call, 'login_refused', found && accounts.toSub(found))
    throw thrown
  }
}

/** The user whose password it is. The same work and the same answer, whatever is wrong. @throws HttpError 401, 429 */
function* verifyCredentials(
  parts: AuthParts,
  call: Call,
  credentials: Credentials,
  found: Row | undefined,
): Steps<Row> {
  // By what was typed: a count of the user's own would tell which identifiers are of the same user.
  const who = { account: normalised(credentials.identifier), address: call.address }
  // There is nothing to try then, and nothing to count: such attempts would push the counts of others out of the cache.
  if (unacceptable(credentials.password) !== undefined) throw loginRefused()
  yield* parts.throttle.assertOpen(who)
  const row = yield* countAttempt(parts, who, (begin) =>
    verifyPassword(parts, call, { ...credentials, turn: { ...turnOf(call), begin } }, found),
  )
  if (row === undefined) throw loginRefused()
  yield* parts.throttle.succeeded(who)
  return row
}

/** A login counts once its first turn to be hashed has come. One that failed before an answer was known does not count. */
function* countAttempt<T>(
  { throttle }: AuthParts,
  who: Attempt,
  attempt: (begin: () => Promise<void>) => Steps<T>,
): Steps<T> {
  let isCounted = false
  const begin = async (): Promise<void> => {
    if (isCounted) return
    await runNested(throttle.enter(who))
    isCounted = true
  }
  try {
    return yield* attempt(begin)
  } catch (error) {
    if (isCounted) yield* throttle.undo(who)
    throw error
  }
}

const turnOf = ({ address }: Pick<Call, 'address'>): Turn => ({
  purpose: 'login',
  client: largestBlock(address),
})

interface CredentialsInTurn extends Credentials {
  readonly turn: Turn
}

/** A record that changed once may have changed by chance. Whoever changes it all the time gets no more of our work. */
const ROUNDS = 2

/**
 * The record of the user whose password it is. A login waits for its turn, for seconds where there are many: meanwhile the
 * password may be changed, and the user disabled or deleted. So the record is read again, and where it has another hash,
 * the password is compared with that.
 */
function* verifyPassword(
  parts: AuthParts,
  call: Call,
  attempted: CredentialsInTurn,
  found: Row | undefined,
): Steps<Row | undefined> {
  const { accounts, passwords, user } = parts
  let row = found
  for (let round = 0; round < ROUNDS; round += 1) {
    const hash = row && accounts.hashIn(row)
    const isTheirs = yield* waitInAnyMode(passwords.verify(attempted.password, hash, attempted.turn))
    if (row === undefined || hash === undefined || !isTheirs || user.isDisabled(row)) return undefined
    const stored = yield* rehash(parts, call, { row, hash, password: attempted.password })
    const now = yield* accounts.find(attempted.field, attempted.identifier)
    const isSame =
      now !== undefined && accounts.toSub(now) === accounts.toSub(row) && accounts.hashIn(now) === stored
    if (isSame) return user.isDisabled(now) ? undefined : now
    row = now
  }
  return undefined
}

interface VerifiedPassword {
  readonly row: Row
  readonly hash: string
  readonly password: string
}

/**
 * The stored hash, made anew where it costs too little by now. A login that could be is not refused because that failed:
 * the next one tries again.
 */
function* rehash(
  { accounts, passwords }: AuthParts,
  call: Call,
  { row, hash, password }: VerifiedPassword,
): Steps<string> {
  if (!passwords.needsRehash(hash)) return hash
  try {
    const updated = yield* accounts.setPassword(
      row,
      yield* waitInAnyMode(passwords.hash(password, turnOf(call))),
    )
    return (updated && accounts.hashIn(updated)) ?? hash
  } catch (error) {
    // An overload passes, and a line for each login would be a flood of its own.
    if (toHttpError(error).code === 'unavailable') return hash
    call.log.error('The password of a user could not be hashed anew', error)
    return hash
  }
}

/** What a login asks for. */
interface Credentials {
  /** Where to look for the identifier: one field of the user, or any of them. */
  readonly field: Field | 'any'
  readonly identifier: string
  readonly password: string
}

/** The body of `POST /auth/login`. */
interface LoginBody {
  readonly schema: NamedSchema
  readonly example: unknown
  /** @throws HttpError 422 */
  readonly read: (body: unknown) => Credentials
}

/** The longest identifier: the longest e-mail address (RFC 5321, 4.5.3.1) has 254. */
const LONGEST_IDENTIFIER = 320

/**
 * Identifiers that the settings name, or those of the user and `login`. That means any of them (contract, 9), unless the
 * settings name a column of this name.
 */
const loginBody = (
  { identifiers }: UserModel,
  { LOGIN_FIELDS }: Pick<AuthSettings, 'LOGIN_FIELDS'>,
): LoginBody => {
  const ofUser = new Map<string, Field | 'any'>(identifiers.map((field) => [field.name, field]))
  if (LOGIN_FIELDS === undefined || !ofUser.has(ANY_IDENTIFIER)) ofUser.set(ANY_IDENTIFIER, 'any')
  const names = [...new Set(LOGIN_FIELDS ?? ofUser.keys())]
  const text = z.string().min(1).max(LONGEST_IDENTIFIER)
  const schema = z.strictObject({
    ...Object.fromEntries(names.map((name) => [name, text.optional()])),
    password: z.string().min(1),
  })
  return {
    schema: loginSchema(names),
    example: { [names[0] ?? ANY_IDENTIFIER]: 'ada@example.com', password: 'a long and private sentence' },
    read: (body) => {
      const given = validateBody(schema, body)
      const [name, another] = names.filter((known) => ownValue(given, known) !== undefined)
      if (name === undefined || another !== undefined) throw bodyRefusal([identifierIssue(names, another)])
      return {
        field: ofUser.get(name) ?? 'any',
        identifier: String(ownValue(given, name)),
        password: String(given['password']),
      }
    },
  }
}

const identifierIssue = (names: readonly string[], another: string | undefined): Issue => ({
  pointer: `/${another ?? names[0]}`,
  code: another === undefined ? 'required' : 'invalid',
  detail: `Give exactly one of ${names.join(', ')}.`,
})

const loginSchema = (names: readonly string[]): NamedSchema => ({
  name: 'LoginRequest',
  schema: {
    type: 'object',
    description: `The password, and exactly one of ${names.join(', ')}.`,
    required: ['password'],
    properties: {
      ...Object.fromEntries(
        names.map((name) => [name, { type: 'string', minLength: 1, maxLength: LONGEST_IDENTIFIER }]),
      ),
      password: { type: 'string', minLength: 1, writeOnly: true },
    },
    minProperties: 2,
    maxProperties: 2,
    additionalProperties: false,
  },
})
