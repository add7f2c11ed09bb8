import { z } from 'zod'
import { readJson } from '../operation/body.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import { validateBody } from '../schema/issues.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import {
  assertOwnOrigin,
  foreignOrigin,
  isFromOwnOrigin,
  requireCaller,
  sentToken,
  tokenInCookie,
} from './authenticate.ts'
import {
  type AuthParts,
  accessTokenSchema,
  authOperation,
  logEvent,
  refreshTokenSchema,
  userExample,
  userSchema,
} from './operation.ts'
import { cookieHeaders, noStore, privateJson, tokenRefused } from './replies.ts'
import type { TokenPair } from './sessions/sessions.ts'
import type { AuthSettings } from './settings/index.ts'
import { keptClaims, subjectWithClaims } from './tokens/claims.ts'
import { nowInSeconds, type VerifiedToken } from './tokens/tokens.ts'

/** `GET /auth/me` */
export const me = (parts: AuthParts): Operation => {
  const { accounts, authenticate } = parts
  return authOperation(parts, {
    id: 'getMe',
    method: 'GET',
    path: 'me',
    summary: 'Get the current user',
    description: 'Returns the user whose access token is in the header or the cookie of the request.',
    caller: 'session',
    success: {
      status: 200,
      description: 'The current user, without the password.',
      mediaType: 'application/json',
      schema: userSchema(parts),
      get example() {
        return userExample(parts)
      },
    },
    problems: ['unauthenticated'],
    read: () => undefined,
    *act(_nothing, call) {
      const { claims } = yield* requireCaller(call, authenticate)
      const row = yield* accounts.active(claims)
      if (row === undefined) throw tokenRefused()
      return yield* accounts.shown(row, call)
    },
    reply: (shown) => privateJson(200, shown),
  })
}

/** `POST /auth/refresh` */
export const refresh = (parts: AuthParts): Operation => {
  const { settings, tokens } = parts
  return authOperation(parts, {
    id: 'refresh',
    method: 'POST',
    path: 'refresh',
    asks: [settings.ON_REFRESH, settings.CLAIMS],
    summary: 'Refresh the tokens',
    description:
      'Exchanges a refresh token for a new pair of tokens. Send the refresh token in the body or in its cookie. In stateful mode you can use each refresh token only once.',
    body: {
      required: false,
      schema: refreshRequest,
      // A page that has logged in has the cookie, and cannot know the token.
      example: settings.SET_COOKIES ? {} : { refresh: 'eyJhbGciOiJIUzI1NiJ9…' },
    },
    success: newTokens,
    problems: ['unauthenticated', 'too_many_requests'],
    read: readRefresh,
    *act(inBody, call) {
      const sent = inBody ?? tokenInCookie(call, 'refresh', settings)
      const token = sent === undefined ? undefined : yield* waitInAnyMode(tokens.verify(sent, 'refresh'))
      if (token === undefined) throw tokenRefused()
      if (inBody === undefined) assertOwnOrigin(call, settings.TRUSTED_ORIGINS)
      return { pair: yield* rotated(parts, call, token), byCookie: inBody === undefined }
    },
    reply: (outcome) => pairReply(settings, outcome),
  })
}

/** The response with new tokens. A client that sent its token in a cookie gets the refresh token only in the cookie. */
export const pairReply = (
  settings: AuthSettings,
  { pair, byCookie }: { readonly pair: TokenPair; readonly byCookie: boolean },
): Reply => {
  const { access, refresh: next } = pair
  const shown = byCookie ? { access } : { access, refresh: next }
  return privateJson(200, JSON.stringify(shown), cookieHeaders(settings, pair))
}

/** Exchanges a refresh token for a new pair. @throws HttpError 401, 429, and errors of the hook */
function* rotated(parts: AuthParts, call: Call, token: VerifiedToken): Steps<TokenPair> {
  const { accounts, sessions, settings } = parts
  const iat = nowInSeconds()
  const row = yield* accounts.active(token.claims)
  if (row === undefined) throw tokenRefused()
  // Before the token is used up, so a failure leaves it usable.
  const subject = yield* subjectWithClaims(parts, row, iat, keptClaims(token.claims))
  const rotation = yield* sessions.rotate(token, subject, call)
  if ('refused' in rotation) {
    if (rotation.refused === 'reused') logEvent(parts, call, 'refresh_reused', token.claims.sub)
    throw tokenRefused()
  }
  try {
    yield* waitInAnyMode(settings.ON_REFRESH?.(accounts.withoutPassword(row), call.request))
  } catch (refusal) {
    yield* rotation.undo()
    throw refusal
  }
  logEvent(parts, call, 'refresh', token.claims.sub)
  return rotation.pair
}

/** `POST /auth/logout` */
export const logout = (parts: AuthParts): Operation => {
  const { accounts, sessions, settings } = parts
  return authOperation(parts, {
    id: 'logout',
    method: 'POST',
    path: 'logout',
    asks: [settings.ON_LOGOUT],
    summary: 'Log out',
    description:
      'Clears the cookies. In stateful mode, it also revokes the tokens in the header, the cookies and the body.',
    body: { required: false, schema: refreshRequest, example: {} },
    success: {
      status: 204,
      description: 'The caller is logged out. Requests without a token get this response too.',
    },
    problems: [],
    read: readRefresh,
    *act(inBody, call) {
      const tokens = yield* validTokens(parts, call, inBody)
      const claims = tokens[0]?.claims
      if (claims === undefined) return
      const row = yield* accounts.named(claims)
      if (row !== undefined)
        yield* waitInAnyMode(settings.ON_LOGOUT?.(accounts.withoutPassword(row), call.request))
      for (const token of tokens) yield* sessions.revoke(token)
      logEvent(parts, call, 'logout', claims.sub)
    },
    reply: () => ({ status: 204, headers: { ...noStore, ...cookieHeaders(settings) }, body: undefined }),
  })
}

/** The valid tokens of a request. @throws HttpError 403 for cookies in a request that a page of another origin makes */
function* validTokens(
  { sessions, settings, tokens }: AuthParts,
  call: Call,
  inBody: string | undefined,
): Steps<readonly VerifiedToken[]> {
  const sent = sentToken(call, settings)
  const presented = [
    { type: 'access', token: sent?.by === 'header' ? sent.token : undefined, byCookie: false },
    { type: 'refresh', token: inBody, byCookie: false },
    { type: 'access', token: tokenInCookie(call, 'access', settings), byCookie: true },
    { type: 'refresh', token: tokenInCookie(call, 'refresh', settings), byCookie: true },
  ] as const
  const good = new Map<string, VerifiedToken>()
  for (const { type, token, byCookie } of presented) {
    const verified = token === undefined ? undefined : yield* waitInAnyMode(tokens.verify(token, type))
    if (verified === undefined || (yield* sessions.isRevoked(verified))) continue
    if (byCookie && !isFromOwnOrigin(call, settings.TRUSTED_ORIGINS)) {
      if (good.size === 0) throw foreignOrigin()
    } else good.set(verified.id, verified)
  }
  return [...good.values()]
}

const refreshBody = z.strictObject({ refresh: z.string().min(1).optional() })

/** The refresh token in the body, which may be empty. @throws HttpError 400, 422 */
const readRefresh = (bytes: Uint8Array): string | undefined => {
  if (bytes.length === 0) return undefined
  const { refresh: token } = validateBody(refreshBody, readJson(bytes))
  return token === undefined ? undefined : String(token)
}

const refreshRequest: NamedSchema = {
  name: 'RefreshRequest',
  schema: {
    type: 'object',
    properties: {
      refresh: {
        type: 'string',
        minLength: 1,
        description: 'The refresh token. Default: the one in the cookie.',
      },
    },
    additionalProperties: false,
  },
}

const tokensSchema: NamedSchema = {
  name: 'TokenPair',
  schema: {
    type: 'object',
    required: ['access'],
    properties: {
      access: accessTokenSchema,
      refresh: {
        ...refreshTokenSchema,
        description:
          'A JWT for `POST /auth/refresh`. Absent if the token of the request came in a cookie, because the new token is then in a cookie too.',
      },
    },
    additionalProperties: true,
  },
}

/** The success of an operation that responds with `pairReply`. */
export const newTokens: Operation['success'] = {
  status: 200,
  description: 'The new tokens.',
  mediaType: 'application/json',
  schema: tokensSchema,
}
