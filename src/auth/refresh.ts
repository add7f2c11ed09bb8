import { z } from 'zod'
import { bodyProblems, readJson } from '../operation/body.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { assertNoQuery, skip, takePath } from '../operation/path.ts'
import { type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { validateBody } from '../schema/issues.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import { activeUser } from './accounts.ts'
import { assertOwnOrigin, tokenInCookie } from './cookies.ts'
import {
  type AuthParts,
  authBody,
  authOperation,
  pairCookies,
  privateJson,
  tokensSchema,
} from './operation.ts'
import { tokenRefused } from './refusals.ts'
import { nowInSeconds, type TokenPair } from './sessions.ts'
import type { VerifiedToken } from './tokens.ts'

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
      find: skip,
      validate: (bytes) => wait(readRefresh(bytes)),
      *act(_asked, inBody, call) {
        const token = yield* readRefreshToken(parts, call, inBody)
        const pair = yield* rotateTokens(parts, call, token)
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
function* readRefreshToken(
  { settings, tokens }: AuthParts,
  call: Call,
  inBody: string | undefined,
): Steps<VerifiedToken> {
  const sent = inBody ?? tokenInCookie(call, 'refresh', settings)
  const token = sent === undefined ? undefined : yield* waitInAnyMode(tokens.verify(sent, 'refresh'))
  if (token === undefined) throw tokenRefused()
  if (inBody === undefined) assertOwnOrigin(call, settings.TRUSTED_ORIGINS)
  return token
}

/** @throws HttpError 401 */
function* rotateTokens(parts: AuthParts, call: Call, token: VerifiedToken): Steps<TokenPair> {
  const { accounts, events, sessions, settings, user } = parts
  const iat = nowInSeconds()
  const row = yield* activeUser(user, accounts.named(token.claims))
  if (row === undefined) throw tokenRefused()
  const rotation = yield* sessions.rotate(token, accounts.subjectOf(row, iat))
  if ('refused' in rotation) {
    if (rotation.refused === 'reused') events(call, 'refresh_reused', token.claims.sub)
    throw tokenRefused()
  }
  try {
    yield* waitInAnyMode(settings.ON_REFRESH?.(accounts.withoutPassword(row), call.request))
  } catch (refusal) {
    yield* rotation.undo()
    throw refusal
  }
  events(call, 'refresh', token.claims.sub)
  return rotation.pair
}

const refreshBody = z.strictObject({ refresh: z.string().min(1).optional() })

/** The body of refresh and logout. */
export const refreshSchema: NamedSchema = {
  name: 'RefreshRequest',
  schema: {
    type: 'object',
    properties: {
      refresh: {
        type: 'string',
        minLength: 1,
        description: 'The refresh token. Absent: the one in the cookie.',
      },
    },
    additionalProperties: false,
  },
}

/** The refresh token in a body, which may be empty. @throws HttpError 400, 422 */
export const readRefresh = (bytes: Uint8Array): string | undefined => {
  if (bytes.length === 0) return undefined
  const { refresh } = validateBody(refreshBody, readJson(bytes))
  return refresh === undefined ? undefined : String(refresh)
}
