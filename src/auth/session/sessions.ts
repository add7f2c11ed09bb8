import type { Steps } from '../../operation/steps.ts'
import type { VerifiedToken } from '../token/tokens.ts'

/** The user of new tokens. */
export interface Subject {
  /** The user, as tokens name them. */
  readonly sub: string
  /** What tells the account from a later one with the same key. Absent: no other ever has the key. */
  readonly account?: string
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
  | {
      readonly pair: TokenPair
      /** The refresh token counts as unused again: what was asked for is refused after all. */
      readonly undo: () => Steps<void>
    }
  /** `reused`: it was rotated before, and its whole family is dead now. `over`: its session has had its time. */
  | { readonly refused: 'revoked' | 'reused' | 'over' }

/**
 * What tokens there are between a login and its end (specification, 3). Where nothing is kept of them, a token is good
 * until it ends by itself.
 *
 * @throws CacheError where what is kept of tokens cannot be reached
 */
export interface Sessions {
  open(subject: Subject): Steps<TokenPair>
  /** A new pair in place of a refresh token. @throws HttpError 429 */
  rotate(refresh: VerifiedToken, subject: Subject): Steps<Rotation>
  /** Whether it was revoked. A refresh token that was rotated is not: its session goes on. */
  isRevoked(token: VerifiedToken): Steps<boolean>
  /** Of a refresh token that was rotated, the whole session. Every session of the user where there is no place for more. */
  revoke(token: VerifiedToken): Steps<void>
  /** Ends every session that a user has, and lets a login that comes after it begin another. Absent: nothing can be revoked. */
  revokeUser?(sub: string): Steps<void>
}
