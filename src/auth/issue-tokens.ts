import type { Call } from '../operation/call.ts'
import { runNested, type Steps } from '../operation/steps.ts'
import { type AuthParts, failingClosed, logEvent } from './operation.ts'
import { cookieHeaders, unauthenticated } from './replies.ts'
import { assertClaims, subjectWithClaims } from './tokens/claims.ts'
import { nowInSeconds, type OwnClaims } from './tokens/tokens.ts'
import { isDisabled } from './users/accounts.ts'

/** The options of `issueTokens`. */
export interface IssueTokensOptions {
  /**
   * Own claims of the access tokens of this session, in addition to those of `auth.claims`, which take precedence. A
   * refresh keeps them. At most 1,024 bytes as JSON together. @default none
   */
  readonly claims?: Readonly<Record<string, unknown>>
  /** The request that logs the user in: the log line has its address, and the list of sessions its device. @default unknown */
  readonly request?: unknown
}

/** The tokens of a new session. Lifetimes are in seconds. */
export interface IssuedTokens {
  readonly access: string
  readonly refresh: string
  /** The lifetime of `access`. */
  readonly expiresIn: number
  /** The lifetime of `refresh`. */
  readonly refreshExpiresIn: number
  /** A value for each `Set-Cookie` header, as a login sends them. Empty with `setCookies: false`. */
  readonly cookies: readonly string[]
}

/** The request of an issue, as far as log lines and the list of sessions show it. */
export type IssueCall = Pick<Call, 'log' | 'address'> & Partial<Pick<Call, 'header'>>

/** Opens a session for a user. @param id the key, or its form in JSON */
export type IssueTokens = (
  id: unknown,
  claims: OwnClaims | undefined,
  call: IssueCall,
) => Promise<IssuedTokens>

export const issuer =
  (parts: AuthParts): IssueTokens =>
  async (id, claims = {}, call) =>
    await runNested(failingClosed(issue(parts, id, assertClaims(claims, 'issueTokens(): claims'), call)))

function* issue(parts: AuthParts, id: unknown, kept: OwnClaims, call: IssueCall): Steps<IssuedTokens> {
  const { accounts, sessions, settings, user } = parts
  const sub = accounts.subOf(id)
  if (sub === undefined) throw new Error('issueTokens() needs the key of a user.')
  const iat = nowInSeconds()
  const row = yield* accounts.read(accounts.idOf(sub))
  if (row === undefined || isDisabled(row)) throw unauthenticated('This user cannot log in.', 'Bearer')
  if (accounts.keysComeAgain && accounts.hashIn(row) === undefined) {
    const { key, model, password } = user
    throw new Error(
      `issueTokens(): a user of ${model.name} without a hash in ${password.name} cannot have tokens, because the key ${key.name} of a deleted user is reused. Declare it with integer().primaryKey({ autoIncrement: true }), or store the hash of a random password: hashPassword(randomUUID()).`,
    )
  }
  const pair = yield* sessions.open(yield* subjectWithClaims(parts, row, iat, kept), call)
  logEvent(parts, call, 'issue', sub)
  const cookies = cookieHeaders(settings, pair)['set-cookie'] ?? []
  return Object.freeze({
    ...{ access: pair.access, refresh: pair.refresh },
    ...{ expiresIn: pair.accessSeconds, refreshExpiresIn: pair.refreshSeconds },
    cookies: Object.freeze([cookies].flat()),
  })
}
