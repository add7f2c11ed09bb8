import { toHttpError } from '../error/problem.ts'
import type { Call } from '../operation/call.ts'
import { assertNoQuery } from '../operation/head.ts'
import { bodyProblems, readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { nothing, takePath } from '../operation/path.ts'
import { type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import type { Row } from '../source/source.ts'
import { type Credentials, loginBody } from './login-body.ts'
import { authBody, authOperation } from './operation.ts'
import type { AuthParts } from './parts.ts'
import { loginRefused } from './refusals.ts'
import { sessionReply } from './replies.ts'
import { sessionSchema } from './session-schemas.ts'
import { normalised } from './user/identifier.ts'

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
      find: nothing,
      validate: (bytes) => wait(credentials.read(readJson(bytes))),
      *act(_asked, input, call) {
        const row = yield* admitted(parts, call, input)
        const pair = yield* sessions.open(accounts.toSub(row))
        events(call, 'login', accounts.toSub(row))
        return { pair, user: yield* accounts.shown(row) }
      },
      reply: (session) => sessionReply(parts, { status: 200, ...session }),
    }),
  })
}

/** The user who logs in. @throws HttpError for whom the password, the number of tries or the hook refuses */
function* admitted(parts: AuthParts, call: Call, credentials: Credentials): Steps<Row> {
  const { accounts, events, settings } = parts
  const row = yield* accounts.find(credentials.field, credentials.identifier)
  try {
    const user = yield* recognised(parts, call, credentials, row)
    yield* waitInAnyMode(settings.hooks.login?.(accounts.withoutPassword(user), call.request))
    return user
  } catch (thrown) {
    if (toHttpError(thrown).status < 500) events(call, 'login_refused', row && accounts.toSub(row))
    throw thrown
  }
}

/** The user whose password it is. The same work and the same answer, whatever is wrong. @throws HttpError 401, 429 */
function* recognised(
  parts: AuthParts,
  call: Call,
  { identifier, password }: Credentials,
  row: Row | undefined,
): Steps<Row> {
  const { accounts, passwords, throttle, user } = parts
  const account = row === undefined ? `text:${normalised(identifier)}` : `user:${accounts.toSub(row)}`
  const who = { account, address: call.address }
  yield* throttle.enter(who)
  const hash = row && accounts.hashIn(row)
  const isTheirs = yield* waitInAnyMode(passwords.verify(password, hash))
  if (row === undefined || hash === undefined || !isTheirs || user.isDisabled(row)) throw loginRefused()
  yield* throttle.succeeded(who)
  if (passwords.needsRehash(hash)) yield* rehashed(parts, call, row, password)
  return row
}

/** A login that could be is not refused because its hash could not be made anew: the next one tries again. */
function* rehashed({ accounts, passwords }: AuthParts, call: Call, row: Row, password: string): Steps<void> {
  try {
    yield* accounts.setPassword(row, yield* waitInAnyMode(passwords.hash(password)))
  } catch (error) {
    call.log.error('The password of a user could not be hashed anew', error)
  }
}
