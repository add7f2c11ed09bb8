import type { Call } from '../operation/call.ts'
import { assertNoQuery } from '../operation/head.ts'
import { bodyProblems, readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { nothing, takePath } from '../operation/path.ts'
import { type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { exampleOf } from '../schema/example.ts'
import type { Row } from '../source/source.ts'
import { authBody, authOperation } from './operation.ts'
import type { AuthParts } from './parts.ts'
import { assertPassword } from './password/assert-password.ts'
import { sessionReply } from './replies.ts'
import { sessionSchema } from './session-schemas.ts'

/** `POST /auth/register` */
export const register = (parts: AuthParts): Operation => {
  const { accounts, events, passwords, sessions, settings, user } = parts
  const body = authBody(parts, user.registrationSchema, {
    required: true,
    example: { ...exampleOf(user.registration, 'create'), password: 'a long and private sentence' },
  })
  const validate = settings.validatePassword
  return authOperation(parts, {
    id: 'register',
    method: 'POST',
    path: 'register',
    summary: 'Register a user',
    body,
    success: {
      status: 201,
      description: 'The tokens of a new session, and the user.',
      mediaType: 'application/json',
      schema: sessionSchema(user),
      headers: { Location: 'The path of the current user.' },
    },
    problems: [
      ...bodyProblems,
      'forbidden',
      'rejected',
      'not_acceptable',
      'unique_conflict',
      'unrepresentable_value',
    ],
    run: takePath({
      mediaType: 'application/json',
      body,
      ask: assertNoQuery,
      enter: (call) => wait(call),
      find: nothing,
      validate: (bytes) => wait(user.readRegistration(readJson(bytes))),
      *act(_asked, { values, password }, call) {
        assertPassword(password, values, { validate, validators: settings.validators })
        const hash = yield* waitInAnyMode(passwords.hash(password))
        const row = yield* accounts.create({ ...values, [user.password.name]: hash })
        yield* welcomed(parts, call, row)
        const pair = yield* sessions.open(accounts.toSub(row))
        events(call, 'register', accounts.toSub(row))
        return { pair, user: accounts.shown(row) }
      },
      reply: (session, call) =>
        sessionReply(parts, {
          status: 201,
          ...session,
          headers: { location: call.path.replace(/register\/?$/, 'me') },
        }),
    }),
  })
}

/** A hook that refuses leaves no user behind. */
function* welcomed({ accounts, settings }: AuthParts, call: Call, row: Row): Steps<void> {
  try {
    yield* waitInAnyMode(settings.hooks.register?.(accounts.withoutPassword(row), call.request))
  } catch (refusal) {
    yield* accounts.remove(accounts.idIn(row))
    throw refusal
  }
}
