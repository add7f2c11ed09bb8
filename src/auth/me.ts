import type { Operation } from '../operation/operation.ts'
import { assertNoQuery, skip, takePath } from '../operation/path.ts'
import type { Steps } from '../operation/steps.ts'
import { exampleOf } from '../schema/example.ts'
import type { Row } from '../source/source.ts'
import { activeUser } from './accounts.ts'
import { requireCaller, type TokenAuthenticate } from './authenticate.ts'
import { type AuthParts, authOperation, privateJson, userSchema } from './operation.ts'
import { tokenRefused } from './refusals.ts'
import type { TokenClaims } from './tokens.ts'

/** `GET /auth/me` */
export const me = (parts: AuthParts, authenticate: TokenAuthenticate): Operation => {
  const { accounts, user } = parts
  return authOperation(parts, {
    id: 'getMe',
    method: 'GET',
    path: 'me',
    summary: 'The current user',
    description: 'Returns the user who sent the request, by the access token in its header or cookie.',
    caller: 'required',
    success: {
      status: 200,
      description: 'The user, without the password.',
      mediaType: 'application/json',
      schema: userSchema(user),
      get example() {
        return exampleOf(user.model, 'detail')
      },
    },
    problems: ['unauthenticated', 'forbidden', 'not_acceptable'],
    run: takePath({
      mediaType: 'application/json',
      ask: assertNoQuery,
      enter: (call) => requireCaller(call, authenticate),
      find: (_asked, { claims }) => findUser(parts, claims),
      validate: skip,
      act: (_asked, _input, _caller, row) => accounts.shown(row),
      reply: (shown) => privateJson(200, shown),
    }),
  })
}

function* findUser({ accounts, user }: AuthParts, claims: TokenClaims): Steps<Row> {
  const row = yield* activeUser(user, accounts.named(claims))
  if (row === undefined) throw tokenRefused()
  return row
}
