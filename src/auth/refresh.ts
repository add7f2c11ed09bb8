import type { Call } from '../operation/call.ts'
import { assertNoQuery } from '../operation/head.ts'
import { bodyProblems } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { nothing, takePath } from '../operation/path.ts'
import { type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { authBody, authOperation } from './operation.ts'
import type { AuthParts } from './parts.ts'
import { readRefresh, refreshSchema } from './refresh-body.ts'
import { tokenRefused } from './refusals.ts'
import { pairCookies, privateJson } from './replies.ts'
import { nowInSeconds } from './session/pair.ts'
import type { TokenPair } from './session/sessions.ts'
import { tokensSchema } from './session-schemas.ts'
import type { VerifiedToken } from './token/tokens.ts'
import { tokenInCookie } from './transport/cookies.ts'
import { assertOwnOrigin } from './transport/same-origin.ts'
import { alive } from './user/alive.ts'

/** `POST /auth/refresh` */
export const refresh = (parts: AuthParts): Operation => {
  const body = authBody(parts, refreshSchema, {
    required: false,
    example: { refresh: 'eyJhbGciOiJIUzI1NiJ9…' },
  })
  return authOperation(parts, {
    id: 'refresh',
    method: 'POST',
    path: 'refresh',
    summary: 'Get new tokens for a refresh token',
    description:
      'The refresh token comes in the body or in its cookie. In stateful mode it is good for one refresh.',
    body,
    success: {
      status: 200,
      description: 'A new pair of tokens.',
      mediaType: 'application/json',
      schema: tokensSchema,
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
      validate: (bytes) => wait(readRefresh(bytes)),
      *act(_asked, inBody, call) {
        const token = yield* presented(parts, call, inBody)
        const pair = yield* renewed(parts, call, token)
        return { pair, byCookie: inBody === undefined }
      },
      reply: ({ pair, byCookie }) => {
        const { access, refresh: next } = pair
        const shown = byCookie ? { access } : { access, refresh: next }
        return privateJson(200, JSON.stringify(shown), pairCookies(parts, pair))
      },
    }),
  })
}

/** @throws HttpError 401, 403 */
function* presented(
  { settings, tokens }: AuthParts,
  call: Call,
  inBody: string | undefined,
): Steps<VerifiedToken> {
  const sent = inBody ?? tokenInCookie(call, 'refresh', settings)
  const token = sent === undefined ? undefined : yield* waitInAnyMode(tokens.verify(sent, 'refresh'))
  if (token === undefined) throw tokenRefused()
  if (inBody === undefined) assertOwnOrigin(call, settings.trustedOrigins)
  return token
}

/** @throws HttpError 401 */
function* renewed(parts: AuthParts, call: Call, token: VerifiedToken): Steps<TokenPair> {
  const { accounts, events, sessions, settings, user } = parts
  const iat = nowInSeconds()
  const row = yield* alive(user, accounts.named(token.claims))
  if (row === undefined) throw tokenRefused()
  const rotation = yield* sessions.rotate(token, accounts.subjectOf(row, iat))
  if ('refused' in rotation) {
    if (rotation.refused === 'reused') events(call, 'refresh_reused', token.claims.sub)
    throw tokenRefused()
  }
  try {
    yield* waitInAnyMode(settings.hooks.refresh?.(accounts.withoutPassword(row), call.request))
  } catch (refusal) {
    yield* rotation.undo()
    throw refusal
  }
  events(call, 'refresh', token.claims.sub)
  return rotation.pair
}
