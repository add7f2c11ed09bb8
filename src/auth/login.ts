import { assertNoQuery } from '../operation/head.ts'
import { bodyProblems, readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { nothing, takePath } from '../operation/path.ts'
import { wait } from '../operation/steps.ts'
import { admitted } from './admit.ts'
import { loginBody } from './login-body.ts'
import { authBody, authOperation } from './operation.ts'
import type { AuthParts } from './parts.ts'
import { sessionReply } from './replies.ts'
import { sessionSchema } from './session-schemas.ts'

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
      find: nothing,
      validate: (bytes) => wait(credentials.read(readJson(bytes))),
      *act(_asked, input, call) {
        const { row, iat } = yield* admitted(parts, call, input)
        const pair = yield* sessions.open(accounts.subjectOf(row, iat))
        events(call, 'login', accounts.toSub(row))
        return { pair, user: yield* accounts.shown(row) }
      },
      reply: (session) => sessionReply(parts, { status: 200, ...session }),
    }),
  })
}
