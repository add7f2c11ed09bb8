import { bodyProblems } from '../operation/body.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { assertNoQuery, skip, takePath } from '../operation/path.ts'
import { type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { clearedCookies, foreignOrigin, isFromOwnOrigin, sentToken, tokenInCookie } from './cookies.ts'
import { type AuthParts, authBody, authOperation, cookieHeaders } from './operation.ts'
import { readRefresh, refreshSchema } from './refresh.ts'
import { noStore } from './refusals.ts'
import type { TokenType, VerifiedToken } from './tokens.ts'

/** `POST /auth/logout` */
export const logout = (parts: AuthParts): Operation => {
  const { accounts, events, sessions, settings } = parts
  const body = authBody(parts, refreshSchema, { required: false, example: {} })
  return authOperation(parts, {
    id: 'logout',
    method: 'POST',
    path: 'logout',
    summary: 'End the session',
    description:
      'Clears the cookies. In stateful mode the tokens that came are revoked: in the header, the cookies and the body.',
    body,
    success: { status: 204, description: 'Done, with or without tokens.' },
    problems: [...bodyProblems, 'forbidden', 'rejected'],
    run: takePath({
      body,
      ask: assertNoQuery,
      enter: (call) => wait(call),
      find: skip,
      validate: (bytes) => wait(readRefresh(bytes)),
      *act(_asked, inBody, call) {
        const tokens = yield* validTokens(parts, call, inBody)
        const claims = tokens[0]?.claims
        if (claims === undefined) return
        const row = yield* accounts.named(claims)
        if (row !== undefined)
          yield* waitInAnyMode(settings.ON_LOGOUT?.(accounts.withoutPassword(row), call.request))
        for (const token of tokens) yield* sessions.revoke(token)
        events(call, 'logout', claims.sub)
      },
      reply: () => ({
        status: 204,
        headers: { ...noStore, ...cookieHeaders(clearedCookies(settings)) },
        body: undefined,
      }),
    }),
  })
}

interface Presented {
  readonly type: TokenType
  readonly token: string | undefined
  readonly byCookie: boolean
}

/** The tokens that came and are good. @throws HttpError 403 for cookies that a page of another origin made the browser send */
function* validTokens(
  parts: AuthParts,
  call: Call,
  inBody: string | undefined,
): Steps<readonly VerifiedToken[]> {
  const { sessions, settings, tokens } = parts
  const sent = sentToken(call, settings)
  const presented: readonly Presented[] = [
    { type: 'access', token: sent?.by === 'header' ? sent.token : undefined, byCookie: false },
    { type: 'refresh', token: inBody, byCookie: false },
    { type: 'access', token: tokenInCookie(call, 'access', settings), byCookie: true },
    { type: 'refresh', token: tokenInCookie(call, 'refresh', settings), byCookie: true },
  ]
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
