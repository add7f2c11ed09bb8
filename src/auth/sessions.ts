import { type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import type { AuthSettings } from './settings.ts'
import type { TokenClaims, Tokens, TokenType, VerifiedToken } from './tokens.ts'

/** The user of new tokens. */
export interface Subject extends Pick<TokenClaims, 'sub' | 'account'> {
  /**
   * The second before the user was checked. Tokens are issued as of then, so that whatever ends all sessions of the user
   * while a login or a refresh waits ends the new one as well.
   */
  readonly iat: number
}

/** Two tokens as clients get them, and how many seconds each has. */
export interface TokenPair {
  readonly access: string
  readonly refresh: string
  readonly accessSeconds: number
  readonly refreshSeconds: number
}

/** What became of a refresh token that was presented. */
export type Rotation =
  /** `undo`: the refresh token counts as unused again, as a hook refuses after all. */
  | { readonly pair: TokenPair; readonly undo: () => Steps<void> }
  /** `reused`: it was rotated before, and its whole family is dead now. `over`: its session has had its time. */
  | { readonly refused: 'revoked' | 'reused' | 'over' }

/** What tokens there are between a login and its end. @throws CacheError where what is kept of them cannot be reached */
export interface Sessions {
  open(subject: Subject): Steps<TokenPair>
  /** A new pair in place of a refresh token. @throws HttpError 429 */
  rotate(refresh: VerifiedToken, subject: Subject): Steps<Rotation>
  /** Whether it was revoked. A refresh token that was rotated is not: its session goes on. */
  isRevoked(token: VerifiedToken): Steps<boolean>
  /** Of a rotated refresh token, the whole session. All sessions of the user where there is no room for another mark. */
  revoke(token: VerifiedToken): Steps<void>
  /** Ends every session that a user has, and lets a login that comes after it begin another. Absent: nothing can be revoked. */
  revokeUser?(sub: string): Steps<void>
}

/** Sessions of which nothing is kept: signature and lifetime alone decide. */
export const statelessSessions = (sign: SignPair): Sessions => {
  const open = (subject: Subject): Steps<TokenPair> => waitInAnyMode(sign(subject))
  return {
    open,
    *rotate(_refresh, subject): Steps<Rotation> {
      return { pair: yield* open(subject), undo: doNothing }
    },
    isRevoked: () => wait(false),
    revoke: doNothing,
  }
}

const doNothing = (): Steps<void> => wait(undefined)

/** What the tokens of one session have in common. */
export type Family = Required<Pick<TokenClaims, 'fid' | 'auth_time'>>

/** When a session ends however often it is refreshed, in seconds. */
export const lastEnd = (
  { auth_time }: Family,
  { REFRESH_ABSOLUTE, JWT_REFRESH_EXP }: Pick<AuthSettings, 'REFRESH_ABSOLUTE' | 'JWT_REFRESH_EXP'>,
): number => (REFRESH_ABSOLUTE ? auth_time + JWT_REFRESH_EXP : Infinity)

/** Signs a pair of tokens for a user. @param kept Absent: nothing is kept of the tokens */
export type SignPair = (
  subject: Subject,
  kept?: { readonly family: Family; readonly accessId: string; readonly refreshId: string },
) => Promise<TokenPair>

export const pairSigner =
  (tokens: Tokens, settings: AuthSettings): SignPair =>
  async (subject, kept) => {
    const { JWT_ACCESS_EXP, JWT_REFRESH_EXP } = settings
    const { iat } = subject
    const end = kept === undefined ? Infinity : lastEnd(kept.family, settings)
    const sign = (type: TokenType, exp: number, jti: string | undefined): Promise<string> =>
      tokens.sign({ ...subject, type, exp, ...(jti !== undefined && { jti }), ...kept?.family })
    const accessEnd = Math.min(iat + JWT_ACCESS_EXP, end)
    const refreshEnd = Math.min(iat + JWT_REFRESH_EXP, end)
    const [access, refresh] = await Promise.all([
      sign('access', accessEnd, kept?.accessId),
      sign('refresh', refreshEnd, kept?.refreshId),
    ])
    return { access, refresh, accessSeconds: accessEnd - iat, refreshSeconds: refreshEnd - iat }
  }

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)

/** Tokens tell when they were made in whole seconds. Those that are made from now on must not look like those of before. */
export const secondAfter = (second: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, (second + 1) * 1000 - Date.now()))
  })
