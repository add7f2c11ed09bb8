import { randomUUID } from 'node:crypto'
import { problem } from '../error/errors.ts'
import { bodyProblems, readJson } from '../operation/body.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { assertNoQuery, skip, takePath } from '../operation/path.ts'
import { runNested, type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { exampleOf } from '../schema/example.ts'
import type { Row } from '../source/source.ts'
import { type AuthParts, authBody, authOperation, registrationReply, sessionReply } from './operation.ts'
import { nowInSeconds } from './sessions.ts'
import { largestBlock } from './throttle.ts'
import { assertPassword } from './validators.ts'

/** `POST /auth/register` */
export const register = (parts: AuthParts): Operation => {
  const { accounts, events, passwords, registrations, sessions, settings, user } = parts
  const body = authBody(parts, user.registrationSchema, {
    required: true,
    example: { ...exampleOf(user.registration, 'create'), password: 'a long and private sentence' },
  })
  const validate = settings.VALIDATE_PASSWORD
  return authOperation(parts, {
    id: 'register',
    method: 'POST',
    path: 'register',
    summary: 'Register a user',
    description: 'Stores a new user and opens a session. An identifier that is taken is a 409.',
    body,
    success: {
      status: 201,
      description: 'The user, and the tokens of a new session.',
      mediaType: 'application/json',
      schema: registrationReply(user),
      headers: { Location: 'The path of the current user.' },
    },
    problems: [
      ...bodyProblems,
      'forbidden',
      'rejected',
      'not_acceptable',
      'unique_conflict',
      'too_many_requests',
    ],
    run: takePath({
      mediaType: 'application/json',
      body,
      ask: assertNoQuery,
      *enter(call) {
        yield* registrations.assertOpen(call.address)
        return call
      },
      find: skip,
      validate: (bytes) => wait(user.readRegistration(readJson(bytes))),
      *act(_asked, { values, password }, call) {
        assertPassword(password, values, { validate, validators: settings.validators })
        const hash = yield* waitInAnyMode(
          passwords.hash(password, {
            purpose: 'registration',
            client: largestBlock(call.address),
            begin: () => runNested(registrations.enter(call.address)),
          }),
        )
        const iat = nowInSeconds()
        const row = yield* createUser(parts, call, { values, hash })
        // Who may not log in yet gets no tokens either.
        const pair = user.isDisabled(row) ? undefined : yield* sessions.open(accounts.subjectOf(row, iat))
        events(call, 'register', accounts.toSub(row))
        return { pair, user: yield* accounts.shown(row) }
      },
      reply: (session, call) =>
        sessionReply(parts, {
          status: 201,
          ...session,
          headers: { location: call.path.replace(/[^/]+\/*$/, 'me') },
        }),
    }),
  })
}

interface NewUser {
  readonly values: Row
  readonly hash: string
}

/**
 * Stores a user. A hook that refuses leaves none behind, and until it has agreed there is no password to log in with.
 *
 * @throws HttpError 403 where the hook took the user away itself, and whatever the hook throws
 */
function* createUser(
  { accounts, settings, user }: AuthParts,
  call: Call,
  { values, hash }: NewUser,
): Steps<Row> {
  const { ON_REGISTER: hook } = settings
  const { name } = user.password
  if (hook === undefined) return yield* accounts.create({ ...values, [name]: hash })
  // No hash, and no other registration's either: whatever becomes of the record while the hook runs, it is known by this.
  const row = yield* accounts.create({ ...values, [name]: `!${randomUUID()}` })
  try {
    yield* waitInAnyMode(hook(accounts.withoutPassword(row), call.request))
  } catch (refusal) {
    yield* accounts.remove(row)
    throw refusal
  }
  const stored = yield* accounts.setPassword(row, hash)
  if (stored === undefined) throw problem('forbidden', 'The registration was refused.')
  return stored
}
